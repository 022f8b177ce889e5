"""Files that belong together are written all or none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from animato.errors import AnimatoError
from animato.formats.files import check_writable, is_file, read_bytes_whole, write_whole


def write_together(files: Mapping[Path, str | bytes]) -> tuple[Path, ...]:
    """Writes files one after another; where one cannot be written, all are as they were before.

    The first is written last: whoever sees it finds what it needs beside it, also after a power cut.

    Args:
        files: Content of each, by its place; the one that needs the others first.

    Raises:
        AnimatoError: One of them cannot be written.
    """
    for path in files:
        check_writable(path)
    before: dict[Path, bytes | None] = {}
    try:
        for path, content in reversed(list(files.items())):
            before[path] = read_bytes_whole(path) if is_file(path) and path.stat().st_size else None
            write_whole(path, content)
    except AnimatoError:
        for path, old in before.items():
            if old is not None:
                write_whole(path, old)
            else:
                path.unlink(missing_ok=True)
        raise
    return tuple(files)
