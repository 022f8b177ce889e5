"""Which contacts carry: where the robot can stand on them, also between the knots.

Accelerations are straight between knots, and so nearly is the ZMP. It stays inside the soles between two knots if what
carries at either also stands at the other: a part pushes where it is planted at the knots before and after, too. And
what carries must have an area: a robot that stands on the tips of one foot alone balances on a line. There the whole
sole of one foot stays on the floor, until the other foot takes over. What is planted lands a knot before it may push,
and stays a knot longer: whoever looks at frames sees that it stands still.
"""

from __future__ import annotations

import numpy as np

from animato.mimic.contacts import ContactPlan


def load_bearing(plan: ContactPlan) -> tuple[np.ndarray, np.ndarray]:
    """Parts that are planted, some longer than planned, and those that push, [knot, part] each."""
    # in flight nothing carries, so what stands until it begins, or from its end on, counts as going on
    planted, sure = plan.planted.copy(), plan.planted & _kept(plan.planted | plan.flight[:, None])
    broad = np.array([len(part.points) > 2 for part in plan.parts])
    pushing = sure.copy()
    feet = _feet(plan)
    for t in np.flatnonzero(~_has_area(sure, broad) & ~plan.flight):
        ranks = [
            (int(sure[t, foot].sum()), int(plan.planted[t, foot].sum()), bool(plan.support[t, n]))
            for n, foot in enumerate(feet)
        ]
        if not ranks or max(ranks)[:2] == (0, 0):
            pushing[t] = plan.planted[t]
            continue
        foot = feet[ranks.index(max(ranks))]
        planted[t, foot] = pushing[t, foot] = True
    planted = planted | (_grown(planted) & ~_grown(plan.flight[:, None]))
    return planted, pushing


def standing(planted: np.ndarray, plan: ContactPlan) -> np.ndarray:
    """Parts that are planted before, now and after, of feet that count as supporting, [knot, part]."""
    still = _kept(planted)
    for n, foot in enumerate(_feet(plan)):
        still[:, foot] &= plan.support[:, [n]] | ~plan.support.any(axis=1, keepdims=True)
    return still


def _feet(plan: ContactPlan) -> list[list[int]]:
    """Columns of the parts of each foot."""
    names = [part.name for part in plan.parts]
    columns = [[n for n, name in enumerate(names) if name in (f"{side} heel", f"{side} toe")] for side in ("left", "right")]
    return [foot for foot in columns if foot]


def _kept(planted: np.ndarray) -> np.ndarray:
    """Planted before, now and after; the ends count as going on."""
    padded = np.pad(planted, ((1, 1), (0, 0)), mode="edge")
    return np.asarray(padded[:-2] & padded[1:-1] & padded[2:])


def _grown(marked: np.ndarray) -> np.ndarray:
    """Marked before, now or after."""
    padded = np.pad(marked, ((1, 1), (0, 0)), mode="edge")
    return np.asarray(padded[:-2] | padded[1:-1] | padded[2:])


def _has_area(pushing: np.ndarray, broad: np.ndarray) -> np.ndarray:
    """Whether what pushes spans an area: two parts, or one of three corners or more, [knot]."""
    return np.asarray((pushing.sum(axis=1) >= 2) | (pushing & broad).any(axis=1))
