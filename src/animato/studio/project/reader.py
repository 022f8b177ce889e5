"""A document out of the files of a project; what cannot be read is told of and kept aside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from animato.character import Character
from animato.errors import AnimatoError, FileFormatError, OptionError
from animato.formats import load_character, shipped_characters
from animato.motion import Clip, Posture
from animato.studio.document import Document, Source, Take, source_from
from animato.studio.keys import Keyed, keyed_motion
from animato.studio.project.places import ASIDE, CLIPS, PROJECT, TAKES, free_place, inside
from animato.studio.project.record import Record
from animato.studio.project.texts import fingerprint, read_clip, read_json
from animato.studio.project.together import complete
from animato.studio.project.writer import FORMAT

Told = Callable[[str], object]
"""Is told in a sentence what could not be read."""

_CHANGED = "Its file was changed outside of the studio."
_LOST = "Its clip could not be read; it is made anew when the take is opened, or edited."
_AGAIN = "Its clip could not be read and was made anew from its keys."


def is_project(folder: str | Path) -> bool:
    """Whether a folder holds a project."""
    return (Path(folder) / PROJECT).is_file()


def load_project(folder: str | Path, kinds: Mapping[str, type[Source]], told: Told | None = None) -> Document:
    """Opens a project.

    Args:
        folder: In which it is.
        kinds: All kinds of sources, by name.
        told: Is told what could not be read; such files are moved into the folder `set_aside`, everything else is open.

    Raises:
        AnimatoError: There is no project, or what all takes need cannot be read: `project.json`, the character.
    """
    return read_project(Path(folder), kinds, told or (lambda _: None))[0]


def read_project(folder: Path, kinds: Mapping[str, type[Source]], told: Told) -> tuple[Document, Record]:
    """The same, with what is known of its files."""
    if not is_project(folder):
        raise AnimatoError(f"'{folder}' holds no project: there is no {PROJECT} in it.")
    complete(folder)
    return _Reading(folder, kinds, told).done()


class _Reading:
    """One time of reading."""

    def __init__(self, folder: Path, kinds: Mapping[str, type[Source]], told: Told) -> None:
        self._folder, self._kinds, self._told = folder, kinds, told
        self._place = folder / PROJECT
        content = self._content(PROJECT)
        self._values = read_json(self._place, content)
        self._record = Record({}, {PROJECT: fingerprint(content)})

    def done(self) -> tuple[Document, Record]:
        self._check_format()
        character, name = self._character()
        self._character_now = character
        document = Document(character, name, postures=self._postures(), settings=self._settings())
        files = self._values.get("takes")
        for file in files if isinstance(files, list) else []:
            take = self._take(str(file))
            if take is not None:
                document = document.with_take(replace(take, name=_free_name(document, take.name)), opened=False)
        names = [one.name for one in document.takes]
        current = self._values.get("current")
        if current not in names:
            current = names[0] if names else ""
        return replace(document, current=str(current)), self._record

    def _check_format(self) -> None:
        number = self._values.get("animato")
        if not isinstance(number, int) or isinstance(number, bool):
            raise FileFormatError(self._place, "this is not the file of a studio's project: it has no `animato`.", 1)
        if number > FORMAT:
            by = self._values.get("written_by")
            raise FileFormatError(
                self._place, f"a later animato wrote this project ({by!s:.20}). Open it with that one.", 1
            )

    def _character(self) -> tuple[Character, str]:
        name = self._values.get("character")
        if not isinstance(name, str):
            raise FileFormatError(self._place, f"`character` is the name or file of one; given {name!r:.60}.")
        if name in shipped_characters():
            return load_character(name), name
        place = inside(self._folder, name)
        if not place.is_file():
            raise FileFormatError(self._place, f"the character '{name}' is missing. Put its file back there.")
        character = load_character(place)
        self._record.things[name] = character
        self._record.prints[name] = fingerprint(self._content(name))
        return character, name

    def _postures(self) -> dict[str, Posture]:
        found: dict[str, Posture] = {}
        for name, given in self._fields("postures").items():
            try:
                names, positions = tuple(given["values"]), np.array(list(given["values"].values()), dtype=float)
                found[name] = Posture(names, positions, str(given.get("source", "")))
            except (AnimatoError, KeyError, TypeError, ValueError, AttributeError):
                self._told(f"{self._place}: the posture '{name:.40}' cannot be read and is left out.")
        return found

    def _settings(self) -> dict[str, dict[str, Any]]:
        return {tool: dict(values) for tool, values in self._fields("settings").items() if isinstance(values, dict)}

    def _fields(self, name: str) -> dict[str, Any]:
        given = self._values.get(name)
        return given if isinstance(given, dict) else {}

    def _take(self, file: str) -> Take | None:
        """One take; None where its file cannot be read, which is told then."""
        try:
            place = inside(self._folder, file)
            if not place.is_file():
                self._told(f"{place}: this take is missing; the others are open.")
                return None
            content = self._content(file)
            take = self._take_of(file, read_json(place, content))
        except AnimatoError as error:
            kept = self._put_aside(file)
            self._told(f"{error} The take is left out; its files are in '{kept}'.")
            return None
        self._record.prints[file] = fingerprint(content)
        if self._fields("files").get(file) == self._record.prints[file]:
            self._record.things[file] = take
        return take

    def _take_of(self, file: str, values: dict[str, Any]) -> Take:
        remarks = [str(values.get("remark") or "")]

        def clip(field: str) -> Clip | None:
            name = values.get(field)
            if name is None:
                return None
            try:
                return self._clip(str(name), remarks)
            except AnimatoError as error:
                self._told(f"{error} {_LOST}")
                remarks.append(_LOST)
                return None

        try:
            source = source_from(values["source"], lambda name: self._clip(name, remarks), self._kinds)
            name = values.get("name") or Path(file).stem
            motion, performed = clip("motion"), clip("performed")
        except AnimatoError as error:
            if isinstance(error, FileFormatError):
                raise
            raise FileFormatError(self._folder / file, str(error)) from None
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            words = f"this take cannot be read ({type(error).__name__}: {error!s:.80})."
            raise FileFormatError(self._folder / file, words) from None
        if motion is None and values.get("motion") is not None and isinstance(source, Keyed):
            motion, remarks = self._from_keys(source), [remarks[0], _AGAIN]
        verb = str(values.get("verb") or "") if performed is not None else ""
        return Take(str(name), source, motion, performed, verb, " ".join(dict.fromkeys(one for one in remarks if one)))

    def _from_keys(self, keyed: Keyed) -> Clip:
        """What keys say; where loops do not close any more, as they are."""
        try:
            return keyed_motion(self._character_now, keyed)
        except AnimatoError:
            return keyed.clip

    def _clip(self, name: str, remarks: list[str]) -> Clip:
        """The clip of a file of the project, read once."""
        known = self._record.things.get(name)
        if isinstance(known, Clip):
            return known
        place = inside(self._folder, name)
        if not place.is_file():
            raise FileFormatError(place, "this clip is missing.")
        content, clip = self._content(name), read_clip(place)
        self._record.things[name], self._record.prints[name] = clip, fingerprint(content)
        if self._fields("files").get(name) != self._record.prints[name]:
            remarks.append(_CHANGED)
        return clip

    def _content(self, name: str) -> bytes:
        try:
            return inside(self._folder, name).read_bytes()
        except OSError as error:
            raise FileFormatError(self._folder / name, f"it cannot be read: {error.strerror or error}.") from None

    def _put_aside(self, file: str) -> Path:
        """Moves the files of a take to where nothing overwrites them."""
        aside = inside(self._folder, ASIDE)
        try:
            aside.mkdir(exist_ok=True)
            stem = Path(file).stem
            for place in (self._folder / TAKES / f"{stem}.json", *(self._folder / CLIPS).glob(f"{stem}.*")):
                if place.is_file():
                    place.replace(free_place(aside, place.stem, place.suffix))
            for known in (self._record.things, self._record.prints):
                for name in [one for one in known if one == file or one.startswith(f"{CLIPS}/{stem}.")]:
                    del known[name]
        except OSError as error:
            raise AnimatoError(f"Cannot move '{file}' aside: {error.strerror or error}.") from None
        return aside


def _free_name(document: Document, wanted: str) -> str:
    """The name of a take as its file says; one that nobody could have given is another one."""
    try:
        return document.free_name(wanted)
    except OptionError:
        return document.free_name("take")
