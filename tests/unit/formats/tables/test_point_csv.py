"""Strokes and markers as CSV."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.errors import FileFormatError, OptionError
from animato.formats.motion_files import load_motion, save_motion
from animato.formats.tables.point_csv import load_motion_csv
from animato.motion.clip import Clip
from animato.motion.marker_motion import MarkerMotion
from animato.motion.stroke import Stroke


@pytest.mark.parametrize("width", [2, 3])
def test_strokes_come_back_bit_for_bit(width: int, rng: np.random.Generator, tmp_path: Path) -> None:
    for times, pressure in ((None, None), (np.sort(rng.random(7)), None), (np.arange(7.0), rng.random(7))):
        stroke = Stroke(rng.normal(size=(7, width)), times, pressure, "pen, left")
        assert save_motion(tmp_path / "a.csv", stroke) == ()
        again = load_motion(tmp_path / "a.csv")
        assert isinstance(again, Stroke)
        assert again.points.tobytes() == stroke.points.tobytes()
        assert again.source == stroke.source
        for one, two in ((again.times, stroke.times), (again.pressure, stroke.pressure)):
            assert (one is None) == (two is None)
            assert one is None or two is None or one.tobytes() == two.tobytes()


def test_markers_come_back_with_their_gaps(rng: np.random.Generator, tmp_path: Path) -> None:
    positions = rng.normal(size=(5, 2, 3))
    positions[2, 1] = np.nan
    markers = MarkerMotion(np.arange(5) / 200, ("nose", "left.ear"), positions)
    assert save_motion(tmp_path / "a.csv", markers) == ()
    again = load_motion(tmp_path / "a.csv")
    assert isinstance(again, MarkerMotion)
    assert again.names == markers.names
    assert again.positions.tobytes() == positions.tobytes()


def test_kinds_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x [mm],y [mm]\n1,2\n3,4\n")
    stroke = load_motion_csv(path)
    assert isinstance(stroke, Stroke)
    np.testing.assert_allclose(stroke.points, [[0.001, 0.002], [0.003, 0.004]], atol=1e-18)
    path.write_text("time,x,y,neck\n0,1,2,3\n")
    assert isinstance(load_motion_csv(path), Clip)
    path.write_text("time,lift.x,lift.y,lift.z\n0,1,2,3\n")
    assert isinstance(load_motion_csv(path), Clip)
    assert isinstance(load_motion_csv(path, kind="markers"), MarkerMotion)
    with pytest.raises(OptionError, match="clip, stroke, markers"):
        load_motion_csv(path, kind="poem")


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("stroke", "x,z\n1,2\n", "columns x and y"),
        ("stroke", "x,y,pressure\n1,2,3\n", "0 to 1"),
        ("stroke", "x,y\n1,\n", "is empty"),
        ("markers", "time,a.x,a.z,a.y\n0,1,2,3\n", "in this order"),
        ("markers", "time,a.x,a.y\n0,1,2\n", "in this order"),
    ],
)
def test_errors(kind: str, text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(FileFormatError, match=message):
        load_motion_csv(path, kind=kind)
