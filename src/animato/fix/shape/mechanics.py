"""What the optimization asks of a character, whatever it is built like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np


@dataclass(frozen=True, eq=False)
class Motion:
    """Coordinates that may change, at moments of the clip.

    Attributes:
        moments: Which of the reference's moments these are.
        q, v, a: Positions, velocities, accelerations, [moment, column].
    """

    moments: slice
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray


@dataclass(frozen=True, eq=False)
class MomentRows:
    """Numbers of single moments that stay at or below 1, such as torques in shares of what a motor has.

    Attributes:
        values: [moment, row].
        by_q, by_v, by_a: Their derivatives, [moment, row, column].
    """

    values: np.ndarray
    by_q: np.ndarray
    by_v: np.ndarray
    by_a: np.ndarray


class Mechanics(Protocol):
    """Points and loads of a character, with derivatives by the coordinates that may change."""

    @property
    def row_names(self) -> tuple[str, ...]:
        """What each of the rows of a moment is about, for people; [row]."""
        ...

    @property
    def has_friction(self) -> bool:
        """Whether dry friction turns round with the motion."""
        ...

    @property
    def smoothable(self) -> slice:
        """Rows that a calmer motion makes less of: loads of motors and of the floor."""
        ...

    def places(self, motion: Motion) -> np.ndarray:
        """Where the points are [m], [moment, point, 3]."""
        ...

    def jacobians(self, motion: Motion) -> np.ndarray:
        """How they move, [moment, column, point, 3]."""
        ...

    def loads(self, motion: Motion) -> np.ndarray:
        """Values of the rows of moments, [moment, row]."""
        ...

    def load_rows(self, motion: Motion) -> MomentRows:
        """The same with their derivatives."""
        ...
