"""Files are read whole, and what can go wrong on the way is said in words."""

from __future__ import annotations

import difflib
import stat
from pathlib import Path

from animato.errors import FileFormatError

LARGEST_FILE = 1 << 30  # bytes; an hour of 60 bones at 120 Hz is smaller than this in every format


def read_bytes_whole(path: str | Path, *, largest: int = LARGEST_FILE) -> bytes:
    """All bytes of a file.

    Args:
        path: The file.
        largest: Most bytes that are read.

    Raises:
        FileFormatError: There is no such file, it is a folder, a pipe or empty, it is too large, or
            it may not be read.
    """
    place = Path(path)
    try:
        status = place.stat()
        if stat.S_ISDIR(status.st_mode):
            raise FileFormatError(path, "this is a folder; give the path of a file in it.")
        if not stat.S_ISREG(status.st_mode):
            raise FileFormatError(path, "this is a pipe or a device, not a file on a disk.")
        if status.st_size > largest:
            raise FileFormatError(
                path, f"the file has {status.st_size / 1e6:.0f} MB; at most {largest / 1e6:.0f} MB are read."
            )
        data = place.read_bytes()
    except FileNotFoundError:
        raise FileFormatError(path, f"there is no such file.{_near_names(place)}") from None
    except PermissionError:
        raise FileFormatError(path, "you may not read this file; change its permissions or copy it.") from None
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        raise FileFormatError(path, f"the file cannot be read: {error}.") from None
    if not data:
        raise FileFormatError(path, "the file is empty.")
    return data


def read_text_whole(path: str | Path, *, largest: int = LARGEST_FILE) -> str:
    """All text of a file: UTF-8, or UTF-16 where a byte order mark says so."""
    return decoded(read_bytes_whole(path, largest=largest), path)


def decoded(data: bytes, path: str | Path) -> str:
    """Bytes as text; a byte order mark is taken off."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileFormatError(path, "this is not text in UTF-8; save it as UTF-8 text.", line) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise FileFormatError(path, "this is not a text file; it contains null characters.", line)
    return text


def _near_names(place: Path) -> str:
    try:
        names = sorted(entry.name for entry in place.parent.iterdir())
    except OSError:
        return f" The folder '{place.parent}' is not there either."
    close = difflib.get_close_matches(place.name, names, n=1, cutoff=0.6)
    return f" Did you mean '{close[0]}'?" if close else ""
