"""Clips one after another: what stays, what holds, what is said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import animato as an
from animato.errors import MotionError, OptionError, UnknownNameError
from animato.fix.joining import Joined, TransitionError, bridge, join
from animato.motion import Clip
from animato.spatial import quaternions
from tests.joining_builders import ball_head, hinge, nod, piece, walking, wave, worst_share


def stays(joined: Joined, before: Clip, after: Clip) -> None:
    """Frames outside the transition are the clips' own, and so is the motion between them."""
    one = joined.transitions[0]
    own = joined.clip.selected(before.names).positions
    assert np.abs(own[: one.first_frame + 1] - before.positions).max() < 1e-9
    assert np.abs(own[one.last_frame :] - after.selected(before.names).positions).max() < 1e-9
    times = np.linspace(before.times[0], before.times[-1], 500)
    assert np.abs(joined.clip.selected(before.names).acceleration(times) - before.acceleration(times)).max() < 1e-7


def test_arm6_is_led_from_motion_into_motion() -> None:
    arm = an.load_character("arm6")
    before, after = wave(arm.coordinate_names, 0.4, 0.0), wave(arm.coordinate_names, 0.5, 1.3)
    joined = an.join(arm, [before, after])
    stays(joined, before, after)
    assert worst_share(joined) <= 1.0 + 1e-6
    assert joined.outcome.usable
    assert np.allclose(np.diff(joined.clip.times), 0.02)


def test_quick_is_shorter_and_uses_a_limit_up() -> None:
    arm = an.load_character("arm6")
    clips = [wave(arm.coordinate_names, 0.4, 0.0), wave(arm.coordinate_names, 0.5, 1.3)]
    calm, quick = join(arm, clips), join(arm, clips, quick=True)
    assert quick.transitions[0].duration_s < calm.transitions[0].duration_s
    assert 0.9 < worst_share(quick) <= 1.0 + 1e-6


def test_pico_stands_through_a_transition() -> None:
    pico = an.load_character("pico")
    hello = an.load_clip("pico_hello", pico)
    before, after = piece(hello, 0, 80), piece(hello, 200, 301)
    joined = join(pico, [before, after])
    stays(joined, before, after)
    assert worst_share(joined) <= 1.0 + 1e-6
    assert joined.outcome.usable  # balance is in it
    assert joined.transitions_hold


def test_a_ball_joint_goes_the_short_way_whatever_the_signs() -> None:
    head = ball_head()
    before, after = nod((1, 0, 0), 0.6, 0.0), nod((0, 0.6, 0.8), 0.7, 1.0)
    same, flipped = (join(head, [before, one]) for one in (after, nod((0, 0.6, 0.8), 0.7, 1.0, sign=-1.0)))
    assert worst_share(same) <= 1.0 + 1e-6
    assert np.allclose(same.clip.positions, flipped.clip.positions, atol=1e-12)
    one = same.transitions[0]
    assert np.allclose(np.linalg.norm(same.clip.positions, axis=1), 1.0)
    turned = quaternions.angle_between(same.clip.positions[1:], same.clip.positions[:-1])
    whole = float(turned[one.first_frame : one.last_frame].sum())
    assert whole < 1.5 * float(quaternions.angle_between(before.positions[-1], after.positions[0])) + 0.2


def test_g1s_upper_body(shared_data: Path) -> None:
    file = shared_data / "robots" / "g1" / "g1_29dof_rev_1_0.urdf"
    g1 = an.load_character(file, base="ground")
    upper = tuple(n for n in g1.coordinate_names if any(part in n for part in ("waist", "shoulder", "elbow", "wrist")))
    assert len(upper) >= 14
    before, after = wave(upper, 0.15, 0.3), wave(upper, 0.2, 1.8)
    middle = np.array([np.clip(0.0, *g1.joint(name).limits[0].range) for name in upper])
    before, after = (Clip(one.times, upper, one.positions + middle) for one in (before, after))
    joined = join(g1, [before, after])
    stays(joined, before, after)
    assert worst_share(joined) <= 1.0 + 1e-6


def test_a_second_clip_comes_to_the_rate_of_the_first() -> None:
    robot = hinge(velocity=5.0)
    joined = join(robot, [wave(("elbow",), 0.3, 0.0), wave(("elbow",), 0.4, 1.0, frames=31, rate_hz=30.0)])
    assert np.allclose(np.diff(joined.clip.times), 0.02)
    slow = wave(("elbow",), 0.4, 1.0, frames=31, rate_hz=30.0)
    last = joined.transitions[0].last_frame
    assert np.abs(joined.clip.positions[last:, 0] - slow.spline(0.02 * np.arange(51))[:, 0]).max() < 1e-9
    assert "50 frames a second" in " ".join(joined.notes)


def test_what_one_clip_does_not_name_is_held() -> None:
    arm = an.load_character("arm6")
    before, after = wave(arm.coordinate_names, 0.3, 0.0), wave(("elbow", "wrist"), 0.3, 1.0)
    joined = join(arm, [before, after])
    last = joined.transitions[0].last_frame
    table = joined.clip.positions[:, joined.clip.column("turntable")]
    assert np.ptp(table[last:]) == 0.0
    assert abs(table[last] - before.positions[-1, 0]) < 0.3  # where it came to rest, not back at zero
    assert np.abs(joined.clip.velocity()[last + 1 :, joined.clip.column("turntable")]).max() < 1e-9
    other = join(arm, [after, before])
    assert np.ptp(other.clip.positions[: after.frame_count, other.clip.column("turntable")]) == 0.0


def test_clips_that_walk_carry_on_where_the_first_ends() -> None:
    robot = hinge(floats=True)
    joined = join(robot, [walking(0.5, 0.4, (1.0, 2.0)), walking(0.5, -1.0, (0.0, 0.0))])
    clip = joined.clip
    assert clip.base_positions is not None and clip.base_quaternions_wxyz is not None
    # it goes on straight, at the same speed, as if it were one clip
    steps = np.diff(clip.base_positions, axis=0)
    assert np.abs(steps - 0.01 * np.array([np.cos(0.4), np.sin(0.4), 0.0])).max() < 1e-6
    assert (
        float(quaternions.angle_between(clip.base_quaternions_wxyz[1:], clip.base_quaternions_wxyz[:-1]).max()) < 1e-6
    )
    kept = join(robot, [walking(0.5, 0.4, (1.0, 2.0)), walking(0.5, -1.0, (0.0, 0.0))], carry_on=False)
    assert kept.clip.base_positions is not None
    assert np.allclose(kept.clip.base_positions[-1, :2], 0.5 * 59 / 50 * np.array([np.cos(1.0), -np.sin(1.0)]))


def test_a_wheel_unwinds_no_whole_turns() -> None:
    robot = hinge()
    times = np.arange(50) / 50.0
    before, after = Clip(times, ("elbow",), 14.0 * times[:, None]), Clip(times, ("elbow",), 14.0 * times[:, None])
    joined = join(robot, [before, after])
    assert "whole turns" in " ".join(joined.notes)
    assert joined.transitions[0].duration_s < 1.0


def test_an_asked_duration_is_kept_and_one_too_short_tells_the_shortest() -> None:
    arm = an.load_character("arm6")
    clips = [wave(arm.coordinate_names, 0.4, 0.0), wave(arm.coordinate_names, 0.5, 1.3)]
    joined = join(arm, clips, gap_s=1.5)
    assert joined.transitions[0].duration_s == pytest.approx(1.5)
    assert worst_share(joined) <= 1.0 + 1e-6
    quick = join(arm, clips, quick=True).transitions[0].duration_s
    with pytest.raises(TransitionError, match=rf"takes {quick:.3g} s.*`gap_s`"):
        join(arm, clips, gap_s=0.1)
    with pytest.raises(OptionError, match="above 0"):
        join(arm, clips, gap_s=-1.0)


def test_an_end_that_breaks_a_limit_itself_is_told() -> None:
    robot = hinge(velocity=0.15)  # at its last frame the wave goes at 0.19 rad/s
    with pytest.raises(TransitionError, match=r"ends with elbow at \d+ % of its velocity limit .* fix"):
        bridge(robot, wave(("elbow",), 0.3, 0.5), wave(("elbow",), 0.0, 0.0))


def test_a_joint_that_cannot_stop_before_the_end_of_its_range_is_told() -> None:
    robot = hinge(lower=-1.0, upper=1.0, acceleration=3.0)
    times = np.arange(40) / 50.0
    rushing = Clip(times, ("elbow",), 0.98 + 2.0 * (times[:, None] - times[-1]))
    with pytest.raises(TransitionError, match=r"elbow.*end of its range"):
        join(robot, [rushing, wave(("elbow",), 0.2, 0.0)])


def test_a_way_through_too_much_gravity_is_told() -> None:
    # the arm can hang and stand upright, but not be held out
    robot = hinge(torque=0.1)
    times = np.arange(20) / 50.0
    down, up = (Clip(times, ("elbow",), np.full((20, 1), value)) for value in (0.0, np.pi - 1e-9))
    with pytest.raises(TransitionError, match=r"elbow .* torque limit"):
        join(robot, [down, up])


def test_bad_input_is_said() -> None:
    arm = an.load_character("arm6")
    first = wave(arm.coordinate_names, 0.3, 0.0)
    with pytest.raises(UnknownNameError, match="elbo"):
        join(arm, [first, wave(("elbo",), 0.1, 0.0)])
    with pytest.raises(MotionError, match="no coordinate in common"):
        join(arm, [wave(("elbow",), 0.1, 0.0), wave(("wrist",), 0.1, 0.0)])
    with pytest.raises(OptionError, match="One clip alone"):
        join(arm, [first])
    with pytest.raises(OptionError, match="empty"):
        join(arm, [])
