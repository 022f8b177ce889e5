"""Clips for training tools: read back with numpy alone they say the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.errors import MotionError, OptionError, UnknownNameError
from animato.formats import load_character
from animato.formats.training import save_training_csv, save_training_npz, training_times
from animato.loading import load_clip
from animato.mechanics.tree import forward_kinematics
from animato.motion import Clip


def test_the_csv_has_base_quaternion_xyzw_and_joints_and_no_header(tmp_path: Path) -> None:
    pico, clip = load_character("pico"), load_clip("pico_hello")
    rows = np.loadtxt(save_training_csv(tmp_path / "hello.csv", clip, pico), delimiter=",")
    even = clip.selected(pico.coordinate_names).resampled(training_times(clip, 30.0))
    assert even.base_positions is not None
    assert even.base_quaternions_wxyz is not None
    assert rows.shape == (int(clip.duration * 30.0) + 1, 7 + len(pico.coordinate_names))
    np.testing.assert_allclose(rows[:, :3], even.base_positions, atol=1e-8)
    x, y, z, w = rows[:, 3:7].T
    np.testing.assert_allclose(np.abs(np.sum(np.column_stack([w, x, y, z]) * even.base_quaternions_wxyz, 1)), 1.0)
    np.testing.assert_allclose(rows[:, 7:], even.positions, atol=1e-8)


def test_the_npz_has_qpos_names_poses_and_contacts_without_pickle(tmp_path: Path) -> None:
    pico, clip = load_character("pico"), load_clip("pico_hello")
    told = np.array([0.0, 1.0])
    path = save_training_npz(
        tmp_path / "hello.npz",
        clip,
        pico,
        rate_hz=50.0,
        contact_names=("left heel", "left toe"),
        contact_times=told,
        contacts=np.array([[True, False], [True, True]]),
    )
    with np.load(path, allow_pickle=False) as file:
        assert set(file) == {
            "qpos", "joints", "fps", "bodies", "body_positions", "body_quaternions_wxyz", "contact_names", "contacts",
        }  # fmt: skip
        assert tuple(file["joints"]) == pico.coordinate_names
        assert float(file["fps"]) == 50.0
        poses = forward_kinematics(pico, clip, np.arange(len(file["qpos"])) / 50.0)
        np.testing.assert_allclose(file["qpos"][:, :3], poses.of("pelvis").position, atol=1e-12)
        np.testing.assert_allclose(file["body_positions"], poses.positions, atol=1e-12)
        turned = np.abs(np.sum(file["body_quaternions_wxyz"] * poses.quaternions_wxyz, axis=2))
        np.testing.assert_allclose(turned, 1.0, atol=1e-12)
        assert tuple(file["contact_names"]) == ("left heel", "left toe")
        frame = np.arange(len(file["qpos"])) / 50.0
        np.testing.assert_array_equal(file["contacts"][:, 1], frame > 0.5)


def test_a_clip_without_a_base_or_of_another_character_is_refused(tmp_path: Path) -> None:
    pico, clip = load_character("pico"), load_clip("pico_hello")
    held = Clip(clip.times, clip.names, clip.positions, source="held")
    with pytest.raises(MotionError, match=r"'held' does not say where the base is"):
        save_training_csv(tmp_path / "a.csv", held, pico)
    with pytest.raises(UnknownNameError, match="Coordinate 'turntable'"):
        save_training_csv(tmp_path / "a.csv", clip, load_character("arm6"))
    with pytest.raises(OptionError, match="`rate_hz`"):
        save_training_csv(tmp_path / "a.csv", clip, pico, rate_hz=0.0)
    with pytest.raises(OptionError, match=r"`contacts` must have the shape \(2, 1\)"):
        save_training_npz(
            tmp_path / "a.npz",
            clip,
            pico,
            contact_names=("x",),
            contact_times=np.arange(2.0),
            contacts=np.ones(2),
        )
    with pytest.raises(OptionError, match="`contact_names` need"):
        save_training_npz(tmp_path / "a.npz", clip, pico, contact_names=("x",))
    assert not list(tmp_path.iterdir())
