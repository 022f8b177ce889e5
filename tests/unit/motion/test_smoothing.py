from __future__ import annotations

import numpy as np
import pytest

from animato.errors import OptionError
from animato.motion.clip import Clip
from animato.motion.smoothing import smoothed
from animato.spatial import quaternions

TIMES = np.linspace(0, 4, 481)


def test_noise_goes_and_the_motion_stays(rng: np.random.Generator) -> None:
    motion = np.sin(2 * np.pi * TIMES)
    clip = Clip(TIMES, ("a",), (motion + 1e-3 * rng.normal(size=481))[:, None])
    result = smoothed(clip, 6.0)
    assert np.abs(result.positions[:, 0] - motion).max() < 2e-3
    assert np.abs(clip.acceleration()).max() > 60.0
    inner = slice(30, -30)
    assert np.abs(result.acceleration()[inner, 0] + (2 * np.pi) ** 2 * motion[inner]).max() < 6.0


def test_what_is_slower_is_kept_and_what_is_faster_is_not() -> None:
    for hertz, share in ((1.0, 0.99), (20.0, 0.1)):
        clip = Clip(TIMES, ("a",), np.sin(2 * np.pi * hertz * TIMES)[:, None])
        left = np.abs(smoothed(clip, 6.0).positions[60:-60]).max()
        assert left > share if hertz < 6.0 else left < share


def test_turns_stay_unit_quaternions() -> None:
    turns = quaternions.quaternion_from_rotation_vector(np.column_stack([np.sin(TIMES), TIMES, 0 * TIMES]))
    names = ("s.qw", "s.qx", "s.qy", "s.qz")
    clip = Clip(TIMES, names, -turns, np.column_stack([TIMES] * 3), turns)
    result = smoothed(clip, 6.0)
    np.testing.assert_allclose(np.linalg.norm(result.positions, axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(quaternions.angle_between(result.base_quaternions_wxyz, turns), 0.0, atol=1e-5)


def test_coarse_clips_are_left_alone_and_nonsense_is_refused() -> None:
    clip = Clip([0.0, 0.5, 1.0], ("a",), [[0.0], [1.0], [0.0]])
    assert smoothed(clip, 6.0) is clip
    with pytest.raises(OptionError, match="above 0 Hz"):
        smoothed(clip, -1.0)
