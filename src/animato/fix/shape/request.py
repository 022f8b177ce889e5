"""What shaping is asked for: a clip, what may change in it, and what counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from animato.fix.shape.mechanics import Mechanics
from animato.fix.shape.moving import Moving
from animato.fix.shape.spline_space import SplineSpace
from animato.motion import Clip

MechanicsAt = Callable[[np.ndarray], Mechanics]
"""Makes the mechanics of a character at some times of the reference [s], [moment]."""


@dataclass(frozen=True, eq=False)
class Request:
    """One clip whose shape gives way.

    Attributes:
        clip: The reference.
        moving: What may change.
        mechanics_at: Points and loads of the character.
        point_weights: Of each point's square at each frame, [frame, point].
        angle_weights: Of each column's square at each frame [m^2/rad^2], [frame, column].
        held: Control points that stay, [frame, column].
        size: Of the character [m].
        start: Control points near the answer, [frame, column]; the reference where not given.
    """

    clip: Clip
    moving: Moving
    mechanics_at: MechanicsAt
    point_weights: np.ndarray
    angle_weights: np.ndarray
    held: np.ndarray
    size: float
    start: np.ndarray | None = None

    @cached_property
    def space(self) -> SplineSpace:
        """Of the clip's own curve."""
        return SplineSpace(self.clip.spline.knots, self.clip.times)

    @cached_property
    def reference(self) -> np.ndarray:
        """Its control points of the columns that may change, 0 for a root, which counts from there, [frame, column]."""
        first = self.moving.root
        columns = [self.clip.names.index(name) for name in self.moving.names[first:]]
        still = np.zeros((self.clip.frame_count, first))
        return np.ascontiguousarray(np.hstack([still, self.clip.spline.control_points[:, columns]]))
