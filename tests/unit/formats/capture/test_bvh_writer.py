"""Writing BVH, and saying what it loses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.errors import MotionError, OptionError
from animato.formats.capture.bvh import bvh_from_text, load_bvh
from animato.formats.capture.bvh_writer import bvh_text, save_bvh, zyx_angles
from animato.motion.captured_motion import CapturedMotion
from animato.spatial import quaternions


def made_capture(rng: np.random.Generator, *, moving: bool = True, **changes: object) -> CapturedMotion:
    turns = quaternions.quaternion_from_rotation_vector(rng.normal(size=(9, 4, 3)))
    turns[:, 3] = (1.0, 0.0, 0.0, 0.0)
    offsets = rng.normal(size=(4, 3))
    slides = np.tile(offsets, (9, 1, 1))
    slides[:, :2] += rng.normal(size=(9, 2, 3))
    fields = {
        "times": np.arange(9) / 24.0,
        "names": ("hips", "arm", "leg", "arm.end"),
        "parents": np.array((-1, 0, 0, 1)),
        "offsets": offsets,
        "rotations_wxyz": turns,
        "translations": slides if moving else None,
    }
    return CapturedMotion(**{**fields, **changes})  # type: ignore[arg-type]


def assert_same_poses(a: CapturedMotion, b: CapturedMotion, tolerance: float) -> None:
    order = [b.bone(name) for name in a.names]
    (places_a, turns_a), (places_b, turns_b) = a.world_poses(), b.world_poses()
    np.testing.assert_allclose(places_a, places_b[:, order], atol=tolerance)
    np.testing.assert_allclose(quaternions.angle_between(turns_a, turns_b[:, order]), 0.0, atol=tolerance)


@pytest.mark.parametrize("up_axis", ["y", "z"])
@pytest.mark.parametrize("moving", [True, False])
def test_poses_come_back(up_axis: str, moving: bool, rng: np.random.Generator, tmp_path: Path) -> None:
    capture = made_capture(rng, moving=moving)
    losses = save_bvh(tmp_path / "a.bvh", capture, metres_per_unit=0.5, up_axis=up_axis)
    again = load_bvh(tmp_path / "a.bvh", metres_per_unit=0.5, up_axis=up_axis)
    assert_same_poses(capture, again, 1e-8)  # 9 decimals of a degree and of the unit
    assert sorted(again.names) == sorted(capture.names)
    assert any("rounded" in loss for loss in losses)
    assert any(f"metres_per_unit=0.5, up_axis='{up_axis}'" in loss for loss in losses)
    assert any("order of the bones" in loss for loss in losses)


def test_what_is_lost_is_said(rng: np.random.Generator) -> None:
    text, losses = bvh_text(made_capture(rng, source="studio", times=np.arange(9) / 24.0 + 1.0))
    assert any("source" in loss for loss in losses)
    assert any("start at 1 s" in loss for loss in losses)
    assert "End Site" in text
    quiet = bvh_text(made_capture(rng, parents=np.array((-1, 0, 1, 1)), names=("a", "b", "c", "b.x")))[1]
    assert len(quiet) == 2


def test_uneven_times_are_resampled_and_told(rng: np.random.Generator) -> None:
    times = np.array([0.0, 1.0, 2.0, 4.0])
    angle = 0.1 * times  # turns at a constant rate, so that resampling is exact
    turns = quaternions.quaternion_about(np.array((0.0, 0.0, 1.0)), angle)[:, None]
    capture = CapturedMotion(times, ("a",), np.array([-1]), np.zeros((1, 3)), turns)
    text, losses = bvh_text(capture)
    assert any("uneven" in loss for loss in losses)
    again = bvh_from_text(text, "a.bvh", metres_per_unit=0.01, up_axis="y")
    even = quaternions.quaternion_about(np.array((0.0, 0.0, 1.0)), 0.1 * again.times)
    np.testing.assert_allclose(quaternions.angle_between(again.rotations_wxyz[:, 0], even), 0.0, atol=1e-9)


def test_names_are_mended_or_refused(rng: np.random.Generator) -> None:
    text, losses = bvh_text(made_capture(rng, names=("hips {x}", "arm", "leg", "arm.end")))
    assert "ROOT hips (x)" in text
    assert any("'hips {x}'" in loss for loss in losses)
    with pytest.raises(MotionError, match="differ only"):
        bvh_text(made_capture(rng, names=("a b", "a  b", "leg", "arm.end")))
    with pytest.raises(OptionError, match="y or z"):
        bvh_text(made_capture(rng), up_axis="auto")


def test_angles_stay_valid_where_they_are_not_unique() -> None:
    up = quaternions.quaternion_from_euler(np.array([[0.3, np.pi / 2, 0.7], [0.3, -np.pi / 2, 0.7]]), "zyx")
    again = quaternions.quaternion_from_euler(zyx_angles(up), "zyx")
    np.testing.assert_allclose(quaternions.angle_between(up, again), 0.0, atol=1e-7)


def test_a_single_frame_has_a_frame_time(rng: np.random.Generator) -> None:
    one = CapturedMotion(np.zeros(1), ("a",), np.array([-1]), np.zeros((1, 3)), np.array([[[1.0, 0, 0, 0]]]))
    assert bvh_from_text(bvh_text(one)[0], "a.bvh").frame_count == 1
