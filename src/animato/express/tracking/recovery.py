"""Facing that will be lost although it need not be: the band leaves in time for where it is not lost.

Each knot of a band is near the one before it. Where a limit is in the way the next knots get stuck beside their target,
even where a little farther there are configurations that face. `recover` goes there as fast as joints can, and
`anticipate` begins earlier, so that facing is never lost on the way.
"""

from __future__ import annotations

import numpy as np

from animato.express.tracking.band import HERE, NEXT, Band, judge_knot, relax
from animato.express.tracking.constants import TRACKING
from animato.express.tracking.kernel import Setting, bound, face, face_exactly
from animato.kernels.compiled import kernel
from animato.kernels.quaternions import quaternion, vector


@kernel
def first_lost(band: Band) -> int:
    """The first knot that does not face; as many as there are where all do."""
    for k in range(NEXT, len(band.kind)):
        if band.angle[k] > TRACKING.lost_rad:
            return k
    return len(band.kind)


@kernel
def lost_knots(band: Band) -> int:
    """How many knots do not face."""
    count = 0
    for k in range(NEXT, len(band.kind)):
        if band.angle[k] > TRACKING.lost_rad:
            count += 1
    return count


@kernel
def anticipate(setting: Setting, band: Band, move: np.ndarray, work: np.ndarray) -> bool:
    """Where facing is lost for a while and found again, begins earlier to go where it is found; True where it helped.

    From the first knot that faces again the course is followed back in time, always facing and as near to the band as
    it can be, until the two are no further apart than the joints move from knot to knot.

    Args:
        setting: Its limits are written.
        band: Changed.
        move: Farthest that each joint moves from one knot to the next [rad or m], [m].
        work: Memory, [k, m].
    """
    knots, m = band.angles.shape
    lost = NEXT
    while lost < knots and band.angle[lost] <= TRACKING.lost_rad:
        lost += 1
    found = lost
    while found < knots and band.angle[found] > TRACKING.lost_rad:
        found += 1
    if found >= knots or lost == found:
        return False
    work[found] = band.angles[found]
    kind = band.kind[found]
    for k in range(found - 1, HERE, -1):
        for i in range(m):
            bound(setting, i, work[k + 1, i] - move[i], work[k + 1, i] + move[i])
            work[k, i] = work[k + 1, i]
        near = band.angles[k].copy()
        target, point = quaternion(band.targets[k], kind), vector(band.points, k)
        if face(setting, target, point, near, TRACKING.led, 2 * TRACKING.knot_steps, work, k) > TRACKING.lost_rad:
            return False
        apart = 0.0
        for i in range(setting.turning):
            apart = max(apart, abs(work[k, i] - band.angles[k - 1, i]) / move[i])
        if apart <= 1.0 and k <= lost:
            for j in range(k, found):
                band.angles[j], band.kind[j] = work[j], kind
                judge_knot(setting, band, j)
            return True
    return False


@kernel
def recover(setting: Setting, band: Band, lost: int, wanted: np.ndarray, move: np.ndarray, work: np.ndarray) -> bool:
    """From a knot that does not face, goes as fast as joints can to a configuration that does; False where it cannot.

    A chain that is stuck beside its target with a posture that costs little stays there, because leaving costs more
    than what it misses. Facing comes first: here it leaves.

    Args:
        setting: Its limits are written.
        band: Changed from that knot on.
        lost: The knot.
        wanted: A configuration that is or may be near one that faces then [rad or m], [1, m]; changed.
        move: Farthest that each joint moves from one knot to the next [rad or m], [m].
        work: Memory, [k, m].
    """
    knots, m = band.angles.shape
    kind, found = band.kind[lost], knots
    for k in range(lost, knots):
        for i in range(m):
            bound(setting, i, -np.inf, np.inf)
        target, point, near = quaternion(band.targets[k], kind), vector(band.points, k), wanted[0].copy()
        steps = TRACKING.seek_steps if k == lost else 2 * TRACKING.knot_steps
        if face_exactly(setting, target, point, near, TRACKING.stiffness, steps, wanted, 0) > TRACKING.nearly_faced_rad:
            return False
        apart = 0.0
        for i in range(setting.turning):
            apart = max(apart, abs(wanted[0, i] - band.angles[k - 1, i]) / move[i])
        share = min(1.0, 1.0 / max(apart, 1e-9))
        for i in range(m):
            before = band.angles[k - 1, i]
            band.angles[k, i] = before + share * (wanted[0, i] - before)
        band.kind[k], band.changing[k] = kind, 1
        judge_knot(setting, band, k)
        if share >= 1.0:
            found = k
            break
    if found == knots:
        return False
    relax(setting, band, found + 1, knots, move, found + 1)
    anticipate(setting, band, move, work)
    return True
