"""C3D, what capture systems record, into a MarkerMotion.

Units and rate are stated. Which axis is up is not, and is guessed unless given. A marker that was not seen has a
negative residual, or NaN, and becomes NaN.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.errors import FileFormatError, MotionError
from animato.formats.capture.bvh_hierarchy import LARGEST_NUMBER
from animato.formats.capture.c3d_sections import C3dFile, opened_c3d
from animato.formats.capture.conventions import check_up_axis, guessed_up_axis, sampled_frames, vectors_z_up
from animato.formats.files import UniqueNames, read_bytes_whole, shortened
from animato.motion import MarkerMotion

_METRES = {"mm": 0.001, "cm": 0.01, "dm": 0.1, "m": 1.0, "in": 0.0254}


def load_c3d(path: str | Path, *, up_axis: str = "auto") -> MarkerMotion:
    """Reads the markers of a C3D file; forces and analog channels are left out.

    Args:
        path: The file.
        up_axis: "y", "z", or "auto" to guess it from how far the markers reach; z where there are fewer than three.

    Raises:
        FileFormatError: It is no C3D file, or holds no markers.
    """
    check_up_axis(up_axis)
    file = opened_c3d(read_bytes_whole(path), path)
    points = file.points()
    if points.size == 0:
        raise FileFormatError(path, "it holds no markers.")
    labels = _labels(file, points.shape[1])
    metres, rate = _unit_and_rate(file)
    with np.errstate(all="ignore"):  # damage can be a signalling NaN
        unseen = (points[..., 3] < 0.0) | np.isnan(points[..., :3]).any(axis=-1)
        positions = np.where(unseen[..., None], np.nan, points[..., :3] * metres)
        too_far = np.any(np.abs(positions) > LARGEST_NUMBER)  # infinity is damage, not a gap
    if too_far:
        raise FileFormatError(path, f"it holds positions beyond {LARGEST_NUMBER:g} m; the file is damaged.")
    note = ""
    if up_axis == "auto":
        up_axis = guessed_up_axis(positions[sampled_frames(len(positions))]) if len(labels) > 2 else "z"
        note = f" ({up_axis} taken as up)"
    try:
        times = np.arange(len(positions)) / rate
        return MarkerMotion(times, labels, vectors_z_up(positions, up_axis), Path(path).name + note)
    except MotionError as error:
        raise FileFormatError(path, str(error)) from None


def _labels(file: C3dFile, count: int) -> tuple[str, ...]:
    """Names of the markers; what has none, or one that another has, is told apart by its number."""
    stated = file.texts("POINT", "LABELS", "LABELS2", "LABELS3", "LABELS4")
    names = UniqueNames(())
    return tuple(names.new(stated[n] if n < len(stated) and stated[n] else f"marker_{n + 1}") for n in range(count))


def _unit_and_rate(file: C3dFile) -> tuple[float, float]:
    """Metres in the file's unit, and frames a second."""
    unit = (file.texts("POINT", "UNITS") or ["mm"])[0].strip().lower() or "mm"
    stated = file.number("POINT", "RATE")
    rate = file.real(11) if stated is None else stated
    if unit not in _METRES or not 1e-3 <= rate <= 1e6:
        raise FileFormatError(
            file.path, f"its unit is '{shortened(unit)}' and its rate {rate:g} Hz; known units: {', '.join(_METRES)}."
        )
    return _METRES[unit], rate
