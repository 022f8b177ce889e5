from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.errors import CharacterError, MotionError, OptionError, UnknownNameError
from animato.express.facing.errors import ErrorWeights
from animato.express.facing.problem import build_facing_problem
from animato.express.facing.vertex_table import ANGLES, FIXED, FREE
from animato.formats.character_files import load_character
from animato.motion.posture import Posture
from tests.unit.express.chains import random_chain, random_positions, skeleton


def test_a_posture_by_name_or_by_numbers() -> None:
    curious = Posture.named(load_character("skeleton_c"), "curious")
    by_name = build_facing_problem(skeleton("c"), curious)
    by_number = build_facing_problem(skeleton("c"), curious.positions)
    np.testing.assert_array_equal(by_name.posture, by_number.posture)
    assert by_name.roll_tolerance == 0.0
    assert by_name.weights == ErrorWeights(symmetric=True)


def test_another_posture_keeps_the_options() -> None:
    first = build_facing_problem(skeleton("c"), np.zeros(5), roll=0.2, minimize="shape", weights=ErrorWeights(2.0, 0.5))
    second = first.holding(np.full(5, 0.1))
    assert (second.roll_tolerance, second.minimized, second.weights) == (0.2, "shape", ErrorWeights(2.0, 0.5))
    np.testing.assert_array_equal(second.posture, 0.1)


def test_a_posture_outside_the_limits() -> None:
    with pytest.raises(MotionError, match=r"joint 'joint_3' at 1.7, outside its limits -1.5708 to 1.5708. Move it"):
        build_facing_problem(skeleton("c"), [0, 0, 1.7, 0, 0])


def test_a_posture_that_is_not_a_number() -> None:
    with pytest.raises(MotionError, match="has nan for joint 'joint_2'"):
        build_facing_problem(skeleton("c"), [0, np.nan, 0, 0, 0])


def test_a_posture_that_does_not_fit() -> None:
    with pytest.raises(MotionError, match=r"has 5 positions \(joint_1.*shape \(4,\)"):
        build_facing_problem(skeleton("c"), [0, 0, 0, 0])
    with pytest.raises(UnknownNameError, match="joint_5"):
        build_facing_problem(skeleton("c"), Posture(skeleton("c").names[:4], np.zeros(4)))


def test_limits_that_are_reversed() -> None:
    chain = skeleton("c")
    arrays = chain.arrays
    reversed_ = replace(chain, arrays=arrays._replace(lower=arrays.upper + 1.0))
    with pytest.raises(CharacterError, match="limits of joint 'joint_1' are reversed"):
        build_facing_problem(reversed_, np.zeros(5))


def test_options_out_of_range() -> None:
    for options, why in (
        ({"roll": "loose"}, "'exact', 'free' or a tolerance"),
        ({"roll": -0.1}, "must be 0"),
        ({"roll": np.nan}, "must be 0"),
        ({"minimize": "beauty"}, "'posture' or 'shape', not 'beauty'"),
        ({"weights": ErrorWeights(orientation=0.0)}, "'orientation' must be a number greater than 0"),
        ({"weights": ErrorWeights(posture=np.nan)}, "'posture' must be a number"),
    ):
        with pytest.raises(OptionError, match=why):
            build_facing_problem(skeleton("c"), np.zeros(5), **options)  # type: ignore[arg-type]


def test_corners_cost_what_they_say(rng: np.random.Generator) -> None:
    for seed in range(4):
        chain = random_chain(np.random.default_rng(seed), 5)
        problem = build_facing_problem(chain, random_positions(rng, chain))
        records, joints = problem.vertices.records, len(chain.names)
        assert len(records) > 10
        assert (np.diff(records[:, FIXED].round(12)) >= 0.0).all()  # the order of the choices where rounding decides
        angles, free = records[:, ANGLES : ANGLES + joints], records[:, FREE : FREE + 3].astype(int)
        inside = (angles >= problem.turns.lower) & (angles <= problem.turns.upper)
        inside[np.arange(len(inside))[:, None], free] = True
        assert inside.all()
