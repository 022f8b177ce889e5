"""Arrays out of a zip of .npy files, by a reader that trusts no number in it.

numpy's own reader takes sizes from headers before it knows whether they are true, and can run code
where pickles are allowed. This one knows plain arrays of numbers and text only, and makes every
array out of bytes that are there.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from animato.errors import FileFormatError

Members = dict[str, np.ndarray]

_MOST_MEMBERS = 64
_MOST_EXPANSION = 50  # deflate reaches 1000, measured motion stays under 20
_ALWAYS_ALLOWED = 16 << 20  # bytes that may come out of an archive of any size: a robot that stands still is all zeros
_LARGEST_TOTAL = 2 << 30
_DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError, LookupError)

_HEADER = re.compile(
    rb"\{'descr': '([<>|=][a-zA-Z]\d{1,9})', 'fortran_order': (True|False), 'shape': \(((?:\d{1,12},? ?){0,8})\), \}\s*"
)


def read_members(data: bytes, path: str | Path, *, only: Collection[str] | None = None) -> Members:
    """The arrays of the archive by name, numbers as float64 or int64.

    Args:
        data: Content of the file.
        path: Names the file in errors.
        only: Names to read where they exist, as of files that somebody else wrote; None reads all.

    Raises:
        FileFormatError: The archive is damaged, or what was read is something other than plain arrays.
    """
    with _opened(data, path) as archive:
        wanted = [info for info in archive.infolist() if only is None or info.filename.removesuffix(".npy") in only]
        # one after another: the bytes of a member are let go before the next one is unpacked
        return {
            info.filename.removesuffix(".npy"): array_of_npy(archive.read(info), info.filename, path) for info in wanted
        }


def member_names(data: bytes, path: str | Path) -> tuple[str, ...]:
    """Names of all arrays of the archive, of whatever kind they are."""
    with _opened(data, path) as archive:
        return tuple(info.filename.removesuffix(".npy") for info in archive.infolist())


@contextmanager
def _opened(data: bytes, path: str | Path) -> Iterator[zipfile.ZipFile]:
    """The archive, its sizes checked; what is unpacked in here never becomes more than these."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check_sizes(archive.infolist(), len(data), path)
            yield archive
    except _DAMAGE as error:
        reason = str(error)[:120] or type(error).__name__
        raise FileFormatError(path, f"this is not an .npz file, or it is damaged: {reason}.") from None


def _check_sizes(infos: list[zipfile.ZipInfo], archive_size: int, path: str | Path) -> None:
    total = sum(info.file_size for info in infos)
    most = max(_ALWAYS_ALLOWED, min(_LARGEST_TOTAL, _MOST_EXPANSION * archive_size))
    if len(infos) > _MOST_MEMBERS or total > most:
        raise FileFormatError(
            path, f"the archive claims {len(infos)} arrays of {total} bytes in {archive_size} bytes; it is damaged."
        )
    for info in infos:
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise FileFormatError(path, f"the array '{info.filename[:80]}' is packed in a way that is not read here.")


def array_of_npy(content: bytes, name: str, path: str | Path) -> np.ndarray:
    """One array of the content of an .npy file (format version 1, 2 or 3)."""
    trouble = FileFormatError(path, f"the array '{name[:80]}' is damaged or not a plain array of numbers or text.")
    if content[:6] != b"\x93NUMPY" or len(content) < 12 or content[6] not in (1, 2, 3):
        raise trouble
    start = 10 if content[6] == 1 else 12
    length = struct.unpack_from("<H" if content[6] == 1 else "<I", content, 8)[0]
    header = _HEADER.fullmatch(content[start : start + length])
    if header is None:
        raise trouble
    try:
        dtype = np.dtype(header.group(1).decode("ascii"))
    except TypeError:
        raise trouble from None
    wide = {"f": np.float64, "i": np.int64}.get(dtype.kind)
    if dtype.kind not in "fiU" or dtype.itemsize == 0:
        raise trouble
    shape = tuple(int(part) for part in header.group(3).decode("ascii").split(",") if part.strip())
    count = 1
    for size in shape:
        count *= size
    if count * dtype.itemsize != len(content) - start - length:
        raise trouble
    array = np.frombuffer(content, dtype=dtype, count=count, offset=min(start + length, len(content) - 1)).reshape(
        shape, order="F" if header.group(2) == b"True" else "C"
    )
    if dtype.kind == "U":
        _check_text(array, trouble)
        return array
    return array.astype(wide, copy=False)  # read-only, as it is a window on the bytes


def _check_text(array: np.ndarray, trouble: FileFormatError) -> None:
    """Refuses characters beyond Unicode, which numpy would only trip over later."""
    codes = np.frombuffer(array.tobytes(), dtype=np.dtype("u4").newbyteorder(array.dtype.byteorder))
    if codes.size and codes.max() > 0x10FFFF:
        raise trouble
