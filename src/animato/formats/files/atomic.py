"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
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
    check_writable(target)
    temporary: str | None = None
    try:
        data = content.encode("utf-8") if isinstance(content, str) else content
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.")
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(target)
        temporary = None
    except (OSError, ValueError) as error:
        raise AnimatoError(f"Cannot write '{shown(target)}': {error}. Choose another place.") from None
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
    return target


def check_writable(path: str | Path) -> None:
    """Refuses a place that no file can be written to: a folder, a pipe, a device, or a name that no file can have.

    A file is put in its place by renaming, which would take a device or a pipe away from whoever uses it; so results
    are never written to standard output by the name /dev/stdout. A link counts as what it leads to, and is itself
    replaced.

    Raises:
        AnimatoError: It is one of these.
    """
    place = Path(path)
    try:
        mode = place.stat().st_mode
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:  # ValueError: a null character in it
        raise AnimatoError(f"Cannot write '{shown(place)}': {error}. Choose another name.") from None
    if stat.S_ISDIR(mode):
        raise AnimatoError(f"Cannot write '{place}': this is a folder. Name a file in it.")
    if not stat.S_ISREG(mode):
        raise AnimatoError(
            f"Cannot write '{place}': this is a pipe or a device, and results are written to regular files only. "
            "Choose another place."
        )


def shown(path: Path) -> str:
    """A path as an error shows it: the whole of it, unless nobody would read that."""
    text = str(path)
    return text if len(text) <= 300 else f"{text[:300]}..."
