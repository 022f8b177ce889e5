"""When the robot does what the artist did when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import PchipInterpolator

from animato.described import Described
from animato.errors import MotionError, OptionError
from animato.fix.pace.beats import times_through_beats
from animato.fix.pace.durations import slowness_of_duration
from animato.motion import Clip
from animato.spatial import cubic_spline, quaternions

_SAME = 1e-9  # [s]: a clip that is farther off is another clip
_LOOKED_AT = np.array([0.0, 0.25, 0.5, 0.75])  # of a piece, where a map must rise


@dataclass(frozen=True, eq=False, repr=False)
class Pace(Described):
    """A time map s(t): s is the artist's time, t the robot's. Its slope ds/dt is the tempo.

    Attributes:
        artist_times: s [s], rising, [frame].
        robot_times: t at the same frames [s], rising, [frame]; both begin at the same moment.
        quickest: Least dt/ds from each frame to the next that the character's limits leave, as far as it was looked
            for, [frame - 1]; None where nothing is known.
        notes: What time alone could not do, in plain sentences.
    """

    artist_times: np.ndarray
    robot_times: np.ndarray
    quickest: np.ndarray | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        artist, robot = _rising(self.artist_times, "artist"), _rising(self.robot_times, "robot")
        if len(artist) != len(robot) or artist[0] != robot[0]:
            raise MotionError(
                f"A pace has one robot's time for each of the artist's and begins at the same moment; given are "
                f"{len(artist)} from {artist[0]:.9g} s and {len(robot)} from {robot[0]:.9g} s."
            )
        object.__setattr__(self, "artist_times", artist)
        object.__setattr__(self, "robot_times", robot)
        if self.quickest is not None:
            quickest = np.array(self.quickest, dtype=np.float64)
            if quickest.shape != (len(artist) - 1,) or not np.all(quickest > 0.0):
                raise MotionError(f"The quickest pace must be {len(artist) - 1} numbers of more than 0.")
            quickest.setflags(write=False)
            object.__setattr__(self, "quickest", quickest)

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "artist": f"{self.artist_times[-1] - self.artist_times[0]:.3f} s",
            "robot": f"{self.duration:.3f} s",
            "slowest tempo": f"{self.tempo.min():.3f}",
            **({"notes": "; ".join(self.notes)} if self.notes else {}),
        }

    @property
    def duration(self) -> float:
        """How long the robot takes [s]."""
        return float(self.robot_times[-1] - self.robot_times[0])

    @property
    def is_identity(self) -> bool:
        """Whether the robot keeps the artist's times, bit for bit."""
        return bool(np.array_equal(self.artist_times, self.robot_times))

    @property
    def slowness(self) -> np.ndarray:
        """dt/ds from each frame to the next, [frame - 1]; 1 is the artist's own tempo and 2 takes twice as long."""
        return np.asarray(np.diff(self.robot_times) / np.diff(self.artist_times))

    @cached_property
    def tempo(self) -> np.ndarray:
        """ds/dt at the frames, [frame]; 1 is the artist's own."""
        if self.is_identity:
            return np.ones(len(self.artist_times))
        return self._rate_at(self.robot_times)

    def artist_at(self, robot_times: ArrayLike) -> np.ndarray:
        """The artist's time [s] at given times of the robot [s]; the ends stay what they are beyond them."""
        where = np.clip(np.asarray(robot_times, dtype=np.float64), self.robot_times[0], self.robot_times[-1])
        if self.is_identity:
            return where
        found = self._curve(where)[:, 0] if not isinstance(self._curve, PchipInterpolator) else self._curve(where)
        return np.clip(found, self.artist_times[0], self.artist_times[-1])

    def robot_at(self, artist_times: ArrayLike) -> np.ndarray:
        """The robot's time [s] at given times of the artist [s], to 1e-9 of a frame."""
        where = np.clip(np.asarray(artist_times, dtype=np.float64), self.artist_times[0], self.artist_times[-1])
        if self.is_identity:
            return where
        i = np.clip(np.searchsorted(self.artist_times, where, side="right") - 1, 0, len(self.artist_times) - 2)
        low, high = self.robot_times[i], self.robot_times[i + 1]
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            early = self.artist_at(middle) < where
            low, high = np.where(early, middle, low), np.where(early, high, middle)
        return np.where(where == self.artist_times[i], self.robot_times[i], 0.5 * (low + high))

    def blended(self, share: float) -> Pace:
        """A part of the slow-down: every local factor to the power of `share`; 0 is the artist's time, 1 all of it."""
        if not 0.0 <= share <= 1.0:
            raise OptionError(f"`share` of a pace must be from 0 (the artist's time) to 1 (all of it), not {share}.")
        if share == 1.0 or self.is_identity:
            return self
        if share == 0.0:
            return replace(self, robot_times=self.artist_times)
        return self._with_slowness(self.slowness**share)

    def fitted(self, duration_s: float) -> Pace:
        """The pace that takes exactly so long, as evenly as the limits let it.

        What is slower than the rest because it must be stays so; all else goes at one tempo. Where the duration is less
        than what the limits leave, all is faster than they allow, by one factor.

        Args:
            duration_s: [s], more than 0.
        """
        if not (np.isfinite(duration_s) and duration_s > 0.0):
            raise OptionError(f"`duration_s` must be a finite time of more than 0 s, not {duration_s}.")
        if len(self.artist_times) == 1 or duration_s == self.duration:
            return self
        widths = np.diff(self.artist_times)
        return self._with_slowness(slowness_of_duration(widths, self.slowness, self.quickest, duration_s), duration_s)

    def keeping(self, moments_s: Sequence[float], *, end: bool = True) -> Pace:
        """The pace with which moments fall where the artist had them, so that music stays in step.

        Between them the slow-down is made up for, where the limits leave room and smoothly; what they leave no room for
        is faster than they allow.

        Args:
            moments_s: Artist's times [s] that the robot is to keep; those outside the clip are left out.
            end: Whether the last frame keeps its time, too.
        """
        if len(self.artist_times) == 1 or self.is_identity:
            return self
        first, last = float(self.artist_times[0]), float(self.artist_times[-1])
        beats = sorted({float(moment) for moment in moments_s if first < moment < last})
        times = times_through_beats(self.artist_times, self.slowness, self.quickest, np.array(beats), end)
        return replace(self, robot_times=times)

    def performed(self, clip: Clip) -> Clip:
        """The clip in the robot's time: frames at its own mean rate, the last one exactly at the end.

        Args:
            clip: The artist's, from the first to the last of the artist's times.
        """
        if max(abs(clip.times[0] - self.artist_times[0]), abs(clip.times[-1] - self.artist_times[-1])) > _SAME:
            raise MotionError(
                f"This pace is of a clip from {self.artist_times[0]:.6g} to {self.artist_times[-1]:.6g} s; given is "
                f"one from {clip.times[0]:.6g} to {clip.times[-1]:.6g} s. Find the pace of that one."
            )
        if self.is_identity or clip.frame_count == 1:
            return clip
        rate = (clip.frame_count - 1) / clip.duration
        count = max(2, round(self.duration * rate) + 1)
        times = np.linspace(self.robot_times[0], self.robot_times[-1], count)
        found = clip.resampled(np.append(self.artist_at(times[:-1]), clip.times[-1]))
        positions = _unit_balls(found.names, found.positions)
        return Clip(times, found.names, positions, found.base_positions, found.base_quaternions_wxyz, found.source)

    @cached_property
    def _curve(self) -> cubic_spline.CubicSpline | PchipInterpolator:
        """S over t: smooth to the second derivative, or where that would go backward, to the first."""
        curve = cubic_spline.interpolate(self.robot_times, self.artist_times)
        where = (self.robot_times[:-1, None] + np.diff(self.robot_times)[:, None] * _LOOKED_AT).ravel()
        if curve(where, derivative=1).min() > 0.0:
            return curve
        return PchipInterpolator(self.robot_times, self.artist_times)

    def _rate_at(self, where: np.ndarray) -> np.ndarray:
        curve = self._curve
        if isinstance(curve, PchipInterpolator):
            return np.asarray(curve(where, 1))
        return curve(where, derivative=1)[:, 0]

    def _with_slowness(self, slowness: np.ndarray, duration_s: float | None = None) -> Pace:
        times = self.artist_times[0] + np.append(0.0, np.cumsum(slowness * np.diff(self.artist_times)))
        if duration_s is not None:
            times[-1] = self.artist_times[0] + duration_s
        return replace(self, robot_times=times)


_HALVINGS = 45  # of a frame


def _rising(times: ArrayLike, whose: str) -> np.ndarray:
    """An own, read-only array of times, checked."""
    array = np.array(times, dtype=np.float64)
    if array.ndim != 1 or len(array) == 0 or not np.all(np.isfinite(array)) or np.any(np.diff(array) <= 0.0):
        raise MotionError(f"The {whose}'s times of a pace must be finite and rise, one at least.")
    array.setflags(write=False)
    return array


def _unit_balls(names: tuple[str, ...], positions: np.ndarray) -> np.ndarray:
    """The positions with the quaternions of spherical joints of unit length."""
    whole = np.array(positions)
    for column, name in enumerate(names):
        group = tuple(name[:-1] + letter for letter in "wxyz")
        if name.endswith(".qw") and names[column : column + 4] == group:
            whole[:, column : column + 4] = quaternions.normalized(whole[:, column : column + 4])
    return whole
