"""Verdicts about targets, and motors that are held."""

from __future__ import annotations

import numpy as np
import pytest

from animato.design.optimization.nearness import Met, targets_met
from animato.design.optimization.solution import Solution
from animato.design.optimization.solve import solve
from animato.design.options import DesignWeights, Options
from animato.design.problem.build import build
from animato.design.problem.target_motion import TargetMotion
from animato.design.terms.target import TrackingTarget
from animato.errors import OptionError, UnknownNameError
from animato.mechanics.loops.assembly.build import build_mechanism
from animato.mechanics.loops.kinematics import loop_kinematics
from tests.unit.design.small_robots import arm, two_legged_table

STEPS = np.linspace(0.0, 1.5, 12)
CONTROLS = np.stack([0.4 * np.sin(2 * STEPS), 0.3 + 0.5 * STEPS], axis=1)
OTHER = np.stack([0.15 * np.cos(3 * STEPS), 0.2 * np.sin(5 * STEPS)], axis=1)


def reaching(options: Options, *, shift: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Solution:
    """The arm asked to do what it does with another mount, all a little elsewhere, starting from its old controls."""
    motion = loop_kinematics(build_mechanism(arm()), CONTROLS + OTHER, np.array([np.cos(0.3), np.sin(0.3), 0.0, 0.0]))
    target = TrackingTarget("lower", np.zeros(3), motion.positions("lower") + shift, motion.quaternions_wxyz("lower"),
                            position_weights=np.full(3, 100.0))  # fmt: skip
    return solve(build(arm(), TargetMotion((target,), 10.0, CONTROLS), options))


@pytest.mark.parametrize("hessian", ["gauss-newton", "exact"])
@pytest.mark.parametrize("name", ["shoulder", "elbow"])
def test_a_held_motor_keeps_its_controls_to_the_last_bit(name: str, hessian: str) -> None:
    solution = reaching(Options(hold=(name,), hessian=hessian))  # type: ignore[arg-type]
    column = solution.problem.mechanism.control_names.index(name)
    found = solution.optimized.point.controls
    assert np.array_equal(found[:, column], CONTROLS[:, column])
    assert np.max(np.abs(found - CONTROLS)) > 0.05  # the other one is free
    changes = {one.name: one for one in solution.control_changes}
    assert changes[name].held and changes[name].change == 0.0


def test_holding_is_the_limit_of_a_heavy_weight() -> None:
    held = reaching(Options(hold=("shoulder",), tolerance=1e-9))
    heavy = reaching(Options(control_factors=(1e9, 1.0), tolerance=1e-9))
    assert held.optimized.objective.total == pytest.approx(heavy.optimized.objective.total, rel=1e-3)


def test_given_controls_alone_are_a_pull_and_the_stray_is_told() -> None:
    from animato.report.design.verdicts import control_words

    solution = reaching(Options())
    assert solution.control_changes[0].change > 0.05
    assert "a start and a pull" in control_words(solution)[0]


def test_only_motors_can_be_held() -> None:
    with pytest.raises(UnknownNameError, match="Motors: shoulder, elbow"):
        reaching(Options(hold=("mount",)))
    with pytest.raises(OptionError, match="names of motors"):
        Options(hold="shoulder")  # type: ignore[arg-type]


def test_a_held_motor_among_too_many_is_held_or_refused() -> None:
    """Both legs of the table are driven: to hold one while the target wants another place leaves one answer."""
    controls = np.zeros((4, 2))
    target = TrackingTarget("top", np.zeros(3), np.tile([0.2, 0.45, 0.0], (4, 1)))
    problem = build(two_legged_table(), TargetMotion((target,), 10.0, controls),
                    Options(optimize="control", hold=("left", "right")))  # fmt: skip
    solution = solve(problem)
    assert np.array_equal(solution.optimized.point.controls, controls)
    assert solution.outcome.usable and not solution.met


def test_a_path_that_is_missed_is_said() -> None:
    """Six centimetres above where the arm can reach, the design is the best there is, and misses."""
    from animato.report.design.verdicts import answer_word, target_verdict

    near = reaching(Options(weights=DesignWeights(control=1e-9, design=1e-9)))
    assert near.met and answer_word(near)[0] == "fits"
    far = reaching(Options(), shift=(0.0, 0.0, 0.5))
    assert far.outcome.usable and not far.met
    assert far.targets.verdict is Met.LOST and answer_word(far) == ("over", "Motion far off")
    assert "The motion is missed: the path of lower by" in target_verdict(far)
    generous = targets_met(build(arm(), far.problem.motions[0], Options(tolerance_m=1.0, tolerance_deg=180.0)),
                           far.optimized.errors)  # fmt: skip
    assert generous.verdict is Met.MET


def test_hints_are_not_waited_for() -> None:
    solution = reaching(Options(), shift=(0.0, 0.0, 0.5))
    (target,) = solution.problem.motions[0].targets
    light = TrackingTarget("lower", np.zeros(3), target.positions, position_weights=np.full(3, 0.01), name="hint")
    motion = TargetMotion((TrackingTarget("upper", np.zeros(3), np.zeros((12, 3)),
                                          position_weights=np.full(3, 100.0)), light), 10.0)  # fmt: skip
    judged = solve(build(arm(), motion, Options(iterations=0))).targets
    assert [one.name for one in judged.targets] == ["upper"]


@pytest.mark.parametrize("wrong", [{"tolerance_m": 0.0}, {"tolerance_deg": -1.0}, {"tolerance_deg": None}])
def test_wrong_tolerances(wrong: dict[str, float]) -> None:
    with pytest.raises(OptionError, match="above 0"):
        Options(**wrong)  # type: ignore[arg-type]
