"""Poses, goals and corrections of the line of sight, as kernels have them, beside the plain functions."""

from __future__ import annotations

import numpy as np
import pytest

from animato.express.gaze.gaze_objective import facing_angle, facing_direction, miss_of_point, tip_pose
from animato.express.gaze.sight import (
    DIRECTION,
    FORWARD,
    ORIENTATION,
    POINT,
    Sight,
    angle_off,
    build_sight,
    write_pose,
    write_wanted,
)
from animato.express.gaze.sight_correction import correct_sight, ease_correction, sighted
from animato.mechanics.tree.chains import Chain, build_chain
from animato.spatial import quaternions
from tests.unit.express.chains import random_character, random_wxyz, skeleton


@pytest.fixture(params=range(6))
def chain(request: pytest.FixtureRequest) -> Chain:
    return build_chain(random_character(np.random.default_rng(request.param), 4 + request.param % 3), "tip")


def random_positions(chain: Chain, rng: np.random.Generator) -> np.ndarray:
    return rng.uniform(np.maximum(chain.arrays.lower, -3.0), np.minimum(chain.arrays.upper, 3.0))


def pose_of(sight: Sight, positions: np.ndarray) -> np.ndarray:
    pose = np.empty(7)
    write_pose(sight, positions, pose)
    return pose


def test_the_pose_is_that_of_the_chain(chain: Chain, rng: np.random.Generator) -> None:
    sight = build_sight(chain)
    for _ in range(5):
        q = random_positions(chain, rng)
        pose, (tip, eye) = pose_of(sight, q), tip_pose(chain, q)
        np.testing.assert_allclose(pose[:4] * np.sign(pose[:4] @ tip), tip, atol=1e-12)
        np.testing.assert_allclose(pose[4:], eye, atol=1e-12)


def test_goals_ask_for_the_orientation_that_faces_them(chain: Chain, rng: np.random.Generator) -> None:
    sight, eye = build_sight(chain), rng.normal(size=3)
    pose, out = pose_of(sight, random_positions(chain, rng)), np.empty(4)
    for direction in (*rng.normal(size=(20, 3)), *np.eye(3), *-np.eye(3)):
        roll = rng.uniform(-3.0, 3.0)
        expected = facing_direction(chain.end_point, direction, roll=roll)
        assert write_wanted(sight, DIRECTION, np.array([*direction, 0.0, roll]), False, pose, eye, out)
        np.testing.assert_allclose(quaternions.angle_between(out, expected), 0.0, atol=1e-7)
        assert write_wanted(sight, POINT, np.array([*(eye + direction), 0.0, roll]), False, pose, eye, out)
        np.testing.assert_allclose(quaternions.angle_between(out, expected), 0.0, atol=1e-7)
    wanted = random_wxyz(rng, 1)[0]
    assert write_wanted(sight, ORIENTATION, np.array([*wanted, 0.0]), False, pose, eye, out)
    np.testing.assert_array_equal(out, wanted)
    assert not write_wanted(sight, POINT, np.array([*eye, 0.0, 0.0]), False, pose, eye, out)


def test_a_free_roll_is_the_shortest_turn(chain: Chain, rng: np.random.Generator) -> None:
    sight = build_sight(chain)
    pose, out = pose_of(sight, random_positions(chain, rng)), np.empty(4)
    forward = quaternions.rotate(pose[:4], sight.ends[FORWARD, :3])
    for direction in (*rng.normal(size=(20, 3)), forward, -forward):
        unit = direction / np.linalg.norm(direction)
        assert write_wanted(sight, DIRECTION, np.array([*direction, 0.0, 0.0]), True, pose, np.zeros(3), out)
        np.testing.assert_allclose(quaternions.rotate(out, sight.ends[FORWARD, :3]), unit, atol=1e-7)
        turned = quaternions.angle_between(pose[:4], out)
        np.testing.assert_allclose(turned, np.arccos(np.clip(forward @ unit, -1.0, 1.0)), atol=1e-7)


def test_angles_off_a_goal(chain: Chain, rng: np.random.Generator) -> None:
    sight = build_sight(chain)
    for _ in range(5):
        q, point, wanted = random_positions(chain, rng), rng.normal(size=3), random_wxyz(rng, 1)[0]
        pose = pose_of(sight, q)
        off = angle_off(sight, pose, POINT, np.array([*point, 0.0, 0.0]), np.pi)
        np.testing.assert_allclose(off, miss_of_point(chain, q, point), atol=1e-9)
        for tolerance in (0.0, 0.4):
            off = angle_off(sight, pose, ORIENTATION, np.array([*wanted, 0.0]), tolerance)
            np.testing.assert_allclose(off, facing_angle(chain, q, wanted, tolerance), atol=1e-9)
        assert angle_off(sight, pose, POINT, np.array([*pose[4:], 0.0, 0.0]), np.pi) == np.pi


def test_a_correction_meets_the_point_by_the_shortest_way(rng: np.random.Generator) -> None:
    chain = skeleton("g")
    sight = build_sight(chain)
    for _ in range(10):
        q = rng.uniform(-0.6, 0.6, 8)
        pose = pose_of(sight, q)
        along = quaternions.rotate(pose[:4], sight.ends[FORWARD, :3])
        point = pose[4:] + 1.5 * along + 0.2 * rng.normal(size=3)
        out = np.empty(8)
        sighted(sight, np.array([*point, 0.0, 0.0]), True, 30, q, out)
        assert miss_of_point(chain, out, point) < 1e-9
        assert np.all(np.abs(out) <= np.pi / 2 + 1e-12)
        for direction in rng.normal(size=(20, 8)):  # no neighbour that meets it is nearer
            other = np.empty(8)
            sighted(sight, np.array([*point, 0.0, 0.0]), True, 1, np.clip(out + 1e-3 * direction, -1.57, 1.57), other)
            if miss_of_point(chain, other, point) < 1e-5:
                assert np.linalg.norm(other - q) > np.linalg.norm(out - q) - 1e-5


def test_corrections_come_and_go_slowly_and_stay_inside_the_limits(rng: np.random.Generator) -> None:
    chain = skeleton("c")
    sight, memory = build_sight(chain), np.empty((2, 5, 3))
    q, d = np.array([1.5, 1.5, 1.5, -1.5, 0.0]), np.zeros(5)
    goal = np.array([*rng.normal(size=3), 0.0, 0.0])
    for _ in range(50):
        before = d.copy()
        correct_sight(sight, q, goal, True, 0.02, memory, d, pose_of(sight, q + d))
        assert np.abs(d - before).max() <= 0.02 + 1e-15
        assert np.all(np.abs(q + d) <= np.pi / 2 + 1e-15)
    assert np.abs(d).max() > 0.1
    for _ in range(200):
        ease_correction(sight, q, 0.02, d)
    np.testing.assert_array_equal(d, 0.0)
