"""A path in joint space without time: a clamped cubic B-spline over s in [0, 1]."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import SplineError, unknown_name
from animato.kernels.compiled import kernel
from animato.motion import Posture, frozen_array, unique_names
from animato.spatial.basis import DEGREE, ORDER, basis_one, span_of

NOTHING_HELD = Posture((), np.zeros(0))


class PathSamples(NamedTuple):
    """A path and its derivatives with respect to s at many places.

    Attributes:
        s: Where, [m].
        q: Positions [rad or m], [m, n].
        dq: First derivative [rad or m per unit of s], [m, n].
        ddq: Second derivative, [m, n].
    """

    s: np.ndarray
    q: np.ndarray
    dq: np.ndarray
    ddq: np.ndarray


@dataclass(frozen=True, eq=False)
class JointPath:
    """p(s) = sum_i P_i B_i(s): where the joints are along a stroke, whatever the time.

    Basis functions are not negative and sum to one, so every p(s) is a mean of control points: where
    these are inside the joint limits, so is the whole path.

    Attributes:
        names: Coordinates that move, [n].
        knots: Rising from 0 to 1, both ends fourfold, [c + 4].
        control_points: P [rad or m], [c, n].
        held: All other coordinates of the character, and where they stay.
    """

    names: tuple[str, ...]
    knots: np.ndarray
    control_points: np.ndarray
    held: Posture = field(default=NOTHING_HELD)

    def __post_init__(self) -> None:
        names = unique_names(self.names, "the path")
        knots = frozen_array(self.knots, (None,), "The knots of the path")
        if len(knots) < 2 * ORDER or np.any(np.diff(knots) < 0.0) or knots[0] != 0.0 or knots[-1] != 1.0:
            raise SplineError("The knots of a path must rise from 0 to 1, and be at least 8.")
        if knots[DEGREE] != 0.0 or knots[-ORDER] != 1.0 or np.any(np.diff(knots[DEGREE:-DEGREE]) <= 0.0):
            raise SplineError("The knots of a path must stand four times at 0 and at 1, and once in between.")
        points = frozen_array(self.control_points, (len(knots) - ORDER, len(names)), "The control points of the path")
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "knots", knots)
        object.__setattr__(self, "control_points", points)

    def at(self, s: ArrayLike, derivative: int = 0) -> np.ndarray:
        """Positions [rad or m], or a derivative with respect to s.

        Args:
            s: In [0, 1], of any shape; places outside count as the nearer end.
            derivative: 0 to 3. The third is constant between knots.

        Returns:
            Shape of s, then [n].
        """
        if not 0 <= derivative <= DEGREE:
            raise SplineError(f"A cubic path has derivatives 0 to 3, asked for {derivative}.")
        where = np.asarray(s, dtype=np.float64)
        out = np.empty((1, where.size, len(self.names)))
        sample_path_kernel(self.knots, self.control_points, np.ascontiguousarray(where).reshape(-1), derivative, out)
        return out.reshape(*where.shape, len(self.names))

    def samples(self, s: ArrayLike) -> PathSamples:
        """p, p' and p'' at places s [m], which is what a time scaling needs."""
        where = np.ascontiguousarray(np.atleast_1d(np.asarray(s, dtype=np.float64)))
        out = np.empty((3, len(where), len(self.names)))
        sample_path_kernel(self.knots, self.control_points, where, 0, out)
        return PathSamples(where, out[0], out[1], out[2])

    def posture(self, s: float) -> Posture:
        """The whole posture at one place, held coordinates included."""
        names = self.names + self.held.names
        return Posture(names, np.concatenate([self.at(s), self.held.positions]), f"the path at s = {s:.4g}")

    def column(self, name: str) -> int:
        """The column of a coordinate that moves."""
        if name not in self.names:
            raise unknown_name("coordinate", name, self.names, "the path")
        return self.names.index(name)

    @property
    def control_point_count(self) -> int:
        """Number of control points, c."""
        return len(self.control_points)


@kernel
def sample_path_kernel(
    knots: np.ndarray, control_points: np.ndarray, s: np.ndarray, derivative: int, out: np.ndarray
) -> None:
    """Writes derivatives `derivative`, `derivative` + 1, ... of the path at places s into out [order, m, n]."""
    values = np.empty(ORDER)
    for j in range(len(s)):
        x = min(max(s[j], knots[DEGREE]), knots[len(knots) - ORDER])
        span = span_of(knots, x, False)
        for order in range(len(out)):
            basis_one(knots, span, x, derivative + order, values)
            for i in range(out.shape[2]):
                total = 0.0
                for k in range(ORDER):
                    total += values[k] * control_points[span - DEGREE + k, i]
                out[order, j, i] = total
