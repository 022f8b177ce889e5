"""Which corner configurations of a chain are worth trying, and in what order.

Three joints are free; each of the others stands where it costs nothing (at the posture's angle or its mirror image),
at a limit, or stretched: turned so that p . T s (see `vertices`) is largest or smallest, which is where solutions end
when a target is just out of reach of a corner.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

HELD, MIRRORED, AT_LOWER, AT_UPPER, STRETCHED, FOLDED = range(6)
_CHOICES = 4096  # that are kept of a chain; a posture uses the first that exist
_MOST_MIRRORS = 8  # joints beyond which mirror images are not combined
_PLACED = 0.05  # price of a joint at a limit, stretched, or idle and held, beside its cost; in shares of all weights

Place = tuple[int, int]
"""A joint and where it stands."""


class VertexChoices(NamedTuple):
    """Corner configurations before a posture says the angles, most promising first.

    Attributes:
        free: The three joints that are solved for, [p, 3].
        place: Where each of the others stands, [p, m]. Where one is STRETCHED or FOLDED, the middle free joint has the
            place it is taken to have for that.
    """

    free: np.ndarray
    place: np.ndarray


def vertex_choices(weight: np.ndarray, ways: np.ndarray, *, mirrored: bool) -> VertexChoices:
    """The choices of a chain: those first whose free joints cost little.

    Args:
        weight: Of each joint's cost, 0 where it has none, [m].
        ways: Which way each joint turns, as `ways_of_turning` has them. Free joints should turn in three ways; others
            come last, since they have a closed form only where their axes are not quite parallel, [m].
        mirrored: Whether the mirror image of an angle costs nothing either.
    """
    scale = float(weight.max(initial=0.0)) or 1.0
    return _choices(tuple(round(float(one) / scale, 9) for one in weight), tuple(ways.tolist()), mirrored)


@lru_cache(maxsize=64)
def _choices(weight: tuple[float, ...], ways: tuple[int, ...], mirrored: bool) -> VertexChoices:
    bases = []
    for free in combinations(range(len(weight)), 3):
        flat = len({ways[i] for i in free}) < len(free)
        price = sum(weight[i] for i in free)
        idle = {i for i in range(len(weight)) if weight[i] == 0.0 and i not in free}
        for stops in _stops(weight, free):
            placed = {i for i, _ in stops}
            extra = sum(weight[i] for i in placed) + _PLACED * sum(weight) * (len(stops) + len(idle - placed))
            bases.append((flat, price + extra, free, stops))
    rows: list[tuple[tuple[int, ...], list[int]]] = []
    for _, _, free, stops in sorted(bases):
        rows += [(free, place) for place in _signs(weight, free, stops, mirrored)]
        if len(rows) >= _CHOICES:
            break
    return VertexChoices(
        np.array([free for free, _ in rows], dtype=np.int64).reshape(-1, 3),
        np.array([place for _, place in rows], dtype=np.int64).reshape(-1, len(weight)),
    )


def _stops(weight: tuple[float, ...], free: tuple[int, ...]) -> Iterator[tuple[Place, ...]]:
    """Where joints may stand that are neither free nor where they cost nothing: none, one or two of them."""
    others = [i for i in range(len(weight)) if i not in free]
    ends = [(i, where) for i in others for where in (AT_LOWER, AT_UPPER)]
    yield ()
    for end in ends:
        yield (end,)
    for a, b in combinations(ends, 2):
        if a[0] != b[0] and weight[a[0]] == 0.0 and weight[b[0]] == 0.0:
            yield a, b
    for i in others:
        if free[0] < i < free[2]:
            yield ((i, STRETCHED),)
            yield ((i, FOLDED),)


def _signs(
    weight: tuple[float, ...], free: tuple[int, ...], stops: tuple[Place, ...], mirrored: bool
) -> Iterator[list[int]]:
    """Places of all joints, fewest mirrored first."""
    taken = {i for i, _ in stops} | set(free)
    if any(where in (STRETCHED, FOLDED) for _, where in stops):
        taken.discard(free[1])
    costly = [i for i in range(len(weight)) if i not in taken and weight[i] > 0.0]
    both = mirrored and len(costly) <= _MOST_MIRRORS
    signs = list(product((HELD, MIRRORED), repeat=len(costly))) if both else [(HELD,) * len(costly)]
    for sign in sorted(signs, key=lambda one: sum(weight[i] * where for i, where in zip(costly, one, strict=True))):
        place = [HELD] * len(weight)
        for i, where in [*stops, *zip(costly, sign, strict=True)]:
            place[i] = where
        yield place
