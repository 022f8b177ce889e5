"""Files are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from animato.errors import AnimatoError


def write_whole(path: str | Path, content: bytes | str) -> Path:
    """Writes a file beside its final place, then moves it there in one step.

    Args:
        path: Final place; missing folders are made.
        content: All of it; text is written as UTF-8.

    Returns:
        The path.

    Raises:
        AnimatoError: It cannot be written there. Nothing is left behind, and a file that was there
            before is still there.
    """
    target = Path(path)
    data = content.encode("utf-8") if isinstance(content, str) else content
    temporary: str | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_dir():
            raise IsADirectoryError(f"'{target}' is a folder")
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(target)
        temporary = None
    except OSError as error:
        raise AnimatoError(f"Cannot write '{target}': {error}. Choose another place.") from None
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
    return target
