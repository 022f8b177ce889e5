"""Motion that shakes from frame to frame: what it asks for is asked by noise, not by the artist."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from animato.motion import Clip

MOSTLY = 0.5
"""Share of a coordinate's acceleration from which on noise is most of it."""

_LEAST_FRAMES = 12
_LEAST = 1e-5  # [rad or m] of shaking that anybody could notice


@dataclass(frozen=True)
class Shaking:
    """The coordinate that shakes most.

    Attributes:
        name: Which.
        noise: Standard deviation of what shakes [rad or m].
    """

    name: str
    noise: float


def shaking_of(clip: Clip) -> Shaking | None:
    """The coordinate that shakes most, of those whose acceleration is mostly noise; None where none is.

    White noise of deviation d has third differences of deviation sqrt(20) d and second ones of sqrt(6) d; of a motion
    that is slow against the frames both are small, and the third smaller. Medians keep leaps and halts out of it.

    Args:
        clip: At least a dozen frames.
    """
    if clip.frame_count < _LEAST_FRAMES:
        return None
    third = np.median(np.abs(np.diff(clip.positions, n=3, axis=0)), axis=0)
    second = np.median(np.abs(np.diff(clip.positions, n=2, axis=0)), axis=0)
    noise = third / (0.6745 * math.sqrt(20.0))
    share = math.sqrt(6.0) * 0.6745 * noise / np.maximum(second, 1e-300)
    shakes = np.where((share > MOSTLY) & (noise > _LEAST), noise, 0.0)
    worst = int(np.argmax(shakes)) if len(shakes) else -1
    return None if worst < 0 or shakes[worst] == 0.0 else Shaking(clip.names[worst], float(noise[worst]))
