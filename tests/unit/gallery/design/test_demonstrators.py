"""The demonstrators have the counts of Maloisel et al. (2023), Tables 5 and 7, and improve as much as in Table 6."""

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from animato.character.character import Character
from animato.character.joint import JointRole, JointType
from animato.design.optimization.solve import solve
from animato.design.problem.build import build
from animato.design.problem.target_motion import TargetMotion
from animato.errors import MotionError, OptionError, UnknownNameError
from animato.formats.character_files import load_character
from animato.gallery.design.biker import EDITS, biker_controls, biker_targets
from animato.gallery.design.demonstrators import biker_motion, demonstrator, demonstrators
from animato.gallery.design.kickbot import APEX_S, RATE_HZ, kick_rig, kick_skeleton
from animato.gallery.design.legs import legs_targets
from animato.gallery.design.rig import Bone, animated_rig
from animato.mechanics.loops.assembly.build import build_mechanism
from animato.mechanics.loops.kinematics import loop_kinematics

PASSIVE, ACTUATED, CONFIGURABLE = JointRole.PASSIVE, JointRole.ACTUATED, JointRole.CONFIGURABLE
REVOLUTE, UNIVERSAL, SPHERICAL = JointType.REVOLUTE, JointType.UNIVERSAL, JointType.SPHERICAL

# components; revolute, universal, spherical joints; motors; revolute, spherical configurable joints;
# state, constraints, redundant passive and active, controls, design
TABLE_5 = {
    "kickbot": (37, 0, 0, 0, 14, 2, 20, 259, 259, 0, 0, 14, 82),
    "kickbot_built": (15, 0, 0, 0, 14, 0, 0, 105, 105, 0, 0, 14, 0),
    "legs": (26, 14, 4, 4, 8, 2, 0, 182, 190, 6, 2, 8, 2),
    "bear": (53, 9, 0, 0, 12, 0, 33, 371, 374, 0, 3, 12, 132),
    "biker": (40, 15, 0, 3, 2, 0, 23, 280, 280, 0, 0, 2, 92),
}

# steps, variables, constraints
TABLE_7 = {
    "kickbot": (466, 171940, 165354),
    "kickbot_built": (523, 69545, 62223),
    "legs": (120, 23992, 23030),
    "bear": (101, 53215, 51904),
    "biker": (120, 45118, 44809),
}


@pytest.mark.parametrize("name", TABLE_5)
def test_counts_are_those_of_table_5(name: str) -> None:
    counts = build_mechanism(load_character(name)).counts
    found = (
        counts.components,
        *(counts.joint_count(kind) for kind in (REVOLUTE, UNIVERSAL, SPHERICAL)),
        counts.joint_count(REVOLUTE, ACTUATED),
        *(counts.joint_count(kind, CONFIGURABLE) for kind in (REVOLUTE, SPHERICAL)),
        counts.state_variables,
        counts.constraints,
        counts.redundant_passive,
        counts.redundant_active,
        counts.control_variables,
        counts.design_variables,
    )
    assert found == TABLE_5[name]
    assert counts.joint_count(JointType.GROUND) == 1
    assert sum(counts.joints.values()) == 1 + sum(TABLE_5[name][1:7])
    assert counts.mobility == counts.control_variables - counts.redundant_active


@pytest.mark.parametrize("name", TABLE_7)
def test_problems_have_the_sizes_of_table_7(name: str) -> None:
    problem = demonstrator(name).problem(load_character(demonstrator(name).character))
    assert (problem.step_count, problem.variable_count, problem.constraint_count) == TABLE_7[name]


@pytest.mark.parametrize(("steps", "variables", "constraints"), [(720, 270718, 269209), (1200, 451198, 448729)])
def test_more_turns_of_the_biker_have_the_sizes_of_table_7(steps: int, variables: int, constraints: int) -> None:
    longer = replace(demonstrator("biker"), motion=biker_motion("roll", step_count=steps))
    problem = longer.problem(load_character("biker"))
    assert (problem.step_count, problem.variable_count, problem.constraint_count) == (steps, variables, constraints)


@pytest.mark.parametrize("name", TABLE_5)
def test_rest_is_assembled_and_not_singular(name: str) -> None:
    mechanism = build_mechanism(load_character(name))
    motion = loop_kinematics(mechanism, mechanism.controls[None])
    assert max(motion.residual[0], motion.dropped_residual[0], motion.actuator_residual[0]) < 1e-9
    assert motion.smallest_singular_value[0] > 0.01


@pytest.mark.parametrize("name", ["kickbot", "legs", "bear", "biker"])
def test_shipped_files_are_what_the_examples_make(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = Path(__file__).parents[4] / "examples"
    monkeypatch.syspath_prepend(str(examples))
    spec = importlib.util.spec_from_file_location(f"make_{name}", examples / f"make_{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules.pop("mechanism_sketch", None)
    made: Character = getattr(module, name)()
    assert made == load_character(name)


def test_level_hips_would_leave_the_pelvis_of_the_legs_free() -> None:
    """Both thighs would then swing about one line, and no motor would hold the pelvis on it."""
    legs = load_character("legs")
    level = replace(
        legs,
        joints=tuple(
            replace(joint, axis=(0.0, 1.0, 0.0)) if joint.name.endswith("hip_pitch") else joint for joint in legs.joints
        ),
    )
    smallest = []
    for character in (legs, level):
        mechanism = build_mechanism(character)
        states = mechanism.state[None]
        motion = loop_kinematics(mechanism, mechanism.controls[None], start=states, require_reached=False)
        smallest.append(motion.smallest_singular_value[0])
    assert smallest[0] > 0.01
    assert not smallest[1] > 1e-6


def test_twist_of_the_legs_fits_once_the_hips_are_reset() -> None:
    chosen = demonstrator("legs")
    solution = solve(chosen.problem(load_character("legs")))
    assert solution.outcome.usable
    assert solution.improvement_percent >= chosen.paper_improvement_percent
    assert solution.objective_improvement_percent >= chosen.paper_improvement_percent
    assert solution.initial.errors.orientation_max_deg > 5.0  # the limits of the hips bite
    assert solution.dropped_residual < 1e-9


def test_built_kickbot_keeps_the_kick_when_the_whole_clip_is_planned() -> None:
    """Beside inverse kinematics step by step within the velocity limits: no step falls behind as far."""
    chosen = demonstrator("kickbot_built")
    solution = solve(chosen.problem(load_character(chosen.character)))
    assert solution.outcome.usable and not solution.optimized.exceeded_limits
    assert solution.improvement_percent >= chosen.paper_improvement_percent
    assert solution.optimized.errors.position_max_cm < 0.4 * solution.initial.errors.position_max_cm
    apex = round(APEX_S * RATE_HZ)
    foot = next(target for target in solution.problem.motions[0].targets if target.body == "right_foot")
    assert foot.positions is not None
    reached = solution.optimized.motion.positions("right_foot")[apex]
    assert np.linalg.norm(reached - foot.positions[apex]) < 1e-3


def test_biker_is_edited_step_by_step() -> None:
    biker = load_character("biker")
    first, second, third = (biker_targets(biker, edit) for edit in EDITS)
    assert [target.name for target in first] == ["torso"]
    assert len(third) == 5
    motion = loop_kinematics(build_mechanism(biker), biker_controls())
    roll = _roll(motion.quaternions_wxyz("chest"))
    assert first[0].orientations_wxyz is not None and second[0].orientations_wxyz is not None
    asked = _roll(first[0].orientations_wxyz)
    assert abs(asked.max() + asked.min()) < 1e-9  # even
    assert abs(roll.max() + roll.min()) > np.radians(1.0)  # which it was not
    assert asked.max() > 1.5 * roll.max()
    np.testing.assert_allclose(_roll(second[0].orientations_wxyz), asked, atol=1e-9)
    with pytest.raises(OptionError, match="roll, lean, elbows and feet"):
        biker_targets(biker, "jump")


def _roll(turns_wxyz: np.ndarray) -> np.ndarray:
    w, x, y, z = turns_wxyz.T
    return np.arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))


def test_rig_keeps_its_bones_together() -> None:
    skeleton, motion = kick_skeleton(), kick_rig(60)
    for joint in skeleton.joints[1:]:
        above = motion.poses[joint.parent].apply(joint.frame_parent.position)
        below = motion.poses[joint.child].apply(joint.frame_child.position)
        np.testing.assert_allclose(above, below, atol=1e-12)


def test_rig_stands_like_the_kickbot_at_rest() -> None:
    mechanism, motion = build_mechanism(load_character("kickbot")), kick_rig(1)
    for body in ("left_foot", "right_foot", "torso", "head", "right_thigh"):
        first = 7 * mechanism.body_index(body)
        np.testing.assert_allclose(motion.poses[body].position[0], mechanism.state[first : first + 3], atol=1e-12)


def test_what_a_rig_does_not_have_is_named() -> None:
    skeleton = kick_skeleton()
    with pytest.raises(UnknownNameError, match=r"Channel 'tail\.x'"):
        animated_rig(skeleton, [Bone("torso")], [(0.0, {"tail.x": 1.0})], step_count=2, rate_hz=1.0)
    with pytest.raises(MotionError, match="before its parent 'torso'"):
        animated_rig(skeleton, [Bone("head", "torso", "head")], [], step_count=2, rate_hz=1.0)
    with pytest.raises(UnknownNameError, match="Bone 'tail'"):
        kick_rig(2).target("tail", position_weight=1.0)
    with pytest.raises(UnknownNameError, match="Demonstrator 'bera'"):
        demonstrator("bera")
    assert list(demonstrators()) == list(TABLE_5)


def test_other_dances_are_danced_on_legs_set_for_the_twist() -> None:
    """With the hips of the twist and new controls a sway is met that the legs could not do before."""
    legs, chosen = load_character("legs"), demonstrator("legs")
    reset = solve(chosen.problem(legs)).optimized.character
    options = replace(chosen.options, optimize="control")
    met = []
    for character in (legs, reset):
        motion = TargetMotion(legs_targets(character, "sway"), 40.0)
        met.append(solve(build(character, motion, options)).met)
    assert met == [False, True]
    with pytest.raises(UnknownNameError, match="Did you mean 'sway'"):
        legs_targets(legs, "swaj")
