"""Strokes from captures: the paths of a hand, a head or a marker."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from animato.errors import MotionError
from animato.motion.captured_motion import CapturedMotion
from animato.motion.marker_motion import MarkerMotion
from animato.motion.stroke import Stroke


def strokes_from_capture(
    capture: CapturedMotion | MarkerMotion, bones: Mapping[str, str], *, relative_to: str | None = None
) -> dict[str, Stroke]:
    """The paths of some bones or markers.

    Args:
        capture: A skeleton or markers.
        bones: The bone or marker to follow, by name of the robot's point.
        relative_to: A bone or marker whose own travel over the floor is taken out of all paths, for a robot that
            stands where a person steps about.

    Returns:
        Strokes in the capture's own world [m], by point.

    Raises:
        UnknownNameError: The capture has no such bone or marker.
        MotionError: A marker was never seen.
    """
    if isinstance(capture, CapturedMotion):
        columns = {point: capture.bone(bone) for point, bone in bones.items()}
        positions, _ = capture.world_poses()
        paths = {point: positions[:, column] for point, column in columns.items()}
    else:
        paths = {point: _without_gaps(capture.times, capture.marker(name), name) for point, name in bones.items()}
    if relative_to is not None:
        own = strokes_from_capture(capture, {relative_to: relative_to})[relative_to].points
        travel = (own - own[0]) * [1.0, 1.0, 0.0]
        paths = {point: path - travel for point, path in paths.items()}
    times = capture.times - capture.times[0]
    return {
        point: Stroke(path, times, source=f"{capture.source}, {bones[point]}".lstrip(", "))
        for point, path in paths.items()
    }


def stroke_from_capture(capture: CapturedMotion | MarkerMotion, bone: str) -> Stroke:
    """The path of one bone or marker [m], in the capture's own world."""
    return strokes_from_capture(capture, {bone: bone})[bone]


def _without_gaps(times: np.ndarray, path: np.ndarray, name: str) -> np.ndarray:
    """A marker's path with the moments at which it was not seen filled in straight."""
    seen = np.all(np.isfinite(path), axis=1)
    if not seen.any():
        raise MotionError(f"Marker '{name}' was never seen; take another one.")
    if seen.all():
        return path
    return np.stack([np.interp(times, times[seen], column[seen]) for column in path.T], axis=1)
