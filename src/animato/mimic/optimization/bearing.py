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

_LONGEST_GAP = 3  # knots before a foot supports in which it may be down already


def load_bearing(plan: ContactPlan) -> tuple[np.ndarray, np.ndarray]:
    """Parts that are planted, some longer than planned, and those that push, [knot, part] each."""
    feet = _feet(plan)
    planted, may_push = _handed_over(plan, feet), _of_supporting_feet(plan, feet)
    # in flight nothing carries, so what stands until it begins, or from its end on, counts as going on
    sure = planted & _kept(planted | plan.flight[:, None]) & may_push
    broad = np.array([len(part.points) > 2 for part in plan.parts])
    pushing = sure.copy()
    for t in np.flatnonzero(~_has_area(sure, broad) & ~plan.flight):
        ranks = [
            (bool(planted[t, foot].any()), int(sure[t, foot].sum()), int(planted[t, foot].sum()))
            if may_push[t, foot].all()
            else (False, 0, 0)
            for foot in feet
        ]
        if not ranks or not max(ranks)[0]:
            pushing[t] = planted[t]
            continue
        foot = feet[ranks.index(max(ranks))]
        planted[t, foot] = pushing[t, foot] = True
    return planted | (_grown(planted) & ~_grown(plan.flight[:, None])), pushing


def _handed_over(plan: ContactPlan, feet: list[list[int]]) -> np.ndarray:
    """Planted parts; where no foot counts as supporting, that which supports next is down already, [knot, part]."""
    planted = plan.planted.copy()
    for begin, end in _gaps(plan):
        for n, foot in enumerate(feet):
            if plan.support[end, n]:
                planted[begin:end, foot] |= plan.planted[end, foot]
    return planted


def _of_supporting_feet(plan: ContactPlan, feet: list[list[int]]) -> np.ndarray:
    """Parts of feet that count as supporting, and parts of none, [knot, part].

    Where no foot counts, all may push at first, and then those that support next: the load is there in time.
    """
    support = plan.support | ~plan.support.any(axis=1, keepdims=True)
    for begin, end in _gaps(plan):
        support[begin + 1 : end] = plan.support[end]
    may_push = np.ones(plan.planted.shape, dtype=bool)
    for n, foot in enumerate(feet):
        may_push[:, foot] = support[:, [n]]
    return may_push


def _gaps(plan: ContactPlan) -> list[tuple[int, int]]:
    """Short stretches of knots without a foot that counts as supporting, though nothing flies, before one that does."""
    gap = ~plan.support.any(axis=1) & ~plan.flight
    edges = np.flatnonzero(np.diff(np.concatenate([[0], gap.astype(np.int64), [0]]))).reshape(-1, 2)
    return [(max(int(a), int(b) - _LONGEST_GAP), int(b)) for a, b in edges if b < len(gap)]


def standing(planted: np.ndarray, plan: ContactPlan) -> np.ndarray:
    """Parts that are planted before, now and after, of feet that count as supporting, [knot, part]."""
    return _kept(planted) & _of_supporting_feet(plan, _feet(plan))


def _feet(plan: ContactPlan) -> list[list[int]]:
    """Columns of the parts of each foot."""
    names = [part.name for part in plan.parts]
    sides = ("left", "right")
    columns = [[n for n, name in enumerate(names) if name in (f"{side} heel", f"{side} toe")] for side in sides]
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
