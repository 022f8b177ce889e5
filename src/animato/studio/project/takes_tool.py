"""The tool of takes: opened, begun, brought in from files, copied, named, put in order, deleted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from animato.errors import OptionError, unknown_name
from animato.formats import READ_SUFFIXES, shipped_clips
from animato.motion import Clip, Posture
from animato.studio.desk import Answer, Desk, Fields, Page, Tool
from animato.studio.document import Document
from animato.studio.project.beginning import held_take, read_motion, take_of_clip
from animato.studio.project.bringing import Brought, bring
from animato.studio.project.places import inside
from animato.studio.workers import Workshop

_LONGEST_S = 600.0
_READ_AT_ONCE = 100_000  # bytes; more is read as a job
_LOOKING_S = 5.0  # in which one who looks through takes opens the next one


class TakesTool(Tool):
    """What is done with whole takes; all of it can be undone.

    Attributes:
        name: Of the tool.
    """

    name = "take"

    def __init__(self, desk: Desk, workshop: Workshop, folder: Path | None = None) -> None:
        """Of a desk.

        Args:
            desk: Whose document.
            workshop: Reads large files.
            folder: Of the project; that of the desk where not given.
        """
        self._desk, self._workshop = desk, workshop
        self._folder = folder or desk.folder

    def answers(self) -> Mapping[str, Answer]:
        """Its messages."""
        return {
            "take.open": self._open,
            "take.new": self._new,
            "take.import": self._import,
            "take.copy": self._copy,
            "take.rename": self._rename,
            "take.delete": self._delete,
            "take.order": self._order,
        }

    def state(self) -> Mapping[str, Any]:
        """Clips that come with animato, and what files are read."""
        return {"shipped": list(shipped_clips()), "endings": [*READ_SUFFIXES, ".asf"]}

    # --- Messages -----------------------------------------------------------------------------------------------------
    def _open(self, page: Page, fields: Fields) -> None:
        """`take`: its name. Going through takes is one step of undo."""
        document = self._desk.document.opened(fields.text("take"))
        if document.current != self._desk.document.current:
            self._desk.edit("take opened", document, "take.open", _LOOKING_S)

    def _new(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """A pose that is held for some `seconds`: that of `pose` by coordinate, of `posture` by name, or at rest."""
        document = self._desk.document
        posture = None
        if fields.has("pose"):
            posture = self._pose(fields)
        elif fields.has("posture"):
            posture = _posture(document, fields.text("posture"))
        seconds = fields.number("seconds", 4.0, least=0.1, most=_LONGEST_S)
        name = document.free_name(fields.text("name", f"take {len(document.takes) + 1}"))
        self._desk.edit_take("take begun", held_take(name, document.character, seconds, posture))
        return {"take": name}

    def _import(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """`file` in the project, or the name of a `clip` that comes with animato."""
        document = self._desk.document
        if fields.has("clip"):
            clip = fields.text("clip")
            if clip not in shipped_clips():
                raise unknown_name("clip", clip, shipped_clips(), "animato")
            self._bring(clip, document, *read_motion(document.character, clip))
            return {}
        place = inside(self._folder, fields.text("file"))
        if not place.is_file():
            raise OptionError(f"There is no file '{fields.text('file'):.80}' in the project.")
        character, name = document.character, place.stem

        def then(brought: Brought) -> None:
            if brought.clip is not None:
                self._bring(name, document, brought.clip, brought.remark)
            else:  # the page goes on with who reads it
                self._desk.tell("take.other", {"kind": brought.kind, "file": brought.file}, page)

        def failed(words: str) -> None:
            self._desk.tell("toast", {"words": words, "kind": "bad"}, page)

        work = bring, character, self._folder, place
        if place.suffix.lower() in (".csv", ".tsv") and place.stat().st_size <= _READ_AT_ONCE:
            self._workshop.quickly(f"read {place.name}", *work, then=then, failed=failed)
        else:
            self._workshop.start(f"reading '{place.name}'", *work, then=then, failed=failed)
        return {}

    def _copy(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """`take`: its name; the copy stands behind it and is open."""
        document = self._desk.document
        take = document.take(fields.text("take"))
        copy = replace(take, name=document.free_name(fields.text("name", f"{take.name} copy")))
        place = document.takes.index(take) + 1
        takes = (*document.takes[:place], copy, *document.takes[place:])
        self._desk.edit("take copied", replace(document, takes=takes, current=copy.name))
        return {"take": copy.name}

    def _rename(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """`take`: its name, `name`: the new one."""
        document = self._desk.document
        take = document.take(fields.text("take"))
        if fields.text("name") == take.name:
            return {"take": take.name}
        renamed = document.renamed(take.name, fields.text("name"))
        self._desk.edit("take renamed", renamed)
        return {"take": renamed.takes[document.takes.index(take)].name}

    def _delete(self, page: Page, fields: Fields) -> None:
        """`take`: its name."""
        self._desk.edit("take deleted", self._desk.document.without_take(fields.text("take")))

    def _order(self, page: Page, fields: Fields) -> None:
        """`takes`: all names in their new order."""
        document = self._desk.document
        names, known = fields.raw("takes"), [one.name for one in document.takes]
        if not isinstance(names, list) or sorted(map(str, names)) != sorted(known):
            raise OptionError(f"`takes` are the names of all takes, each once: {', '.join(known)}.")
        if names != known:
            takes = tuple(document.take(name) for name in names)
            self._desk.edit("takes put in order", replace(document, takes=takes), gesture=fields.text("gesture", "-"))

    # --- Their parts --------------------------------------------------------------------------------------------------
    def _bring(self, wanted: str, asked: Document, clip: Clip, remark: str) -> None:
        """Puts a clip that was read into the document, unless that is of another character meanwhile."""
        document = self._desk.document
        if document.character is not asked.character:
            words = f"'{wanted}' was read for '{asked.character.name}', which is not here any more."
            self._desk.tell("toast", {"words": words, "kind": "bad"})
            return
        self._desk.edit_take("clip imported", take_of_clip(document, wanted, clip, remark))

    def _pose(self, fields: Fields) -> Posture:
        names = self._desk.document.character.coordinate_names
        given = fields.raw("pose")
        if isinstance(given, list):
            return Posture(names, fields.numbers("pose", (len(names),)), "as it was shown")
        inner = fields.fields("pose")
        if not isinstance(given, dict) or not given or not set(given) <= set(names):
            raise OptionError("`pose` is numbers by the name of their joint.")
        return Posture(tuple(given), np.array([inner.number(name) for name in given]), "as it was shown")


def _posture(document: Document, name: str) -> Posture:
    """By name: one of the project's, or one of the character's file."""
    if name in document.postures:
        return document.postures[name]
    return Posture.named(document.character, name)
