"""JSON of a file, within bounds: how large, how deep, and numbers that are numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from animato.errors import FileFormatError
from animato.formats.files.read_whole import read_text_whole

LARGEST_FILE = 40_000_000  # bytes; an hour of a pen at 125 Hz, with times and pressure
_LONGEST_WHOLE = 30  # digits; Python refuses very long ones, and arrays all that do not fit


def load_json(path: str | Path, what: str) -> Any:
    """What a JSON file says: mappings, lists, text, numbers, None.

    NaN, which some programs write for a gap, is read; infinity is no number that anybody measures and is refused.

    Args:
        path: The file.
        what: It should be, for the error ("strokes").

    Raises:
        FileFormatError: It cannot be read, is too large or too deep, or is not JSON; the line is named.
    """
    return parse_json(read_text_whole(path, largest=LARGEST_FILE), path, what)


def parse_json(text: str, path: str | Path, what: str) -> Any:
    """The same of the content of a file; `path` only names it."""

    def constant(word: str) -> float:
        if word == "NaN":
            return float("nan")
        line = text.count("\n", 0, max(text.find(word), 0)) + 1
        raise FileFormatError(
            path, f"it holds {word}, which is no number; write null where nothing was measured.", line
        )

    try:
        return json.loads(text, parse_constant=constant, parse_int=_whole)
    except json.JSONDecodeError as error:
        raise FileFormatError(path, f"this is not JSON: {error.msg}.", error.lineno) from None
    except RecursionError:
        raise FileFormatError(path, f"this is nested too deeply to be {what}.") from None


def _whole(digits: str) -> int | float:
    """A whole number; one of absurd length becomes a float, which is then refused as too large."""
    return int(digits) if len(digits) <= _LONGEST_WHOLE else float(digits)
