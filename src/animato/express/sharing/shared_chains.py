"""Chains that share joints, packed for kernels, and moves of all their joints towards the goals of their end-points."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.express.facing import bend_measure
from animato.express.gaze import build_sight
from animato.express.problem import Problem
from animato.express.sharing.goals import Goals
from animato.express.sharing.priority import write_move
from animato.express.sharing.rows import ends_of, write_left, write_rows
from animato.kernels.compiled import kernel
from animato.kernels.quaternions import IDENTITY, about, cross, quaternion, rotated, times, vector

AXIS, ORIGIN, SLIDES = 0, 3, 6
"""First columns of `joints`, as `Sight` has them."""

LEAST_WEIGHT = 0.02
"""Of a joint that does not bend its chain, beside those of the joints that do, which add up to 1 a chain."""

_LONGEST = 0.3  # [rad or m] that a coordinate moves from one set of slopes to the next


class PackedChains(NamedTuple):
    """What kernels take of chains, the most important first; arrays are padded to the longest.

    Attributes:
        joints: Axis and origin in the world at zero [m], and whether it slides, [K, m, 7].
        columns: Of each joint among all coordinates, [K, m].
        counts: Joints of each chain, [K].
        rests: Pose of each end-point at zero, [K, 7].
        ends: Forward and symmetry, up, [K, 2, 4].
        weights: Of each coordinate's way from the posture, [n].
    """

    joints: np.ndarray
    columns: np.ndarray
    counts: np.ndarray
    rests: np.ndarray
    ends: np.ndarray
    weights: np.ndarray


def pack_chains(problem: Problem) -> PackedChains:
    """Packs the chains of a problem."""
    chains, longest = problem.chains, max(len(chain.names) for chain in problem.chains)
    joints, columns = np.zeros((len(chains), longest, 7)), np.zeros((len(chains), longest), np.int64)
    rests, weights = np.zeros((len(chains), 7)), np.full(len(problem.names), LEAST_WEIGHT)
    for k, chain in enumerate(chains):
        sight, own = build_sight(chain), problem.columns(chain.end_point.name)
        joints[k, : len(own)] = sight.joints[:, :7]
        columns[k, : len(own)] = own
        rests[k, :4], rests[k, 4:] = sight.ends[0], sight.ends[1, :3]
        weights[own] = np.maximum(weights[own], bend_measure(chain, problem.options.aggravation).weight)
    counts = np.array([len(chain.names) for chain in chains])
    ends = np.array([ends_of(chain.end_point, problem.options.symmetric) for chain in chains])
    return PackedChains(joints, columns, counts, rests, ends, weights)


@kernel
def write_poses(chains: PackedChains, q: np.ndarray, poses: np.ndarray, motions: np.ndarray) -> None:
    """Writes the pose of each end-point [K, 7] and how each coordinate moves it [K, n, 6]."""
    motions[:] = 0.0
    for k in range(len(chains.counts)):
        joints = chains.joints[k]
        turn, x, y, z = IDENTITY, 0.0, 0.0, 0.0
        for j in range(chains.counts[k]):
            i = chains.columns[k, j]
            own = (joints[j, AXIS], joints[j, AXIS + 1], joints[j, AXIS + 2])
            origin = (joints[j, ORIGIN], joints[j, ORIGIN + 1], joints[j, ORIGIN + 2])
            axis, (a, b, c) = rotated(turn, own), rotated(turn, origin)
            if joints[j, SLIDES] > 0.0:
                motions[k, i, 3], motions[k, i, 4], motions[k, i, 5] = axis
                x, y, z = x + q[i] * axis[0], y + q[i] * axis[1], z + q[i] * axis[2]
                continue
            motions[k, i, 0], motions[k, i, 1], motions[k, i, 2] = axis
            motions[k, i, 3], motions[k, i, 4], motions[k, i, 5] = a + x, b + y, c + z  # of the axis, for now
            turn = times(turn, about(own, q[i]))
            e, f, g = rotated(turn, origin)
            x, y, z = x + a - e, y + b - f, z + c - g
        poses[k, 0], poses[k, 1], poses[k, 2], poses[k, 3] = times(turn, quaternion(chains.rests, k))
        e, f, g = rotated(turn, (chains.rests[k, 4], chains.rests[k, 5], chains.rests[k, 6]))
        poses[k, 4], poses[k, 5], poses[k, 6] = e + x, f + y, g + z
        for j in range(chains.counts[k]):
            i = chains.columns[k, j]
            if joints[j, SLIDES] == 0.0:
                away = (poses[k, 4] - motions[k, i, 3], poses[k, 5] - motions[k, i, 4], poses[k, 6] - motions[k, i, 5])
                motions[k, i, 3], motions[k, i, 4], motions[k, i, 5] = cross(vector(motions[k], i), away)


@kernel
def improve(
    chains: PackedChains,
    goals: Goals,
    pull: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    steps: int,
    ease: float,
    q: np.ndarray,
    errors: np.ndarray,
) -> None:
    """Moves all coordinates towards the goals, by priority, and with what is left towards a posture.

    Args:
        chains: Packed.
        goals: Of each end-point.
        pull: The posture [rad or m], [n].
        lower: Where coordinates may be at least [rad or m], [n].
        upper: And at most, [n].
        steps: Sets of slopes.
        ease: Share of the way to the posture that each of them makes.
        q: Where they are, and then are [rad or m], [n].
        errors: By which angle each end-point then is off its goal, 0 where it has none [rad], [K].
    """
    levels, n = len(goals.kinds), len(q)
    poses, motions = np.empty((levels, 7)), np.empty((levels, n, 6))
    left, slopes = np.zeros((levels, 3)), np.zeros((levels, 3, n))
    none, nothing, d = np.empty((0, n)), np.empty(0), np.empty(n)
    for _ in range(steps):
        write_poses(chains, q, poses, motions)
        for k in range(levels):
            if goals.active[k]:
                kind, tolerance = goals.kinds[k], goals.tolerances[k]
                write_rows(chains.ends, kind, goals.numbers, tolerance, poses, k, motions[k], left, slopes)
        lo = np.minimum(np.maximum(lower - q, -_LONGEST), upper - q)
        hi = np.maximum(np.minimum(upper - q, _LONGEST), lo)
        write_move(slopes, left, goals.active, chains.weights, pull - q, ease, lo, hi, none, nothing, nothing, d)
        for i in range(n):
            q[i] = min(max(q[i] + d[i], lower[i]), upper[i])
    write_errors(chains, goals, q, poses, motions, errors)


@kernel
def write_errors(
    chains: PackedChains, goals: Goals, q: np.ndarray, poses: np.ndarray, motions: np.ndarray, errors: np.ndarray
) -> None:
    """Writes by which angle each end-point is off its goal [rad], [K], and the poses on the way."""
    left = np.zeros((len(errors), 3))
    write_poses(chains, q, poses, motions)
    for k in range(len(errors)):
        errors[k] = 0.0
        if goals.active[k]:
            write_left(chains.ends, goals.kinds[k], goals.numbers, goals.tolerances[k], poses, k, left)
            errors[k] = np.sqrt(left[k, 0] ** 2 + left[k, 1] ** 2 + left[k, 2] ** 2)
