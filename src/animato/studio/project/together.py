"""Many files change in one step, or none does, whenever the program is ended.

New files are put beside their places under hidden names. Then one list of what has to be done is written; from that
moment on the change is made: whoever finds the list, now or after a kill, does what is on it. Doing it twice does no
harm.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

from animato.errors import AnimatoError, OptionError
from animato.studio.project.places import inside

LIST = ".saving.json"
_NEW = ".new."
_TRIES, _PAUSE_S = 20, 0.05  # on Windows a file that somebody is just reading cannot be replaced


def put_beside(folder: Path, name: str, content: bytes) -> None:
    """Puts the new content of a file beside its place; `change` moves it there.

    Raises:
        AnimatoError: It cannot be written.
    """
    place = inside(folder, name)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        _write(_beside(place), content)
    except OSError as error:
        if not (folder / LIST).exists():
            _throw_away(folder)  # half a file must not fill the disk
        raise AnimatoError(
            f"Cannot save '{place}': {error.strerror or error}. Make room, or allow writing there."
        ) from None


def change(folder: Path, written: Sequence[str], removed: Sequence[str]) -> None:
    """Moves all files that were put beside their places there, and takes others away, as one step.

    Args:
        folder: Of the project.
        written: Names of files that were put beside.
        removed: Names of files that are not needed any more.

    Raises:
        AnimatoError: It cannot be done, now or not wholly; `complete` does the rest.
    """
    listed = json.dumps({"written": list(written), "removed": list(removed)}).encode()
    try:
        _write(folder / f"{_NEW}{LIST}", listed)
        _replace(folder / f"{_NEW}{LIST}", folder / LIST)
    except OSError as error:
        raise AnimatoError(f"Cannot save in '{folder}': {error.strerror or error}.") from None
    complete(folder)


def complete(folder: Path) -> None:
    """Does what a change has left to do; what was put beside without a list is thrown away.

    Raises:
        AnimatoError: A file cannot be replaced.
    """
    place = folder / LIST
    if place.is_file():
        try:
            todo = json.loads(place.read_bytes())
            written = [inside(folder, str(name)) for name in todo["written"]]
            removed = [inside(folder, str(name)) for name in todo["removed"]]
        except (ValueError, KeyError, TypeError, OptionError):  # not ours: a list of ours is written whole
            written, removed = [], []
        try:
            for one in written:
                if _beside(one).exists():
                    _replace(_beside(one), one)
            for one in removed:
                one.unlink(missing_ok=True)
            place.unlink()
        except OSError as error:
            words = f"Cannot save '{error.filename}': {error.strerror or error}. Close it where it is open."
            raise AnimatoError(words) from None
    _throw_away(folder)


def _throw_away(folder: Path) -> None:
    """Takes away what was put beside and is on no list."""
    for left in (*folder.glob(f"{_NEW}*"), *folder.glob(f"*/{_NEW}*")):
        left.unlink(missing_ok=True)


def _beside(place: Path) -> Path:
    return place.with_name(_NEW + place.name)


def _write(place: Path, content: bytes) -> None:
    with place.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _replace(source: Path, target: Path) -> None:
    for number in range(_TRIES):
        try:
            source.replace(target)
        except PermissionError:
            if number == _TRIES - 1:
                raise
            time.sleep(_PAUSE_S)
        else:
            return
