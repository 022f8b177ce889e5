"""First control points by inverse kinematics, from several postures (Luo and Hauser 2012, section IV.B)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.spatial.basis import DEGREE, basis_rows, combine_rows
from animato.trace.path.ik import approach_kernel
from animato.trace.path.problem import SEED_COUNT, PathProblem, random_postures, reach_tolerance

_ITERATIONS = np.array([60, 8])  # for the first control point, and for those after it
_TRAVEL = 1e-5  # [m^2 / rad^2], what motion of the joints costs when walks are compared
_NEAR_LIMIT = 1e-5  # [m^2], what it costs to be at a limit all the time


_SAME = 0.1  # [rad or m] by which walks must differ
_JUMP = 1.5  # [rad or m] between control points, as when a walk flips to another branch
FIRST_SEEDS = 3
_ANCHORS = 5
_JUDGED = 8
_TRIES = 24  # for one point; several points have joints of their own, and more to spare
_WORTH_IT = 0.2  # share of the distance by which another branch must be nearer


@dataclass(frozen=True, eq=False)
class PathStart:
    """Control points found by walking along the sketch from one posture.

    Attributes:
        control_points: [c, n].
        rest: The posture it was walked from, or the start that was asked for, [n].
        cost: Mean squared distance from the sketch [m^2], and a little for travel and nearness of limits.
    """

    control_points: np.ndarray
    rest: np.ndarray
    cost: float


def peaks(knots: np.ndarray) -> np.ndarray:
    """Places s at which each basis function is largest, [c]; of the cubic ones near the mean of their inner knots.

    The first and the last are largest at the ends. The others are found on a grid, to a hundredth of an interval.
    """
    count = len(knots) - DEGREE - 1
    breaks = knots[DEGREE:-DEGREE]
    s = (breaks[:-1, None] + np.diff(breaks)[:, None] * np.linspace(0.0, 1.0, 21)[None, :-1]).ravel()
    s = np.append(s, 1.0)
    first, values = basis_rows(knots, s)
    best, where = np.full(count, -1.0), np.zeros(count)
    for a in range(DEGREE + 1):
        order = np.argsort(values[:, a], kind="stable")  # the last write wins
        index = first[order] + a
        top, at = np.full(count, -1.0), np.zeros(count)
        top[index], at[index] = values[order, a], s[order]
        better = top > best
        best[better], where[better] = top[better], at[better]
    return where


def find_starts(problem: PathProblem) -> tuple[list[PathStart], float]:
    """Walks along the sketch from several postures; best first.

    p_i is the inverse kinematics of the sketch where basis function i is largest, started from p_(i-1). A walk that
    runs into a limit, or flips to another branch on the way, leaves a path that is far from the sketch in between,
    and is sorted behind. The first few seeds are enough where one of them arrives everywhere; otherwise all are
    tried. Where none arrives, random postures approach single places of the sketch, and where one of them gets nearer
    than the walks did, new walks go from there to both ends.

    Returns:
        The starts, and the mean squared distance [m^2] that is left when each place has the walk that is nearest to it.
    """
    s = peaks(problem.knots)
    x = np.column_stack([np.interp(s, problem.places, column) for column in problem.targets.T])
    walks = _walk(problem, x, problem.seeds[:FIRST_SEEDS])
    if not walks.arrived(problem):
        walks = walks.joined(_walk(problem, x, problem.seeds[FIRST_SEEDS:]))
    if not walks.arrived(problem):
        nearest = walks.left[:, walks.best].copy()
        for anchor in sorted(set(np.linspace(0, len(x) - 1, _ANCHORS).astype(int))):
            better = _nearer_postures(problem, x[anchor], float(nearest[anchor]), int(anchor))
            if len(better):
                walks = walks.joined(_walk_both_ways(problem, x, better, int(anchor)))
    nearest_first = np.argsort(np.sum(walks.left**2, axis=0), kind="stable")[:_JUDGED]
    starts = [_judged(problem, walks.postures[:, k], walks.rest[k]) for k in nearest_first]
    floor = float(problem.weight.max() * np.mean(walks.left.min(axis=1) ** 2))
    return sorted(starts, key=lambda start: start.cost), floor


def other_starts(problem: PathProblem, count: int) -> list[PathStart]:
    """Walks that stay near where they began, from named and random postures: other ways to do the same.

    Args:
        problem: The problem.
        count: Random postures beside the seeds.

    Returns:
        Those that arrive everywhere, and differ; the nearest one where none arrives.
    """
    s = peaks(problem.knots)
    x = np.column_stack([np.interp(s, problem.places, column) for column in problem.targets.T])
    seeds = np.concatenate([problem.seeds, random_postures(problem.kinematics, count, len(x))])
    walks = _walk(replace(problem, start_given=False), x, seeds)
    steady = np.abs(np.diff(walks.postures, axis=0)).max(axis=(0, 2)) < _JUMP
    arrived = np.flatnonzero((walks.left.max(axis=0) < reach_tolerance(problem)) & steady)
    found: list[PathStart] = []
    for k in arrived if len(arrived) else [walks.best]:
        start = _judged(problem, walks.postures[:, k], walks.postures[:, k].mean(axis=0))
        if all(np.abs(start.control_points - one.control_points).max() > _SAME for one in found):
            found.append(start)
    return found


def _nearer_postures(problem: PathProblem, x: np.ndarray, distance: float, random_seed: int) -> np.ndarray:
    """Postures that are nearer to targets x [3 t] than a distance [m], some of those found from random ones, [k, n]."""
    found = _walk(
        problem, x[None], random_postures(problem.kinematics, _TRIES // len(problem.sketch.points), random_seed)
    )
    order = np.argsort(found.left[0], kind="stable")
    tolerance = reach_tolerance(problem)
    nearest = found.left[0, order[0]]
    if nearest > distance - max(tolerance, _WORTH_IT * distance):
        return np.empty((0, found.postures.shape[2]))
    chosen = [k for k in order if found.left[0, k] < nearest + tolerance][: SEED_COUNT // 2]
    return np.ascontiguousarray(found.postures[0, chosen])


def _walk_both_ways(problem: PathProblem, x: np.ndarray, seeds: np.ndarray, anchor: int) -> _Walks:
    """Walks along targets x [c, 3 t] from one of them to both ends."""
    forth, back = _walk(problem, x[anchor:], seeds), _walk(problem, x[anchor::-1], seeds)
    return _Walks(
        np.concatenate([back.postures[:0:-1], forth.postures]),
        np.concatenate([back.left[:0:-1], forth.left]),
        forth.rest,
    )


@dataclass(frozen=True, eq=False)
class _Walks:
    """Postures [c, k, n] of k walks, the distance [m] that is left at each, [c, k], and their rest postures, [k, n]."""

    postures: np.ndarray
    left: np.ndarray
    rest: np.ndarray

    def joined(self, other: _Walks) -> _Walks:
        return _Walks(
            np.concatenate([self.postures, other.postures], axis=1),
            np.concatenate([self.left, other.left], axis=1),
            np.concatenate([self.rest, other.rest]),
        )

    def arrived(self, problem: PathProblem) -> bool:
        """Whether one of them got everywhere without a jump."""
        near = self.left.max(axis=0) < reach_tolerance(problem)
        steady = np.abs(np.diff(self.postures, axis=0)).max(axis=(0, 2)) < _JUMP
        return bool(np.any(near & steady))

    @property
    def best(self) -> int:
        """The walk that is nearest on the whole."""
        return int(np.argmin(np.sum(self.left**2, axis=0)))


def _walk(problem: PathProblem, x: np.ndarray, seeds: np.ndarray) -> _Walks:
    """Walks along targets x [c, 3 t] from each of the postures `seeds` [k, n]."""
    kinematics = problem.kinematics
    rest = np.ascontiguousarray(np.broadcast_to(problem.seeds[0], seeds.shape)) if problem.start_given else seeds
    targets = np.ascontiguousarray(np.repeat(x[:, None], len(seeds), axis=1))
    walks, cost = np.empty((len(x), *seeds.shape)), np.empty((len(x), len(seeds)))
    pull = max(problem.pull, 1e-9)
    approach_kernel(
        kinematics.tree.arrays,
        kinematics.chains,
        targets,
        problem.weight,
        kinematics.lower,
        kinematics.upper,
        seeds,
        rest,
        pull,
        _ITERATIONS,
        walks,
        cost,
    )
    away = np.sum((walks - rest) ** 2, axis=2)
    left = np.sqrt(np.maximum(2.0 * cost - pull * away, 0.0) / problem.weight.max())
    return _Walks(walks, left, rest)


def _judged(problem: PathProblem, walk: np.ndarray, rest: np.ndarray) -> PathStart:
    kinematics = problem.kinematics
    points = np.clip(walk, problem.lower, problem.upper)
    q = np.empty((len(problem.places), points.shape[1]))
    combine_rows(problem.first, problem.values, points, q)
    off = kinematics.places(q).reshape(len(q), -1) - problem.targets
    distance = float(problem.share @ (off**2 @ problem.weight))
    travel = float(np.sum(np.diff(points, axis=0) ** 2)) * (len(points) - 1)
    if problem.start_given:
        travel += float(np.sum((points[0] - problem.seeds[0]) ** 2))
    width = kinematics.upper - kinematics.lower
    limited = np.isfinite(width) & (width > 0.0)
    middle, half = 0.5 * (kinematics.upper + kinematics.lower)[limited], 0.5 * width[limited]
    edge = float(np.mean(((q[:, limited] - middle) / half) ** 8)) if limited.any() else 0.0
    return PathStart(points, rest, distance + _TRAVEL * travel + _NEAR_LIMIT * edge)
