"""What the loop asks of whatever turns targets into set-points: one end-point, several, or one on closed loops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from animato.express.problem import Target


@dataclass(frozen=True, eq=False)
class Aimed:
    """Set-points for the targets of one moment.

    Attributes:
        positions: Of the coordinates that are decided [rad or m], [n].
        targets: What they are for, by end-point.
        error_rad: By which angle they are off the target of the most important end-point that has one; 0 where none
            has [rad].
        changing: Whether they are on the way from one branch of solutions to another, or have just jumped there.
    """

    positions: np.ndarray
    targets: Mapping[str, Target]
    error_rad: float
    changing: bool


class Aims(Protocol):
    """Faces targets with the end-points of one character while a posture is held."""

    @property
    def names(self) -> tuple[str, ...]:
        """Coordinates that it decides, in the order of positions."""

    def reset(self, positions: np.ndarray) -> None:
        """Starts anew from joint positions [rad or m], [n]."""

    def hold(self, posture: np.ndarray) -> None:
        """Holds another posture from the next update on [rad or m], [n]; set-points go there, they never jump."""

    def weigh(self, orientation: float | None = None, posture: float | None = None) -> None:
        """Weighs the errors anew; one that is not given stays as it is."""

    def update(self, targets: Mapping[str, Target]) -> Aimed:
        """The set-points of the next frame; where there is no target the held posture itself is the answer."""

    def error_of(self, positions: np.ndarray, targets: Mapping[str, Target]) -> float:
        """By which angle positions [n] are off the target of the most important end-point that has one [rad]."""
