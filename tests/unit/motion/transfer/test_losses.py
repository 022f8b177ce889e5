"""Leaps in captures."""

from __future__ import annotations

import numpy as np
import pytest

from animato.motion.captured_motion import CapturedMotion
from animato.motion.transfer.losses import capture_leaps
from animato.spatial import quaternions


def capture(angles: np.ndarray) -> CapturedMotion:
    turns = quaternions.quaternion_about(np.array((0.0, 0.0, 1.0)), angles)[:, None]
    return CapturedMotion(np.arange(len(angles)) / 120, ("bone",), np.array([-1]), np.zeros((1, 3)), turns, None, "rig")


def test_a_pose_in_front_or_behind_is_a_leap_and_a_quick_motion_is_none() -> None:
    motion = 0.5 * np.sin(np.linspace(0.0, 6.0, 200))
    assert not capture_leaps(capture(motion)).any()
    assert np.flatnonzero(capture_leaps(capture(np.concatenate([[1.5], motion])))).tolist() == [1]
    assert np.flatnonzero(capture_leaps(capture(np.concatenate([motion, [1.5]])))).tolist() == [200]
    shaken = np.concatenate([motion, np.tile((0.3, 0.0), 20)])
    assert not capture_leaps(capture(shaken)).any(), "where all steps are large, none is a leap"


@pytest.mark.parametrize("frames", [1, 2])
def test_short_captures(frames: int) -> None:
    assert capture_leaps(capture(np.zeros(frames))).tolist() == [False] * frames
