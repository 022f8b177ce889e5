"""How a key is reached from the one before it."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

_CORNER_S = 0.08  # a corner takes that long: no motor turns one in no time
_LARGEST_CORNER = 0.25  # share of the way that one corner may take
_LAST_S = 0.3  # a key that waits is reached within this time
_LARGEST_LAST = 0.5  # share of the way


class Ease(StrEnum):
    """How a key is reached from the one before it.

    `through` passes it and goes beyond no key; `flow` passes it on the smoothest way, which may go a little beyond;
    `smooth` comes to rest; `even`, `snap`, `launch` and `hold` go from rest to rest, each in its own way.
    """

    THROUGH = "through"
    FLOW = "flow"
    SMOOTH = "smooth"
    EVEN = "even"
    SNAP = "snap"
    LAUNCH = "launch"
    HOLD = "hold"


CURVED = frozenset({Ease.THROUGH, Ease.FLOW, Ease.SMOOTH})
"""Eases that may begin and end at any speed; all others go from rest to rest."""


def eased_share(ease: Ease, share: np.ndarray, duration: np.ndarray) -> np.ndarray:
    """The share of the way that is done at a share of the time, from rest to rest, shape [time].

    Args:
        ease: Any.
        share: Of the time, 0 to 1, shape [time].
        duration: Of the whole way [s], shape [time]; corners take their own time.
    """
    corner = np.minimum(_CORNER_S / duration, _LARGEST_CORNER)
    if ease is Ease.EVEN:
        return _even(share, corner)
    if ease is Ease.SNAP:
        return _snap(share, corner)
    if ease is Ease.LAUNCH:
        return 1.0 - _snap(1.0 - share, corner)
    if ease is Ease.HOLD:
        last = np.minimum(_LAST_S / duration, _LARGEST_LAST)
        return least_jerk(np.maximum(0.0, 1.0 - (1.0 - share) / last))
    return least_jerk(share)


def least_jerk(share: np.ndarray) -> np.ndarray:
    """From rest to rest with the least jerk, shape [time]."""
    return share**3 * (10.0 - 15.0 * share + 6.0 * share**2)


def _even(share: np.ndarray, corner: np.ndarray) -> np.ndarray:
    """At one speed, with a short start and stop."""
    far = np.minimum(share, 1.0 - share)  # the second half is the first one backwards
    done = np.where(far < corner, far**2 / (2.0 * corner), far - 0.5 * corner) / (1.0 - corner)
    return np.where(share <= 0.5, done, 1.0 - done)


def _snap(share: np.ndarray, corner: np.ndarray) -> np.ndarray:
    """Faster and faster, then a short stop."""
    top = 1.0 - corner
    late = np.maximum(0.0, share - top)
    rise = 0.5 * np.minimum(share, top) ** 2
    return (rise + top * (late - late**2 / (2.0 * corner))) / (0.5 * top)
