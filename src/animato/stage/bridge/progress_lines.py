"""Progress for a program that listens: one line a step on a stream, not too many of them."""

from __future__ import annotations

import time
from typing import TextIO

from animato.outcome import Iteration

_PAUSE_S = 0.1  # an editor redraws no more often


class ProgressLines:
    """A `Progress` that writes `progress<TAB>stage<TAB>number<TAB>total`; the total is empty where it is not known."""

    def __init__(self, stream: TextIO) -> None:
        """Takes the stream that the other program reads."""
        self._stream = stream
        self._stage = ""
        self._next_s = 0.0

    def __call__(self, step: Iteration) -> None:
        """Writes a line where the stage is a new one, or the last line is a while ago."""
        now_s = time.monotonic()
        if step.stage == self._stage and now_s < self._next_s:
            return
        self._stage, self._next_s = step.stage, now_s + _PAUSE_S
        total = "" if step.total is None else str(step.total)
        print("progress", " ".join(step.stage.split()), step.number, total, sep="\t", file=self._stream, flush=True)

    def stage(self, title: str) -> None:
        """Says what comes next."""
        self(Iteration(stage=title))
