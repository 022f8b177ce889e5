"""The idle layer: it moves, it is smooth, it keeps limits and leaves the end-point's orientation alone."""

from __future__ import annotations

import dataclasses
import functools

import numpy as np
import pytest

from animato.character.character import Character
from animato.character.joint import JointType
from animato.character.limits import Limits
from animato.errors import MotionError, OptionError
from animato.express.warp.idle import IdleLayer
from animato.formats.character_files import load_character
from animato.mechanics.tree.chains import Chain, build_chain, tip_orientations
from animato.spatial import quaternions

AMPLITUDE = 0.05
MINUTE = np.arange(0.0, 60.0, 0.05)
TENTH_OF_A_DEGREE = np.radians(0.1)
ENDS = [*((f"skeleton_{letter}", "tip") for letter in "abcdefg"), ("torso29", "left_hand"), ("planar_arm", "pen")]


@functools.cache
def chain_of(character: str, end_point: str = "tip") -> Chain:
    return build_chain(load_character(character), end_point)


def random_postures(chain: Chain, count: int, rng: np.random.Generator) -> np.ndarray:
    lower, upper = np.maximum(chain.arrays.lower, -np.pi), np.minimum(chain.arrays.upper, np.pi)
    postures = lower + (upper - lower) * rng.random((count, len(chain.names)))
    postures[0], postures[1] = 0.0, upper  # straight, which is singular, and all at a limit
    return np.clip(postures, lower, upper)


def turned(chain: Chain, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    return quaternions.angle_between(tip_orientations(chain, before), tip_orientations(chain, after))


@pytest.mark.parametrize(("character", "end_point"), ENDS)
@pytest.mark.parametrize("amplitude", [AMPLITUDE, 0.4])
def test_orientation_and_limits_hold_for_a_minute(
    character: str, end_point: str, amplitude: float, rng: np.random.Generator
) -> None:
    chain = chain_of(character, end_point)
    layer = IdleLayer(chain, seed=5, amplitude_rad=amplitude)
    for posture in random_postures(chain, 8, rng):
        held = np.tile(posture, (len(MINUTE), 1))
        moved = layer.offsets(MINUTE, held)
        assert turned(chain, held, moved).max() <= TENTH_OF_A_DEGREE
        assert np.all(moved <= chain.arrays.upper) and np.all(moved >= chain.arrays.lower)
        assert np.abs(moved - held).max() <= amplitude + 1e-12


def test_moves_as_far_as_asked() -> None:
    chain = chain_of("skeleton_g")
    layer = IdleLayer(chain, seed=1, amplitude_rad=AMPLITUDE)
    moved = layer.offsets(MINUTE, np.zeros((len(MINUTE), 8)))
    assert layer.free_dimensions == 5
    assert 0.9 * AMPLITUDE < np.abs(moved).max() <= AMPLITUDE
    assert np.all(np.abs(moved).max(axis=0) > 0.3 * AMPLITUDE)  # every joint lives


def test_naive_waves_would_turn_the_end_point() -> None:
    """Negative control: the same offsets, with one joint left out, turn the end-point by degrees."""
    chain = chain_of("skeleton_g")
    held = np.zeros((len(MINUTE), 8))
    moved = IdleLayer(chain, seed=1).offsets(MINUTE, held)
    moved[:, 3] = 0.0
    assert turned(chain, held, moved).max() > 10.0 * TENTH_OF_A_DEGREE


@pytest.mark.parametrize("character", ["skeleton_b", "skeleton_c", "skeleton_g"])
def test_velocity_and_acceleration_are_bounded(character: str, rng: np.random.Generator) -> None:
    chain = chain_of(character)
    layer = IdleLayer(chain, seed=2, amplitude_rad=AMPLITUDE, rate_hz=0.25)
    beat = 2.0 * np.pi * 0.25
    times = np.arange(0.0, 20.0, 0.01)
    for posture in random_postures(chain, 6, rng):
        moved = layer.offsets(times, np.tile(posture, (len(times), 1)))
        # A sine of full amplitude has beat and beat^2; tanh makes flanks steeper by what the wish is larger.
        assert np.abs(np.diff(moved, axis=0)).max() / 0.01 < 4.0 * beat * AMPLITUDE
        assert np.abs(np.diff(moved, 2, axis=0)).max() / 0.01**2 < 12.0 * beat**2 * AMPLITUDE


def test_no_jumps_while_positions_move() -> None:
    chain = chain_of("skeleton_c")
    layer = IdleLayer(chain, seed=2, amplitude_rad=AMPLITUDE)
    times = np.arange(0.0, 10.0, 0.002)
    phases = np.arange(5.0)
    moving = 1.2 * np.sin(
        times[:, None] * (0.5 + 0.1 * phases) + phases
    )  # through limits' easing and singular postures
    moving = np.clip(moving, chain.arrays.lower, chain.arrays.upper)
    offsets = layer.offsets(times, moving) - moving
    steps = np.abs(np.diff(offsets, axis=0))
    assert steps.max() < 0.05 * AMPLITUDE
    assert steps.max() > 0.0


def test_is_a_function_of_time_and_positions() -> None:
    chain = chain_of("skeleton_g")
    held = np.full(8, 0.1)
    first, second = IdleLayer(chain, seed=7), IdleLayer(chain, seed=7)
    later = first.offsets(33.3, held)
    first.offsets(2.0, np.zeros(8))
    assert first.offsets(33.3, held).tobytes() == later.tobytes() == second.offsets(33.3, held).tobytes()
    assert first.offsets(np.array([1.0, 33.3]), np.tile(held, (2, 1)))[1].tobytes() == later.tobytes()
    assert not np.allclose(IdleLayer(chain, seed=8).offsets(33.3, held), later)


def test_begins_from_nothing() -> None:
    layer = IdleLayer(chain_of("skeleton_g"), fade_s=2.0)
    for time in (-5.0, 0.0):
        assert np.array_equal(layer.offsets(time, np.full(8, 0.2)), np.full(8, 0.2))
    assert np.abs(layer.offsets(0.01, np.full(8, 0.2)) - 0.2).max() < 1e-6


def test_without_a_null_space_nothing_moves() -> None:
    layer = IdleLayer(chain_of("skeleton_a"), amplitude_rad=0.3)
    assert layer.free_dimensions == 0
    assert np.array_equal(layer.offsets(12.0, [0.3, 0.2, -0.1]), [0.3, 0.2, -0.1])
    still = IdleLayer(chain_of("skeleton_c"), amplitude_rad=[0.1, 0.1, 0.0, 0.0, 0.0])
    assert still.free_dimensions == 0
    assert np.array_equal(still.offsets(12.0, np.full(5, 0.2)), np.full(5, 0.2))


def test_parallel_joints_have_a_null_space() -> None:
    layer = IdleLayer(chain_of("planar_arm", "pen"))
    assert layer.free_dimensions == 3  # four joints, one direction


def test_amplitude_of_each_joint() -> None:
    amplitude = np.array([0.0, 0.1, 0.1, 0.02, 0.1, 0.1, 0.1, 0.1])
    moved = IdleLayer(chain_of("skeleton_g"), amplitude_rad=amplitude).offsets(MINUTE, np.zeros((len(MINUTE), 8)))
    assert np.all(moved[:, 0] == 0.0)
    assert np.all(np.abs(moved).max(axis=0) <= amplitude + 1e-12)


def sliding_neck() -> Character:
    character = load_character("skeleton_g")
    joints = tuple(
        dataclasses.replace(joint, type=JointType.PRISMATIC, stated_limits=(Limits(0.0, 0.1),), actuator=None)
        if joint.name == "joint_4"
        else joint
        for joint in character.joints
    )
    return dataclasses.replace(character, joints=joints, postures=())


def test_slides_are_left_alone() -> None:
    chain = build_chain(sliding_neck(), "tip")
    moved = IdleLayer(chain).offsets(MINUTE, np.full((len(MINUTE), 8), 0.05))
    assert np.all(moved[:, 3] == 0.05)
    assert np.abs(moved - 0.05).max() > 0.02


def test_values_never_raise() -> None:
    layer = IdleLayer(chain_of("skeleton_g"))
    broken = np.full(8, 0.1)
    broken[2] = np.nan
    assert np.array_equal(layer.offsets(5.0, broken), broken, equal_nan=True)
    assert np.array_equal(layer.offsets(np.nan, np.zeros(8)), np.zeros(8))
    outside = np.full(8, 0.1)
    outside[0] = 9.0  # beyond its limit: it does not move, and the end-point does not turn
    moved = layer.offsets(30.0, outside)
    assert moved[0] == 9.0 and turned(layer.chain, outside[None], moved[None])[0] <= TENTH_OF_A_DEGREE


def test_bad_options() -> None:
    chain = chain_of("skeleton_g")
    for bad in (
        {"amplitude_rad": -0.1},
        {"rate_hz": np.nan},
        {"breathing": 1.5},
        {"fade_s": -1.0},
        {"tolerance_rad": 0},
    ):
        with pytest.raises(OptionError, match=next(iter(bad))):
            IdleLayer(chain, **bad)
    with pytest.raises(MotionError, match="amplitude_rad"):
        IdleLayer(chain, amplitude_rad=[0.1, 0.2])
    with pytest.raises(MotionError, match="8 joints"):
        IdleLayer(chain).offsets(0.0, np.zeros(5))
