"""How a solve ends and how it reports on the way: one word, one sentence, one callback for the whole house."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from threading import Lock


class Status(StrEnum):
    """The word."""

    SOLVED = "solved"
    ACCEPTABLE = "acceptable"
    STALLED = "stalled"
    OUT_OF_ITERATIONS = "out of iterations"
    INFEASIBLE = "infeasible"


@dataclass(frozen=True)
class Outcome:
    """What became of a solve. It alone says whether the answer may be used.

    A solver that knows no robot says SOLVED, STALLED or OUT_OF_ITERATIONS. The verb around it knows what the
    answer must hold: it turns the last two into ACCEPTABLE where everything holds and only the last bit of the
    objective may be missing, and anything into INFEASIBLE where something does not hold.

    Attributes:
        status: In a word.
        reason: In a sentence, for people.
        iterations: Steps taken.
    """

    status: Status
    reason: str
    iterations: int = 0

    @property
    def solved(self) -> bool:
        """Whether the answer is an optimum to the tolerance that was asked for."""
        return self.status is Status.SOLVED

    @property
    def usable(self) -> bool:
        """Whether the answer holds what it must. Exit status, page and text all read it here."""
        return self.status in (Status.SOLVED, Status.ACCEPTABLE)

    def __str__(self) -> str:
        return f"{self.status}: {self.reason}"


@dataclass(frozen=True, kw_only=True)
class Iteration:
    """One step of anything that takes a while.

    Attributes:
        stage: What is being worked on, for people ("path", "timing", "drawing frames").
        number: Of the step within its stage, from 1; 0 announces the stage.
        total: Steps of the stage at the most; None where nobody knows.
        objective: What is being made smaller, after the step; None where nothing is.
        seconds: Since the start of the stage [s].
    """

    stage: str
    number: int = 0
    total: int | None = None
    objective: float | None = None
    seconds: float = 0.0


Progress = Callable[[Iteration], None]
"""Told of every step; it must not raise and should return at once."""


def announcer(progress: Progress | None) -> Callable[[str], None]:
    """What says which stage comes next, to whoever listens."""
    return lambda stage: None if progress is None else progress(Iteration(stage=stage))


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
