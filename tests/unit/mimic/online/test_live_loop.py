"""The live loop: causal, on its feet, inside its limits, and never without an answer."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from animato.errors import MotionError, OptionError
from animato.formats import load_motion
from animato.loading import as_character
from animato.mechanics.contact import outside_distance, zero_moment_points
from animato.mechanics.tree import forward_kinematics, packed_tree, states_of_clip
from animato.mimic.anatomy import Anatomy, anatomy_of
from animato.mimic.online import Command, Loop, OnlineOptions
from animato.mimic.person import Person, person_of, resampled
from animato.motion import CapturedMotion, Clip

RATE_HZ = 60.0


@lru_cache
def person() -> Person:
    motion = load_motion("person_wave")
    assert isinstance(motion, CapturedMotion)
    return resampled(person_of(motion), np.arange(0.0, 2.2, 1.0 / RATE_HZ))


@lru_cache
def pico() -> Anatomy:
    return anatomy_of(as_character("pico"))


@lru_cache
def followed() -> tuple[Command, ...]:
    loop = Loop(pico(), person().names)
    return tuple(
        loop.step(float(time), places) for time, places in zip(person().times, person().positions, strict=True)
    )


@lru_cache
def clip() -> Clip:
    """Commands that follow the person."""
    sent = [command for command in followed() if not command.flags]
    return Clip(
        np.array([command.time_s for command in sent]),
        packed_tree(pico().character).coordinate_names,
        np.array([command.positions for command in sent]),
        np.array([command.base_position for command in sent]),
        np.array([command.base_quaternion_wxyz for command in sent]),
    )


def test_every_pose_has_a_command_and_the_delay_is_as_stated() -> None:
    delay = Loop(pico(), person().names).delay_s
    assert delay == pytest.approx(0.7)
    for command, time in zip(followed(), person().times, strict=True):
        assert command.time_s == pytest.approx(time - delay)
        assert ("starting" in command.flags) == (time < delay - 1e-9)
        assert command.contacts == (True,) * 4  # who waves stands


def test_it_is_causal() -> None:
    loop, half = Loop(pico(), person().names), len(person().times) // 2
    rng = np.random.default_rng(1)
    for n, (time, places) in enumerate(zip(person().times, person().positions, strict=True)):
        other = places + 0.02 * rng.normal(size=places.shape)
        command = loop.step(float(time), places if n <= half else other)
        if n <= half:
            np.testing.assert_array_equal(command.positions, followed()[n].positions)
            np.testing.assert_array_equal(command.base_position, followed()[n].base_position)


def test_the_robot_does_what_the_person_does() -> None:
    poses = forward_kinematics(pico().character, clip())
    wrist, pelvis = pico().point("right_wrist"), pico().point("pelvis")
    heights = poses.of(wrist.body).apply(wrist.position)[:, 2] - poses.of(pelvis.body).apply(pelvis.position)[:, 2]
    captured = resampled(person(), np.maximum(clip().times, 0.0))
    wanted = captured.landmark("right_wrist")[:, 2] - captured.landmark("pelvis")[:, 2]
    assert np.ptp(wanted) > 0.3  # the arm goes up
    assert np.corrcoef(heights, wanted)[0, 1] > 0.98


def test_soles_stay_and_carry() -> None:
    states = states_of_clip(pico().character, clip())
    poses = forward_kinematics(pico().character, states)
    corners = np.concatenate(
        [
            np.stack([poses.of(foot.sole.body).apply(corner) for corner in foot.sole.corners], axis=1)
            for foot in pico().feet
        ],
        axis=1,
    )
    assert np.ptp(corners[..., :2], axis=0).max() < 1e-3
    assert np.abs(corners[..., 2]).max() < 1e-3
    zmp = zero_moment_points(pico().character, states)[3:-3]
    touching = np.ones(corners.shape[:2], dtype=bool)[3:-3]
    assert outside_distance(zmp, corners[3:-3, :, :2], touching).max() < 0.0


def test_limits_hold() -> None:
    limits = [limit for joint in pico().character.free_joints for limit in joint.limits]
    ranges = np.array([limit.range for limit in limits])
    assert np.all(clip().positions > ranges[:, 0]) and np.all(clip().positions < ranges[:, 1])
    speeds = np.abs(np.diff(clip().positions, axis=0)) * RATE_HZ
    assert np.all(speeds.max(axis=0) < [limit.velocity or np.inf for limit in limits])


def test_rubbish_never_raises_and_is_said() -> None:
    loop, rng = Loop(pico(), person().names), np.random.default_rng(2)
    rubbish: list[tuple[object, object]] = [
        (float("nan"), person().positions[50]),
        (1e9, person().positions[50]),
        (-1e9, person().positions[50]),
        (0.9, None),
        (None, "words"),
        (1.0, np.full_like(person().positions[0], np.inf)),
        (1.1, 100.0 * rng.normal(size=person().positions[0].shape)),
    ]
    assert np.isfinite(loop.step(0.0, np.full_like(person().positions[0], np.nan)).positions).all()
    for time, places in zip(person().times[:60], person().positions, strict=False):
        loop.step(float(time), places)
    for time, places in rubbish:
        command = loop.step(time, places)  # type: ignore[arg-type]
        assert command.flags
        assert np.isfinite(command.positions).all() and np.isfinite(command.base_position).all()
        assert np.linalg.norm(command.base_quaternion_wxyz) == pytest.approx(1.0)


def test_a_stream_without_feet_is_refused() -> None:
    with pytest.raises(MotionError, match="lacks left_ankle, right_ankle"):
        Loop(pico(), ("pelvis", "left_hip", "right_hip"))
    with pytest.raises(MotionError, match="tail"):
        Loop(pico(), (*person().names, "tail"))


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="`rate_hz`"):
        OnlineOptions(rate_hz=0.0)
    with pytest.raises(OptionError, match="at least 8"):
        OnlineOptions(delay_s=0.1)
    assert OnlineOptions(delay_s=0.5, rate_hz=20.0).knots == 10
