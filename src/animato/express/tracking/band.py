"""The course ahead: a band of configurations along the predicted targets, which is pulled tight a little every frame.

A knot of the band faces the target of its moment, holds the posture as well as it can, lies near the middle of its
neighbours and no further from them than the joints can move. Relaxing the knots one after another lets the whole band
slide downhill, through the chain's spare freedom.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.express.tracking.constants import TRACKING
from animato.express.tracking.kernel import Setting, bound, face, held_error, missed, narrow
from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.quaternions import (
    Quaternion,
    Vector,
    about,
    conjugate,
    length,
    quaternion,
    rotated,
    rotation_vector,
    times,
    vector,
)

PAST, HERE, NEXT = range(3)
"""First rows of a band: the knot before, the one that the chain has just passed, and the first that may be moved."""


class Band(NamedTuple):
    """Configurations at moments ahead.

    Attributes:
        angles: [rad], [k, m].
        kind: 0, or 1 for facing upside down, [k].
        changing: 1 where the knot belongs to a change of branch, [k].
        error: Combined error, [k].
        angle: Left to turn [rad], [k].
        targets: What exp(a_1 q_1) ... exp(a_m q_m) should be, wxyz, upright and upside down; with points the twist
            before it is upright, [k, 1 or 2, 4].
        points: To look at [m]; infinite where an orientation is faced, [k, 3].
    """

    angles: np.ndarray
    kind: np.ndarray
    changing: np.ndarray
    error: np.ndarray
    angle: np.ndarray
    targets: np.ndarray
    points: np.ndarray


def new_band(knots: int, joints: int, ways: int) -> Band:
    """A band that stays at zero."""
    whole, targets = np.zeros((2, knots), np.int64), np.zeros((knots, ways, 4))
    targets[:, :, 0] = 1.0
    points = np.full((knots, 3), np.inf)
    return Band(np.zeros((knots, joints)), whole[0], whole[1], np.zeros(knots), np.zeros(knots), targets, points)


def first_knots(band: Band, knots: int) -> Band:
    """The first knots of a band, in the same memory."""
    return Band(*(array[:knots] for array in band))


@kernel
def begin_band(band: Band, q: np.ndarray, kind: int) -> None:
    """A band that stays at q [1, m]."""
    for k in range(len(band.kind)):
        band.angles[k] = q[0]
        band.kind[k], band.changing[k], band.error[k], band.angle[k] = kind, 0, 0.0, 0.0


@kernel
def copy_band(source: Band, band: Band) -> None:
    """Writes one band into another."""
    band.angles[:], band.kind[:], band.changing[:] = source.angles, source.kind, source.changing
    band.error[:], band.angle[:] = source.error, source.angle
    band.targets[:], band.points[:] = source.targets, source.points


@kernel
def predict(
    band: Band,
    aims: np.ndarray,
    point: Vector,
    pivot: Vector,
    spin: np.ndarray,
    first: float,
    step: float,
    trust: float,
) -> float:
    """Writes targets that go on turning as they do; gives by how much the last of them is another than before [rad].

    Args:
        band: Its targets and points are written.
        aims: Targets now, [1 or 2, 4].
        point: To look at now [m], or NOWHERE.
        pivot: About which it turns [m].
        spin: Angular velocity of what is faced [rad/s], [3].
        first: Moment of the first row from now [s].
        step: Between rows [s].
        trust: How far the future is believed in [s]; after that what is faced is thought to stay.
    """
    rate = length((spin[0], spin[1], spin[2]))
    scale = 1.0 / max(rate, 1e-12)
    axis = (spin[0] * scale, spin[1] * scale, spin[2] * scale)
    end = len(band.kind) - 1
    looks = point[0] < np.inf
    last, last_point = quaternion(band.targets[end], 0), vector(band.points, end)
    away = (0.0, 0.0, 0.0)
    if looks:
        away = (point[0] - pivot[0], point[1] - pivot[1], point[2] - pivot[2])
    for k in range(len(band.kind)):
        turn = about(axis, rate * min(first + k * step, trust))
        if looks:
            x, y, z = rotated(turn, away)
            band.points[k, 0], band.points[k, 1], band.points[k, 2] = x + pivot[0], y + pivot[1], z + pivot[2]
        else:
            band.points[k] = np.inf
        for way in range(len(aims)):
            w, x, y, z = quaternion(aims, way)
            if not looks:
                w, x, y, z = times(turn, (w, x, y, z))
            band.targets[k, way, 0], band.targets[k, way, 1] = w, x
            band.targets[k, way, 2], band.targets[k, way, 3] = y, z
    if not looks:
        return length(rotation_vector(times(last, conjugate(quaternion(band.targets[end], 0)))))
    if not last_point[0] < np.inf:
        return np.pi
    before = (last_point[0] - pivot[0], last_point[1] - pivot[1], last_point[2] - pivot[2])
    now = (band.points[end, 0] - pivot[0], band.points[end, 1] - pivot[1], band.points[end, 2] - pivot[2])
    size = max(length(before), length(now), 1e-9)
    return length((before[0] - now[0], before[1] - now[1], before[2] - now[2])) / size


@kernel
def pass_knot(band: Band, q: np.ndarray) -> None:
    """Moves the band on by one knot; the chain is at q [1, m]."""
    last = len(band.kind) - 1
    for k in range(last):
        band.angles[k] = band.angles[k + 1]
        band.kind[k], band.changing[k] = band.kind[k + 1], band.changing[k + 1]
        band.error[k], band.angle[k] = band.error[k + 1], band.angle[k + 1]
    band.angles[HERE] = q[0]
    band.changing[last] = 0


@inlined_kernel
def _target(band: Band, k: int) -> Quaternion:
    return quaternion(band.targets[k], band.kind[k])


@kernel
def judge_knot(setting: Setting, band: Band, k: int) -> None:
    """Writes the combined error of a knot and the angle it has left."""
    band.error[k], band.angle[k] = missed(setting, _target(band, k), vector(band.points, k), band.angles, k)


@kernel
def _stretched(rows: np.ndarray, angles: np.ndarray, k: int, move: np.ndarray, turning: int) -> bool:
    """Whether the first row is farther from row k than joints move."""
    most = 0.0
    for i in range(turning):
        most = max(most, abs(rows[0, i] - angles[k, i]) / move[i])
    return most > TRACKING.stretch


@kernel
def relax(setting: Setting, band: Band, first: int, count: int, move: np.ndarray, fresh: int) -> None:
    """Relaxes knots one after another.

    Args:
        setting: Its limits are written.
        band: Its angles and errors are written.
        first: Knot to begin with, at least NEXT.
        count: How many.
        move: Farthest that each joint moves from one knot to the next [rad or m], [m].
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
            band.kind[k] = band.kind[k - 1]
        for i in range(m):
            a, b = band.angles[k - 1, i], band.angles[after, i]
            if after == k:
                b = a
            near[i] = 0.5 * (a + b)
            lowest, highest = max(a, b) - move[i], min(a, b) + move[i]
            if lowest > highest:  # the chain is late, and has to catch up
                ahead = min(max(b - a, -move[i]), move[i])
                lowest, highest = a + TRACKING.haste * ahead, a + ahead
            bound(setting, i, lowest, highest)
        pull = TRACKING.stiffness if after > k else 0.0
        old[0] = band.angles[k]
        target, point = _target(band, k), vector(band.points, k)
        angle = face(setting, target, point, near, pull, TRACKING.knot_steps, band.angles, k)
        if angle > TRACKING.nearly_faced_rad and after > k:  # no corner is cut by looking away: rather be late
            stretched = _stretched(old, band.angles, k - 1, move, setting.turning)
            now = held_error(setting, target, point, band.angles, k)
            if not stretched and held_error(setting, target, point, old, 0) < now:
                band.angles[k] = old[0]
        judge_knot(setting, band, k)


@kernel
def follow_band(
    setting: Setting,
    band: Band,
    aims: np.ndarray,
    point: Vector,
    share: float,
    speed: np.ndarray,
    change: np.ndarray,
    q: np.ndarray,
    v: np.ndarray,
) -> None:
    """Moves the chain by one frame along the band.

    Args:
        setting: Its limits are written.
        band: The course.
        aims: Targets now, [1 or 2, 4].
        point: To look at now [m], or NOWHERE.
        share: Of the way from HERE to NEXT that should be behind after this frame, 0 to 1.
        speed: Largest move of each joint [rad or m], [m].
        change: Largest change of its move [rad or m], [m].
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
    face(setting, quaternion(aims, kind), point, near, TRACKING.led, TRACKING.frame_steps, q, 0)
    for i in range(m):
        v[i] = q[0, i] - start[0, i]


@kernel
def lay_path(
    setting: Setting,
    band: Band,
    path: np.ndarray,
    length: int,
    way: int,
    fork: int,
    first: int,
    count: int,
    move: np.ndarray,
) -> None:
    """Lays a path into a band from a fork on, and follows on from its end.

    Args:
        setting: Its limits are written.
        band: Changed.
        path: Configurations [rad], [most, m].
        length: How many.
        way: 0, or 1 for facing upside down.
        fork: Knot where the first of them belongs.
        first: Knot to begin with.
        count: How many to lay.
        move: Farthest that each joint moves from one knot to the next [rad or m], [m].
    """
    knots, m = band.angles.shape
    for k in range(first, min(first + count, knots)):
        inside = k - fork < length
        band.kind[k], band.changing[k] = way, 1 if inside else 0
        for i in range(m):
            before = band.angles[k - 1, i]
            band.angles[k, i] = path[k - fork, i] if inside else before
            bound(setting, i, before - move[i], before + move[i])
        near, pull = band.angles[k].copy(), TRACKING.path_pull if inside else 0.0
        face(setting, _target(band, k), vector(band.points, k), near, pull, 2 * TRACKING.knot_steps, band.angles, k)
        judge_knot(setting, band, k)
