"""Inverse kinematics with loops, step by step."""

from __future__ import annotations

import numpy as np
import pytest

from animato.design.optimization.frame_ik import loop_inverse_kinematics
from animato.design.problem.build import build
from animato.design.terms.target import TrackingTarget
from animato.formats.character_files import load_character
from animato.mechanics.loops.assembly.build import build_mechanism
from animato.mechanics.loops.kinematics import loop_kinematics
from animato.spatial import quaternions


@pytest.mark.parametrize("turn", [1.0, 5.8])
def test_a_crank_that_goes_round_is_found_again_on_the_same_branch(turn: float) -> None:
    """Few steps for nearly a whole turn: a solver that starts too far away comes out half a turn or a turn off."""
    character = load_character("adjustable_four_bar")
    mechanism = build_mechanism(character)
    controls = np.linspace(0.0, turn, 30)[:, None]
    motion, point = loop_kinematics(mechanism, controls), np.array([0.05, 0.0, 0.1])
    path = motion.positions("coupler") + quaternions.rotate(motion.quaternions_wxyz("coupler"), point)
    found = loop_inverse_kinematics(build(character, [TrackingTarget("coupler", point, path)]))
    # the gentle pull of controls to where a step began leaves hundredths where the pen stands nearly still
    np.testing.assert_allclose(found.controls, controls, atol=0.05)
