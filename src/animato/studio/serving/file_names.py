"""Names of files that come from outside."""

from __future__ import annotations

import re
import unicodedata

_LONGEST = 100
_ODD = re.compile(r"[^\w.\- ()+]+")
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # what Windows has in every folder


def safe_name(given: str, default: str) -> str:
    """A name of a file that every system takes, as near to the given one as can be.

    Args:
        given: By whoever sends the file; anything.
        default: Where nothing of it is left.
    """
    name = re.split(r"[/\\]", unicodedata.normalize("NFC", given))[-1]
    name = _ODD.sub("_", name).strip(" .")
    stem, dot, ending = name.rpartition(".")
    if not dot:
        stem, ending = ending, ""
    ending = ending[: _LONGEST // 2]
    stem = stem[: _LONGEST - len(ending)].strip(" ._") or default
    name = f"{stem}{dot}{ending}"
    return f"_{name}" if _DEVICES.fullmatch(name) else name
