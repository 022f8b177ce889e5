"""One studio at a time works in a folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO

from animato.errors import AnimatoError

_NAME = ".studio.lock"
_held: set[Path] = set()  # a process may take its own lock twice: the system only keeps other ones away


class FolderLock:
    """Holds a folder until it is released or the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        """Takes it.

        Raises:
            AnimatoError: Another studio has it, or nothing can be written there.
        """
        self._folder = folder.resolve()
        self._stream: IO[bytes] | None = None
        place = folder / _NAME
        if self._folder in _held:
            raise AnimatoError(_taken(folder, os.getpid()))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if place.is_symlink():  # never ours: a folder that somebody sent must not have another file written to
                place.unlink()
            stream = place.open("r+b" if place.exists() else "w+b")
        except OSError as error:
            raise AnimatoError(
                f"Cannot work in '{folder}': {error.strerror or error}. Choose a folder that can be written to."
            ) from None
        if not _lock(stream):
            words = stream.read(20).strip()
            stream.close()
            raise AnimatoError(_taken(folder, int(words) if words.isdigit() else None))
        stream.truncate(0)
        stream.write(str(os.getpid()).encode())
        stream.flush()
        self._stream = stream
        _held.add(self._folder)

    def release(self) -> None:
        """Gives it back."""
        if self._stream is not None:
            self._stream.close()  # which gives the lock back; the file stays: to remove it would race
            self._stream = None
            _held.discard(self._folder)


def _taken(folder: Path, process: int | None) -> str:
    who = "" if process is None else f" (process {process})"
    return (
        f"Another studio{who} has the project '{folder}' open. Use its page in the browser, which any number of tabs "
        "may show, or end it first."
    )


def _lock(stream: IO[bytes]) -> bool:
    """Whether the lock was taken; the system gives it back when the process ends.

    The lock is of a byte far behind the content, so that others can read who holds it. Where the file system knows no
    locks, such as on some network drives, nobody is kept away.
    """
    if sys.platform == "win32":
        import msvcrt

        try:
            stream.seek(1 << 20)
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            stream.seek(0)
        return True
    import fcntl

    try:
        fcntl.lockf(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 1 << 20)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True
    return True
