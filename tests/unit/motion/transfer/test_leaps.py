"""Leaps of bones."""

from __future__ import annotations

import numpy as np
import pytest

from animato.motion.transfer.leaps import leaps_to
from animato.spatial import quaternions


def leaps(angles: np.ndarray) -> np.ndarray:
    turns = quaternions.quaternion_about(np.array((0.0, 0.0, 1.0)), angles)
    return leaps_to(turns, np.arange(len(angles)) / 120)


def test_a_pose_in_front_or_behind_is_a_leap_and_a_quick_motion_is_none() -> None:
    motion = 0.5 * np.sin(np.linspace(0.0, 6.0, 200))
    assert not leaps(motion).any()
    assert np.flatnonzero(leaps(np.concatenate([[1.5], motion]))).tolist() == [1]
    assert np.flatnonzero(leaps(np.concatenate([motion, [1.5]]))).tolist() == [200]
    shaken = np.concatenate([motion, np.tile((0.3, 0.0), 20)])
    assert not leaps(shaken).any(), "where all steps are large, none is a leap"


@pytest.mark.parametrize("frames", [1, 2])
def test_short_captures(frames: int) -> None:
    assert leaps(np.zeros(frames)).tolist() == [False] * frames
