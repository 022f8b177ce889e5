from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from animato.character import Character
from animato.errors import AnimatoError, CharacterError, MotionError, OptionError
from animato.express import Options, Problem, Target, build
from animato.formats import load_character
from animato.motion import Posture
from tests.unit.express.mechanism.differential_neck import differential_neck
from tests.unit.express.sharing.two_armed import branched


@pytest.fixture(scope="module")
def lamp() -> Character:
    return load_character("lamp")


def test_targets_are_points_orientations_or_both(lamp: Character) -> None:
    assert build(lamp, "proud").targets == ()
    assert build(lamp, "proud", [1.0, 0.0, 0.3]).targets == (Target(point=(1.0, 0.0, 0.3)),)
    assert len(build(lamp, "proud", np.ones((5, 3))).targets) == 5
    turned = build(lamp, "proud", [[2.0, 0.0, 0.0, 0.0]]).targets
    assert turned == (Target(quaternion_wxyz=(1.0, 0.0, 0.0, 0.0)),)
    both = [Target(direction=(1, 0, 0), time_s=1.0), (1.0, 0.0, 0.3)]
    assert build(lamp, "proud", both).targets[1] == Target(point=(1.0, 0.0, 0.3))


def test_a_problem_says_what_it_is_in_a_line(lamp: Character) -> None:
    said = repr(build(lamp, "proud", np.ones((5, 3))))
    assert said == "<express.Problem: of lamp, holding posture 'proud', facing with light (5 joints), targets 5>"
    assert "targets live" in repr(build(lamp, "proud"))


def test_the_facing_problem_is_that_of_the_options(lamp: Character) -> None:
    problem = build(lamp, "proud", options=Options(posture_weight=0.5, minimize="shape", symmetric=False))
    facing = problem.facing()
    assert facing.weights == (1.0, 0.5, 2.0, False)
    assert (facing.minimized, facing.roll_tolerance) == ("shape", 0.0)
    assert problem.facing(0.3).roll_tolerance == 0.3
    np.testing.assert_array_equal(facing.posture, problem.held)


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        ({"character": 3}, CharacterError, "`character` must be a Character, or the name or file of one"),
        ({"posture": 3}, MotionError, "`posture` of 'lamp' must be a name"),
        ({"posture": "prowd"}, AnimatoError, "Did you mean 'proud'"),
        ({"targets": "moth.txt"}, MotionError, r"`targets`.*load_targets\('moth.txt'\)"),
        ({"targets": [[1.0, 2.0]]}, MotionError, r"`targets`.*\(1, 2\)"),
        ({"targets": np.zeros((0, 3))}, MotionError, "`targets`"),
        ({"targets": ["a", "b", "c"]}, MotionError, "`targets` must be numbers"),
        ({"targets": [[0.0] * 4]}, MotionError, "must have a length"),
        ({"options": {"rate_hz": 50.0}}, OptionError, "`options` must be express.Options"),
        ({"options": Options(end_point="lihgt")}, AnimatoError, "Did you mean 'light'"),
    ],
)
def test_what_cannot_work_is_refused(
    lamp: Character, arguments: dict[str, Any], kind: type[AnimatoError], words: str
) -> None:
    with pytest.raises(kind, match=words):
        build(**{"character": lamp, "posture": "proud", **arguments})


def test_a_posture_of_ones_own(lamp: Character) -> None:
    problem = build(lamp, Posture(lamp.coordinate_names, np.full(5, 0.1)))
    assert isinstance(problem, Problem)
    np.testing.assert_array_equal(problem.held, 0.1)


def test_idle_is_for_one_chain() -> None:
    neck, torso = differential_neck(), branched()
    with pytest.raises(OptionError, match="'eye' hangs on closed loops"):
        build(neck, dict.fromkeys(("pan", "left", "right"), 0.0), options=Options(idle=True))
    with pytest.raises(OptionError, match=r"2 end-points face\. Leave `idle` out, or"):
        build(torso, {}, options=Options(end_point="eye", also_facing=("hand",), idle=True))
