"""Reference poses and smoothing, and what is said where most joints find no bone."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.loading import load_clip_and_losses, save
from animato.loading.mapping_hint import mapping_hint
from animato.loading.preparing import motion_frames
from animato.motion import Clip, smoothed


def test_a_reference_pose_does_not_shake_what_is_smoothed(tmp_path: Path) -> None:
    times = np.arange(301) / 100.0
    nod = 0.3 * np.sin(3.0 * times) + 1e-3 * np.random.default_rng(0).normal(size=301)
    alone = Clip(times[1:], ("neck",), nod[1:, None])
    with_pose = Clip(times, ("neck",), np.r_[1.2, nod[1:]][:, None])
    save(tmp_path / "nod.npz", with_pose)
    clip, _ = load_clip_and_losses(tmp_path / "nod.npz", smooth_hz=6.0)
    assert motion_frames(clip) == slice(1, 301) and clip.positions[0, 0] == 1.2
    np.testing.assert_allclose(clip.positions[1:], smoothed(alone, 6.0).positions, atol=1e-12)


def test_a_hint_where_most_joints_find_no_bone() -> None:
    joints = [f"{part}_{side}_{n}_joint" for part in ("arm", "leg") for side in ("left", "right") for n in (1, 2)]
    bones = ["Hips", "LeftUpLeg", "LeftLeg", "RightUpLeg", "RightLeg", "LeftArm", "RightArm"]
    (hint,) = mapping_hint([*joints, "head_1_joint"], bones, ["head_1_joint"])
    assert hint.startswith("only 1 of 9 joints found a bone by its name. The file's bones are Hips, LeftUpLeg,")
    assert "arm_left_1_joint: LeftArm; arm_right_1_joint: RightArm; leg_left_1_joint: LeftUpLeg" in hint
    assert mapping_hint(joints, bones, joints[:4]) == ()
