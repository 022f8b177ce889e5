"""Looking in a direction and at a point."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from animato.character.landmarks import EndPoint
from animato.errors import MotionError
from animato.express.facing.problem import build_facing_problem
from animato.express.gaze.gaze_objective import facing_angle, facing_direction, miss_of_point, solve_gaze, tip_pose
from animato.express.gaze.look_at import look_at
from animato.express.options import Options
from animato.formats.character_files import load_character
from animato.mechanics.tree.chains import Chain, build_chain, tip_orientations
from animato.mechanics.tree.kinematics import forward_kinematics
from animato.motion.clip import Clip
from animato.motion.posture import Posture
from animato.spatial import quaternions
from tests.unit.express.near_follower import NearFollower

FREE = Options(roll_tolerance_rad=np.pi)


def chain_of(name: str) -> Chain:
    character = load_character(name)
    return build_chain(character, character.end_points[0].name)


def answers(follower: NearFollower) -> Callable[[np.ndarray], np.ndarray]:
    return lambda target: follower.update(target).positions


@pytest.mark.parametrize("axes", [((1, 0, 0), (0, 0, 1)), ((0, 0, 1), (1, 0, 0))])
def test_a_direction_is_faced_upright(axes: tuple[tuple[float, float, float], ...], rng: np.random.Generator) -> None:
    end_point = EndPoint("eye", "head", forward=axes[0], up=axes[1])
    for direction in rng.normal(size=(20, 3)):
        target = facing_direction(end_point, direction)
        unit = direction / np.linalg.norm(direction)
        np.testing.assert_allclose(quaternions.rotate(target, np.array(end_point.forward)), unit, atol=1e-12)
        up = quaternions.rotate(target, np.array(end_point.up))
        level = np.array([0, 0, 1.0]) - unit * unit[2]
        np.testing.assert_allclose(up, level / np.linalg.norm(level), atol=1e-12)
        rolled = quaternions.rotate(facing_direction(end_point, direction, roll=0.3), np.array(end_point.up))
        np.testing.assert_allclose(up @ rolled, np.cos(0.3), atol=1e-12)
        np.testing.assert_allclose(np.cross(up, rolled) @ unit, np.sin(0.3), atol=1e-12)


def test_straight_up_has_an_answer_and_nothing_has_none() -> None:
    eye = EndPoint("eye", "head")
    np.testing.assert_allclose(quaternions.rotate(facing_direction(eye, (0, 0, 2)), [1, 0, 0]), [0, 0, 1], atol=1e-12)
    for nothing in ((0, 0, 0), (np.nan, 0, 1), (1, 2)):
        with pytest.raises(MotionError, match="direction to face"):
            facing_direction(eye, nothing)


@pytest.mark.parametrize("name", ["skeleton_c", "lamp", "skeleton_g"])
def test_the_tip_is_where_the_character_has_it(name: str, rng: np.random.Generator) -> None:
    character, chain = load_character(name), chain_of(name)
    q = rng.uniform(-0.9, 0.9, (5, len(chain.names)))
    for row in q:
        orientation, position = tip_pose(chain, row)
        body = forward_kinematics(character, Clip(np.zeros(1), chain.names, row[None]))
        frame, place = chain.end_point.frame.transform, body.of(chain.end_point.body)
        rotation = quaternions.matrix_from_quaternion(place.quaternion_wxyz[0])
        np.testing.assert_allclose(position, place.position[0] + rotation @ frame.position, atol=1e-12)
        found = quaternions.matrix_from_quaternion(orientation)
        np.testing.assert_allclose(found, rotation @ frame.rotation, atol=1e-12)
        assert facing_angle(chain, row, tip_orientations(chain, row[None])[0]) < 1e-7


def test_angles_are_angles(rng: np.random.Generator) -> None:
    chain = chain_of("lamp")
    q = rng.uniform(-0.5, 0.5, len(chain.names))
    tip, eye = tip_pose(chain, q)
    forward = np.array(chain.end_point.forward)
    sideways = quaternions.quaternion_about(quaternions.rotate(tip, np.array(chain.end_point.up)), 0.2)
    np.testing.assert_allclose(facing_angle(chain, q, quaternions.multiply(sideways, tip)), 0.2, atol=1e-10)
    rolled = quaternions.multiply(tip, quaternions.quaternion_about(forward, 0.7))
    np.testing.assert_allclose(facing_angle(chain, q, rolled), 0.7, atol=1e-10)
    assert facing_angle(chain, q, rolled, np.pi) < 1e-7
    ahead = eye + 2.0 * quaternions.rotate(tip, forward)
    assert miss_of_point(chain, q, ahead) < 1e-12
    np.testing.assert_allclose(miss_of_point(chain, q, 2.0 * eye - ahead), np.pi, atol=1e-12)


@pytest.mark.parametrize("name", ["skeleton_c", "lamp", "skeleton_g"])
def test_the_line_of_sight_goes_through_the_point(name: str, rng: np.random.Generator) -> None:
    character, chain = load_character(name), chain_of(name)
    posture = Posture.named(character, "curious")
    held = np.array([posture.value(one) for one in chain.names])
    for _ in range(8):  # points that can be reached, because some configuration looks at them
        q = np.clip(held + rng.uniform(-0.35, 0.35, len(held)), chain.arrays.lower, chain.arrays.upper)
        tip, eye = tip_pose(chain, q)
        point = eye + rng.uniform(0.5, 3.0) * quaternions.rotate(tip, np.array(chain.end_point.forward))
        follower = NearFollower(chain, held, FREE)
        gaze = solve_gaze(chain, point, answers(follower), held)
        assert gaze.converged
        assert gaze.solves <= 25
        orientation, position = tip_pose(chain, gaze.positions)
        along = quaternions.rotate(orientation, np.array(chain.end_point.forward))
        off = np.linalg.norm(np.cross(along, point - position))
        assert off < 1e-6
        assert along @ (point - position) > 0.0
        # the eye's own place matters: looking there from where it was would miss
        naive = facing_direction(chain.end_point, point - tip_pose(chain, held)[1])
        missed = miss_of_point(chain, NearFollower(chain, held, FREE).update(naive).positions, point)
        assert missed > 10.0 * gaze.miss_rad


def test_a_point_at_the_eye_or_out_of_reach_ends_too() -> None:
    character, chain = load_character("lamp"), chain_of("lamp")
    posture = Posture.named(character, "proud")
    held = np.array([posture.value(one) for one in chain.names])
    for point in (tip_pose(chain, held)[1], np.array([0.0, 0.0, -3.0]), np.array([-5.0, 0.1, 0.0])):
        follower = NearFollower(chain, held, FREE)
        gaze = solve_gaze(chain, point, answers(follower), held, max_solves=8)
        assert gaze.solves <= 8
        assert np.isfinite(gaze.positions).all()
    with pytest.raises(MotionError, match="finite"):
        solve_gaze(chain, [np.nan, 0, 0], lambda target: held, held)


@pytest.mark.parametrize("name", ["skeleton_c", "skeleton_g", "lamp"])
def test_looking_at_points_anywhere_in_reach(name: str, rng: np.random.Generator) -> None:
    character, chain = load_character(name), chain_of(name)
    problem = build_facing_problem(chain, Posture.named(character, "curious"), roll="free")
    misses = []
    for _ in range(25):
        q = rng.uniform(np.maximum(chain.arrays.lower, -1.5), np.minimum(chain.arrays.upper, 1.5))
        tip, eye = tip_pose(chain, q)
        point = eye + rng.uniform(0.3, 3.0) * quaternions.rotate(tip, np.array(chain.end_point.forward))
        gaze = look_at(problem, point)
        misses.append(gaze.miss_rad)
        assert np.all((gaze.positions >= chain.arrays.lower) & (gaze.positions <= chain.arrays.upper))
    # a few points near the body have solutions that the search does not find
    assert np.mean(np.array(misses) < 1e-6) >= 0.9
