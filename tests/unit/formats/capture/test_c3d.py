"""Markers of C3D files."""

from pathlib import Path

import numpy as np
import pytest

import animato as an
from animato.errors import FileFormatError

ezc3d = pytest.importorskip("ezc3d")


def written(path: Path, points: np.ndarray, *, unit: str = "mm", rate: float = 240.0) -> Path:
    """A file of markers [frame, marker, 3]."""
    file = ezc3d.c3d()
    file["parameters"]["POINT"]["RATE"]["value"] = [rate]
    file["parameters"]["POINT"]["UNITS"]["value"] = [unit]
    file["parameters"]["POINT"]["LABELS"]["value"] = [f"m{n}" for n in range(points.shape[1])]
    file["data"]["points"] = np.concatenate([points.transpose(2, 1, 0), np.ones((1, *points.shape[1::-1]))])
    file.write(str(path))
    return path


def test_markers_come_back_in_metres(tmp_path: Path) -> None:
    points = np.random.default_rng(0).normal(size=(20, 2, 3)) * 100.0
    motion = an.load_motion(written(tmp_path / "swing.c3d", points))
    assert isinstance(motion, an.MarkerMotion)
    assert motion.names == ("m0", "m1")
    assert motion.times[1] == pytest.approx(1.0 / 240.0)
    assert motion.positions == pytest.approx(points / 1000.0, abs=1e-6)


def test_a_marker_that_was_not_seen_is_a_gap(tmp_path: Path) -> None:
    points = np.ones((5, 1, 3))
    points[2] = np.nan
    motion = an.load_motion(written(tmp_path / "gap.c3d", points))
    assert isinstance(motion, an.MarkerMotion)
    assert np.isnan(motion.positions[2]).all()
    assert np.isfinite(motion.positions[[0, 1, 3, 4]]).all()


def test_what_is_no_c3d_is_named(tmp_path: Path) -> None:
    (tmp_path / "no.c3d").write_bytes(b"not a capture")
    with pytest.raises(FileFormatError, match=r"no\.c3d"):
        an.load_motion(tmp_path / "no.c3d")
    with pytest.raises(FileFormatError, match="unit"):
        an.load_motion(written(tmp_path / "odd.c3d", np.ones((3, 1, 3)), unit="furlong"))
