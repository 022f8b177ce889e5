"""One target from beginning to end in one compiled call, and many targets in one.

A kernel takes about 0.15 us for each array and five times as much for a named tuple of a few, so what a single call
needs comes as plain arguments, in the order of the tuples' fields, and becomes tuples inside.
"""

from __future__ import annotations

import numpy as np

from animato.express.facing.arrays import FacingArrays
from animato.express.facing.errors import BendMeasure, bend_errors, orientation_gap
from animato.express.facing.kernel import (
    STEPS,
    UNLIMITED,
    Effort,
    Request,
    advance,
    inside_limits,
    new_search,
    targets_of,
)
from animato.express.facing.vertices import Vertices
from animato.kernels.compiled import kernel
from animato.kernels.quaternions import IDENTITY, about, quaternion, times, vector

REST, HALF_TURN, FORWARD = range(3)
"""Rows of `frame`: the end-point's orientation at zero and half a turn about its facing axis there, wxyz; and its
facing axis in its own frame, followed by 0."""

COMBINED, ORIENTATION, POSTURE, SHAPE, ITERATIONS = range(5)
"""Columns of what is found beside the angles; errors that are no numbers say that the target was no rotation."""

_NO_LENGTH = 1e-9  # of a quaternion that is no rotation


@kernel
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


@kernel
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
        found: COMBINED to SHAPE are written, [r, 5].
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
    axis: np.ndarray,
    limits: np.ndarray,
    kinks: np.ndarray,
    cost: np.ndarray,
    signed: bool,
    orientation: float,
    posture: float,
    place: np.ndarray,
    free: np.ndarray,
    corner_angles: np.ndarray,
    known: np.ndarray,
    frame: np.ndarray,
    bend_weight: np.ndarray,
    bend_cosine: np.ndarray,
    bend_reach: np.ndarray,
    posture_weight: float,
    symmetric: bool,
    roll: float,
    faced: int,
    missed: int,
    short: int,
    finalists: int,
    long: int,
    tolerance: float,
    starts: np.ndarray,
    near: np.ndarray,
    pull: float,
    bounds: int,
    targets: np.ndarray,
    angles: np.ndarray,
    found: np.ndarray,
) -> None:
    """Solves for every target [r, 4]; writes angles [r, m] and, beside them, errors and iterations [r, 5].

    Targets are scaled to unit length; for one that is no rotation the answer is `near` and its errors are no numbers.
    Arguments are the fields of `FacingArrays` and `Vertices`, what `write_errors` takes, then those of `Effort` and
    `Request`. `posture_weight` is the weight itself, `posture` the unit of curvatures.
    """
    problem = FacingArrays(axis, limits, kinks, cost, signed, orientation, posture, place)
    vertices = Vertices(free, corner_angles, known)
    effort = Effort(faced, missed, short, finalists, long, tolerance)
    measure = BendMeasure(bend_weight, bend_cosine, bend_reach)
    psi = kinks[:, 0]
    for n in range(len(targets)):
        if not normalize(targets, n):
            angles[n], found[n], found[n, ITERATIONS] = near, np.nan, 0.0
            continue
        turns = targets_of(targets[n : n + 1], frame[REST : REST + 1], frame[HALF_TURN : HALF_TURN + 1], symmetric)
        search = new_search(effort, len(near))
        advance(problem, vertices, Request(turns, starts, near, pull, bounds), effort, UNLIMITED, search)
        size = faced + missed
        best = search.angles[size]
        inside_limits(problem, near, best)
        for i in range(len(near)):
            angles[n, i] = best[i]
        write_errors(
            axis, frame, measure, (orientation, posture_weight), symmetric, roll, psi, targets, angles, n, found
        )
        found[n, ITERATIONS] = search.counts[size + STEPS]
