"""A document as files, and only those that changed."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from animato.character import Character
from animato.errors import AnimatoError
from animato.formats import load_character, shipped_characters
from animato.motion import Clip
from animato.studio.document import Document, Take
from animato.studio.project.places import ASIDE, CHARACTERS, CLIPS, PROJECT, TAKES, free_place, inside, stems
from animato.studio.project.record import Record
from animato.studio.project.texts import character_bytes, clip_bytes, fingerprint, json_bytes
from animato.studio.project.together import change, complete, put_beside
from animato.version import __version__

FORMAT = 1
"""Of project files; one that is larger was written by a later animato."""


def save_project(folder: Path, document: Document) -> None:
    """Writes a document into a folder that is empty.

    Raises:
        AnimatoError: It cannot be written.
    """
    write_project(folder, document, Record())


def write_project(folder: Path, document: Document, known: Record) -> Record:
    """Writes what changed of a document: all of it, or nothing.

    Args:
        folder: Of the project.
        document: What there is now.
        known: What the files hold, as the last writing or reading told.

    Returns:
        What the files hold now.

    Raises:
        AnimatoError: It cannot be written; the project is as it was.
    """
    complete(folder)
    return _Writing(folder, document, known).done()


class _Writing:
    """One time of writing."""

    def __init__(self, folder: Path, document: Document, known: Record) -> None:
        self._folder, self._document, self._known = folder, document, known
        self._new = Record()
        self._written: list[str] = []

    def done(self) -> Record:
        document = self._document
        character = self._character()
        names = [f"{TAKES}/{stem}.json" for stem in stems(one.name for one in document.takes)]
        for name, take in zip(names, document.takes, strict=True):
            self._take(name, take)
        values = {
            "animato": FORMAT,
            "written_by": __version__,
            "character": character,
            "current": document.current,
            "takes": names,
            "postures": {
                name: {"values": dict(zip(one.names, one.positions.tolist(), strict=True)), "source": one.source}
                for name, one in document.postures.items()
            },
            "settings": {tool: dict(values) for tool, values in document.settings.items()},
            "files": dict(sorted(self._new.prints.items())),
        }
        self._put(PROJECT, document, json_bytes(values))
        removed = [name for name in self._known.prints if name not in self._new.prints]
        if self._written or removed:
            change(self._folder, self._written, removed)
        return self._new

    def _character(self) -> str:
        """The name of a shipped character, or the file in the project that holds it."""
        document = self._document
        name = document.character_name
        if name in shipped_characters() and _as_shipped(name, document.character):
            return name
        stem = stems([Path(name).stem or document.character.name])[0]
        file = f"{CHARACTERS}/{stem}.yaml"
        if not self._kept(file, document.character):
            place = inside(self._folder, file)
            place.parent.mkdir(parents=True, exist_ok=True)
            self._put(file, document.character, character_bytes(document.character, place))
        return file

    def _take(self, file: str, take: Take) -> None:
        stem = Path(file).stem

        def keep(clip: Clip, suffix: str) -> str:
            return self._clip(clip, f"{stem}.{stems([suffix])[0]}")

        if self._kept(file, take):
            own = f"{CLIPS}/{stem}."
            for name in self._known.prints:
                if name.startswith(own):
                    self._kept(name, self._known.things[name])
            return
        values: dict[str, Any] = {
            "name": take.name,
            "source": {"kind": take.source.kind, **take.source.for_file(keep)},
            "motion": None if take.motion is None else self._clip(take.motion, stem),
            "performed": None if take.performed is None else self._clip(take.performed, f"{stem}.performed"),
            "verb": take.verb,
            "remark": take.remark,
        }
        self._put(file, take, json_bytes(values))

    def _clip(self, clip: Clip, stem: str) -> str:
        for suffix in (".csv", ".npz"):
            if self._kept(f"{CLIPS}/{stem}{suffix}", clip):
                return f"{CLIPS}/{stem}{suffix}"
        content, suffix = clip_bytes(clip, self._document.character)
        self._put(f"{CLIPS}/{stem}{suffix}", clip, content)
        return f"{CLIPS}/{stem}{suffix}"

    def _kept(self, name: str, thing: object) -> bool:
        """Whether a file holds this already."""
        if self._known.things.get(name) is not thing or name not in self._known.prints:
            return False
        self._new.things[name], self._new.prints[name] = thing, self._known.prints[name]
        return True

    def _put(self, name: str, thing: object, content: bytes) -> None:
        mark = fingerprint(content)
        self._new.things[name], self._new.prints[name] = thing, mark
        if name not in self._known.prints:
            _keep_foreign(self._folder, inside(self._folder, name))
        if self._known.prints.get(name) != mark:
            put_beside(self._folder, name, content)
            self._written.append(name)


def _keep_foreign(folder: Path, place: Path) -> None:
    """Moves a file of that name away that somebody else has put there: nothing is written over."""
    try:
        if place.exists():
            aside = inside(folder, ASIDE)
            aside.mkdir(exist_ok=True)
            place.replace(free_place(aside, place.stem, place.suffix))
    except OSError as error:
        raise AnimatoError(f"Cannot move '{place}' aside: {error.strerror or error}.") from None


@lru_cache(maxsize=4)
def _as_shipped(name: str, character: Character) -> bool:
    """Whether a character is the one that comes with animato, not one that was designed out of it."""
    try:
        return load_character(name) == character
    except AnimatoError:
        return False
