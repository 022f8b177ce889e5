"""Joint positions whose chain is bent as points in space are.

With the unit directions u_j of the segments between the points and u_j(q) those of the chain, minimize over the limits

    sum_j w_j |u_j(q) - u_j|^2 / 2 + r |q - near|^2 / 2

Directions alone count, so the points may be of a creature of another size. Segments without length have none and do not
count; the small r decides joints that no direction tells, as the last one where it only twists.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.algebra.symmetric import DenseMatrix
from animato.errors import MotionError
from animato.mechanics.tree import Chain
from animato.motion import frozen_array
from animato.solvers import LeastSquaresOptions, solve_least_squares
from animato.spatial import quaternions

_NO_LENGTH = 1e-9  # [m] below which a segment has no direction
_PULL = 1e-6  # r
_STARTS = 6  # spread over the limits
_FITS = 1e-6  # mean square of what directions are off at which no other start is tried
_OPTIONS = LeastSquaresOptions(iterations=40, tolerance=1e-6, least_cost=1e-12)


@dataclass(frozen=True, eq=False)
class FittedPoints:
    """A posture that was fitted to points.

    Attributes:
        positions: Of the chain's joints, inside their limits [rad or m], [n].
        off_rad: By which angle each segment is off the one that was asked for; 0 for those without length [rad], [n].
    """

    positions: np.ndarray
    off_rad: np.ndarray


def joint_points(chain: Chain, positions: ArrayLike) -> np.ndarray:
    """Where the joints of a chain and its end-point are, in the world [m], [n + 1, 3].

    Args:
        chain: The joints and the end-point.
        positions: Of the joints [rad or m], [n].
    """
    return _walked(chain, np.asarray(positions, dtype=np.float64))[0]


def fit_points(chain: Chain, points: ArrayLike, near: np.ndarray | None = None, *, search: bool = True) -> FittedPoints:
    """Joint positions inside the limits whose segments point as those between points do.

    Args:
        chain: The joints and the end-point.
        points: Of the joints and the end-point, in the world and of any size [m], [n + 1, 3].
        near: Positions that are tried first, and which joints keep that the points do not tell [rad or m], [n]; zero,
            or the limit next to it, where not given.
        search: Whether other starts are tried where the points are not met from there.

    Raises:
        MotionError: The points do not fit the chain, or two that the chain has apart are in one place.
    """
    count, arrays = len(chain.names), chain.arrays
    given = frozen_array(points, (count + 1, 3), f"The points of {count} joints and '{chain.end_point.name}'")
    zero = np.clip(np.zeros(count), arrays.lower, arrays.upper)
    lengths = np.linalg.norm(np.diff(_walked(chain, zero)[0], axis=0), axis=1)
    asked = np.diff(given, axis=0)
    apart, counts = np.linalg.norm(asked, axis=1), lengths > _NO_LENGTH
    for j in np.flatnonzero(counts & ~(apart > _NO_LENGTH))[:1]:
        raise MotionError(
            f"Points {j} and {j + 1} are in one place, but '{chain.names[j]}' is {lengths[j]:.3g} m from what comes "
            f"after it. Give each joint a place of its own."
        )
    wanted = np.where(counts[:, None], asked / np.maximum(apart, _NO_LENGTH)[:, None], 0.0)
    weights = np.where(counts, lengths / max(float(lengths.sum()), _NO_LENGTH), 0.0)
    first = zero if near is None else np.clip(near, arrays.lower, arrays.upper)
    model = _Directions(chain, wanted, weights, first)
    best = solve_least_squares(model, first, _OPTIONS).point
    for start in _others(chain, zero) if search else ():
        if best.off < _FITS:
            break
        best = min(best, solve_least_squares(model, start, _OPTIONS).point, key=lambda one: one.cost)
    cosine = np.clip(np.sum(best.directions * wanted, axis=1), -1.0, 1.0)
    return FittedPoints(best.x, np.where(counts, np.arccos(cosine), 0.0))


def _others(chain: Chain, zero: np.ndarray) -> list[np.ndarray]:
    """Where else to begin: at zero, and spread over the limits, the same at each call."""
    arrays, random = chain.arrays, np.random.default_rng(0)
    lower, upper = np.maximum(arrays.lower, -np.pi), np.minimum(arrays.upper, np.pi)
    spread = [random.uniform(np.minimum(lower, upper), upper) for _ in range(_STARTS)]
    return [zero, *spread]


@dataclass(frozen=True, eq=False)
class _Evaluated:
    """Unknowns [n], the cost, how far directions are off (weighted mean square), directions and axes, [n, 3] each."""

    x: np.ndarray
    cost: float
    off: float
    directions: np.ndarray
    lengths: np.ndarray
    axes: np.ndarray


class _Directions:
    """What `solve_least_squares` asks for; `wanted` [n, 3] with `weights` [n], and `near` [n] for what is not told."""

    has_curvature = False

    def __init__(self, chain: Chain, wanted: np.ndarray, weights: np.ndarray, near: np.ndarray) -> None:
        self._chain, self._wanted, self._weights, self._near = chain, wanted, weights, near
        self.lower, self.upper = chain.arrays.lower, chain.arrays.upper

    def evaluate(self, x: np.ndarray) -> _Evaluated:
        """The cost of joint positions [n]."""
        points, axes = _walked(self._chain, x)
        segments = np.diff(points, axis=0)
        lengths = np.maximum(np.linalg.norm(segments, axis=1), _NO_LENGTH)
        directions = segments / lengths[:, None]
        off = float(self._weights @ np.sum((directions - self._wanted) ** 2, axis=1))
        away = x - self._near
        return _Evaluated(x, 0.5 * off + 0.5 * _PULL * float(away @ away), off, directions, lengths, axes)

    def assemble(self, point: _Evaluated, *, exact: bool) -> tuple[np.ndarray, DenseMatrix]:
        """Slope and Gauss and Newton's matrix: a turn carries all segments behind it, a slide stretches its own."""
        count, slides = len(point.x), self._chain.arrays.slides
        jacobian = np.zeros((count, 3, count))  # of the direction of segment j by joint i
        for i in range(count):
            if slides[i]:
                axis, here = point.axes[i], point.directions[i]
                jacobian[i, :, i] = (axis - here * (here @ axis)) / point.lengths[i]
            else:
                jacobian[i:, :, i] = np.cross(point.axes[i], point.directions[i:])
        rows = (np.sqrt(self._weights)[:, None, None] * jacobian).reshape(-1, count)
        left = (np.sqrt(self._weights)[:, None] * (point.directions - self._wanted)).reshape(-1)
        gradient = rows.T @ left + _PULL * (point.x - self._near)
        return gradient, DenseMatrix(rows.T @ rows + _PULL * np.eye(count))


def _walked(chain: Chain, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points of the joints and the end-point [m], [n + 1, 3], and the axes in the world, [n, 3]."""
    arrays, count = chain.arrays, len(chain.names)
    points, axes = np.empty((count + 1, 3)), np.empty((count, 3))
    rotation, place = arrays.base_rotation, arrays.base_position
    turns = quaternions.matrix_from_quaternion(quaternions.quaternion_about(arrays.axis, positions))
    for i in range(count):
        points[i] = place = place + rotation @ arrays.position[i]
        rotation = rotation @ arrays.rotation[i]
        axes[i] = rotation @ arrays.axis[i]
        if arrays.slides[i]:
            place = place + positions[i] * axes[i]
        else:
            rotation = rotation @ turns[i]
    points[count] = place + rotation @ arrays.tip_position
    return points, axes
