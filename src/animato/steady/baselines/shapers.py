"""Input shapers: what a practitioner would try first.

A shaper replaces a profile by a weighted sum of copies of itself, late by fractions of a period of vibration, so that
what the copies excite cancels. ZV and ZVD are Singer and Seering's (Preshaping command inputs to reduce system
vibration, 1990); EI, which lets some vibration stay at the nominal frequency to be better around it, is that of
Singhose, Seering and Singer (Residual vibration reduction using vector diagrams to generate shaped inputs, 1994).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from animato.errors import OptionError
from animato.motion import Clip
from animato.steady.profiles import piecewise_linear

Kind = Literal["zv", "zvd", "ei"]
_KEPT = 0.05  # share of the vibration that an EI shaper lets stay at the nominal frequency


@dataclass(frozen=True)
class Shaper:
    """Impulses that add up to one.

    Attributes:
        delays: [s], rising from 0.
        shares: As many.
    """

    delays: tuple[float, ...]
    shares: tuple[float, ...]

    @property
    def length(self) -> float:
        """From the first impulse to the last [s]."""
        return self.delays[-1]

    def followed_by(self, other: Shaper) -> Shaper:
        """One shaper after the other, for another mode."""
        pairs = sorted(
            (a + b, x * y)
            for a, x in zip(self.delays, self.shares, strict=True)
            for b, y in zip(other.delays, other.shares, strict=True)
        )
        return Shaper(tuple(delay for delay, _ in pairs), tuple(share for _, share in pairs))


def shaper(kind: Kind, frequency_hz: float, damping: float = 0.0) -> Shaper:
    """The shaper of one mode.

    Args:
        kind: "zv", "zvd" or "ei".
        frequency_hz: Of the mode without damping.
        damping: Its damping ratio, below 1. Shares of an EI shaper, which are exact without damping, fall from impulse
            to impulse as the vibration does.
    """
    if not (frequency_hz > 0.0 and 0.0 <= damping < 1.0):
        raise OptionError(f"A mode has a frequency above 0 and a damping from 0 to 1, not {frequency_hz}, {damping}.")
    root = math.sqrt(1.0 - damping**2)
    half, fall = 0.5 / (frequency_hz * root), math.exp(-damping * math.pi / root)
    plain = {"zv": (1.0, 1.0), "zvd": (1.0, 2.0, 1.0), "ei": (1.0 + _KEPT, 2.0 * (1.0 - _KEPT), 1.0 + _KEPT)}
    if kind not in plain:
        raise OptionError(f"A shaper is one of {', '.join(plain)}, not '{kind}'.")
    shares = np.array([share * fall**n for n, share in enumerate(plain[kind])])
    return Shaper(tuple(n * half for n in range(len(shares))), tuple(shares / shares.sum()))


def shaped(clip: Clip, modes: Sequence[tuple[float, float]], kind: Kind, *, advance: bool = True) -> Clip:
    """A clip shaped for modes of vibration.

    Args:
        clip: The artist's.
        modes: Frequency [Hz] and damping ratio of each.
        kind: Of the shapers.
        advance: Whether it starts half the shapers' length earlier, so that it is late and early in equal parts; the
            times of the answer then begin before those of the clip.
    """
    made = Shaper((0.0,), (1.0,))
    for frequency, damping in modes:
        made = made.followed_by(shaper(kind, frequency, damping))
    early = 0.5 * made.length if advance else 0.0
    step = float(np.median(np.diff(clip.times)))
    count = int(np.ceil((clip.times[-1] + made.length - clip.times[0]) / step)) + 1
    times = clip.times[0] + step * np.arange(count)
    positions = sum(
        share * piecewise_linear(clip, times - delay) for delay, share in zip(made.delays, made.shares, strict=True)
    )
    return Clip(times - early, clip.names, np.asarray(positions), source=f"{clip.source} ({kind.upper()})")


def slowed(clip: Clip, factor: float) -> Clip:
    """The same clip, so many times slower."""
    if not factor >= 1.0:
        raise OptionError(f"`factor` must be at least 1, not {factor}.")
    times = clip.times[0] + factor * (clip.times - clip.times[0])
    return Clip(times, clip.names, clip.positions, source=f"{clip.source} ({factor:g} times slower)")
