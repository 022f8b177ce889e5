"""Captured markers made ready: gaps filled up to a length, markers with longer gaps left out, frames picked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import PchipInterpolator

from animato.described import Described, shortened
from animato.errors import MotionError
from animato.motion import MarkerMotion

LONGEST_GAP_S = 0.5
"""A marker that is unseen for longer is left out of the mesh; shorter gaps are filled."""


@dataclass(frozen=True, eq=False, repr=False)
class ReadyMarkers(Described):
    """Markers without gaps.

    Attributes:
        times: [s], [frame].
        names: Markers that are left.
        positions: [m], [frame, marker, 3].
        notes: What was filled and what was left out.
    """

    times: np.ndarray
    names: tuple[str, ...]
    positions: np.ndarray
    notes: tuple[str, ...]

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {"frames": str(len(self.times)), "markers": shortened(self.names)}


def ready_markers(
    motion: MarkerMotion, names: Sequence[str], times: np.ndarray, *, longest_gap_s: float = LONGEST_GAP_S
) -> ReadyMarkers:
    """Markers of a capture at some moments.

    Gaps are filled by monotone cubics through what was seen; before the first and after the last sight a marker stays
    where it was seen.

    Args:
        motion: The capture.
        names: Markers that the robot has, in its order; those that the capture lacks are left out.
        times: Moments [s] within the capture, [frame].
        longest_gap_s: See `LONGEST_GAP_S`.

    Raises:
        MotionError: Fewer than four markers are left, or moments lie outside.
    """
    if len(times) < 3 or times[0] < motion.times[0] - 1e-9 or times[-1] > motion.times[-1] + 1e-9:
        raise MotionError(
            f"Choose three moments or more between {motion.times[0]:g} s and {motion.times[-1]:g} s of the capture."
        )
    kept, positions, notes, filled = [], [], [], []
    for name in names:
        if name not in motion.names:
            notes.append(f"marker {name} is not in the capture and is left out")
            continue
        path = motion.marker(name)
        seen = np.isfinite(path).all(axis=1)
        gap = _longest_gap(motion.times, seen)
        if gap > longest_gap_s:
            notes.append(f"marker {name} is unseen for {gap:.2f} s and is left out of the mesh")
            continue
        if not seen.all():
            filled.append(f"{name} {gap:.2f} s")
        where = np.clip(times, *motion.times[seen][[0, -1]])
        kept.append(name)
        positions.append(PchipInterpolator(motion.times[seen], path[seen])(where))
    if filled:
        notes.append(f"gaps were filled, the longest of each marker: {', '.join(filled)}")
    if len(kept) < 4:
        raise MotionError(
            f"Only {len(kept)} of the robot's markers are in the capture without long gaps; 4 are needed."
        )
    return ReadyMarkers(np.asarray(times), tuple(kept), np.stack(positions, axis=1), tuple(notes))


def _longest_gap(times: np.ndarray, seen: np.ndarray) -> float:
    """The longest time without a sight [s]; the ends of the capture count."""
    if not seen.any():
        return float(times[-1] - times[0])
    at = times[seen]
    middle = np.diff(at)[np.diff(np.flatnonzero(seen)) > 1]
    return float(max([at[0] - times[0], times[-1] - at[-1], *middle.tolist()]))


def planted_feet(
    feet: Sequence[np.ndarray], times: np.ndarray, *, speed: float = 0.3, height: float = 0.04
) -> np.ndarray:
    """Which feet stand: slow, and near their own lowest place, [frame, foot] bool.

    Args:
        feet: Of each foot the mean of its markers [m], [frame, 3].
        times: [s], [frame].
        speed: Below which a foot stands [m/s].
        height: Above its own 5th percentile, below which it may stand [m].
    """
    flags = []
    for path in feet:
        quick = np.linalg.norm(np.gradient(path, times, axis=0), axis=1)
        low = path[:, 2] < np.percentile(path[:, 2], 5) + height
        flags.append((quick < speed) & low)
    found = np.stack(flags, axis=1)
    alone = ~found.any(axis=1)  # somebody must stand: the lower foot
    lower = np.argmin(np.stack([path[:, 2] for path in feet], axis=1), axis=1)
    found[alone, lower[alone]] = True
    return found
