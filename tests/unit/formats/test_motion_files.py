"""Any motion from and into any file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import Joint, JointType
from animato.errors import AnimatoError, FileFormatError, MotionError, OptionError
from animato.formats.motion_files import load_motion, save_motion
from animato.formats.urdf.reader import load_urdf
from animato.loading.clips import load_clip, load_clip_and_losses
from animato.motion.captured_motion import CapturedMotion
from animato.motion.clip import Clip
from animato.motion.marker_motion import MarkerMotion
from animato.motion.posture import Posture
from animato.motion.stroke import Stroke
from animato.spatial import quaternions

NODDER = Character(
    "nodder",
    (Body("base"), Body("head")),
    (
        Joint("stand", JointType.GROUND, "world", "base"),
        Joint("neck", JointType.REVOLUTE, "base", "head", frame_parent=Frame((0.0, 0.0, 0.2)), axis=(0.0, 1.0, 0.0)),
    ),
)


def nodding(frames: int = 5) -> CapturedMotion:
    turns = np.tile((1.0, 0.0, 0.0, 0.0), (frames, 2, 1))
    turns[:, 1] = quaternions.quaternion_about(np.array((0.0, 1.0, 0.0)), np.linspace(0.0, 0.4, frames))
    offsets = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.2]])
    return CapturedMotion(np.arange(frames) / 25, ("body", "Neck"), np.array((-1, 0)), offsets, turns, source="rig")


def test_losses_are_empty_or_told(tmp_path: Path) -> None:
    clip = Clip(np.arange(3.0), ("neck",), np.zeros((3, 1)))
    for name in ("a.npz", "a.csv", "A.CSV"):
        assert save_motion(tmp_path / name, clip, NODDER) == ()
        again = load_motion(tmp_path / name)
        assert isinstance(again, Clip)
        assert again.same_as(clip)
    assert save_motion(tmp_path / "a.npz", nodding()) == ()
    assert len(save_motion(tmp_path / "a.bvh", nodding())) >= 2


@pytest.mark.parametrize(
    ("name", "motion", "message"),
    [
        ("a.fbx", nodding(), r"written as \.npz, \.csv, \.bvh"),
        ("a", nodding(), r"written as \.npz, \.csv, \.bvh"),
        ("a.csv", nodding(), r"\.csv does not hold a CapturedMotion"),
        ("a.bvh", Posture(("a",), np.zeros(1)), r"\.bvh does not hold a Posture"),
    ],
)
def test_formats_that_cannot_hold_a_motion(name: str, motion: CapturedMotion, message: str, tmp_path: Path) -> None:
    with pytest.raises(MotionError, match=message):
        save_motion(tmp_path / name, motion)
    assert list(tmp_path.iterdir()) == []


def test_a_capture_becomes_a_clip_of_the_character(tmp_path: Path) -> None:
    save_motion(tmp_path / "nod.npz", nodding())
    clip, losses = load_clip_and_losses(tmp_path / "nod.npz", NODDER)
    np.testing.assert_allclose(clip.positions[:, 0], np.linspace(0.0, 0.4, 5), atol=1e-12)
    assert losses == ()
    assert load_clip(tmp_path / "nod.npz", NODDER, mapping={"neck": "body"}).positions.max() == 0.0
    with pytest.raises(MotionError, match="for which character"):
        load_clip(tmp_path / "nod.npz")


def test_a_walk_of_a_person_on_a_real_humanoid(shared_data: Path) -> None:
    robot = load_urdf(shared_data / "robots" / "g1" / "g1_29dof_rev_1_0.urdf")
    clip, losses = load_clip_and_losses(shared_data / "clips" / "07_01.bvh", robot, first_frame=1)
    assert clip.names == robot.coordinate_names
    assert clip.has_base
    assert clip.frame_count == 316
    assert not any("stay neutral" in loss for loss in losses), "all 29 joints have a bone"
    degrees = {name: np.degrees(clip.positions[:, clip.column(name)]) for name in clip.names}
    for side in ("left", "right"):
        assert 40.0 < np.ptp(degrees[f"{side}_knee_joint"]) < 80.0
        assert 50.0 < np.ptp(degrees[f"{side}_hip_pitch_joint"]) < 80.0
        assert np.abs(degrees[f"{side}_hip_roll_joint"]).max() < 15.0
        assert 30.0 < degrees[f"{side}_elbow_joint"].min() < degrees[f"{side}_elbow_joint"].max() < 95.0
    for name in clip.names:
        lower, upper = np.degrees(robot.joint(name).limits[0].range)
        assert lower - 1.0 <= degrees[name].min() <= degrees[name].max() <= upper + 1.0, name


def test_other_motions_as_clips(tmp_path: Path) -> None:
    clip = Clip(np.arange(3.0), ("neck",), np.zeros((3, 1)))
    save_motion(tmp_path / "a.npz", clip)
    assert load_clip(tmp_path / "a.npz").same_as(clip)
    save_motion(tmp_path / "a.npz", Posture(("neck",), np.array([0.3])))
    assert load_clip(tmp_path / "a.npz").positions.tolist() == [[0.3]]
    for motion in (Stroke(np.zeros((1, 2))), MarkerMotion(np.zeros(1), (), np.zeros((1, 0, 3)))):
        save_motion(tmp_path / "a.npz", motion)
        with pytest.raises(FileFormatError, match="no character can play"):
            load_clip(tmp_path / "a.npz", NODDER)


def test_options_belong_to_formats(tmp_path: Path) -> None:
    save_motion(tmp_path / "a.bvh", nodding())
    capture = load_motion(tmp_path / "a.bvh", metres_per_unit=0.02, up_axis="y")
    assert isinstance(capture, CapturedMotion)
    np.testing.assert_allclose(capture.offsets[1], [0, 0, 0.4], atol=1e-9)
    with pytest.raises(OptionError, match=r"`rate_hz` does not exist for \.bvh files; options: `metres_per_unit`"):
        load_motion(tmp_path / "a.bvh", rate_hz=3.0)


@pytest.mark.parametrize("suffix", [".npz", ".csv", ".bvh", ".glb", ".trc"])
def test_files_that_are_not_there_or_not_files(suffix: str, tmp_path: Path) -> None:
    (tmp_path / f"walk_01{suffix}").write_bytes(b"")
    (tmp_path / f"folder{suffix}").mkdir()
    with pytest.raises(FileFormatError, match=rf"no such file\. Did you mean 'walk_01\{suffix}'"):
        load_motion(tmp_path / f"walk_1{suffix}")
    with pytest.raises(FileFormatError, match=r"folder .* is not there either"):
        load_motion(tmp_path / "nowhere" / f"walk{suffix}")
    with pytest.raises(FileFormatError, match="is empty"):
        load_motion(tmp_path / f"walk_01{suffix}")
    with pytest.raises(FileFormatError, match="is a folder"):
        load_motion(tmp_path / f"folder{suffix}")
    with pytest.raises(AnimatoError):
        load_motion(f"a\0b{suffix}")
    os.mkfifo(tmp_path / f"pipe{suffix}")
    with pytest.raises(FileFormatError, match="a pipe or a device"):
        load_motion(tmp_path / f"pipe{suffix}")


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.bvh").write_text("HIERARCHY")

    def forbidden(self: Path, mode: str) -> BinaryIO:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", forbidden)  # whoever runs the tests may be allowed to read everything
    with pytest.raises(FileFormatError, match="may not read"):
        load_motion(tmp_path / "a.bvh")


def test_unknown_suffixes_and_folders(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"'\.fbx' are not known as motion; allowed: \.npz, \.csv"):
        load_motion(tmp_path / "a.fbx")
    with pytest.raises(FileFormatError, match="is a folder"):
        load_motion(tmp_path)
