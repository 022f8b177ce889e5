"""Which parts of a sketch a robot cannot reach, by how much, and what holds it back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.trace.path.ik import approach_kernel
from animato.trace.path.problem import PathProblem, reach_tolerance

_PRESS = 1e-6  # [m^2 / rad] by which a limit must hold back the points to count
_ITERATIONS = np.array([40, 40])
_MOST_CHECKS = 40
_BENT = 0.2  # [rad or m]


@dataclass(frozen=True)
class HoldingLimit:
    """A joint limit that keeps a robot from where it should be.

    Attributes:
        coordinate: Which coordinate.
        side: "lower" or "upper".
        value: The limit [rad or m].
    """

    coordinate: str
    side: str
    value: float


@dataclass(frozen=True)
class OutOfReach:
    """A stretch of the sketch on which a point cannot be where it was drawn, whatever the path.

    Attributes:
        point: Name of the point.
        s_start, s_end: The stretch, as shares of the sketch.
        time_start, time_end: The same in the time of the drawing [s].
        distance: By how much it is out of reach at most [m].
        limits: Joint limits that hold it back, the strongest first; empty where no limit does: the robot is too short,
            or its points are wanted where they cannot be together.
        reason: One sentence for people.
    """

    point: str
    s_start: float
    s_end: float
    time_start: float
    time_end: float
    distance: float
    limits: tuple[HoldingLimit, ...]
    reason: str


def reach_distances(problem: PathProblem, q: np.ndarray, deviations: np.ndarray) -> np.ndarray:
    """By how much each place of the sketch is out of reach [m], [m, point]; 0 where the path is near enough.

    From the path's own posture, inverse kinematics with the joint limits but without smoothness goes as near as it
    can. What then is left is out of reach; what is gone was smoothed away.

    Args:
        problem: The problem that was solved.
        q: The path at the problem's places, [m, n].
        deviations: Distances of the points from the sketch there [m], [m, point].
    """
    distances = np.zeros_like(deviations)
    suspects = np.flatnonzero(np.any(deviations > reach_tolerance(problem), axis=1))
    if len(suspects) == 0:
        return distances
    checked = _some_of(suspects)
    _, left = _nearest(problem, q[checked], problem.targets[checked], problem.weight)
    points = left.reshape(len(checked), -1, 3)[:, : distances.shape[1]]
    nearest = np.linalg.norm(points, axis=2)
    # suspects that were not looked at are as their neighbours
    for k in range(distances.shape[1]):
        distances[suspects, k] = np.interp(suspects, checked, nearest[:, k])
    return distances


def find_out_of_reach(problem: PathProblem, q: np.ndarray, distances: np.ndarray) -> tuple[OutOfReach, ...]:
    """Stretches that are out of reach. The limits that hold a point are those that stop it when it goes alone.

    A way through the air is not drawn: there the point goes as near as it can, and nothing is lost.

    Args:
        problem: The problem that was solved.
        q: The path at the problem's places, [m, n].
        distances: From `reach_distances`.
    """
    tolerance, found = reach_tolerance(problem), []
    drawn = problem.sketch.is_down(problem.places)
    for k, point in enumerate(problem.sketch.points):
        lost = (distances[:, k] > tolerance) & drawn
        if not np.any(lost):
            continue
        checked = _some_of(np.flatnonzero(lost))
        weight = np.zeros_like(problem.weight)
        weight[3 * k : 3 * k + 3] = 1.0
        near, alone = _nearest(problem, q[checked], problem.targets[checked], weight)
        misses = np.linalg.norm(alone[:, 3 * k : 3 * k + 3], axis=1)
        presses = _presses(problem, near, alone, weight)
        for start, end in _stretches(lost):
            among = np.flatnonzero((checked >= start) & (checked <= end))
            by = float(distances[start : end + 1, k].max())
            reaches_alone = bool(len(among) and misses[among].max() < tolerance)
            limits = () if reaches_alone else _holding(problem, presses[among])
            found.append(_described(problem, point, (start, end), by, limits, reaches_alone))
    return tuple(found)


def _some_of(places: np.ndarray) -> np.ndarray:
    """Places to look at, the first and the last included."""
    return np.asarray(places[np.unique(np.linspace(0, len(places) - 1, min(len(places), _MOST_CHECKS)).astype(int))])


def _nearest(
    problem: PathProblem, q: np.ndarray, targets: np.ndarray, weight: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Postures [k, n] as near as possible to targets [k, 3 t] of weights [3 t], and what is left, [k, 3 t]."""
    kinematics, count = problem.kinematics, len(q)
    # a stretched arm cannot see that bending brings it nearer; a second try starts a little bent
    bent = np.clip(q + _BENT * (-1.0) ** np.arange(q.shape[1]), kinematics.lower, kinematics.upper)
    start = np.concatenate([q, bent])
    out, cost = np.empty((1, *start.shape)), np.empty((1, 2 * count))
    approach_kernel(
        kinematics.tree.arrays,
        kinematics.chains,
        np.concatenate([targets, targets])[None],
        weight,
        kinematics.lower,
        kinematics.upper,
        start,
        start,
        1e-9,
        _ITERATIONS,
        out,
        cost,
    )
    first = cost[0, :count] <= cost[0, count:]
    near = np.where(first[:, None], out[0, :count], out[0, count:])
    return near, kinematics.places(near).reshape(count, -1) - targets


def _presses(problem: PathProblem, q: np.ndarray, left: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """What a point would gain if a joint could go on over its limit: below 0 at the lower one, else above, [k, n]."""
    kinematics = problem.kinematics
    _, J = kinematics.jacobians(q)
    slope = np.einsum("ka,a,kan->kn", left, weight, J.reshape(len(q), len(weight), q.shape[1]))
    low = (q <= kinematics.lower + 1e-9) & (slope > _PRESS)
    high = (q >= kinematics.upper - 1e-9) & (slope < -_PRESS)
    return np.where(low | high, -slope, 0.0)


def _holding(problem: PathProblem, presses: np.ndarray) -> tuple[HoldingLimit, ...]:
    """The limits behind presses [k, n], the strongest first."""
    kinematics, found = problem.kinematics, []
    for i, name in enumerate(kinematics.names):
        for side, sign, bounds in (("lower", -1.0, kinematics.lower), ("upper", 1.0, kinematics.upper)):
            strength = np.maximum(sign * presses[:, i], 0.0)
            # a limit that holds only a tenth of the stretch is not what holds it
            if np.count_nonzero(strength) > len(presses) // 10:
                found.append((float(strength.sum()), HoldingLimit(name, side, float(bounds[i]))))
    return tuple(limit for _, limit in sorted(found, key=lambda entry: -entry[0]))


def _stretches(mask: np.ndarray) -> list[tuple[int, int]]:
    """First and last index of each run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(np.int8), [0]])))
    return [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _described(
    problem: PathProblem,
    point: str,
    stretch: tuple[int, int],
    distance: float,
    limits: tuple[HoldingLimit, ...],
    reaches_alone: bool,
) -> OutOfReach:
    s_start, s_end = (float(problem.places[index]) for index in stretch)
    time_start, time_end = (float(t) for t in problem.sketch.t_of_s(np.array([s_start, s_end])))
    if reaches_alone:
        cause = "it could alone, but the points are wanted too far from, or too near to, each other"
    elif limits:
        cause = "held by the " + " and the ".join(f"{limit.side} limit of '{limit.coordinate}'" for limit in limits[:3])
    else:
        cause = "the robot is too short, whatever its joints do"
    reason = (
        f"'{point}' cannot reach the stroke between {time_start:.2f} and {time_end:.2f} s, "
        f"by up to {_length(distance)}: {cause}."
    )
    return OutOfReach(point, s_start, s_end, time_start, time_end, distance, limits, reason)


def _length(metres: float) -> str:
    return f"{1000.0 * metres:.1f} mm" if metres < 1.0 else f"{metres:.2f} m"
