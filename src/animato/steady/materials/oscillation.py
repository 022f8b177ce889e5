"""A recorded free oscillation: where a marker at the tip of a part was, after it had been let go."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.described import Described
from animato.errors import MotionError
from animato.motion import Clip, MarkerMotion, Motion, Stroke

_LEAST_FRAMES = 40
_LEAST_SWINGS = 3


@dataclass(frozen=True, eq=False, repr=False)
class Oscillation(Described):
    """Displacement along the line on which it swings.

    Attributes:
        times: From 0, where it is farthest out and at rest [s], [frame].
        values: Displacement from its mean place, positive at the start [m], [frame].
        direction: Of the displacement in the world, [3].
        source: Where it came from, for people.
    """

    times: np.ndarray
    values: np.ndarray
    direction: np.ndarray
    source: str = ""

    @property
    def frequency_hz(self) -> float:
        """Of what swings most: the tallest peak of its spectrum."""
        return _main_frequency(self.times, self.values)

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "duration": f"{self.times[-1]:.3g} s",
            "frequency": f"{self.frequency_hz:.4g} Hz",
            "amplitude": f"{1000.0 * self.values[0]:.3g} mm at first",
            "source": self.source or "unknown",
        }


def oscillation_from_motion(motion: Motion, marker: str | None = None) -> Oscillation:
    """The oscillation in a recording.

    Args:
        motion: Markers of a capture, a path, or a table with a column of displacement [m].
        marker: Which marker or column; the one that moves most where not given.

    Raises:
        MotionError: It does not swing back and forth often enough to tell a frequency.
    """
    times, track, direction = _track(motion, marker)
    seen = np.isfinite(track)
    times, track = times[seen], track[seen]
    if len(times) < _LEAST_FRAMES:
        raise MotionError(
            f"A free oscillation needs at least {_LEAST_FRAMES} frames, '{motion.source}' has {len(times)}."
        )
    track = track - _middle(track)
    first = _release(times, track)
    times, track = times[first:] - times[first], track[first:]
    if track[0] < 0.0:
        track, direction = -track, -direction
    made = Oscillation(times, track, direction, motion.source)
    if len(_upward_crossings(times, track)) < _LEAST_SWINGS:
        raise MotionError(
            f"'{motion.source}' does not swing back and forth {_LEAST_SWINGS} times after it was let go, so that no "
            "stiffness can be told from it. Record longer, or choose another marker."
        )
    return made


def _track(motion: Motion, marker: str | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, displacement along the main line of motion, and that line."""
    if isinstance(motion, Clip):
        column = motion.column(marker) if marker else int(np.argmax(np.ptp(motion.positions, axis=0)))
        return motion.times, motion.positions[:, column].copy(), np.array([1.0, 0.0, 0.0])
    if isinstance(motion, Stroke) and motion.times is not None:
        motion = MarkerMotion(motion.times, ("path",), _in_space(motion.points)[:, None], motion.source)
    if not isinstance(motion, MarkerMotion):
        raise MotionError(
            f"An oscillation is read from markers, a timed path or a table, not from a {type(motion).__name__}."
        )
    if marker is None:
        marker = motion.names[int(np.argmax([_travel(motion.marker(name)) for name in motion.names]))]
    places = motion.marker(marker)
    seen = np.isfinite(places).all(axis=1)
    if not seen.any():
        raise MotionError(f"Marker '{marker}' was never seen in '{motion.source}'.")
    places = places - places[seen].mean(axis=0)
    line = np.linalg.svd(places[seen], full_matrices=False)[2][0]
    return motion.times, places @ line, line


def _in_space(points: np.ndarray) -> np.ndarray:
    """Points of a path with three coordinates, [frame, 3]."""
    missing = np.zeros((len(points), 3 - points.shape[1]))
    return np.hstack([points, missing])


def _travel(places: np.ndarray) -> float:
    good = places[np.isfinite(places).all(axis=1)]
    return float(np.ptp(good, axis=0).max()) if len(good) else -1.0


def _middle(track: np.ndarray) -> float:
    """The place about which it swings: midway between its turning points, late in the record."""
    late = track[len(track) // 2 :]
    return 0.5 * float(late.max() + late.min())


def _release(times: np.ndarray, track: np.ndarray) -> int:
    """The frame at which it was let go: a quarter of a period before it first passes through the middle.

    Before that it may have been held for a while, so that the farthest frame says nothing about when.
    """
    signs = np.sign(track)
    passages = np.flatnonzero(signs[1:] * signs[:-1] < 0.0)
    if not len(passages):
        return 0
    return int(np.searchsorted(times, times[passages[0]] - 0.25 / _main_frequency(times, track)))


def _main_frequency(times: np.ndarray, values: np.ndarray) -> float:
    """The tallest peak of a spectrum, by the parabola through its logarithm [Hz]."""
    count = 16 * len(values)
    even = np.interp(np.linspace(times[0], times[-1], len(times)), times, values)
    spectrum = np.abs(np.fft.rfft((even - even.mean()) * np.hanning(len(even)), count))
    at = int(np.clip(np.argmax(spectrum), 1, len(spectrum) - 2))
    before, here, after = np.log(np.maximum(spectrum[at - 1 : at + 2], 1e-300))
    curve = before - 2.0 * here + after
    shift = 0.5 * (before - after) / curve if curve < 0.0 else 0.0
    return float((at + shift) * (len(times) - 1) / (count * (times[-1] - times[0])))


def _upward_crossings(times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Moments of passing through zero upward [s]."""
    before = np.flatnonzero((values[:-1] < 0.0) & (values[1:] >= 0.0))
    share = values[before] / (values[before] - values[before + 1])
    return np.asarray(times[before] + share * (times[before + 1] - times[before]))
