"""How a solver ended, in a word and in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """The word."""

    SOLVED = "solved"
    STALLED = "stalled"
    OUT_OF_ITERATIONS = "out of iterations"
    INFEASIBLE = "infeasible"


@dataclass(frozen=True)
class Outcome:
    """What became of a solve.

    Attributes:
        status: In a word.
        reason: In a sentence, for people.
        iterations: Newton steps taken.
    """

    status: Status
    reason: str
    iterations: int = 0

    @property
    def solved(self) -> bool:
        """Whether the answer is an optimum to the tolerance that was asked for."""
        return self.status is Status.SOLVED
