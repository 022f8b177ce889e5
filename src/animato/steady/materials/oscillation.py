"""A recorded free oscillation: where a marker at the tip of a part was, after it had been let go."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.described import Described
from animato.errors import MotionError
from animato.motion import Clip, MarkerMotion

_LEAST_FRAMES = 40
_LEAST_SWINGS = 3


@dataclass(frozen=True, eq=False, repr=False)
class Oscillation(Described):
    """Displacement along the line on which it swings.

    Attributes:
        times: From 0, where it is farthest out and at rest [s], [frame].
        values: Displacement from its mean place, positive at the start [m], [frame].
        direction: Of the displacement in the world, horizontal, [3].
        source: Where it came from, for people.
    """

    times: np.ndarray
    values: np.ndarray
    direction: np.ndarray
    source: str = ""

    @property
    def frequency_hz(self) -> float:
        """Mean frequency, by counting swings."""
        crossings = _upward_crossings(self.times, self.values)
        return (len(crossings) - 1) / (crossings[-1] - crossings[0])

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "duration": f"{self.times[-1]:.3g} s",
            "frequency": f"{self.frequency_hz:.4g} Hz",
            "amplitude": f"{1000.0 * self.values[0]:.3g} mm at first",
            "source": self.source or "unknown",
        }


def oscillation_from_markers(motion: MarkerMotion | Clip, marker: str | None = None) -> Oscillation:
    """The oscillation in a recording.

    Args:
        motion: Markers of a capture, or a table with one column of displacement [m].
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


def _track(motion: MarkerMotion | Clip, marker: str | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, displacement along the main line of motion, and that line."""
    if isinstance(motion, Clip):
        column = motion.column(marker) if marker else int(np.argmax(np.ptp(motion.positions, axis=0)))
        return motion.times, motion.positions[:, column].copy(), np.array([1.0, 0.0, 0.0])
    if marker is None:
        marker = motion.names[int(np.argmax([_travel(motion.marker(name)) for name in motion.names]))]
    places = motion.marker(marker)
    flat = places[:, :2] - np.nanmean(places[:, :2], axis=0)
    good = flat[np.isfinite(flat).all(axis=1)]
    if not len(good):
        raise MotionError(f"Marker '{marker}' was never seen in '{motion.source}'.")
    line = np.linalg.svd(good, full_matrices=False)[2][0]
    return motion.times, flat @ line, np.array([line[0], line[1], 0.0])


def _travel(places: np.ndarray) -> float:
    good = places[np.isfinite(places).all(axis=1)]
    return float(np.ptp(good, axis=0).max()) if len(good) else -1.0


def _middle(track: np.ndarray) -> float:
    """The place about which it swings: midway between its turning points, late in the record."""
    late = track[len(track) // 2 :]
    return 0.5 * float(late.max() + late.min())


def _release(times: np.ndarray, track: np.ndarray) -> int:
    """The first turning point: farthest out before the first passage through the middle."""
    signs = np.sign(track)
    passages = np.flatnonzero(signs[1:] * signs[:-1] < 0.0)
    end = int(passages[0]) + 1 if len(passages) else len(track)
    farthest = float(np.abs(track[:end]).max())
    # the last frame that is as far out: before it, it was held
    return int(np.flatnonzero(np.abs(track[:end]) >= 0.999 * farthest)[-1])


def _upward_crossings(times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Moments of passing through zero upward [s]."""
    before = np.flatnonzero((values[:-1] < 0.0) & (values[1:] >= 0.0))
    share = values[before] / (values[before] - values[before + 1])
    return np.asarray(times[before] + share * (times[before + 1] - times[before]))
