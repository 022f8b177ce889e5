"""One number over time that a transition leads from one state to another, and what it must keep."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple


class TrackState(NamedTuple):
    """Where a track is and how it moves: [rad or m], [rad/s or m/s], [rad/s^2 or m/s^2]."""

    position: float
    velocity: float
    acceleration: float


@dataclass(frozen=True)
class TrackBounds:
    """What a track must keep; infinite where nothing is to be kept.

    Attributes:
        lower, upper: Range of the position [rad or m].
        velocity: [rad/s or m/s].
        acceleration: [rad/s^2 or m/s^2].
        jerk: [rad/s^3 or m/s^3].
    """

    lower: float = -math.inf
    upper: float = math.inf
    velocity: float = math.inf
    acceleration: float = math.inf
    jerk: float = math.inf

    def within(self, other: TrackBounds) -> TrackBounds:
        """Both bounds kept."""
        return TrackBounds(
            max(self.lower, other.lower),
            min(self.upper, other.upper),
            min(self.velocity, other.velocity),
            min(self.acceleration, other.acceleration),
            min(self.jerk, other.jerk),
        )


@dataclass(frozen=True)
class Track:
    """A track with both of its ends.

    Attributes:
        name: Of the coordinate or joint that it belongs to, for people.
        begin: Where the transition begins.
        end: Where it ends.
        bounds: What it must keep.
        free_end: Whether it may come to rest wherever it is calm to; the position of `end` is then only a wish.
    """

    name: str
    begin: TrackState
    end: TrackState
    bounds: TrackBounds = TrackBounds()
    free_end: bool = False
