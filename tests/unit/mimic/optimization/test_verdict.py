"""Whether a motion may be used, in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.mimic.curve import ControlPoints
from animato.mimic.optimization.rows import Misses
from animato.mimic.optimization.starting import standing_controls
from animato.mimic.optimization.verdict import judged
from animato.mimic.options import Options
from animato.mimic.problem import Problem
from animato.outcome import Outcome, Status
from tests.mimic_solved import problem_of, standing_person

DONE = Outcome(Status.SOLVED, "nothing more is to be gained", 7)
NOT_DONE = Outcome(Status.OUT_OF_ITERATIONS, "10 rounds were not enough", 9)


@pytest.fixture(scope="module")
def problem() -> Problem:
    return problem_of(standing_person(), Options(rate_hz=10.0))


@pytest.fixture(scope="module")
def controls(problem: Problem) -> ControlPoints:
    return standing_controls(problem)


HOLDS = Misses()


def nothing(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    return np.zeros((len(problem.times), 30)), np.zeros(len(problem.times))


def test_all_holds(problem: Problem, controls: ControlPoints) -> None:
    outcome, notes = judged(problem, *nothing(problem), controls, HOLDS, outcome=DONE)
    assert outcome is DONE and len(notes) == 1 and "neck_pan" in notes[0]  # nothing asks for the head
    outcome, _ = judged(problem, *nothing(problem), controls, HOLDS, outcome=NOT_DONE)
    assert outcome.status is Status.ACCEPTABLE and outcome.usable and outcome.iterations == 9
    assert outcome.reason == "all limits hold; 10 rounds were not enough"


def test_balance_that_is_lost_is_said_with_its_moment(problem: Problem, controls: ControlPoints) -> None:
    torques, wrench = nothing(problem)
    wrench[4] = 0.015
    outcome, _ = judged(problem, torques, wrench, controls, HOLDS, outcome=DONE)
    assert outcome.status is Status.INFEASIBLE and not outcome.usable
    assert outcome.reason == "at 0.40 s the soles cannot give what it needs, by 1.5 cm of the ZMP"
    wrench[4] = 0.001
    assert judged(problem, torques, wrench, controls, HOLDS, outcome=DONE)[0] is DONE


def test_a_motor_that_is_too_weak_is_said(problem: Problem, controls: ControlPoints) -> None:
    torques, wrench = nothing(problem)
    torques[3, 20] = 1e3
    outcome, _ = judged(problem, torques, wrench, controls, HOLDS, outcome=DONE)
    assert outcome.status is Status.INFEASIBLE
    assert "at 0.30 s a motor needs" in outcome.reason and "% of its torque" in outcome.reason
    free = replace(problem, options=replace(problem.options, torque=False))
    assert judged(free, torques, wrench, controls, HOLDS, outcome=DONE)[0] is DONE
    unbalanced = replace(problem, options=replace(problem.options, balance=False))
    assert judged(unbalanced, np.full_like(torques, np.nan), wrench, controls, HOLDS, outcome=DONE)[0] is DONE


def test_a_joint_that_is_too_fast_is_said(problem: Problem, controls: ControlPoints) -> None:
    joints = controls.joints.copy()
    joints[6:, 4] += 3.0
    fast = ControlPoints(controls.places, controls.turns_wxyz, joints)
    outcome, _ = judged(problem, *nothing(problem), fast, HOLDS, outcome=DONE)
    assert outcome.status is Status.INFEASIBLE and "% of its speed" in outcome.reason


def test_two_faults_are_both_said_and_more_time_is_noted(problem: Problem, controls: ControlPoints) -> None:
    torques, wrench = nothing(problem)
    torques[3, 20], wrench[0] = 1e3, 0.1
    slower = replace(problem, slowed_percent=12.34)
    outcome, notes = judged(slower, torques, wrench, controls, HOLDS, outcome=NOT_DONE)
    assert "ZMP; at 0.30 s" in outcome.reason
    assert notes[-1] == "It takes 12.3 % more time than the person, where motors demand it."


@pytest.mark.parametrize(
    ("misses", "words"),
    [
        (Misses(range=0.05), "leaves its range by 0.050"),
        (Misses(height=0.004), "off the floor by 4.0 mm"),
        (Misses(slide=0.002), "slides from knot to knot by 2.0 mm"),
    ],
)
def test_ranges_and_soles_are_judged(problem: Problem, controls: ControlPoints, misses: Misses, words: str) -> None:
    outcome, _ = judged(problem, *nothing(problem), controls, misses, outcome=DONE)
    assert outcome.status is Status.INFEASIBLE and words in outcome.reason
