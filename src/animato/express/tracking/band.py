"""The course ahead: a band of configurations along the predicted targets, which is pulled tight a little every frame.

A knot of the band faces the target of its moment, holds the posture as well as it can, lies near the middle of its
neighbours and no further from them than the joints can move. Relaxing the knots one after another lets the whole band
slide downhill, through the chain's spare freedom. A leap is a part of the band that does not face: a straight line.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.express.tracking.constants import TRACKING
from animato.express.tracking.kernel import Setting, bound, face, held_error, narrow
from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.quaternions import about, conjugate, length, quaternion, rotation_vector, times

PAST, HERE, NEXT = range(3)
"""First rows of a band: the knot before, the one that the chain has just passed, and the first that may be moved."""

LEAP = 2
"""Kind of a knot that does not face; others are 0, or 1 for facing upside down."""


class Band(NamedTuple):
    """Configurations at moments ahead.

    Attributes:
        angles: [rad], [k, m].
        kind: 0, 1 or LEAP, [k].
        changing: 1 where the knot belongs to a change of branch, [k].
        error: Combined error, [k].
        targets: What exp(a_1 q_1) ... exp(a_m q_m) should be, wxyz, upright and upside down, [1 or 2, k, 4].
    """

    angles: np.ndarray
    kind: np.ndarray
    changing: np.ndarray
    error: np.ndarray
    targets: np.ndarray


def new_band(knots: int, joints: int, ways: int) -> Band:
    """A band that stays at zero."""
    whole, targets = np.zeros((2, knots), np.int64), np.zeros((ways, knots, 4))
    targets[:, :, 0] = 1.0
    return Band(np.zeros((knots, joints)), whole[0], whole[1], np.zeros(knots), targets)


@kernel
def begin_band(band: Band, q: np.ndarray, kind: int) -> None:
    """A band that stays at q [1, m]."""
    for k in range(len(band.kind)):
        band.angles[k] = q[0]
        band.kind[k], band.changing[k], band.error[k] = kind, 0, 0.0


@kernel
def copy_band(source: Band, band: Band) -> None:
    """Writes one band into another."""
    band.angles[:], band.kind[:], band.changing[:] = source.angles, source.kind, source.changing
    band.error[:], band.targets[:] = source.error, source.targets


@kernel
def predict(band: Band, aims: np.ndarray, spin: np.ndarray, first: float, step: float) -> float:
    """Writes targets that go on turning as they do; gives by how much the last of them is another than before [rad].

    Args:
        band: Its targets are written.
        aims: Targets now, [1 or 2, 4].
        spin: Their angular velocity [rad/s], [3].
        first: Moment of the first row from now [s].
        step: Between rows [s].
    """
    rate = length((spin[0], spin[1], spin[2]))
    scale = 1.0 / max(rate, 1e-12)
    axis = (spin[0] * scale, spin[1] * scale, spin[2] * scale)
    last = quaternion(band.targets[0], len(band.kind) - 1)
    for k in range(len(band.kind)):
        turn = about(axis, rate * (first + k * step))
        for way in range(len(aims)):
            w, x, y, z = times(turn, quaternion(aims, way))
            band.targets[way, k, 0], band.targets[way, k, 1] = w, x
            band.targets[way, k, 2], band.targets[way, k, 3] = y, z
    return length(rotation_vector(times(last, conjugate(quaternion(band.targets[0], len(band.kind) - 1)))))


@kernel
def pass_knot(band: Band, q: np.ndarray) -> None:
    """Moves the band on by one knot; the chain is at q [1, m]."""
    last = len(band.kind) - 1
    for k in range(last):
        band.angles[k] = band.angles[k + 1]
        band.kind[k], band.changing[k], band.error[k] = band.kind[k + 1], band.changing[k + 1], band.error[k + 1]
    band.angles[HERE] = q[0]
    band.changing[last] = 0


@inlined_kernel
def _target(band: Band, k: int) -> tuple[float, float, float, float]:
    return quaternion(band.targets[min(band.kind[k], len(band.targets) - 1)], k)


@kernel
def knot_error(setting: Setting, band: Band, k: int) -> float:
    """The combined error of a knot; while it leaps, of the nearer way to face."""
    error = held_error(setting, _target(band, k), band.angles, k)
    if band.kind[k] == LEAP and len(band.targets) > 1:
        error = min(error, held_error(setting, quaternion(band.targets[0], k), band.angles, k))
    return error


@kernel
def _nearer_way(setting: Setting, band: Band, k: int) -> int:
    """The way to face that is nearer to where a knot is."""
    if len(band.targets) == 1:
        return 0
    upright = held_error(setting, quaternion(band.targets[0], k), band.angles, k)
    return 1 if held_error(setting, quaternion(band.targets[1], k), band.angles, k) < upright else 0


@kernel
def relax(setting: Setting, band: Band, first: int, count: int, move: float, fresh: int) -> None:
    """Relaxes knots one after another.

    Args:
        setting: Its limits are written.
        band: Its angles and errors are written.
        first: Knot to begin with, at least NEXT.
        count: How many.
        move: Farthest that a joint moves from one knot to the next [rad].
        fresh: Knot from which on they are made anew: each begins at the one before it.
    """
    knots, m = band.angles.shape
    near, old = np.empty(m), np.empty((1, m))
    for k in range(first, min(first + count, knots)):
        after = min(k + 1, knots - 1)
        if k >= fresh:
            after = k
            band.angles[k] = band.angles[k - 1]
            band.changing[k] = 0
            band.kind[k] = band.kind[k - 1] if band.kind[k - 1] != LEAP else _nearer_way(setting, band, k)
        if band.kind[k] != LEAP:
            for i in range(m):
                a, b = band.angles[k - 1, i], band.angles[after, i]
                if after == k:
                    b = a
                near[i] = 0.5 * (a + b)
                lowest, highest = max(a, b) - move, min(a, b) + move
                if lowest > highest:  # the chain is late, and has to catch up
                    ahead = min(max(b - a, -move), move)
                    lowest, highest = a + TRACKING.haste * ahead, a + ahead
                bound(setting, i, lowest, highest)
            pull = TRACKING.stiffness if after > k else 0.0
            old[0] = band.angles[k]
            angle = face(setting, _target(band, k), near, pull, TRACKING.knot_steps, band.angles, k)
            if angle > TRACKING.nearly_faced_rad and after > k:  # no corner is cut by looking away: rather be late
                stretched = np.max(np.abs(old[0] - band.angles[k - 1])[: setting.turning]) > TRACKING.stretch * move
                if not stretched and held_error(setting, _target(band, k), old, 0) < knot_error(setting, band, k):
                    band.angles[k] = old[0]
        band.error[k] = knot_error(setting, band, k)


@kernel
def follow_band(
    setting: Setting,
    band: Band,
    aims: np.ndarray,
    share: float,
    speed: float,
    change: float,
    q: np.ndarray,
    v: np.ndarray,
) -> None:
    """Moves the chain by one frame along the band.

    Args:
        setting: Its limits are written.
        band: The course.
        aims: Targets now, [1 or 2, 4].
        share: Of the way from HERE to NEXT that should be behind after this frame, 0 to 1.
        speed: Largest move of a joint [rad].
        change: Largest change of its move [rad].
        q: Angles, changed [rad], [1, m].
        v: Moves of the last frame, changed [rad], [m].
    """
    m = len(v)
    near, start = np.empty(m), q.copy()
    square = share * share
    for i in range(m):  # a cubic through the knots
        a, b, c, d = band.angles[PAST, i], band.angles[HERE, i], band.angles[NEXT, i], band.angles[NEXT + 1, i]
        slope, bend, twist = c - a, 2.0 * a - 5.0 * b + 4.0 * c - d, 3.0 * (b - c) + d - a
        near[i] = b + 0.5 * (slope * share + bend * square + twist * square * share)
    narrow(setting, q, v, speed, change)
    kind = band.kind[NEXT]
    for i in range(m):
        q[0, i] = min(max(near[i], setting.problem.limits[i, 0]), setting.problem.limits[i, 1])
    if kind != LEAP:
        face(setting, quaternion(aims, kind), near, TRACKING.led, TRACKING.frame_steps, q, 0)
    for i in range(m):
        v[i] = q[0, i] - start[0, i]


@kernel
def lay_path(
    setting: Setting,
    band: Band,
    path: np.ndarray,
    length: int,
    kind: int,
    way: int,
    fork: int,
    first: int,
    count: int,
    move: float,
) -> None:
    """Lays a path into a band from a fork on, and follows on from its end.

    Args:
        setting: Its limits are written.
        band: Changed.
        path: Configurations [rad], [most, m].
        length: How many.
        kind: Of the knots that take them: LEAP, or as `way`.
        way: Of those after them: 0, or 1 for facing upside down.
        fork: Knot where the first of them belongs.
        first: Knot to begin with.
        count: How many to lay.
        move: Farthest that a joint moves from one knot to the next [rad].
    """
    knots, m = band.angles.shape
    for k in range(first, min(first + count, knots)):
        inside = k - fork < length
        band.kind[k], band.changing[k] = kind if inside else way, 1 if inside else 0
        for i in range(m):
            before = band.angles[k - 1, i]
            band.angles[k, i] = path[k - fork, i] if inside else before
            bound(setting, i, before - move, before + move)
        if band.kind[k] != LEAP:
            near, pull = band.angles[k].copy(), TRACKING.path_pull if inside else 0.0
            face(setting, _target(band, k), near, pull, 2 * TRACKING.knot_steps, band.angles, k)
        band.error[k] = knot_error(setting, band, k)


@kernel
def write_leap(
    setting: Setting, band: Band, fork: int, goal: np.ndarray, move: float, path: np.ndarray
) -> tuple[int, float]:
    """Writes the straight way from a fork to a goal [1, m] as a path [most, m]; gives its length and its mean error."""
    apart = 0.0
    for i in range(setting.turning):
        apart = max(apart, abs(goal[0, i] - band.angles[fork, i]))
    length = min(int(np.ceil(apart / move)), len(path))
    total = 0.0
    for k in range(length):
        path[k] = band.angles[fork] + (k + 1) / length * (goal[0] - band.angles[fork])
        least = np.inf
        for way in range(len(band.targets)):
            least = min(least, held_error(setting, quaternion(band.targets[way], fork), path, k))
        total += least
    return length, total
