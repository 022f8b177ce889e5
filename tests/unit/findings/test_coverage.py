"""A verdict says how far it looked: joints that follow, kinds of limits, what carries the character."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character.limits import Limits
from animato.findings import check, checked_sentence, suggestions, verdict
from animato.findings.shaking import shaking_of
from animato.motion import Clip
from animato.report.check import check_to_dict

TIMES = np.linspace(0.0, 2.0, 101)
WHOLE = Limits(-1.0, 1.0, velocity=10.0, acceleration=100.0, jerk=1e5, torque=5.0)


def clip_of(*names: str) -> Clip:
    return Clip(TIMES, names, np.column_stack([0.3 * np.sin(3.0 * TIMES)] * len(names)), source="nod.csv")


def test_a_whole_check_says_yes_without_reserve(make_character) -> None:
    result = check(make_character({"neck": WHOLE, "waist": WHOLE}), clip_of("neck", "waist"))
    assert verdict(result).startswith("pico can do 'nod': every joint stays within its limits.")
    assert checked_sentence(result) == "Checked: range, speed, acceleration, jerk and torque."
    assert result.coverage is not None and result.coverage.is_whole


def test_what_has_no_limit_is_not_vouched_for(make_character) -> None:
    result = check(make_character({"neck": Limits(-1.0, 1.0), "waist": WHOLE}), clip_of("neck", "waist"))
    assert "can do 'nod' as far as could be checked" in verdict(result)
    assert "speed of 1 of 2 axes" in checked_sentence(result)
    bare = check(make_character({"neck": Limits(-1.0, 1.0)}), clip_of("neck"))
    assert checked_sentence(bare) == (
        "Checked: range. Not checked: speed, acceleration, jerk and torque, because the file states no such limits."
    )
    data = check_to_dict(bare)["coverage"]
    assert data["checked"] == ["position"] and not data["whole"]
    assert data["not_checked"] == ["velocity", "acceleration", "jerk", "torque"]


def test_how_many_joints_follow(make_character) -> None:
    character = make_character(dict.fromkeys(("neck", "waist", "left_elbow", "right_elbow"), WHOLE))
    result = check(character, clip_of("neck"))
    assert verdict(result).startswith("Only 1 of its 4 joints follows; the others stand still. pico can do 'nod'")
    most = check(character, clip_of("neck", "waist", "left_elbow"))
    assert verdict(most).endswith("3 of its 4 joints follow; the other stands still.")
    data = check_to_dict(result)["coverage"]
    assert (data["joint_count"], data["moving"], len(data["unnamed"])) == (4, ["neck"], 3)


def test_a_joint_that_stands_at_the_end_of_its_range_is_no_close_call(make_character) -> None:
    character = make_character({"neck": WHOLE, "left_elbow": Limits(0.0, 2.0, velocity=10.0)})
    result = check(character, clip_of("neck"))
    assert result.maxima["left_elbow"]["position"].share == pytest.approx(1.0)
    assert not result.near_misses


def with_pose(frames: int, behind: bool = False) -> Clip:
    """A nod at 50 Hz with a pose in front, or behind, from which it leaps."""
    nod, pose = 0.3 * np.sin(3.0 * TIMES), np.full(frames, 0.9)
    values = np.concatenate([nod, pose] if behind else [pose, nod])
    return Clip(np.arange(len(values)) / 50.0, ("neck",), values[:, None], source="nod.bvh")


@pytest.mark.parametrize(("frames", "behind"), [(1, False), (6, False), (1, True), (4, True)])
def test_a_reference_pose_is_left_out_and_that_is_said(make_character, frames: int, behind: bool) -> None:
    character, clip = make_character({"neck": WHOLE}), with_pose(frames, behind)
    result = check(character, clip)
    assert result.outcome.usable and result.clip.frame_count == 101
    assert result.left_out == ((0, frames) if behind else (frames, 0))
    assert "left out: a pose from which the motion leaps" in verdict(result)
    worst = result.maxima["neck"]["velocity"]
    assert clip.times[worst.frame] == pytest.approx(worst.time, abs=0.02)  # frames and times are those of the file
    kept = check(character, clip, keep_reference_pose=True)
    assert not kept.outcome.usable and kept.left_out == (0, 0)


def test_what_may_be_meant_stays(make_character) -> None:
    """A slow first step, a leap in the middle, a stepped animation, a pose that is held for long."""
    character = make_character({"neck": WHOLE})
    slow = Clip(np.arange(20) / 5.0, ("neck",), np.r_[0.6, 0.02 * np.sin(np.arange(19))][:, None])
    middle = Clip(TIMES, ("neck",), np.where(TIMES < 1.0, 0.0, 0.5)[:, None])
    steps = Clip(TIMES, ("neck",), (0.3 * (np.arange(101) // 5 % 2))[:, None])
    held = with_pose(40)
    for clip in (slow, middle, steps, held):
        assert check(character, clip).left_out == (0, 0)


def test_degrees_are_noticed_and_never_converted(make_character) -> None:
    character = make_character({"neck": WHOLE, "waist": WHOLE})
    clip = clip_of("neck", "waist")
    degrees = Clip(clip.times, clip.names, np.degrees(clip.positions), source="nod.csv")
    result = check(character, degrees)
    assert verdict(result).startswith("Mind: the angles look like degrees")
    assert "[deg]" in result.notes[0] and check_to_dict(result)["doubt"] == result.doubt
    assert np.array_equal(result.clip.positions, degrees.positions)
    assert "Played at" not in verdict(result)  # advice about angles that nobody means
    (advice,) = suggestions(result)
    assert "State the unit" in advice and "[deg]" in advice
    assert not check(character, clip).doubt
    wild = Clip(clip.times, clip.names, 400.0 * clip.positions)  # fits in no unit
    assert not check(character, wild).doubt


def test_whole_turns_are_taken_out_and_that_is_said(make_character) -> None:
    character = make_character({"neck": WHOLE, "waist": WHOLE})
    clip = clip_of("neck", "waist")
    wound = clip.positions + np.column_stack([np.full(101, 4 * np.pi), np.where(TIMES < 1.0, 0.0, -2 * np.pi)])
    result = check(character, Clip(clip.times, clip.names, wound))
    np.testing.assert_allclose(result.clip.positions, clip.positions, atol=1e-12)
    assert result.outcome.usable
    told = " ".join(result.notes)
    assert "neck by -2" in told and "jumps of a whole turn between frames were taken out: waist" in told


def test_a_wheel_without_a_range_may_wind(make_character) -> None:
    clip = Clip(TIMES, ("wheel",), (20.0 * TIMES)[:, None])
    assert check(make_character({"wheel": Limits(velocity=30.0)}), clip).clip is clip


def test_a_single_frame_is_told_as_a_pose(make_character) -> None:
    character = make_character({"neck": WHOLE, "waist": WHOLE})
    clip = clip_of("neck", "waist")
    one = Clip(clip.times[:1], clip.names, clip.positions[:1])
    assert "a single frame" in verdict(check(character, one)) and "single" not in verdict(check(character, clip))


def test_frames_that_shake_are_to_be_smoothed(make_character) -> None:
    character = make_character({"neck": WHOLE, "waist": WHOLE})
    clip = clip_of("neck", "waist")
    noise = np.random.default_rng(5).normal(scale=0.02, size=clip.positions.shape)
    rough = Clip(clip.times, clip.names, clip.positions + noise)
    assert shaking_of(clip) is None
    found = shaking_of(rough)
    assert found is not None and found.noise == pytest.approx(0.02, rel=0.3)
    advice = suggestions(check(character, rough))
    assert "frames shake" in advice[0] and not any("shake" in line for line in suggestions(check(character, clip)))
