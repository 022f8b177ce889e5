"""More time where motors demand it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character import Character
from animato.mimic.contacts import ContactEdit
from animato.mimic.optimization import slowing, solve
from animato.mimic.optimization.packing import speed_shares, torque_shares
from animato.mimic.optimization.slowing import slowed
from animato.mimic.optimization.starting import standing_controls
from animato.mimic.options import Options
from animato.mimic.problem import Problem, build
from tests.mimic_solved import pico, pico_anatomy, problem_of, solved, stepping_person


def with_speeds(share: float) -> Character:
    """Pico whose motors turn at a share of their speed, whatever they carry."""
    robot = pico()
    joints = tuple(
        joint
        if not joint.limits or joint.limits[0].velocity is None
        else replace(
            joint,
            actuator=None,
            stated_limits=tuple(replace(one, velocity=share * one.velocity, curve=None) for one in joint.limits),
        )
        for joint in robot.joints
    )
    return replace(robot, joints=joints)


def given_time(problem: Problem, torques: np.ndarray) -> Problem | None:
    """With motors that need so much torque while the robot stands."""
    count = len(problem.times)
    errors = np.zeros((count, len(problem.landmarks)))
    return slowed(problem, standing_controls(problem), torques, np.zeros(count), errors, 0.2)


def test_a_motion_within_all_limits_keeps_its_time() -> None:
    solution = solved("step")
    assert solution.slowed_percent == 0.0
    still = np.zeros(len(solution.problem.times))
    assert slowed(solution.problem, solution.controls, solution.torques, still, solution.errors, 0.2) is None
    lost = still.copy()
    lost[5] = 0.01
    slower = slowed(solution.problem, solution.controls, solution.torques, lost, solution.errors, 0.2)
    assert slower is not None and slower.slowed_percent > 0.0  # balance that is lost is given time, too


def test_time_is_given_only_around_where_it_is_needed() -> None:
    problem = problem_of(stepping_person(3.0), Options(rate_hz=20.0))
    torques = np.zeros((len(problem.times), 30))
    torques[30, 20] = 1e3
    assert torque_shares(problem, torques)[30] > 1.5
    slower = given_time(problem, torques)
    assert slower is not None and 0.0 < slower.slowed_percent < 25.0
    pace = problem.step / np.diff(slower.source_times)
    assert np.all(np.diff(slower.source_times) > 0.0)
    assert pace.max() == pytest.approx(1.25, abs=0.01)
    middle = 0.5 * (slower.source_times[1:] + slower.source_times[:-1])
    np.testing.assert_allclose(pace[np.abs(middle - problem.source_times[30]) > 0.45], 1.0, atol=1e-6)
    assert slower.source_times[0] == problem.source_times[0]
    assert slower.source_times[-1] == pytest.approx(problem.source_times[-1], abs=1.1 * problem.step)
    again = given_time(slower, np.vstack([torques, torques])[: len(slower.times)])
    assert again is not None and again.slowed_percent > slower.slowed_percent


def test_without_torques_nothing_is_known() -> None:
    problem = problem_of(stepping_person())
    torques = np.full((len(problem.times), 30), np.nan)
    assert given_time(problem, torques) is None


def test_a_solve_takes_more_time_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Motors that are looked at as if they had a quarter of their torque."""
    monkeypatch.setattr(slowing, "torque_shares", lambda problem, torques: 4.0 * torque_shares(problem, torques))
    problem = problem_of(stepping_person(), Options(collisions=False))
    solution = solve(problem)
    assert solution.slowed_percent > 3.0
    longer = len(solution.problem.times) / len(problem.times)
    assert 1.0 + solution.slowed_percent / 100.0 == pytest.approx(longer, rel=1e-9)
    assert any("more time" in note for note in solution.notes) and "slower by" in solution.facts()
    assert len(solution.problem.times) == len(solution.errors) == len(solution.forces)
    assert np.all(np.diff(solution.problem.source_times) > 0.0)
    assert np.abs(solution.states.velocities).max() < np.abs(solved("step").states.velocities).max()
    kept = solve(problem_of(stepping_person(), Options(collisions=False, slow_down=False)))
    assert kept.slowed_percent == 0.0 and kept.problem.times[-1] == problem.times[-1]


def test_slow_motors_are_not_asked_for_more_than_they_have() -> None:
    problem = build(with_speeds(0.2), stepping_person(), Options(collisions=False), anatomy=pico_anatomy())
    solution = solve(problem)
    assert solution.outcome.usable
    assert speed_shares(solution.problem, solution.controls).max() < 1.0
    assert speed_shares(problem, solved("step").controls).max() > 1.0  # those of the real motors are


def test_contacts_that_were_edited_stay_with_the_person() -> None:
    edit = ContactEdit("left heel", 1.5, 2.0, "free")
    problem = replace(problem_of(stepping_person(3.0), Options(rate_hz=20.0)), contacts=(edit,))
    torques = np.zeros((len(problem.times), 6 + len(problem.character.coordinate_names)))
    torques[:20, 6:] = 1e3  # the first second is far too much
    slower = given_time(problem, torques)
    assert slower is not None
    (moved,) = slower.contacts
    for before, after in ((edit.start_s, moved.start_s), (edit.end_s, moved.end_s)):
        assert after > before + 0.1
        person = np.interp(after, slower.times, slower.source_times)
        assert person == pytest.approx(np.interp(before, problem.times, problem.source_times), abs=1e-9)
