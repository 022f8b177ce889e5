"""What is exported for training tools comes back as the same motion, to the last digit that the format holds."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from animato.character import Character
from animato.loading import load_clip
from animato.motion import Clip
from animato.spatial import quaternions
from animato.stage.exporting import FORMATS, export
from tests.robot_builders import random_robot, swinging_clip
from tests.tree_builders import random_character, random_clip

BITWISE = ("unitree", "kimodo", "beyondmimic", "mjlab", "holosoma", "holosoma-training")
SEEDS = st.integers(0, 2**32 - 1)


def there_and_back(robot: Character, clip: Clip, to: str, rate_hz: float) -> Clip:
    with tempfile.TemporaryDirectory() as folder:
        files = export(Path(folder) / f"motion{FORMATS[to].suffix}", robot, clip, to=to, rate_hz=rate_hz).files
        return load_clip(files[0], robot)


@pytest.mark.parametrize("to", BITWISE)
@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, floats=st.booleans(), rate_hz=st.sampled_from([30.0, 50.0, 59.94]))
def test_every_bit_comes_back(to: str, seed: int, floats: bool, rate_hz: float) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, floats=floats)
    clip = swinging_clip(rng, robot, rate_hz=rate_hz)
    again = there_and_back(robot, clip, to, rate_hz).selected(clip.names)
    np.testing.assert_array_equal(again.times, clip.times)
    np.testing.assert_array_equal(again.positions, clip.positions)
    assert again.has_base == floats
    if floats:
        assert clip.base_quaternions_wxyz is not None
        np.testing.assert_array_equal(again.base_positions, clip.base_positions)
        np.testing.assert_array_equal(again.base_quaternions_wxyz, quaternions.continuous(clip.base_quaternions_wxyz))


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, floats=st.booleans())
def test_degrees_and_centimetres_come_back_to_the_last_digit(seed: int, floats: bool) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, floats=floats)
    clip = swinging_clip(rng, robot, rate_hz=60.0)
    again = there_and_back(robot, clip, "bones-seed", 60.0).selected(clip.names)
    np.testing.assert_array_equal(again.times, clip.times)
    np.testing.assert_allclose(again.positions, clip.positions, rtol=4e-16, atol=0.0)
    assert again.has_base == floats
    if floats:
        assert clip.base_quaternions_wxyz is not None
        assert again.base_quaternions_wxyz is not None
        np.testing.assert_allclose(np.asarray(again.base_positions), np.asarray(clip.base_positions), rtol=4e-16)
        alike = np.abs(np.sum(again.base_quaternions_wxyz * clip.base_quaternions_wxyz, axis=1))
        np.testing.assert_allclose(alike, 1.0, atol=1e-14)


@pytest.mark.parametrize("to", ["unitree", "kimodo", "holosoma"])
@settings(max_examples=10, deadline=None)
@given(seed=SEEDS, floats=st.booleans())
def test_joints_of_every_type_come_back(to: str, seed: int, floats: bool) -> None:
    rng = np.random.default_rng(seed)
    robot = random_character(rng, floats=floats)
    uneven = random_clip(rng, robot)
    clip = uneven.resampled(np.arange(9) / 30.0 + uneven.times[0])
    clip = Clip(np.arange(9) / 30.0, clip.names, clip.positions, clip.base_positions, clip.base_quaternions_wxyz)
    again = there_and_back(robot, clip, to, 30.0).selected(clip.names)
    np.testing.assert_array_equal(again.positions, clip.positions)
