"""Files are read whole, and what can go wrong on the way is said in words."""

from __future__ import annotations

import difflib
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from animato.errors import FileFormatError

LARGEST_FILE = 1 << 30  # bytes; an hour of 60 bones at 120 Hz is 0.6 to 1 GB of text


def read_bytes_whole(path: str | Path, *, largest: int = LARGEST_FILE) -> bytes:
    """All bytes of a file.

    Args:
        path: The file.
        largest: Most bytes that are read.

    Raises:
        FileFormatError: There is no such file, it is a folder, a pipe or empty, it is too large, or
            it may not be read.
    """
    with opened(path, largest=largest) as stream:
        data = stream.read(largest + 1)
    if len(data) > largest:
        raise too_large(path, len(data), largest)
    if not data:
        raise FileFormatError(path, "the file is empty.")
    return data


@contextmanager
def opened(path: str | Path, *, largest: int) -> Iterator[BinaryIO]:
    """A file that is there, is a file, is not too large and may be read; what goes wrong in here is said in words.

    A file may grow while it is read: whoever reads asks for no more than `largest` bytes.
    """
    place = Path(path)
    try:
        status = place.stat()
        if stat.S_ISDIR(status.st_mode):
            raise FileFormatError(path, "this is a folder; give the path of a file in it.")
        if not stat.S_ISREG(status.st_mode):
            raise FileFormatError(path, "this is a pipe or a device, not a file on a disk.")
        if status.st_size > largest:
            raise too_large(path, status.st_size, largest)
        with place.open("rb") as stream:
            yield stream
    except FileNotFoundError:
        raise FileFormatError(path, f"there is no such file.{_near_names(place)}") from None
    except PermissionError:
        raise FileFormatError(path, "you may not read this file; change its permissions or copy it.") from None
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        name = str(path) if len(str(path)) <= 300 else f"{str(path)[:300]}..."
        raise FileFormatError(name, f"the file cannot be read: {str(error)[:200]}.") from None


def too_large(path: str | Path, size: int, largest: int) -> FileFormatError:
    """The error for a file beyond its bound."""
    return FileFormatError(path, f"the file has {size / 1e6:.0f} MB; at most {largest / 1e6:.0f} MB are read.")


def read_text_blocks(path: str | Path, *, largest: int = LARGEST_FILE, block: int = 1 << 23) -> Iterator[str]:
    """The text of a large file piece by piece, each ending where a line does.

    Args:
        path: The file: UTF-8, or UTF-16 where a byte order mark says so, which is read whole.
        largest: Most bytes that are read.
        block: Bytes of a piece.

    Raises:
        FileFormatError: As `read_text_whole` does, as soon as the trouble is met.
    """
    with opened(path, largest=largest) as stream:
        data = stream.read(block)
        if not data:
            raise FileFormatError(path, "the file is empty.")
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            yield decoded(data + stream.read(largest - len(data) + 1), path)
            return
        lines = total = 0
        while data:
            total += len(data)
            if total > largest:
                raise too_large(path, total, largest)
            more = stream.read(block)
            end = data.rfind(b"\n") + 1 if more else len(data)
            piece, rest = (data[:end], data[end:]) if end else (b"", data)
            if piece:
                yield decoded(piece, path, lines)
                lines += piece.count(b"\n")
            total -= len(rest)
            data = rest + more


def read_text_whole(path: str | Path, *, largest: int = LARGEST_FILE) -> str:
    """All text of a file: UTF-8, or UTF-16 where a byte order mark says so."""
    return decoded(read_bytes_whole(path, largest=largest), path)


def decoded(data: bytes, path: str | Path, before: int = 0) -> str:
    """Bytes as text; a byte order mark is taken off. `before` counts the lines that came before them."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = before + data.count(b"\n", 0, error.start) + 1
        raise FileFormatError(path, "this is not text in UTF-8; save it as UTF-8 text.", line) from None
    if "\0" in text:
        line = before + text.count("\n", 0, text.index("\0")) + 1
        raise FileFormatError(path, "this is not a text file; it contains null characters.", line)
    return text


def _near_names(place: Path) -> str:
    try:
        names = sorted(entry.name for entry in place.parent.iterdir())
    except (OSError, ValueError):
        return f" The folder '{place.parent}' is not there either."
    close = difflib.get_close_matches(place.name, names, n=1, cutoff=0.6)
    return f" Did you mean '{close[0]}'?" if close else ""
