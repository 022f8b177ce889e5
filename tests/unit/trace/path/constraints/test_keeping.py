"""Paths that keep clear of things, and points that keep together."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

import animato as an
from animato.errors import AnimatoError, CharacterError, MotionError, OptionError
from animato.mechanics.collision import CollisionModel, Obstacle, distances, obstacles_of
from animato.mechanics.tree import forward_kinematics, states_of_posture
from animato.spatial.rigid_transform import RigidTransform
from animato.trace.path import PathFit, build_path_problem, solve_path
from animato.trace.path.constraints import obstacles_from, parse_relation

IN_THE_WAY = "cylinder 0.05,0.6 at 0.3,-0.2,0.6"


@lru_cache
def hello() -> tuple[an.Character, an.Sketch]:
    arm = an.load_character("arm6")
    return arm, an.load_strokes("hello", arm, start="board")


@lru_cache
def fitted(*avoid: str) -> PathFit:
    return solve_path(build_path_problem(*hello(), an.trace.Options(start="board", avoid=avoid)))


def test_goes_around_a_post_and_still_writes() -> None:
    plain, around = fitted(), fitted("self", IN_THE_WAY)
    assert around.kept is not None and around.kept.holds and around.kept.clearance is not None
    assert around.kept.clearance.least >= 0.005
    assert around.mean_deviation < 3.0 * plain.mean_deviation + 1e-4 and not around.not_kept


def test_between_places_it_is_as_clear_as_proven() -> None:
    around = fitted("self", IN_THE_WAY)
    watch = around.problem.watch
    assert watch is not None
    fine = np.random.default_rng(3).uniform(0.0, 1.0, 4000)
    measured = distances(watch.model, watch.states(around.path.at(fine)), exact_within_m=0.02)[:, watch.pairs]
    assert measured.min() >= 0.005


def test_without_asking_it_runs_into_the_post() -> None:
    plain, watch = fitted(), fitted("self", IN_THE_WAY).problem.watch
    assert watch is not None
    proof = watch.proof(plain.problem.knots, plain.path.control_points, plain.s, plain.path.at)
    assert not proof.proven and proof.least < -0.02 and "cylinder" in proof.pair and len(proof.broken)


def test_bodies_never_move_farther_than_the_proof_believes() -> None:
    around = fitted("self", IN_THE_WAY)
    watch, rng = around.problem.watch, np.random.default_rng(11)
    assert watch is not None
    names = around.problem.kinematics
    q = rng.uniform(names.lower, names.upper, (200, len(names.names)))
    step = rng.normal(scale=0.05, size=q.shape)
    before, after = (
        distances(watch.model, watch.states(one), exact_within_m=np.inf)[:, watch.pairs] for one in (q, q + step)
    )
    assert np.all(np.abs(after - before) <= np.abs(step) @ watch._levers + 1e-5)


def test_what_cannot_be_avoided_is_said() -> None:
    # a ball on the middle of the drawing itself
    middle = hello()[1].positions[:, 0].mean(axis=0)
    place = ",".join(f"{x:.3f}" for x in middle)
    options = an.trace.Options(start="board", control_point_count=40, avoid=(f"sphere 0.1 at {place}",))
    blocked = solve_path(build_path_problem(*hello(), options))
    assert "mm" in blocked.not_kept and blocked.not_kept in blocked.notes


def test_the_board_is_behind_the_drawing_and_the_pen_may_touch_it() -> None:
    arm, sketch = hello()
    (board,) = obstacles_from(("board", "self"), arm, sketch, None)
    assert board.may_touch
    (shape,) = board.shapes
    drawn, away = sketch.positions[:, 0], shape.frame.transform.inverse()
    half = 0.5 * np.array(shape.geometry.size)  # type: ignore[union-attr]
    local = away.apply(drawn)
    assert np.all(np.abs(local[:, :2]) <= half[:2]) and np.all(np.abs(local[:, 2] - half[2]) < 2e-3)
    assert away.apply(np.zeros(3))[2] > half[2]  # the robot stands in front of it


def test_a_scene_is_its_bodies() -> None:
    stick = an.load_character("pico")
    scene = obstacles_of(stick)
    assert scene and all(isinstance(one, Obstacle) and one.shapes for one in scene)
    model = CollisionModel.of(hello()[0], obstacles=scene)
    own = len(hello()[0].bodies)
    assert np.any(model.pairs >= own)
    assert not np.any((model.pairs >= own).all(axis=1))  # things do not run into one another


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("box 1,2 at 0,0,0", "3 sizes"),
        ("ball 1 at 0,0,0", "cannot be read"),
        ("box 1,2,3", "cannot be read"),
        ("sphere 0 at 0,0,0", "greater than 0"),
        ("nowhere.urdf", "nowhere"),
    ],
)
def test_words_that_say_nothing_are_told(words: str, error: str) -> None:
    with pytest.raises(AnimatoError, match=error):
        obstacles_from((words,), *hello(), None)


def test_a_board_needs_a_flat_drawing() -> None:
    arm, sketch = hello()
    bent = sketch.positions.copy()
    bent[:, 0, 0] += np.linspace(-0.3, 0.3, len(bent)) ** 2
    with pytest.raises(MotionError, match="not flat"):
        obstacles_from(("board",), arm, an.Sketch(sketch.points, bent, sketch.times), None)


def test_nothing_to_avoid_is_told() -> None:
    arm, sketch = hello()
    bare = replace(arm, bodies=tuple(replace(body, shapes=()) for body in arm.bodies))
    with pytest.raises(CharacterError, match="nothing to avoid"):
        build_path_problem(bare, sketch, an.trace.Options(start="board", avoid=("self",)))


def test_two_hands_on_one_club() -> None:
    torso = an.load_character("torso29")
    golf = an.load_strokes("golf", torso, start="address")
    options = an.trace.Options(start="address", keep=("left_hand right_hand pose",), control_point_count=30)
    fit = solve_path(build_path_problem(torso, golf, options))
    assert fit.kept is not None and fit.kept.holds and fit.kept.relation_m < 1e-3
    # the pose of one palm on the other, looked at between places by the kinematics of bodies
    s = np.linspace(0.0, 1.0, 333)
    states = [states_of_posture(torso, fit.path.posture(one)) for one in s]
    poses = [forward_kinematics(torso, state) for state in states]
    left, right = (poses[0].names.index(name) for name in ("left_palm", "right_palm"))
    placed = [RigidTransform(pose.positions[0], pose.quaternions_wxyz[0]).matrix for pose in poses]
    relative = np.array([np.linalg.inv(one[left]) @ one[right] for one in placed])
    assert np.abs(relative[:, :3, 3] - relative[0, :3, 3]).max() < 1.5e-3
    assert np.abs(relative[:, :3, :3] - relative[0, :3, :3]).max() < 0.02


@pytest.mark.parametrize("text", ["left_hand", "left_hand right_hand nearly", "left_hand left_hand", "a b c d"])
def test_relations_that_cannot_be_read(text: str) -> None:
    with pytest.raises(OptionError):
        parse_relation(text)


def test_a_board_is_where_the_pen_is_down_and_what_carries_the_robot_is_no_obstacle(tmp_path: Path) -> None:
    arm = hello()[0]
    bars = {"strokes": [{"points": [[x, 0.0], [x, 0.1]]} for x in (0.0, 0.05)]}
    (tmp_path / "bars.json").write_text(json.dumps(bars))
    sketch = an.load_strokes(tmp_path / "bars.json", arm, plane="-yz at 0.7,0,0.7", lift_m=0.03)
    assert sketch.air  # which leaves the plane
    (board,) = obstacles_from(["board"], arm, sketch, None)
    assert board.name == "board"
    around = solve_path(
        build_path_problem(
            arm, sketch, an.trace.Options(start="board", avoid=("board", "box 1,1,0.3 at 0,0,-0.1"), clearance_m=0.002)
        )
    )
    assert around.kept is not None and around.kept.holds


def test_what_is_kept_is_told_by_its_points() -> None:
    with pytest.raises(OptionError, match="What is kept of 'pen' and 'elbow' is one of distance, place, pose"):
        parse_relation("pen elbow glue")
