"""Other branches of solutions: configurations that face a target, and what following on from them would cost.

The chain's own turn, the product of its joints' half-angle quaternions, tells two kinds of configurations with the same
orientation apart: its sign. Facing all the time, a chain never gets from one kind to the other; and the nearer that
turn is to a whole one, the more it is wound up.
"""

from __future__ import annotations

import numpy as np

from animato.express.tracking.band import Band
from animato.express.tracking.constants import TRACKING
from animato.express.tracking.kernel import Setting, bound, face, face_exactly, held_error
from animato.kernels.compiled import kernel
from animato.kernels.quaternions import IDENTITY, Quaternion, about, quaternion, times, vector


@kernel
def own_turn(setting: Setting, rows: np.ndarray, n: int) -> Quaternion:
    """The turn of a chain from zero to row n, continuous over all its joints: wxyz."""
    turn = IDENTITY
    for i in range(rows.shape[1]):
        turn = times(turn, about(vector(setting.problem.axis, i), rows[n, i]))
    return turn


@kernel
def unbound(setting: Setting) -> None:
    """Writes the real limits."""
    for i in range(len(setting.full)):
        bound(setting, i, setting.full[i, 0], setting.full[i, 1])


@kernel
def seek(setting: Setting, target: np.ndarray, here: np.ndarray, rows: np.ndarray, kinds: np.ndarray) -> None:
    """Goes from each row downhill to a configuration that faces a target.

    Args:
        setting: Its limits are written.
        target: wxyz, [1, 4].
        here: A configuration that faces the same target [rad], [1, m].
        rows: [rad], [r, m], changed.
        kinds: Written: 1 where a row is now of the same kind as `here`, 0 where it is not, -1 where it does not face,
            [r].
    """
    unbound(setting)
    own = own_turn(setting, here, 0)
    for n in range(len(rows)):
        start = rows[n].copy()
        angle = face_exactly(setting, quaternion(target, 0), start, 0.0, TRACKING.seek_steps, rows, n)
        turn = own_turn(setting, rows, n)
        same = own[0] * turn[0] + own[1] * turn[1] + own[2] * turn[2] + own[3] * turn[3] > TRACKING.same_kind
        kinds[n] = -1 if angle > TRACKING.nearly_faced_rad else (1 if same else 0)


@kernel
def cost_ahead(
    setting: Setting, band: Band, way: int, first: int, start: np.ndarray, move: float, enough: float
) -> float:
    """Mean error of following the targets of a band from a knot on to its end.

    Args:
        setting: Its limits are written.
        band: Whose targets.
        way: 0, or 1 for facing upside down.
        first: The knot.
        start: Configuration there [rad], [1, m].
        move: Farthest that a joint moves from one knot to the next [rad].
        enough: Error above which it does not matter, and is infinite.
    """
    q = start.copy()
    total, count = 0.0, (len(band.kind) - first + TRACKING.follow_stride - 1) // TRACKING.follow_stride
    for k in range(first, len(band.kind), TRACKING.follow_stride):
        for i in range(q.shape[1]):
            bound(setting, i, q[0, i] - move, q[0, i] + move)
        face(setting, quaternion(band.targets[way], k), start[0], 0.0, TRACKING.follow_steps, q, 0)
        total += held_error(setting, quaternion(band.targets[way], k), q, 0) / count
        if total > enough:
            return np.inf
    return total


@kernel
def held_at(setting: Setting, target: np.ndarray, q: np.ndarray) -> float:
    """The combined error of a configuration [1, m] with a target [1, 4]."""
    return held_error(setting, quaternion(target, 0), q, 0)


@kernel
def price_of_start(setting: Setting, target: np.ndarray, rows: np.ndarray, n: int) -> float:
    """Goes from row n downhill to face a target [1, 4]; gives the combined error there, and more for being wound up."""
    unbound(setting)
    start = rows[n].copy()
    face(setting, quaternion(target, 0), start, 0.0, TRACKING.seek_steps, rows, n)
    return held_error(setting, quaternion(target, 0), rows, n) - TRACKING.unwound_worth * own_turn(setting, rows, n)[0]
