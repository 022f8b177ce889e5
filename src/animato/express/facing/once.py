"""One target from beginning to end in one compiled call, and many targets in one.

A kernel takes about 0.15 us for each array that is handed over and five times as much for a named tuple of a few, so
what a single call needs comes in few arrays and becomes tuples inside.
"""

from __future__ import annotations

import numpy as np

from animato.express.facing.errors import BendMeasure, bend_errors, orientation_gap
from animato.express.facing.kernel import (
    STEPS,
    UNLIMITED,
    Effort,
    Request,
    go_on,
    inside_limits,
    new_search,
    search_memory,
    targets_of,
)
from animato.express.facing.packed_problem import arrays_in, scored_in, vertices_in
from animato.kernels.compiled import kernel
from animato.kernels.quaternions import IDENTITY, about, quaternion, times, vector
from animato.kernels.uncounted import uncounted_kernel

REST, HALF_TURN, FORWARD = range(3)
"""Rows of `frame`: the end-point's orientation at zero and half a turn about its facing axis there, wxyz; and its
facing axis in its own frame, followed by 0."""

COMBINED, ORIENTATION, POSTURE, SHAPE, ITERATIONS, POSITIONS = range(6)
"""Columns of what is found; errors that are no numbers say that the target was no rotation."""

_NO_LENGTH = 1e-9  # of a quaternion that is no rotation


@uncounted_kernel
def normalize(targets: np.ndarray, n: int) -> bool:
    """Scales row n to unit length; False where it is no rotation."""
    size = 0.0
    for k in range(4):
        size += targets[n, k] * targets[n, k]
    size = np.sqrt(size)
    if not _NO_LENGTH < size < np.inf:
        return False
    for k in range(4):
        targets[n, k] /= size
    return True


@uncounted_kernel
def write_errors(
    axis: np.ndarray,
    frame: np.ndarray,
    measure: BendMeasure,
    weights: tuple[float, float],
    symmetric: bool,
    roll: float,
    psi: np.ndarray,
    target: np.ndarray,
    angles: np.ndarray,
    n: int,
    found: np.ndarray,
) -> None:
    """Writes the errors of row n of angles, as `facing_errors` has them; the roll joint does not count.

    Args:
        axis: Of the turning joints in the world at zero, [m, 3].
        frame: REST, HALF_TURN and FORWARD, [3, 4].
        measure: Of the k turning joints, without the roll joint.
        weights: Of orientation and posture error.
        symmetric: Whether half a turn does not count.
        roll: Turn about forward that does not count [rad].
        psi: The posture [rad], [m].
        target: Orientation that is asked for, wxyz, [r, 4].
        angles: [rad], [r, m].
        n: Which row of `target`, `angles` and `found`.
        found: COMBINED to SHAPE are written, [r, 5 or more].
    """
    tip = IDENTITY
    posture, shape = 0.0, 0.0
    for i in range(len(measure.weight)):
        tip = times(tip, about(vector(axis, i), angles[n, i]))
        bend = bend_errors(measure, i, angles[n, i], psi[i])
        posture += bend[0]
        shape += bend[1]
    tip = times(tip, quaternion(frame, REST))
    gap = orientation_gap(tip, quaternion(target, n), vector(frame, FORWARD), symmetric, roll)
    found[n, COMBINED] = weights[0] * gap + weights[1] * posture
    found[n, ORIENTATION], found[n, POSTURE], found[n, SHAPE] = gap, posture, shape


@kernel
def face_all(
    packed: np.ndarray,
    faced: int,
    missed: int,
    short: int,
    finalists: int,
    long: int,
    tolerance: float,
    corners: bool,
    starts: np.ndarray,
    near: np.ndarray,
    pull: float,
    bounds: int,
    targets: np.ndarray,
    answers: np.ndarray,
) -> None:
    """Solves for every target [r, 4]; writes errors and iterations, then positions of the chain's joints, [r, 5 + n].

    Targets are scaled to unit length; for one that is no rotation the answer is the posture and its errors are no
    numbers. Arguments are a problem from `pack_problem`, the fields of `Effort`, whether to try corners, and those of
    `Request`.
    """
    problem, vertices, scored = arrays_in(packed), vertices_in(packed, corners), scored_in(packed)
    effort = Effort(faced, missed, short, finalists, long, tolerance)
    weights, psi, size = (problem.orientation, scored.posture_weight), problem.kinks[:, 0], faced + missed
    memory, lanes = search_memory(len(psi))
    for n in range(len(targets)):
        for i in range(len(scored.posture)):
            answers[n, POSITIONS + i] = scored.posture[i]
        if not normalize(targets, n):
            answers[n, :ITERATIONS], answers[n, ITERATIONS] = np.nan, 0.0
            continue
        target, frame, symmetric = targets[n : n + 1], scored.frame, scored.symmetric
        turns = targets_of(target, frame[REST : REST + 1], frame[HALF_TURN : HALF_TURN + 1], symmetric)
        search = new_search(effort, len(psi))
        request = Request(turns, starts, near, pull, bounds)
        go_on(problem, vertices, request, effort, UNLIMITED, search, memory, lanes)
        best = search.angles[size:]
        inside_limits(problem, near, best[0])
        for i in range(len(scored.columns)):
            answers[n, POSITIONS + int(scored.columns[i])] = best[0, i]
        row = answers[n : n + 1]
        write_errors(problem.axis, frame, scored.measure, weights, symmetric, scored.roll, psi, target, best, 0, row)
        answers[n, ITERATIONS] = search.counts[size + STEPS]
