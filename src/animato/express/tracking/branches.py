"""Other branches of solutions: configurations that face a target, and what following on from them would cost.

The chain's own turn, the product of its joints' half-angle quaternions, tells two kinds of configurations with the same
orientation apart: its sign. Facing all the time, a chain never gets from one kind to the other; and the nearer that
turn is to a whole one, the more it is wound up.
"""

from __future__ import annotations

import numpy as np

from animato.express.facing import FACING
from animato.express.tracking.band import Band
from animato.express.tracking.constants import TRACKING
from animato.express.tracking.kernel import Setting, bound, face, face_exactly, held_error, missed
from animato.kernels.compiled import kernel
from animato.kernels.quaternions import IDENTITY, Quaternion, Vector, about, quaternion, times, vector


@kernel
def own_turn(setting: Setting, rows: np.ndarray, n: int) -> Quaternion:
    """The turn of a chain from zero to row n, continuous over all its joints: wxyz."""
    turn = IDENTITY
    for i in range(rows.shape[1]):
        if setting.problem.place[i, 3] > 0.0:
            continue
        turn = times(turn, about(vector(setting.problem.axis, i), rows[n, i]))
    return turn


@kernel
def unbound(setting: Setting) -> None:
    """Writes the real limits."""
    for i in range(len(setting.full)):
        bound(setting, i, setting.full[i, 0], setting.full[i, 1])


@kernel
def seek(
    setting: Setting, target: np.ndarray, point: Vector, here: np.ndarray, rows: np.ndarray, kinds: np.ndarray
) -> None:
    """Goes from each row downhill to a configuration that faces a target.

    Args:
        setting: Its limits are written.
        target: wxyz, [1, 4].
        point: To look at [m], or NOWHERE.
        here: A configuration that faces the same target [rad], [1, m].
        rows: [rad], [r, m], changed.
        kinds: Written: 1 where a row is now of the same kind as `here`, 0 where it is not, -1 where it does not face,
            [r].
    """
    unbound(setting)
    own = own_turn(setting, here, 0)
    rolls = point[0] < np.inf and setting.problem.place[FACING, 3] > 0.0  # whoever may roll may change its kind
    for n in range(len(rows)):
        start = rows[n].copy()
        angle = face_exactly(setting, quaternion(target, 0), point, start, 0.0, TRACKING.seek_steps, rows, n)
        turn = own_turn(setting, rows, n)
        same = own[0] * turn[0] + own[1] * turn[1] + own[2] * turn[2] + own[3] * turn[3] > TRACKING.same_kind
        same = same or rolls
        kinds[n] = -1 if angle > TRACKING.nearly_faced_rad else (1 if same else 0)


@kernel
def cost_ahead(
    setting: Setting, band: Band, way: int, first: int, start: np.ndarray, move: np.ndarray, enough: float
) -> float:
    """Mean error of following the targets of a band from a knot on to its end.

    Args:
        setting: Its limits are written.
        band: Whose targets.
        way: 0, or 1 for facing upside down.
        first: The knot.
        start: Configuration there [rad], [1, m].
        move: Farthest that each joint moves from one knot to the next [rad or m], [m].
        enough: Error above which it does not matter, and is infinite.
    """
    q = start.copy()
    total, count = 0.0, (len(band.kind) - first + TRACKING.follow_stride - 1) // TRACKING.follow_stride
    for k in range(first, len(band.kind), TRACKING.follow_stride):
        for i in range(q.shape[1]):
            bound(setting, i, q[0, i] - move[i], q[0, i] + move[i])
        target, point = quaternion(band.targets[k], way), vector(band.points, k)
        face(setting, target, point, start[0], 0.0, TRACKING.follow_steps, q, 0)
        total += held_error(setting, target, point, q, 0) / count
        if total > enough:
            return np.inf
    return total


@kernel
def held_at(setting: Setting, target: np.ndarray, point: Vector, q: np.ndarray) -> float:
    """The combined error of a configuration [1, m] with a target [1, 4]."""
    return held_error(setting, quaternion(target, 0), point, q, 0)


@kernel
def price_of_start(setting: Setting, target: np.ndarray, point: Vector, rows: np.ndarray, n: int) -> float:
    """Goes from row n downhill to face a target [1, 4]; gives the combined error there, and more for being wound up."""
    unbound(setting)
    start = rows[n].copy()
    face(setting, quaternion(target, 0), point, start, 0.0, TRACKING.seek_steps, rows, n)
    error = held_error(setting, quaternion(target, 0), point, rows, n)
    return error - TRACKING.unwound_worth * own_turn(setting, rows, n)[0]


@kernel
def local_answer(setting: Setting, target: np.ndarray, point: Vector, row: np.ndarray) -> tuple[float, float]:
    """Moves a row [1, m] downhill to face a target [1, 4]; gives its combined error and the angle left [rad]."""
    unbound(setting)
    start = row[0].copy()
    face(setting, quaternion(target, 0), point, start, 0.0, TRACKING.seek_steps, row, 0)
    return missed(setting, quaternion(target, 0), point, row, 0)


@kernel
def missed_at(setting: Setting, target: np.ndarray, point: Vector, q: np.ndarray) -> tuple[float, float]:
    """The combined error of a configuration [1, m] with a target [1, 4], and the angle left [rad]."""
    return missed(setting, quaternion(target, 0), point, q, 0)
