"""What goes in and out of a loop while it runs: sources of targets, and commands for joints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from animato.express.problem import Said, Target


@dataclass(frozen=True, eq=False)
class Command:
    """What to send to the joints now.

    Attributes:
        time_s: Since the loop began [s]; the first command is one frame after the start.
        names: Coordinates that are commanded: those that face, and the others where the whole body is.
        positions: [rad or m], [n].
        velocities: [rad/s or m/s], [n].
        error_rad: Angle by which these positions are off the newest target; 0 before there is one [rad].
        changing: Whether the joints are on the way from one branch of solutions to another.
        warnings: Kinds of what went wrong since the command before.
    """

    time_s: float
    names: tuple[str, ...]
    positions: np.ndarray
    velocities: np.ndarray
    error_rad: float
    changing: bool
    warnings: tuple[str, ...]


class TargetSource(Protocol):
    """Where targets come from while the loop runs."""

    @property
    def ended(self) -> bool:
        """Whether nothing will come any more."""

    def poll(self, time_s: float) -> Sequence[Target | Said | str]:
        """What is new by a time since the loop began [s], as targets or as lines that say them."""
