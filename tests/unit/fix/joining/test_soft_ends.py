"""Starts from rest and stops to rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import animato as an
from animato.character import Body, Character, Joint, JointType, Limits
from animato.errors import OptionError
from animato.fix.joining import join, soft_start, soft_stop
from animato.motion import Clip, Posture
from tests.joining_builders import ball_head, hinge, nod, piece, wave, worst_share


def test_a_start_begins_at_rest_and_ends_in_the_clips_motion() -> None:
    arm = an.load_character("arm6")
    clip = wave(arm.coordinate_names, 0.4, 0.5)
    started = soft_start(arm, clip)
    frame = started.transitions[0].last_frame
    assert np.abs(started.clip.positions[frame:] - clip.positions).max() < 1e-9
    assert np.allclose(started.clip.positions[0], clip.positions[0])
    assert np.abs(started.clip.velocity()[0]).max() < 1e-8 and np.abs(started.clip.acceleration()[0]).max() < 1e-6
    assert np.allclose(started.clip.velocity()[frame], clip.velocity()[0], atol=1e-7)
    assert worst_share(started) <= 1.0 + 1e-6


@pytest.mark.parametrize("posture", [{"elbow": 0.8}, Posture(("elbow",), np.array([0.8]))])
def test_a_start_from_a_posture(posture: object) -> None:
    arm = an.load_character("arm6")
    clip = wave(arm.coordinate_names, 0.4, 0.5)
    started = soft_start(arm, clip, posture)  # type: ignore[arg-type]  # both kinds
    assert started.clip.positions[0, started.clip.column("elbow")] == pytest.approx(0.8)
    assert started.clip.positions[0, started.clip.column("wrist")] == clip.positions[0, clip.column("wrist")]
    assert worst_share(started) <= 1.0 + 1e-6


def test_a_named_posture_with_other_legs_keeps_its_feet_on_the_floor() -> None:
    pico = an.load_character("pico")
    clip = piece(an.load_clip("pico_hello", pico), 200, 301)
    joined = join(pico, [clip], start="stand", end="curious")
    assert joined.outcome.usable
    assert len(joined.transitions) == 2
    poses = an.mechanics.tree.forward_kinematics(pico, joined.clip)
    places = np.array([poses.of(sole.body).position for sole in pico.soles])
    first, last = joined.transitions
    for one in (first, last):
        moved = places[:, one.first_frame : one.last_frame + 1]
        assert np.abs(moved - moved[:, :1]).max(axis=(1, 2)).min() < 1e-3  # one foot stays where it is


def test_a_stop_comes_to_rest_near_where_it_was() -> None:
    arm = an.load_character("arm6")
    clip = wave(arm.coordinate_names, 0.4, 0.5)
    stopped = soft_stop(arm, clip)
    assert np.abs(stopped.clip.velocity()[-1]).max() < 1e-8
    assert np.abs(stopped.clip.positions[-1] - clip.positions[-1]).max() < 0.4
    assert worst_share(stopped) <= 1.0 + 1e-6


def test_a_ball_joint_stops() -> None:
    stopped = soft_stop(ball_head(), nod((1, 0, 0), 0.6, 0.3))
    assert np.abs(stopped.clip.velocity()[-1]).max() < 1e-3  # components of a quaternion that is eased as a turn
    assert worst_share(stopped) <= 1.0 + 1e-6


def test_what_rests_already_stays_as_it_is() -> None:
    robot = hinge(velocity=3.0)
    clip = wave(("elbow",), 0.0, 0.0)
    assert soft_start(robot, clip).clip.same_as(clip) and soft_stop(robot, clip).clip.same_as(clip)


def test_an_unknown_posture_lists_those_there_are() -> None:
    pico = an.load_character("pico")
    with pytest.raises(OptionError, match=r"no posture 'sitting'.*stand"):
        soft_start(pico, an.load_clip("pico_hello", pico), "sitting")


def test_a_stop_of_a_joint_whose_range_does_not_hold_zero() -> None:
    bent = hinge(lower=0.5, upper=2.0, velocity=5.0)
    clip = wave(("elbow",), 0.3, 0.5)
    stopped = soft_stop(bent, replace(clip, positions=clip.positions + 1.2))
    assert np.abs(stopped.clip.velocity()[-1]).max() < 1e-8
    assert worst_share(stopped) <= 1.0 + 1e-6


def test_a_posture_that_names_some_joints_only_leaves_the_others_where_they_are() -> None:
    def bent(name: str, parent: str, child: str) -> Joint:
        return Joint(name, JointType.REVOLUTE, parent, child, stated_limits=(Limits(lower=0.5, upper=2.0),))

    ground = Joint("ground", JointType.GROUND, "world", "post")
    arm = Character(
        "arm",
        (Body("post"), Body("upper"), Body("lower")),
        (ground, bent("shoulder", "post", "upper"), bent("elbow", "upper", "lower")),
    )
    clip = wave(("shoulder", "elbow"), 0.2, 0.5)
    clip = replace(clip, positions=clip.positions + 1.2)
    after = Clip(clip.times, ("elbow",), clip.positions[:, 1:])
    joined = join(arm, [clip, after])
    assert joined.clip.positions[:, joined.clip.column("shoulder")].min() > 0.5
