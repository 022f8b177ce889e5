"""Joints of body models from npz."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.errors import FileFormatError, OptionError
from animato.formats import load_motion, save_motion
from animato.formats.tables.body_joints import MODELS
from animato.motion import MarkerMotion


def joints(count: int = 22, frames: int = 5) -> np.ndarray:
    return np.random.default_rng(7).normal(size=(frames, count, 3)) * (0.2, 0.2, 0.6)


def load(path: Path) -> MarkerMotion:
    motion = load_motion(path)
    assert isinstance(motion, MarkerMotion)
    return motion


@pytest.mark.parametrize(
    ("count", "model", "last"),
    [
        (22, "SMPL's body", "right_wrist"),
        (24, "SMPL", "right_hand"),
        (45, "SMPL", "right_pinky_tip"),
        (52, "SMPL-H", "right_thumb3"),
        (55, "SMPL-X", "right_thumb3"),
        (76, "SMPL-X", "right_pinky_tip"),
        (127, "SMPL-X", "face_50"),
        (144, "SMPL-X", "face_67"),
    ],
)
def test_the_number_of_joints_tells_the_model(tmp_path: Path, count: int, model: str, last: str) -> None:
    np.savez(tmp_path / "a.npz", joints=joints(count), fps=30)
    motion = load(tmp_path / "a.npz")
    assert motion.names[:22] == MODELS["SMPL's body"] and motion.names[-1] == last
    assert f"joints of {model}," in motion.source
    np.testing.assert_array_equal(motion.positions, joints(count))


@pytest.mark.parametrize(
    ("array", "rate"), [("keypoints3d", "mocap_framerate"), ("positions", "mocap_frame_rate"), ("Jtr", "fps")]
)
def test_arrays_of_many_names(tmp_path: Path, array: str, rate: str) -> None:
    np.savez(tmp_path / "a.npz", **{array: joints().astype(np.float32), rate: np.array([50.0])})  # type: ignore[arg-type]
    np.testing.assert_allclose(load(tmp_path / "a.npz").times, np.arange(5) / 50)


def test_y_up_is_detected_and_said(tmp_path: Path) -> None:
    up = joints()
    np.savez(tmp_path / "a.npz", joints=np.stack([up[..., 0], up[..., 2], -up[..., 1]], axis=-1), fps=30)
    motion = load(tmp_path / "a.npz")
    assert "y taken as up" in motion.source
    np.testing.assert_allclose(motion.positions, up, atol=1e-15)


def test_what_else_is_in_the_file_does_not_matter(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", joints=joints(), fps=30, gender=np.array(b"male"), flags=np.ones(3, dtype=bool))
    assert len(load(tmp_path / "a.npz").names) == 22


def test_names_in_the_file_and_unsure_joints(tmp_path: Path) -> None:
    values = np.concatenate([joints(3), np.ones((5, 3, 1))], axis=-1)
    values[2, 1, 3] = 0.0
    np.savez(tmp_path / "a.npz", keypoints3d=values, fps=30, joint_names=np.array(["a", "b", "c"]))
    motion = load(tmp_path / "a.npz")
    assert motion.names == ("a", "b", "c")
    assert np.isnan(motion.positions).any(axis=-1).nonzero()[0].tolist() == [2]


def test_a_rate_that_is_missing_can_be_said(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", joints=joints())
    with pytest.raises(FileFormatError, match="say them with `rate_hz`"):
        load_motion(tmp_path / "a.npz")
    motion = load_motion(tmp_path / "a.npz", rate_hz=20.0, up_axis="z")
    assert isinstance(motion, MarkerMotion) and motion.times[1] == 0.05


def test_motions_of_animato_are_read_as_before(tmp_path: Path) -> None:
    motion = MarkerMotion(np.arange(5) / 30, tuple(f"m{n}" for n in range(22)), joints())
    save_motion(tmp_path / "a.npz", motion)
    assert load(tmp_path / "a.npz").names == motion.names
    with pytest.raises(OptionError, match="only for these"):
        load_motion(tmp_path / "a.npz", rate_hz=30.0)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"joints": joints(23), "fps": 30}, "23 joints are not known; known: 22"),
        ({"joints": joints()[..., :2], "fps": 30}, r"\[frame, joint, 3\]"),
        ({"joints": joints(), "fps": 0}, "'fps' must be greater than 0"),
        ({"joints": np.full((2, 22, 3), np.inf), "fps": 30}, "must be finite"),
        (
            {"poses": np.zeros((5, 156)), "trans": np.zeros((5, 3))},
            r"parameters of a body model \(poses\), but no joints",
        ),
        ({"other": np.zeros(3)}, "this is not a motion of animato"),
    ],
)
def test_bad_files_are_refused_in_words(tmp_path: Path, arrays: dict[str, np.ndarray], message: str) -> None:
    np.savez(tmp_path / "a.npz", **arrays)  # type: ignore[arg-type]
    with pytest.raises(FileFormatError, match=message):
        load_motion(tmp_path / "a.npz")
