"""The tool of the project: whose it is, whether it is saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from animato.character import Character
from animato.errors import OptionError
from animato.formats import load_character, shipped_characters
from animato.library import LIBRARY
from animato.motion import Clip
from animato.outcome import Progress
from animato.studio.desk import Answer, Desk, Fields, Page, Tool
from animato.studio.document import Document, Take
from animato.studio.project.beginning import held_take
from animato.studio.project.keeper import Keeper, Kept
from animato.studio.project.places import inside
from animato.studio.watching import know_rest, rest_clip
from animato.studio.workers import Workshop


class ProjectTool(Tool):
    """Tells pages where the project is and whether it is saved; gives it another character.

    Attributes:
        name: Of the tool.
    """

    name = "project"

    def __init__(self, desk: Desk, workshop: Workshop, keeper: Keeper) -> None:
        """Of a desk and of who keeps its document."""
        self._desk, self._workshop, self._keeper = desk, workshop, keeper
        self._told_saved = True
        keeper.on_kept = lambda kept: desk.post(lambda: self._kept(kept))

    def answers(self) -> Mapping[str, Answer]:
        """Its messages."""
        return {"project.character": self._character, "project.save": self._save}

    def state(self) -> Mapping[str, Any]:
        """Where it is, whether it is saved, and who could be in it."""
        return {
            "folder": self._keeper.folder.name,
            "place": str(self._keeper.folder),
            "character": self._desk.document.character_name,
            "characters": list(_described()),
            **_saved(self._keeper.kept),
        }

    def welcome(self, page: Page) -> None:
        """What could not be opened is told to whoever comes."""
        for words in self._keeper.remarks:
            self._desk.tell("toast", {"words": words, "kind": "bad"}, page)

    def changed(self, before: Document, after: Document) -> None:
        """There is something to save."""
        if self._told_saved:
            self._told_saved = False
            self._desk.tell("saved", {"saved": False, "when": self._keeper.kept.when, "trouble": ""}, newest_of="saved")

    # --- Messages -----------------------------------------------------------------------------------------------------
    def _save(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """Everything is saved by itself; this only says so to people who are used to ask."""
        return _saved(self._keeper.kept)

    def _character(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """`name` of one that comes with animato, or `file` in the project."""
        if fields.has("name"):
            name = fields.choice("name", shipped_characters())
            self._change(load_character(name), name)
            return {}
        file = fields.text("file")
        place = inside(self._keeper.folder, file)
        if not place.is_file():
            raise OptionError(f"There is no file '{file:.80}' in the project.")
        self._workshop.start(
            f"reading '{place.name}'", read_character, place, then=lambda found: self._read(place.name, *found)
        )
        return {}

    # --- Its parts ----------------------------------------------------------------------------------------------------
    def _read(self, name: str, character: Character, rest: Clip) -> None:
        know_rest(character, rest)
        self._change(character, name)

    def _change(self, character: Character, name: str) -> None:
        self._desk.edit("another character", with_character(self._desk.document, character, name))

    def _kept(self, kept: Kept) -> None:
        """The keeper has saved, or could not."""
        if kept.trouble:
            self._desk.tell("toast", {"words": f"Not saved: {kept.trouble}", "kind": "bad"})
        self._told_saved = kept.saved
        self._desk.tell("saved", _saved(kept), newest_of="saved")


def read_character(place: Path, progress: Progress | None = None) -> tuple[Character, Clip]:
    """A character out of a file and how it rests, for a worker: both may read many files."""
    character = load_character(place)
    return character, rest_clip(character)


def with_character(document: Document, character: Character, name: str) -> Document:
    """A document with another character; what fits it is kept.

    A take fits where the character has all joints that its motion moves. What a verb made of it does not: that kept
    the limits of another one.

    Args:
        document: Before.
        character: Who performs from now on.
        name: What the project calls it.
    """
    names = set(character.coordinate_names)
    same = names == set(document.character.coordinate_names) and character.floats == document.character.floats
    takes = [_anew(one) for one in document.takes if same or _fits(one, character)]
    postures = {key: one for key, one in document.postures.items() if set(one.names) <= names}
    if not takes:
        takes = [held_take("take 1", character, 4.0)]
    current = document.current if document.current in [one.name for one in takes] else takes[0].name
    return Document(character, name, tuple(takes), current, postures, document.settings if same else {})


def _fits(take: Take, character: Character) -> bool:
    motion = take.motion
    if motion is None or (motion.has_base and not character.floats):
        return False
    return set(motion.names) <= set(character.coordinate_names)


def _anew(take: Take) -> Take:
    return take if take.performed is None else replace(take, performed=None, verb="", remark="")


def _saved(kept: Kept) -> dict[str, Any]:
    return {"saved": kept.saved, "when": kept.when, "trouble": kept.trouble}


@lru_cache(maxsize=1)
def _described() -> tuple[dict[str, str], ...]:
    """Characters that come with animato, with a line about each; test skeletons last."""
    names = sorted(shipped_characters(), key=lambda name: (name.startswith("skeleton"), name))
    return tuple({"name": name, "words": _words(name)} for name in names)


def _words(name: str) -> str:
    """What a shipped file says about its character; all of them are read in a moment where only this line is."""
    for line in (LIBRARY / "characters" / f"{name}.yaml").read_text(encoding="utf-8").splitlines():
        if line.startswith("description:"):
            return line.removeprefix("description:").split(" #")[0].strip().strip("\"'")
    return ""
