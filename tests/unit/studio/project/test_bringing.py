"""Files that somebody brings: what they are is told by what is in them."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from animato.errors import AnimatoError
from animato.formats import load_character, save_motion
from animato.library import LIBRARY
from animato.loading import load_clip, save
from animato.motion import MarkerMotion, Stroke
from animato.studio.project.bringing import CAPTURE, CLIP, STROKES, bring

LAMP = load_character("lamp")
TRC = "\n".join(
    [
        "PathFileType\t4\t(X/Y/Z)\tx.trc",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
        "100\t100\t2\t1\tm\t100\t1\t2",
        "Frame#\tTime\tHEAD\t\t",
        "\t\tX1\tY1\tZ1",
        "1\t0.0\t0\t1\t0",
        "2\t0.01\t0\t1\t0.1",
        "",
    ]
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "imports").mkdir()
    return tmp_path


@pytest.mark.parametrize("suffix", [".csv", ".npz", ".tsv"])
def test_a_table_of_joints_is_a_clip(folder: Path, suffix: str) -> None:
    clip, file = load_clip("lamp_look", LAMP), folder / "imports" / f"look{suffix}"
    if suffix == ".tsv":
        save(file.with_suffix(".csv"), clip, LAMP)
        file.write_text(file.with_suffix(".csv").read_text().replace(",", "\t"))
    else:
        save(file, clip, LAMP)
    brought = bring(LAMP, folder, file)
    assert brought.kind == CLIP and brought.clip is not None and brought.clip.same_as(clip)


@pytest.mark.parametrize("suffix", [".csv", ".npz"])
def test_a_table_of_places_is_a_drawing(folder: Path, suffix: str) -> None:
    file = folder / "imports" / f"line{suffix}"
    save_motion(file, Stroke(np.random.default_rng(1).normal(size=(9, 2)), np.arange(9.0)))
    assert bring(LAMP, folder, file).kind == STROKES
    assert bring(LAMP, folder, file).file == f"imports/line{suffix}"


@pytest.mark.parametrize("suffix", [".npz", ".bvh", ".trc"])
def test_a_person_is_a_capture_and_kept_with_the_others(folder: Path, suffix: str) -> None:
    file = folder / "imports" / f"person{suffix}"
    if suffix == ".bvh":
        shutil.copy(LIBRARY / "clips" / "person_wave.bvh", file)
    elif suffix == ".trc":
        file.write_text(TRC)
    else:
        save_motion(file, MarkerMotion(np.arange(3.0), ("head", "hand"), np.zeros((3, 2, 3))))
    brought = bring(LAMP, folder, file)
    assert brought.kind == CAPTURE and brought.file == f"captures/person{suffix}"
    assert (folder / brought.file).is_file() and not file.exists()
    assert bring(LAMP, folder, folder / brought.file).file == brought.file


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".npz", ".npy", ".bvh", ".amc", ".glb", ".trc", ".c3d"])
@pytest.mark.parametrize("content", [b"", b"\x00\xff\x13nonsense", b"time,turn\n0,nan\n1,inf\n"])
def test_what_cannot_be_read_is_said_in_a_sentence(folder: Path, suffix: str, content: bytes) -> None:
    file = folder / "imports" / f"bad{suffix}"
    file.write_bytes(content)
    with pytest.raises(AnimatoError) as error:
        bring(LAMP, folder, file)
    assert len(str(error.value)) > 20
