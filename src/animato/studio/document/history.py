"""Undo and redo: all documents that were, in order."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from animato.studio.document.document import Document
from animato.studio.document.weighing import added_bytes

_MOST_STEPS = 500
_MOST_BYTES = 1_000_000_000
"""Of clips in older documents: ten minutes of a motion of twenty joints are some 10 MB for each edit of them."""


@dataclass(frozen=True, eq=False)
class Step:
    """One document and what was done to get there.

    Attributes:
        label: What was done, for people ("key moved"); "" for the first one.
        document: What there is then.
        gesture: Edits that follow one another with the same one, such as a slider's, are one step; "" stands alone.
        moment: When it was last changed [s], on a clock that goes on.
        size: Of what it holds and the step before does not [bytes].
    """

    label: str
    document: Document
    gesture: str = ""
    moment: float = 0.0
    size: int = 0


class History:
    """Documents before, now and after. Documents share what did not change, so that many of them cost little."""

    def __init__(
        self, document: Document, clock: Callable[[], float] = time.monotonic, most_bytes: int = _MOST_BYTES
    ) -> None:
        """Begins with a document.

        Args:
            document: What there is.
            clock: [s].
            most_bytes: That older documents may hold; the oldest are forgotten beyond that.
        """
        self._steps = [Step("", document)]
        self._place = 0
        self._clock, self._most_bytes = clock, most_bytes

    @property
    def document(self) -> Document:
        """What there is now."""
        return self._steps[self._place].document

    @property
    def undo_label(self) -> str:
        """What would be undone; "" where nothing can be."""
        return self._steps[self._place].label if self._place else ""

    @property
    def redo_label(self) -> str:
        """What would be done again; "" where nothing can be."""
        return self._steps[self._place + 1].label if self._place + 1 < len(self._steps) else ""

    def edit(self, label: str, document: Document, gesture: str = "", within_s: float = math.inf) -> None:
        """Goes on with another document.

        Args:
            label: What was done, for people.
            document: What there is then.
            gesture: Where it is that of the last edit, both are one step, however long a hand rests in between.
            within_s: Where gestures have no names of their own, such as looking through takes: how soon after the
                last edit it is still the same one [s].
        """
        now, last = self._clock(), self._steps[self._place]
        del self._steps[self._place + 1 :]
        if gesture and gesture == last.gesture and now - last.moment < within_s and self._place > 0:
            self._place -= 1  # in the place of the last one
            del self._steps[-1]
        size = added_bytes(self.document, document)
        self._steps.append(Step(label, document, gesture, now, size))
        self._forget_oldest()

    def amend(self, document: Document) -> None:
        """Completes what there is now, such as by the result of a solve that it asked for: no step of its own."""
        step = self._steps[self._place]
        before = self._steps[self._place - 1].document if self._place else step.document
        self._steps[self._place] = replace(step, document=document, size=added_bytes(before, document))

    def undo(self) -> bool:
        """One step back; whether there was one."""
        if self._place == 0:
            return False
        self._place -= 1
        return True

    def redo(self) -> bool:
        """One step on; whether there was one."""
        if self._place + 1 >= len(self._steps):
            return False
        self._place += 1
        return True

    def _forget_oldest(self) -> None:
        """Keeps as many steps as there is room for: always the newest, and one to go back to."""
        size, kept = 0, 0
        for step in reversed(self._steps):
            size += step.size
            if kept >= 2 and (kept >= _MOST_STEPS or size > self._most_bytes):
                break
            kept += 1
        self._steps = self._steps[-kept:]
        self._place = len(self._steps) - 1
