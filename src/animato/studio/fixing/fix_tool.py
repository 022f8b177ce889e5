"""The tool behind "make it performable"."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from animato.character import Character
from animato.errors import OptionError
from animato.studio.desk import Answer, Desk, Fields, Page, Tool
from animato.studio.document import Take
from animato.studio.fixing.landing import land
from animato.studio.fixing.making import Made, make_performable
from animato.studio.fixing.wishes import options_from, wishes_from
from animato.studio.workers import Job, Workshop

_VERB = "fix"
_LABEL = "made performable"


class FixTool(Tool):
    """Makes the open take performable, as a job.

    Attributes:
        name: Of the tool.
    """

    name = "fix"

    def __init__(self, desk: Desk, workshop: Workshop) -> None:
        """Without work."""
        self._desk, self._workshop = desk, workshop
        self._jobs: dict[str, tuple[Take, Job]] = {}

    def answers(self) -> Mapping[str, Answer]:
        """Its messages."""
        return {"fix.make": self._make, "fix.drop": self._drop, "fix.set": self._set}

    # --- What pages ask for -------------------------------------------------------------------------------------------
    def _make(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        document = self._desk.document
        take = document.open_take
        if take is None or take.motion is None:
            raise OptionError("There is no motion to make performable yet; open a take that has one.")
        wishes = dict(document.settings.get(self.name, {}))
        if fields.has("options"):
            wishes |= wishes_from(fields.fields("options"), document.character)
        running = self._jobs.get(take.name)
        if running is not None and not running[1].over:
            if running[0].motion is take.motion and not fields.has("options"):
                return {"job": running[1].number}
            running[1].cancel()  # it was about a motion that is no more
        job = self._workshop.start(
            f"making '{take.name}' performable",
            make_performable,
            document.character,
            take.motion,
            options_from(wishes),
            then=partial(self._made, document.character, take),
        )
        self._jobs[take.name] = (take, job)
        return {"job": job.number}

    def _drop(self, page: Page, fields: Fields) -> None:
        take = self._desk.document.open_take
        if take is not None and take.performed is not None:
            self._desk.edit_take("back to the artist's motion", take.performed_by("", None))

    def _set(self, page: Page, fields: Fields) -> None:
        document = self._desk.document
        wishes = wishes_from(fields, document.character)
        after = document.with_settings(self.name, **wishes)
        self._desk.edit("how it is made performable", after, fields.text("gesture", ""))

    # --- What came out ------------------------------------------------------------------------------------------------
    def _made(self, character: Character, asked: Take, made: Made) -> None:
        land(self._desk, character, asked, made.clip, made.words, verb=_VERB, label=_LABEL)
