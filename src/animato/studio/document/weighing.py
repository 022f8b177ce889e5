"""How much memory a document needs beyond the one before it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from animato.motion import Clip
from animato.studio.document.document import Document
from animato.studio.document.take import Take

_SPLINE = 1
"""Numbers of splines for each of a clip's own: four for the few that are asked where they are between their frames."""


def added_bytes(before: Document, after: Document) -> int:
    """What the clips and arrays of a document weigh that the one before does not hold [bytes].

    Args:
        before: The document that was edited.
        after: What came out; it shares what did not change.
    """
    known = {id(take) for take in before.takes}
    fresh = [take for take in after.takes if id(take) not in known]
    if not fresh:
        return 0
    shared = {id(thing) for take in before.takes for thing in _things(take)}
    things = {id(thing): thing for take in fresh for thing in _things(take)}
    return sum(_weight(thing) for number, thing in things.items() if number not in shared)


def _things(take: Take) -> Iterator[Clip | np.ndarray]:
    """What is large of a take."""
    for thing in (take.motion, take.performed, *getattr(take.source, "__dict__", {}).values()):
        if isinstance(thing, Clip | np.ndarray):
            yield thing


def _weight(thing: Clip | np.ndarray) -> int:
    if isinstance(thing, np.ndarray):
        return thing.nbytes
    arrays = (thing.times, thing.positions, thing.base_positions, thing.base_quaternions_wxyz)
    return (1 + _SPLINE) * sum(array.nbytes for array in arrays if array is not None)
