"""C3D, what capture systems record, into a MarkerMotion; `ezc3d` decodes it.

Units and rate are stated. Which axis is up is not, and is guessed unless given. A marker that was not seen has a
negative residual, or NaN, and becomes NaN.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.errors import FileFormatError, MotionError, missing_dependency
from animato.formats.capture.conventions import check_up_axis, guessed_up_axis, sampled_frames, vectors_z_up
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
    try:
        import ezc3d
    except ImportError:
        raise missing_dependency("ezc3d", "c3d", "Reading C3D files") from None
    if not Path(path).is_file():
        raise FileFormatError(path, "there is no such file.")
    try:
        file = ezc3d.c3d(str(path))
    except Exception as error:  # the library raises whatever its parser came upon
        raise FileFormatError(path, f"this is no C3D file that can be read: {error}") from None
    stated = file["parameters"]["POINT"]
    labels = [str(label).strip() for label in stated["LABELS"]["value"]]
    points = np.asarray(file["data"]["points"], dtype=np.float64)[:3]  # [xyz, marker, frame]
    if points.shape[1] == 0 or points.shape[2] == 0:
        raise FileFormatError(path, "it holds no markers.")
    unit = (str((stated.get("UNITS", {}).get("value") or ["mm"])[0]).strip() or "mm").lower()
    rate = float(stated["RATE"]["value"][0])
    if unit not in _METRES or not rate > 0.0:
        raise FileFormatError(
            path, f"its unit is '{unit}' and its rate {rate:g} Hz; known units: {', '.join(_METRES)}."
        )
    positions = points.transpose(2, 1, 0) * _METRES[unit]
    residuals = file["data"].get("meta_points", {}).get("residuals")
    if residuals is not None and residuals.size == points[0].size:
        positions[residuals.reshape(points.shape[1:]).T < 0.0] = np.nan
    note = ""
    if up_axis == "auto":
        up_axis = guessed_up_axis(positions[sampled_frames(len(positions))]) if len(labels) > 2 else "z"
        note = f" ({up_axis} taken as up)"
    try:
        times = np.arange(len(positions)) / rate
        return MarkerMotion(times, tuple(labels), vectors_z_up(positions, up_axis), Path(path).name + note)
    except MotionError as error:
        raise FileFormatError(path, str(error)) from None
