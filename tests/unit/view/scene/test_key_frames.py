"""Frames that tell a motion."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import OptionError
from animato.motion.clip import Clip
from animato.view.scene.key_frames import key_frames


def held_clip() -> Clip:
    """Rest, a pose held about frame 30, rest, another pose held about frame 70, rest."""
    times = np.linspace(0.0, 10.0, 101)
    first, second = np.exp(-((times - 3.0) ** 2) / 0.5), np.exp(-((times - 7.0) ** 2) / 0.5)
    return Clip(times, ("a", "b"), np.column_stack([first, second]))


def test_both_ends_and_the_extremes_are_chosen() -> None:
    assert key_frames(held_clip(), 4) == [0, 30, 70, 100]


def test_counts_and_order() -> None:
    clip = held_clip()
    for count in range(1, 20):
        frames = key_frames(clip, count)
        assert len(frames) == count and frames == sorted(set(frames)) and frames[0] == 0
    assert key_frames(clip, 500) == list(range(101))
    with pytest.raises(OptionError, match="asked for 0"):
        key_frames(clip, 0)


def test_still_and_single_clips() -> None:
    still = Clip(np.linspace(0.0, 1.0, 11), ("a",), np.ones((11, 1)))
    assert key_frames(still, 3) == [0, 5, 10]
    assert key_frames(Clip(np.zeros(1), (), np.zeros((1, 0))), 3) == [0]


def test_the_base_counts() -> None:
    times = np.linspace(0.0, 1.0, 101)
    jump = np.column_stack([0 * times, 0 * times, np.where(np.abs(times - 0.3) < 0.1, 1.0, 0.0)])
    clip = Clip(times, (), np.zeros((101, 0)), jump)
    assert any(abs(times[frame] - 0.3) <= 0.1 for frame in key_frames(clip, 3))
