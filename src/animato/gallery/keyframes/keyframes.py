"""Keyframes with eases: how the animations of the demonstrators are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import numpy as np
from scipy.ndimage import uniform_filter1d

from animato.errors import MotionError, unknown_name
from animato.motion import Clip

RATE_HZ = 50.0
"""Frames a second."""

ROUNDING_S = 0.08
"""How long a corner takes: no motor turns one in no time."""

DECIMALS = 6
"""Of the shipped files [rad]."""

_FINE_HZ = 1000.0


class Ease(StrEnum):
    """How a key is reached from the one before it."""

    SMOOTH = "smooth"
    EVEN = "even"
    SNAP = "snap"
    LAUNCH = "launch"


_SHARES: dict[Ease, Callable[[np.ndarray], np.ndarray]] = {
    Ease.SMOOTH: lambda share: share**3 * (10.0 - 15.0 * share + 6.0 * share**2),  # least jerk, from rest to rest
    Ease.EVEN: lambda share: share,
    Ease.SNAP: lambda share: share**2,  # faster and faster, then a stop
    Ease.LAUNCH: lambda share: 1.0 - (1.0 - share) ** 2,  # off at once, then slower and slower
}


@dataclass(frozen=True)
class Key:
    """What some channels do at a moment.

    Attributes:
        time: [s].
        values: By channel [deg, or the channel's own unit]; a channel that is not named passes the key by.
        ease: How it is reached.
    """

    time: float
    values: Mapping[str, float]
    ease: Ease = Ease.SMOOTH


def held(keys: Sequence[Key], channel: str, times: np.ndarray) -> np.ndarray:
    """A channel of keys at times [s], held before its first and after its last key, in the keys' unit, shape [time]."""
    own = [(key.time, key.values[channel], key.ease) for key in keys if channel in key.values]
    if not own:
        known = sorted({name for key in keys for name in key.values})
        raise unknown_name("channel", channel, known, "the keyframes")
    if any(after[0] <= before[0] for before, after in pairwise(own)):
        raise MotionError(f"The keys of '{channel}' do not stand in the order of time.")
    found = np.full(len(times), own[0][1])
    for (start, before, _), (end, after, ease) in pairwise(own):
        share = np.clip((times - start) / (end - start), 0.0, 1.0)
        found = np.where(times >= start, before + (after - before) * _SHARES[ease](share), found)
    return found


def keyed(
    keys: Sequence[Key],
    channels: Sequence[str],
    *,
    duration_s: float,
    rate_hz: float = RATE_HZ,
    rounding_s: float = ROUNDING_S,
) -> tuple[np.ndarray, np.ndarray]:
    """Times [s], shape [frame], and channels over them in the keys' unit, shape [frame, channel].

    Corners are rounded by averaging twice over half of `rounding_s`, so a jump of the velocity takes that long and
    accelerations have no jumps.

    Args:
        keys: For each channel in the order of time.
        channels: Which, in this order; one that no key names stays 0.
        duration_s: Of the clip.
        rate_hz: Frames a second, a divisor of 1000.
        rounding_s: How long a corner takes; 0 keeps it.
    """
    known = {name for key in keys for name in key.values}
    unknown = sorted(known - set(channels))
    if unknown:
        raise unknown_name("channel", unknown[0], channels, "the character")
    fine = np.arange(round(duration_s * _FINE_HZ) + 1) / _FINE_HZ
    values = np.zeros((len(fine), len(channels)))
    for column, channel in enumerate(channels):
        if channel in known:
            values[:, column] = held(keys, channel, fine)
    width = 2 * round(0.25 * rounding_s * _FINE_HZ) + 1
    for _ in range(2 if rounding_s > 0.0 else 0):
        values = uniform_filter1d(values, width, axis=0, mode="nearest")
    stride = round(_FINE_HZ / rate_hz)
    return fine[::stride], values[::stride]


def keyed_clip(
    keys: Sequence[Key],
    names: Sequence[str],
    *,
    duration_s: float,
    source: str,
    rate_hz: float = RATE_HZ,
    rounding_s: float = ROUNDING_S,
) -> Clip:
    """A clip of coordinates that turn.

    Args:
        keys: Angles [deg] by coordinate.
        names: Coordinates, in the order of the clip.
        duration_s: Of the clip.
        source: What it is, for people.
        rate_hz: Frames a second, a divisor of 1000.
        rounding_s: How long a corner takes; 0 keeps it.
    """
    times, degrees = keyed(keys, names, duration_s=duration_s, rate_hz=rate_hz, rounding_s=rounding_s)
    return Clip(times, tuple(names), np.round(np.radians(degrees), DECIMALS), source=source)
