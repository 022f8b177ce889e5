"""A motion of a character: where each coordinate is, when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from animato.described import Described, shortened
from animato.errors import unknown_name
from animato.motion.arrays import frozen_array, rising_times, unique_names, unit_quaternions
from animato.spatial import cubic_spline, quaternions
from animato.spatial.cubic_spline import CubicSpline


@dataclass(frozen=True, eq=False, repr=False)
class Clip(Described):
    """Positions of named coordinates over time, and of the floating base where there is one.

    Between frames the motion is the cubic spline through all frames, so velocity and acceleration
    are continuous and jerk is constant between frames.

    Attributes:
        times: Strictly rising [s], shape [frame].
        names: Coordinate names; the joint's own name for a joint of one axis.
        positions: [rad or m; quaternion components for spherical joints], shape [frame, coordinate].
        base_positions: Of the root body in the world [m], shape [frame, 3], or None.
        base_quaternions_wxyz: Of the root body in the world, shape [frame, 4], or None.
        source: Where it came from, for people.
    """

    times: np.ndarray
    names: tuple[str, ...]
    positions: np.ndarray
    base_positions: np.ndarray | None = None
    base_quaternions_wxyz: np.ndarray | None = None
    source: str = ""

    def __post_init__(self) -> None:
        times = rising_times(self.times, "the clip")
        names = unique_names(self.names, "the clip")
        count = len(times)
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "names", names)
        positions = frozen_array(self.positions, (count, len(names)), "The positions of the clip")
        object.__setattr__(self, "positions", positions)
        position, quaternion = self.base_positions, self.base_quaternions_wxyz
        if position is None and quaternion is None:
            return
        position = np.zeros((count, 3)) if position is None else position
        quaternion = np.tile((1.0, 0.0, 0.0, 0.0), (count, 1)) if quaternion is None else quaternion
        object.__setattr__(self, "base_positions", frozen_array(position, (count, 3), "The base positions"))
        object.__setattr__(
            self, "base_quaternions_wxyz", unit_quaternions(quaternion, (count, 4), "The base quaternions")
        )

    def facts(self) -> dict[str, str]:
        """At a glance."""
        rate = f" at about {(self.frame_count - 1) / self.duration:.4g} Hz" if self.frame_count > 1 else ""
        return {
            "frames": f"{self.frame_count}{rate}",
            "duration": f"{self.duration:.3f} s",
            "coordinates": shortened(self.names),
            "base": "moves" if self.has_base else "held",
            "source": self.source or "unknown",
        }

    @property
    def frame_count(self) -> int:
        """Number of frames."""
        return len(self.times)

    @property
    def duration(self) -> float:
        """From the first frame to the last [s]."""
        return float(self.times[-1] - self.times[0])

    @property
    def has_base(self) -> bool:
        """Whether the clip moves the root body."""
        return self.base_positions is not None

    def column(self, name: str) -> int:
        """The column of a coordinate."""
        if name not in self.names:
            raise unknown_name("coordinate", name, self.names, self.source or "the clip")
        return self.names.index(name)

    @cached_property
    def spline(self) -> CubicSpline:
        """All coordinates as one curve over time."""
        return cubic_spline.interpolate(self.times, self.positions)

    @cached_property
    def base_spline(self) -> CubicSpline | None:
        """The base as one curve over time: x, y, z and the components of a sign-continuous quaternion.

        Between frames the quaternion is not of unit length; divide by its norm.
        """
        if self.base_positions is None or self.base_quaternions_wxyz is None:
            return None
        turns = quaternions.continuous(self.base_quaternions_wxyz)
        return cubic_spline.interpolate(self.times, np.hstack([self.base_positions, turns]))

    def velocity(self, times: ArrayLike | None = None) -> np.ndarray:
        """[rad/s or m/s], at the frames or at the given times, shape [time, coordinate]."""
        return self.spline(self.times if times is None else times, derivative=1)

    def acceleration(self, times: ArrayLike | None = None) -> np.ndarray:
        """[rad/s^2 or m/s^2], shape [time, coordinate]."""
        return self.spline(self.times if times is None else times, derivative=2)

    def jerk(self, times: ArrayLike | None = None) -> np.ndarray:
        """[rad/s^3 or m/s^3]; at a frame the mean of the jerk before and after it."""
        return self.spline.third_derivative(self.times if times is None else times)

    def resampled(self, times: ArrayLike) -> Clip:
        """The same motion with frames at other times [s]."""
        where = np.asarray(times, dtype=np.float64)
        base = self.base_spline
        base_values = None if base is None else base(where)
        return Clip(
            where,
            self.names,
            self.spline(where),
            None if base_values is None else base_values[:, :3],
            None if base_values is None else quaternions.normalized(base_values[:, 3:]),
            self.source,
        )

    def part(self, frames: slice) -> Clip:
        """Some frames of it; between them the motion is the spline through these alone."""
        places, turns = self.base_positions, self.base_quaternions_wxyz
        return Clip(
            self.times[frames],
            self.names,
            self.positions[frames],
            None if places is None else places[frames],
            None if turns is None else turns[frames],
            self.source,
        )

    def selected(self, names: Sequence[str]) -> Clip:
        """The same motion with only these coordinates, in this order."""
        columns = [self.column(name) for name in names]
        return Clip(
            self.times,
            tuple(names),
            self.positions[:, columns],
            self.base_positions,
            self.base_quaternions_wxyz,
            self.source,
        )

    def same_as(self, other: Clip) -> bool:
        """Whether every number and name is the same, bit for bit; the source does not count."""
        return self.names == other.names and all(
            (a is None and b is None) or (a is not None and b is not None and a.tobytes() == b.tobytes())
            for a, b in (
                (self.times, other.times),
                (self.positions, other.positions),
                (self.base_positions, other.base_positions),
                (self.base_quaternions_wxyz, other.base_quaternions_wxyz),
            )
        )
