"""Editing by handles, in words and in objects."""

from __future__ import annotations

import numpy as np
import pytest

from animato.design.problem.target_motion import TargetMotion
from animato.design.study.choices import alternatives_from
from animato.design.study.handles import Handle, as_handle, handled, motion_now
from animato.design.terms.target import TrackingTarget
from animato.errors import AnimatoError, MotionError, OptionError, UnknownNameError
from animato.formats.character_files import load_character
from animato.motion.clip import Clip
from animato.spatial import quaternions

STEPS = 61
PATH = np.stack([np.linspace(0.0, 1.0, STEPS), np.sin(np.linspace(0.0, 5.0, STEPS)), np.zeros(STEPS)], axis=1)


def motion(*, turns: bool = True) -> TargetMotion:
    still = np.tile([1.0, 0.0, 0.0, 0.0], (STEPS, 1)) if turns else None
    return TargetMotion(
        (TrackingTarget("hand", np.zeros(3), PATH, still), TrackingTarget("foot", np.zeros(3), PATH)), 60.0
    )


def test_a_handle_with_a_width_fades_away() -> None:
    edited = handled(motion(), ["hand at 0.5s move 0,0,0.05 turn 0,0,10 width 0.2"])
    moved = edited.targets[0].positions - PATH  # type: ignore[operator]
    np.testing.assert_allclose(moved[30], (0.0, 0.0, 0.05), atol=1e-15)
    assert np.all(moved[:18] == 0.0) and np.all(moved[43:] == 0.0)
    assert np.max(np.abs(np.diff(moved[:, 2], 2))) < 0.05 * 6.0 / 12.0**2 + 1e-12  # as smooth as the cubic is
    turned = edited.targets[0].orientations_wxyz
    assert turned is not None
    assert np.degrees(quaternions.angle_between(turned[30], turned[0])) == pytest.approx(10.0, abs=1e-9)
    assert np.array_equal(edited.targets[1].positions, PATH)  # type: ignore[arg-type]


def test_handles_without_a_width_lead_to_one_another() -> None:
    edited = handled(motion(), [Handle("hand", 0.8, (0.0, 0.0, 0.1)), Handle("hand", 0.2, (0.1, 0.0, 0.0))])
    moved = edited.targets[0].positions - PATH  # type: ignore[operator]
    np.testing.assert_allclose(moved[[0, 12]], [(0.1, 0.0, 0.0)] * 2, atol=1e-12)
    np.testing.assert_allclose(moved[[48, 60]], [(0.0, 0.0, 0.1)] * 2, atol=1e-12)


def test_words() -> None:
    assert as_handle("left hand at 1.2 move 0,-0.1,1e-2") == Handle("left hand", 1.2, (0.0, -0.1, 0.01))
    assert as_handle("pen at 0.5s turn 0,0,180 width 0.4s") == Handle("pen", 0.5, turn=(0.0, 0.0, np.pi), width=0.4)


@pytest.mark.parametrize(
    ("word", "error", "message"),
    [
        ("hand at 1s", OptionError, "NAME at TIME move"),
        ("hand move 0,0,1", OptionError, "NAME at TIME move"),
        ("hand at 0.5 move 0,0,1 width 0", OptionError, "above 0 s"),
        ("hnd at 0.5 move 0,0,1", UnknownNameError, "Did you mean 'hand'"),
        ("hand at 5 move 0,0,1", MotionError, "after the end"),
        ("foot at 0.5 turn 0,0,1", MotionError, "asks for no turn"),
    ],
)
def test_wrong_handles(word: str, error: type[AnimatoError], message: str) -> None:
    with pytest.raises(error, match=message):
        handled(motion(), [word])


def test_what_is_done_now_can_be_edited() -> None:
    linkage = load_character("adjustable_four_bar")
    clip = Clip(np.arange(20) / 40.0, ("crank_axle",), np.linspace(0.0, 2.0, 20)[:, None])
    now = motion_now(linkage, clip, ["pen"])
    assert now.step_count == 20 and now.rate_hz == pytest.approx(40.0)
    assert now.controls is not None and np.array_equal(now.controls[:, 0], clip.positions[:, 0])
    with pytest.raises(OptionError, match="which points"):
        motion_now(linkage, clip, [])


def test_choices_in_words() -> None:
    found = alternatives_from(["hip=revolute|universal", "knee=same|configurable"])
    assert found == {"hip": [{"type": "revolute"}, {"type": "universal"}], "knee": [{}, {"role": "configurable"}]}
    with pytest.raises(OptionError, match=r"JOINT=ONE\|OTHER"):
        alternatives_from(["hip=revolute"])
    with pytest.raises(UnknownNameError, match="Did you mean 'revolute'"):
        alternatives_from(["hip=revolut|same"])
