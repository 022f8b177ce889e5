"""The tool that joins takes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from animato.character import Character
from animato.errors import OptionError
from animato.studio.desk import Answer, Desk, Fields, Page, Tool
from animato.studio.document import Take
from animato.studio.fixing.making import Made, make_joined
from animato.studio.keys import Keyed
from animato.studio.workers import Workshop

_MOST = 50


class JoinTool(Tool):
    """Makes one take of several, as a job.

    Attributes:
        name: Of the tool.
    """

    name = "join"

    def __init__(self, desk: Desk, workshop: Workshop) -> None:
        """Without work."""
        self._desk, self._workshop = desk, workshop

    def answers(self) -> Mapping[str, Answer]:
        """Its messages."""
        return {"join.make": self._make}

    def _make(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        document = self._desk.document
        names = fields.raw("takes")
        if (
            not isinstance(names, list)
            or not all(isinstance(one, str) for one in names)
            or not 2 <= len(names) <= _MOST
        ):
            raise OptionError(f"`takes` is a list of two to {_MOST} names of takes; given {names!r:.60}.")
        clips = []
        for name in names:
            clip = document.take(name).clip
            if clip is None:
                raise OptionError(f"The take '{name}' has no motion yet.")
            clips.append(clip)
        seconds = fields.number("seconds", least=0.01, most=60.0) if fields.has("seconds") else None
        job = self._workshop.start(
            f"joining {' and '.join(names[:3])}",
            make_joined,
            document.character,
            tuple(clips),
            seconds,
            then=partial(self._made, document.character, " + ".join(names)),
        )
        return {"job": job.number}

    def _made(self, character: Character, name: str, made: Made) -> None:
        document = self._desk.document
        if made.clip is None or document.character is not character:
            words = made.words or "The character is another one by now; nothing was joined."
            self._desk.tell("toast", {"words": words, "kind": "bad"})
            return
        take = Take(document.free_name(name), Keyed.of(made.clip), made.clip, remark=made.words)
        self._desk.edit_take("takes joined", take)
