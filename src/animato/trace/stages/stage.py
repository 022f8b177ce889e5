"""A stage of a solve that tells of its steps."""

from __future__ import annotations

import time
from threading import Lock

from animato.outcome import Iteration, Progress


class Stage:
    """Counts the steps of one stage and tells of each; steps may come from several threads."""

    def __init__(self, name: str, progress: Progress | None, total: int | None = None) -> None:
        """Announces the stage.

        Args:
            name: For people.
            progress: Told of every step.
            total: Steps at the most, where that is known.
        """
        self._name, self._progress, self._total = name, progress, total
        self._number, self._begin, self._lock = 0, time.perf_counter(), Lock()
        self._tell(None)

    def step(self, objective: float | None = None) -> None:
        """Tells that a step is done, and what the objective is now."""
        with self._lock:
            self._number += 1
            self._tell(objective)

    def _tell(self, objective: float | None) -> None:
        if self._progress is not None:
            seconds = time.perf_counter() - self._begin
            self._progress(
                Iteration(
                    stage=self._name,
                    number=self._number,
                    total=self._total,
                    objective=objective,
                    seconds=seconds,
                )
            )
