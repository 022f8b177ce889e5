"""A whole solve: what comes out, and how it is told."""

from __future__ import annotations

import numpy as np
import pytest

from animato.mechanics.tree import forward_kinematics
from animato.mimic.optimization import solve
from animato.mimic.optimization.packing import pelvis_path
from animato.mimic.optimization.starting import controls_of_clip, facing, standing_controls
from animato.mimic.options import Options
from animato.outcome import Iteration
from animato.spatial import quaternions
from tests.mimic_solved import key_points, pico, problem_of, solved, standing_person, stepping_person
from tests.pose_builders import person_of_points


def test_everything_is_there_and_fits_together() -> None:
    solution = solved("step")
    problem = solution.problem
    knots, corners = len(problem.times), sum(len(part.points) for part in problem.plan.parts)
    assert solution.outcome.usable, solution.outcome
    assert solution.errors.shape == solution.kinematic_errors.shape == (knots, len(problem.landmarks))
    assert solution.forces.shape == (knots, corners, 3)
    assert solution.torques.shape == (knots, 6 + len(pico().coordinate_names))
    assert solution.planted.shape == problem.plan.planted.shape
    assert solution.zmp.shape == (knots, 2) and np.isfinite(solution.zmp).all()
    assert solution.clip.duration == pytest.approx(problem.times[-1])
    assert solution.clip.times[1] == pytest.approx(1.0 / problem.options.clip_hz)
    assert solution.errors.mean() < 5e-3
    facts = solution.facts()
    assert facts["robot"] == "pico" and facts["key-points off"].endswith("mm") and "slower by" not in facts


def test_errors_are_those_of_the_clip() -> None:
    """Key-points of the clip's own frames, relative to the pelvis, against the scaled person."""
    solution = solved("step")
    points = key_points(solution)
    targets = solution.scale * solution.problem.relative
    errors = np.linalg.norm(points[:, 1:] - points[:, :1] - targets, axis=2)
    np.testing.assert_allclose(
        errors, solution.errors, atol=1e-3
    )  # the scale is fitted once more behind the last round


def test_limits_hold() -> None:
    solution = solved("step")
    for kind in ("torque", "velocity", "position"):
        assert solution.usage.peak(kind) <= 1.001, kind


def test_what_is_planted_stands_on_the_floor_and_does_not_slide() -> None:
    solution = solved("step")
    poses = forward_kinematics(pico(), solution.states)
    for column, part in enumerate(solution.problem.plan.parts):
        planted = solution.planted[:, column]
        both = planted[1:] & planted[:-1]
        for body, point in part.points:
            place = poses.of(body).apply(point)
            assert np.abs(place[planted, 2]).max() < 5e-4
            assert np.linalg.norm(np.diff(place[:, :2], axis=0)[both], axis=1).max() < 3e-4
            assert place[:, 2].min() > -5e-4
    assert not solution.planted.all()


def test_balance_costs_something_and_kinematics_alone_knows_no_forces() -> None:
    problem = problem_of(stepping_person(), Options(balance=False, collisions=False))
    told: list[Iteration] = []
    free = solve(problem, progress=told.append)
    assert free.outcome.usable and not free.forces.any() and np.isnan(free.torques).all()
    assert free.errors.mean() <= solved("step").errors.mean()
    assert {one.stage for one in told} == {"landmarks"}
    assert told == list(free.history)


def test_progress_tells_of_every_stage() -> None:
    stages = [one.stage for one in solved("step").history]
    assert stages[0] == "landmarks" and stages[-1] == "balance and torque"
    assert list(dict.fromkeys(stages)) == ["landmarks", "weight on the soles", "balance and torque"]


def test_a_scale_that_is_given_is_kept() -> None:
    solution = solve(problem_of(standing_person(), Options(scale=0.21, collisions=False)))
    assert solution.scale == 0.21


def test_a_search_begins_standing_where_the_person_is() -> None:
    person = stepping_person()
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    moved = person_of_points(person.times, person.names, person.positions @ turn.T + (3.0, 1.0, 0.0))
    problem = problem_of(moved)
    np.testing.assert_allclose(facing(problem), 0.5 * np.pi, atol=0.2)
    controls = standing_controls(problem)
    path = pelvis_path(problem, problem.scale)
    np.testing.assert_allclose(controls.places[1:-1, :2], path[:, :2], atol=2e-3)
    forward = quaternions.rotate(controls.turns_wxyz, np.tile((1.0, 0.0, 0.0), (len(controls.places), 1)))
    assert forward[:, 1].min() > 0.95


def test_a_clip_can_be_gone_on_from() -> None:
    solution = solved("step")
    controls = controls_of_clip(solution.problem, solution.clip)
    np.testing.assert_allclose(controls.joints[1:-1], solution.controls.joints[1:-1], atol=0.05)
    again = solve(solution.problem, start=solution)
    assert again.outcome.usable
    assert np.linalg.norm(key_points(again) - key_points(solution), axis=2).max() < 1e-3
