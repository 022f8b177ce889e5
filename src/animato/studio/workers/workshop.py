"""What a workshop is: work that would hold up the desk is given to it, and what comes out is brought back."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from animato.outcome import Iteration

Then = Callable[[Any], object]
"""Is brought what came out, in the desk's thread."""

Failed = Callable[[str], object]
"""Is told in a sentence why nothing came out, in the desk's thread."""


@dataclass(eq=False)
class Job:
    """A long piece of work; it is changed in the desk's thread alone.

    Attributes:
        number: Tells it from others.
        title: What it is, for people: "making 'wave' performable".
        cancel: Ends it; neither `then` nor `failed` is called afterwards.
        share: How much is done, from 0 to 1; None where nobody knows.
        words: What is being worked on.
        began: When it began [s], on a clock that goes on; None while it waits for its turn.
        over: Whether it has ended, in whatever way.
        stopped: Called after a person, not the tool that asked for it, has ended it.
    """

    number: int
    title: str
    cancel: Callable[[], None]
    share: float | None = None
    words: str = "waiting"
    began: float | None = None
    over: bool = field(default=False)
    stopped: Callable[[], object] = lambda: None

    def note(self, step: Iteration) -> None:
        """Takes down how far it is."""
        self.words = step.stage
        if step.total:
            self.share = min(1.0, step.number / step.total)
            self.words += f", step {step.number} of {step.total}"
        else:
            self.share = None
            self.words += f", step {step.number}" if step.number else ""

    def for_page(self) -> dict[str, Any]:
        """At a glance."""
        seconds = 0.0 if self.began is None else time.monotonic() - self.began
        share = None if self.share is None else round(self.share, 3)
        return {
            "id": self.number,
            "title": self.title,
            "share": share,
            "words": self.words,
            "seconds": round(seconds, 2),
        }


class Workshop(Protocol):
    """Does work elsewhere. All of it is called in the desk's thread, and calls back there."""

    def start(
        self, title: str, function: Callable[..., Any], *arguments: Any, then: Then, failed: Failed | None = None
    ) -> Job:
        """Begins a long piece of work.

        Args:
            title: What it is, for people.
            function: Of a module, called as `function(*arguments, progress=...)`.
            *arguments: What it needs; what does not change, such as a character, is sent once.
            then: Is brought what it gives.
            failed: Is told why it gave nothing; where not given, all pages are told.

        Raises:
            OptionError: Too much waits already.
        """
        ...

    def quickly(
        self, lane: str, function: Callable[..., Any], *arguments: Any, then: Then, failed: Failed | None = None
    ) -> None:
        """Does a short piece of work in a process that is warm; the latest wins.

        Args:
            lane: In each, one runs and at most one waits; a newer one takes the place of the one that waits.
            function: Of a module, called as `function(*arguments)`; it may remember what belongs to a character.
            *arguments: What it needs; what does not change, such as a character, is sent once.
            then: Is brought what it gives.
            failed: Is told why it gave nothing; where not given, nobody is.
        """
        ...

    @property
    def jobs(self) -> tuple[Job, ...]:
        """Long pieces of work that run or wait."""
        ...

    def on_jobs(self, told: Callable[[], object], trouble: Failed) -> None:
        """Who is told, in the desk's thread, that a job began, went on or ended, and of failures nobody else hears."""
        ...

    def close(self) -> None:
        """Ends all work."""
        ...
