"""The whole optimization on small robots with known answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import Joint
from animato.character.limits import Limits
from animato.design.optimization.errors_over_time import tracking_errors
from animato.design.optimization.evaluation import DesignPoint
from animato.design.optimization.frame_ik import loop_inverse_kinematics
from animato.design.optimization.sequential_ik import sequential_inverse_kinematics
from animato.design.optimization.solution import configured, required
from animato.design.optimization.solve import solve
from animato.design.options import DesignWeights, Options
from animato.design.problem.build import build
from animato.design.problem.target_motion import TargetMotion
from animato.design.terms.target import TrackingTarget
from animato.errors import CharacterError, MechanismError, MotionError, OptionError, UnknownNameError
from animato.mechanics.loops.assembly.build import build_mechanism
from animato.mechanics.loops.kinematics import loop_kinematics
from animato.outcome import Iteration, Status
from animato.solvers.stage_qp.direction import METHODS
from tests.unit.design.small_robots import arm, four_bar, two_legged_table

EXACT = DesignWeights(design=1e-14, control=1e-14, velocity=0.0)


def synthesis_four_bar() -> Character:
    """A planar four-bar with five lengths to choose: crank, coupler, rocker, base, and the pen on the coupler."""

    def hinge(name: str, a: str, b: str, role: str, on: float = 0.0) -> Joint:
        return Joint(name, "revolute", a, b, role, Frame((0, 0, 0)), Frame((on, 0, 0)), axis=(0, 0, 1))

    def length(name: str, body: str, end: str, rest: float, **more: object) -> Joint:
        return Joint(name, "prismatic", body, end, "configurable", Frame((rest, 0, 0)), **more)  # type: ignore[arg-type]

    bodies = ("base", "base_end", "crank", "crank_end", "coupler", "coupler_end", "rocker", "rocker_end", "pen")
    joints = (
        Joint("ground", "ground", "world", "base"),
        hinge("A", "base", "crank", "actuated"),
        length("crank_length", "crank", "crank_end", 0.4),
        hinge("B", "crank_end", "coupler", "passive"),
        length("coupler_length", "coupler", "coupler_end", 1.0),
        hinge("C", "coupler_end", "rocker", "passive"),
        length("rocker_length", "rocker", "rocker_end", 0.8),
        length("base_length", "base", "base_end", 0.9),
        hinge("D", "rocker_end", "base_end", "passive"),
        Joint("pen_height", "prismatic", "coupler", "pen", "configurable", Frame((0.5, 0.3, 0)), axis=(0, 1, 0)),
    )
    return Character("synthesis", tuple(map(Body, bodies)), joints)


def curve(character: Character, design: np.ndarray, controls: np.ndarray, body: str) -> TrackingTarget:
    motion = loop_kinematics(build_mechanism(character), controls, design)
    return TrackingTarget(body, np.zeros(3), motion.positions(body))


def test_planar_synthesis_finds_the_five_lengths_again() -> None:
    character = synthesis_four_bar()
    controls = np.linspace(0.0, 2.0 * np.pi, 60)[:, None]
    wanted = np.array([0.05, -0.08, 0.06, 0.07, -0.09])
    target = curve(character, wanted, controls, "pen")
    problem = build(
        character,
        TargetMotion((target,), controls=controls),
        Options(optimize="design", weights=EXACT, tolerance=1e-12),
    )
    solution = solve(problem)
    assert solution.outcome.solved and solution.outcome.usable
    assert np.max(np.abs(solution.optimized.point.design - wanted)) < 1e-9
    assert solution.improvement_percent > 99.9999 and solution.dropped_residual < 1e-12


@pytest.mark.parametrize("method", ["arrow", "riccati", "ldlt"])
@pytest.mark.parametrize("hessian", ["gauss-newton", "exact"])
def test_all_methods_tilt_the_elbow_the_same_way(method: str, hessian: str) -> None:
    """A ball joint turns the axis of an elbow, so that the hand leaves the plane."""
    character = arm()
    mechanism = build_mechanism(character)
    steps = np.linspace(0.0, 1.5, 12)
    controls = np.stack([0.4 * np.sin(2 * steps), 0.3 + 0.5 * steps], axis=1)
    tilt = np.array([np.cos(0.3), np.sin(0.3) * 0.6, np.sin(0.3) * 0.8, 0.0])
    motion = loop_kinematics(mechanism, controls, tilt)
    hand = np.array([0.5, 0.0, 0.1])
    from animato.spatial import quaternions

    at = motion.positions("lower") + quaternions.rotate(motion.quaternions_wxyz("lower"), hand)
    problem = build(
        character,
        TargetMotion((TrackingTarget("lower", hand, at),), 10.0),
        Options(method=method, hessian=hessian),  # type: ignore[arg-type]
    )
    solution = solve(problem)
    assert solution.outcome.usable
    assert solution.improvement_percent > 99.0
    assert solution.optimized.errors.position_max_cm < 0.5 < solution.initial.errors.position_max_cm
    assert len(solution.history) == solution.outcome.iterations > 0
    assert [one.number for one in solution.history] == list(range(1, len(solution.history) + 1))


def test_methods_take_the_same_way() -> None:
    """Five iterations by each method end at the same design, controls and states."""
    character = four_bar(configurable=True)
    controls = np.linspace(0.2, 1.6, 15)[:, None]
    target = curve(character, np.array([0.12]), controls, "rocker")
    motion, weights = TargetMotion((target,), 20.0), DesignWeights(control=1e-2)
    ends = []
    for method in METHODS:
        options = Options(method=method, iterations=5, weights=weights)
        ends.append(solve(build(character, motion, options)).optimized.point)
    for other in ends[1:]:
        assert np.allclose(other.design, ends[0].design, atol=1e-8)
        assert np.allclose(other.controls, ends[0].controls, atol=1e-8)
        assert np.allclose(other.states, ends[0].states, atol=1e-8)


def test_result_moves_as_it_says() -> None:
    """The optimized character, built anew, does with the clip what the solution claims."""
    character = four_bar(configurable=True)
    controls = np.linspace(0.0, 1.5, 20)[:, None]
    target = curve(character, np.array([0.1]), controls, "rocker")
    problem = build(character, TargetMotion((target,), controls=controls), Options(optimize="design", weights=EXACT))
    solution = solve(problem)
    assert solution.optimized.point.design[0] == pytest.approx(0.1, abs=1e-4)
    rebuilt = build_mechanism(solution.optimized.character)
    again = loop_kinematics(rebuilt, solution.optimized.point.controls)
    assert np.allclose(again.states, solution.optimized.point.states, atol=1e-9)
    (change,) = solution.parameters
    assert (change.joint, change.before) == ("length", (0.0,)) and change.change == pytest.approx(0.1, abs=1e-4)
    clip = solution.optimized.clips[0]
    assert clip.names == character.coordinate_names and clip.frame_count == 20
    assert np.all(solution.optimized.singular_values > 0.0)
    assert configured(character, rebuilt, np.array([0.2])).joint("length").configuration == (0.2,)


def test_two_motions_share_one_design() -> None:
    character = four_bar(configurable=True)
    mechanism = build_mechanism(character)
    motions = []
    for ends in ((0.0, 1.0), (1.5, 3.0)):
        controls = np.linspace(*ends, 15)[:, None]
        motion = loop_kinematics(mechanism, controls, np.array([0.08]))
        motions.append(
            TargetMotion(
                (TrackingTarget("coupler", np.zeros(3), None, motion.quaternions_wxyz("coupler")),), 30.0, controls
            )
        )
    problem = build(character, motions, Options(weights=replace(EXACT, control=1.0), tolerance=1e-9))
    assert problem.starts == (0, 15) and not problem.linked[14]
    solution = solve(problem)
    assert solution.optimized.point.design[0] == pytest.approx(0.08, abs=1e-6)
    assert [clip.frame_count for clip in solution.optimized.clips] == [15, 15]


def test_velocity_limits_hold_and_global_beats_sequential() -> None:
    """A sudden turn: inverse kinematics step by step is late, the whole clip starts early."""
    character = arm(configurable=False, velocity=2.0)
    mechanism = build_mechanism(character)
    sudden = np.zeros((60, 2))
    sudden[30:, 0] = 1.2
    motion = loop_kinematics(mechanism, sudden)
    weights = np.ones((60, 3))
    weights[30:34] = 30.0
    target = TrackingTarget("lower", np.zeros(3), motion.positions("lower"), position_weights=weights)
    problem = build(character, TargetMotion((target,), 30.0), Options(optimize="control", initial="sequential"))
    late = sequential_inverse_kinematics(problem)
    assert np.max(np.abs(np.diff(late.controls, axis=0))) * 30.0 <= 2.0
    solution = solve(problem)
    assert solution.outcome.usable
    speeds = [one for one in solution.optimized.limit_shares if one.kind == "velocity"]
    assert max(one.share for one in speeds) <= 1.0
    assert solution.optimized.objective.tracking.sum() < 0.7 * solution.initial.objective.tracking.sum()
    free = loop_inverse_kinematics(problem)
    assert np.max(np.abs(np.diff(free.controls, axis=0))) * 30.0 > 10.0  # without the limits it jumps
    assert np.max(free.objective) < 1e-3


def test_actuators_that_are_too_many_all_keep_their_limits() -> None:
    """The right leg of a driven parallelogram may not turn as far as the left: its row is dropped, its limit is not."""
    character = two_legged_table()
    for limited in ("left", "right"):
        joints = [
            replace(joint, stated_limits=(Limits(-0.3, 0.3),) if joint.name == limited else ())
            for joint in character.joints
        ]
        robot = replace(character, joints=tuple(joints))
        mechanism = build_mechanism(robot)
        turns = np.linspace(0.0, 0.6, 15)[:, None] * np.ones(2)
        target = TrackingTarget("top", np.zeros(3), loop_kinematics(mechanism, turns).positions("top"))
        solution = solve(build(robot, [target], Options(optimize="control")))
        assert solution.outcome.usable
        assert np.max(np.abs(solution.optimized.point.controls)) <= 0.3 + 1e-6
        assert np.max(solution.optimized.motion.actuator_residual) < 1e-9


def test_a_design_that_breaks_its_special_shape_is_rejected() -> None:
    """A ball in a bar of a planar four-bar can tilt a hinge; nothing but the redundant rows would tell."""
    character = four_bar()
    bodies = (*character.bodies, Body("tilted"))
    joints = [replace(joint, parent="tilted") if joint.name == "C" else joint for joint in character.joints]
    joints = [replace(joint, frame_parent=Frame((0.5, 0, 0))) if joint.name == "C" else joint for joint in joints]
    joints.append(Joint("tilt", "spherical", "coupler", "tilted", "configurable", Frame((0.5, 0, 0))))
    robot = replace(character, bodies=bodies, joints=tuple(joints))
    mechanism = build_mechanism(robot)
    assert mechanism.counts.redundant_passive == 3
    controls = np.linspace(0.2, 1.0, 10)[:, None]
    half = np.radians(2.5)
    bent = loop_kinematics(mechanism, controls, np.array([np.cos(half), 0.0, np.sin(half), 0.0]))
    assert bent.residual.max() < 1e-9 and bent.dropped_residual.max() > 0.01
    target = TrackingTarget("rocker", np.zeros(3), bent.positions("rocker"), None, (100.0, 100.0, 100.0))
    motion = TargetMotion((target,), controls=controls)
    loose = build(robot, motion, Options(weights=replace(EXACT, shape=0.0), iterations=0))
    broken = solve(loose, start=DesignPoint(bent.design, controls, bent.states))
    assert broken.outcome.status is Status.INFEASIBLE and not broken.outcome.usable
    assert broken.violated_rows[0][1] > 0.08 and broken.violated_rows[0][0] in broken.outcome.reason
    with pytest.raises(MechanismError, match="redundant"):
        required(broken)
    held = solve(build(robot, motion))
    assert all(one.dropped <= 1e-3 for one in held.history)
    assert held.outcome.usable and held.dropped_residual < 1e-6 and not held.violated_rows


def test_a_start_with_open_loops_and_broken_limits() -> None:
    """The iterations close the loops and come back within the limits."""
    character = four_bar(configurable=True, limits=Limits(-0.5, 2.0, 4.0))
    mechanism = build_mechanism(character)
    controls = np.linspace(0.2, 1.6, 20)[:, None]
    target = curve(character, np.array([0.1]), controls, "coupler")
    problem = build(character, TargetMotion((target,), 20.0))
    rng = np.random.default_rng(8)
    states = loop_kinematics(mechanism, controls).states
    wild = DesignPoint(mechanism.design, controls + 0.6, states + 0.02 * rng.standard_normal(states.shape))
    solution = solve(problem, start=wild)
    assert solution.outcome.usable and solution.optimized.errors.position_max_cm < 0.1
    assert solution.optimized.motion.residual.max() < 1e-9
    assert max(one.share for one in solution.optimized.limit_shares) <= 1.0


def test_bad_input_is_named() -> None:
    character = four_bar(configurable=True)
    target = TrackingTarget("coupler", np.zeros(3), np.zeros((5, 3)))
    with pytest.raises(UnknownNameError, match="coupler"):
        build(character, [TrackingTarget("couplr", np.zeros(3), np.zeros((5, 3)))])
    with pytest.raises(MechanismError, match=r"'A' rests at 0 and may go from 0.5 to 1"):
        build(four_bar(limits=Limits(0.5, 1.0)), [target], Options(optimize="control"))
    with pytest.raises(OptionError, match="no configurable joints"):
        build(four_bar(), [target])
    with pytest.raises(MotionError, match="twice"):
        build(character, [target, target])
    with pytest.raises(MotionError, match="as many steps"):
        build(character, [target, TrackingTarget("rocker", np.zeros(3), np.zeros((4, 3)))])
    with pytest.raises(MotionError, match=r"\[5, 1\]"):
        build(character, TargetMotion((target,), controls=np.zeros((4, 1))))
    with pytest.raises(MotionError, match="`motion` must be a TargetMotion"):
        build(character, [target, TargetMotion((target,))])  # type: ignore[list-item]
    with pytest.raises(CharacterError, match="`character` must be a Character"):
        build(4, [target])  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"`options` must be design\.Options"):
        build(character, [target], DesignWeights())  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="`control_factors` must be 1 numbers"):
        build(character, [target], Options(control_factors=(1.0, 2.0)))
    with pytest.raises(OptionError, match="build it first"):
        solve(character)  # type: ignore[arg-type]
    loose = replace(
        four_bar(), joints=tuple(replace(j, role="passive") if j.name == "A" else j for j in four_bar().joints)
    )
    with pytest.raises(MechanismError, match=r"crank"):
        build(loose, [target], Options(optimize="control"))


def test_the_floor_keeps_away_from_singular_poses() -> None:
    """An elbow asked to stretch out would be singular if its loop were closed: a crank-slider near its dead point."""
    from tests.unit.design.small_robots import crank_slider

    character = crank_slider()
    mechanism = build_mechanism(character)
    turns = np.linspace(0.3, 1.2, 10)[:, None]
    motion = loop_kinematics(mechanism, turns)
    target = TrackingTarget("slider", np.zeros(3), motion.positions("slider"))
    floor = 1.02 * float(motion.smallest_singular_value.min())
    options = Options(optimize="control", singular_floor=floor)
    problem = build(character, TargetMotion((target,), controls=turns), options)
    solution = solve(problem)
    assert solution.optimized.singular_values.min() >= floor * (1.0 - 1e-6)
    assert solution.initial.singular_values.min() < floor


def test_errors_count_what_is_asked_for() -> None:
    """An axis of weight 0 may be anywhere, and so may a moment."""
    character = arm()
    mechanism = build_mechanism(character)
    motion = loop_kinematics(mechanism, np.zeros((2, len(mechanism.controls))))
    body = mechanism.body_names[-1]
    wrong = motion.positions(body) + np.array([0.03, 0.4, 0.0])
    weights = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    target = TrackingTarget(body, np.zeros(3), wrong, motion.quaternions_wxyz(body), weights, np.array([0.0, 1.0]))
    found = tracking_errors(mechanism, [TargetMotion((target,), 30.0)], motion.states)
    np.testing.assert_allclose(found.positions[:, 0], [0.03, np.nan], atol=1e-12)
    np.testing.assert_allclose(found.orientations[:, 0], [np.nan, 0.0], atol=1e-7)
    assert found.position_max_cm == pytest.approx(3.0)


def test_progress_is_told_stage_by_stage_and_an_early_end_is_acceptable() -> None:
    character = arm()
    path = np.tile([0.6, 0.5, 0.1], (12, 1)) + 0.02 * np.arange(12)[:, None]
    motion = TargetMotion((TrackingTarget("lower", np.array([0.5, 0.0, 0.1]), path),), 10.0)
    told: list[Iteration] = []
    solution = solve(build(character, motion, Options(iterations=2)), progress=told.append)
    stages = ["inverse kinematics, key steps", "inverse kinematics", "placing the joints"]
    assert list(dict.fromkeys(one.stage for one in told)) == stages
    for stage in stages[:2]:
        following = [one.number for one in told if one.stage == stage]
        assert following[0] == 0 and following[-1] == 12 and following == sorted(following)
    placing = tuple(one for one in told if one.stage == "placing the joints")
    assert placing == solution.history and [one.number for one in placing] == [1, 2] and placing[0].total == 2
    assert solution.outcome.status is Status.ACCEPTABLE and solution.outcome.usable and not solution.outcome.solved
    assert "2 iterations" in solution.outcome.reason


def test_a_solution_has_its_clip_and_the_use_of_limits() -> None:
    """Of a tree all limits, torques too; of loops the limits of the problem alone are known."""
    slow = arm(configurable=False, velocity=2.0)
    path = np.stack([np.cos(np.linspace(0.0, 0.5, 20)), np.sin(np.linspace(0.0, 0.5, 20)), np.zeros(20)], axis=1)
    target = TrackingTarget("lower", np.array([0.5, 0.0, 0.0]), path)
    solution = solve(build(slow, TargetMotion((target,), 20.0), Options(optimize="control", iterations=3)))
    assert solution.clip is solution.optimized.clips[0] and solution.clip.frame_count == 20
    assert solution.usage is not None
    share = max(one.share for one in solution.optimized.limit_shares if one.kind == "position")
    assert solution.usage.peak("position") == pytest.approx(share, rel=1e-2)  # which looks between the frames too
    loops = four_bar(configurable=True)
    controls = np.linspace(0.0, 0.5, 5)[:, None]
    looped = TargetMotion((curve(loops, np.array([0.01]), controls, "rocker"),), controls=controls)
    assert solve(build(loops, looped, Options(iterations=0))).usage is None
