"""Marker trajectories from TRC."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.errors import FileFormatError
from animato.formats.capture.trc import load_trc, trc_from_text

SMALL = (
    "PathFileType\t4\t(X/Y/Z)\twalk.trc\r\n"
    "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\r\n"
    "120\t120\t3\t2\tmm\t120\t1\t3\r\n"
    "Frame#\tTime\tHEAD\t\t\tTOE\t\t\r\n"
    "\t\tX1\tY1\tZ1\tX2\tY2\tZ2\r\n"
    "\r\n"
    "1\t0.000\t100\t200\t1700\t0\t0\t0\r\n"
    "2\t0.008\t101\t201\t1701\t\t\t\r\n"
    "3\t0.017\t102\t202\t1702\t0\t1\r\n"
)


def test_units_gaps_and_names() -> None:
    markers = trc_from_text(SMALL, "walk.trc")
    assert markers.names == ("HEAD", "TOE")
    assert markers.source == "walk.trc (z taken as up)"
    np.testing.assert_allclose(markers.marker("HEAD")[0], [0.1, 0.2, 1.7], atol=1e-15)
    assert np.isnan(markers.marker("TOE")[1:]).all(), "a marker that lacks a coordinate was not seen"
    assert markers.marker("TOE")[0].tolist() == [0.0, 0.0, 0.0]


def test_times_rounded_to_a_millisecond_are_made_exact() -> None:
    np.testing.assert_allclose(trc_from_text(SMALL, "a.trc").times, np.arange(3) / 120, atol=1e-15)
    slower = trc_from_text(SMALL.replace("\n120\t", "\n100\t"), "a.trc")
    np.testing.assert_allclose(slower.times, [0.0, 0.008, 0.017], atol=1e-15)  # the rate says something else


def test_y_up_is_guessed_and_turned() -> None:
    lying = SMALL.replace("100\t200\t1700", "100\t1700\t-200").replace("101\t201\t1701", "101\t1701\t-201")
    markers = trc_from_text(lying.replace("102\t202\t1702", "102\t1702\t-202"), "a.trc")
    assert "y taken as up" in markers.source
    np.testing.assert_allclose(markers.marker("HEAD")[0], [0.1, 0.2, 1.7], atol=1e-15)
    as_is = trc_from_text(lying, "a.trc", up_axis="z")
    np.testing.assert_allclose(as_is.marker("HEAD")[0], [0.1, 1.7, -0.2], atol=1e-15)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("PathFileType", "Path", 1, "begins with 'PathFileType'"),
        ("\tmm\t", "\tell\t", 3, "Units must be mm, cm, m or in"),
        ("120\t120\t3\t2", "120\t120\t3\t5", 4, "NumMarkers says '5', but 2"),
        ("120\t120\t3\t2", "120\t120\t999999999\t2", 3, "NumFrames says '999999999', but there are 3"),
        ("TOE", "HEAD", 4, "must differ"),
        ("\t201\t", "\tx\t", 8, "'x' is not a number"),
        ("\t201\t", "\t1e300\t", 8, "too large"),
        ("2\t0.008\t", "2\t\t", 8, "its number and its time"),
        ("1701\t\t\t", "1701\t\t\t\t1", 8, "2 markers have 8"),
        ("\t0.008\t", "\t-1\t", 7, "must rise"),
    ],
)
def test_errors_name_the_line(old: str, new: str, line: int, message: str) -> None:
    assert old in SMALL
    with pytest.raises(FileFormatError) as caught:
        trc_from_text(SMALL.replace(old, new, 1), "a.trc")
    assert message in str(caught.value)
    assert caught.value.line == line


def test_a_real_capture(shared_data: Path) -> None:
    markers = load_trc(shared_data / "clips" / "roboptim" / "human.trc")
    assert markers.positions.shape == (2387, 35, 3)
    assert "z taken as up" in markers.source
    np.testing.assert_allclose(np.diff(markers.times), 0.005, atol=1e-12)
    np.testing.assert_allclose(markers.marker("HEADF")[0], [0.0468371, 0.76845087, 1.56442505], atol=1e-12)
    assert np.isnan(markers.marker("RANK")[0]).all()
    assert 0.0 < np.nanmin(markers.positions[..., 2]) < 0.1, "feet on the floor"
