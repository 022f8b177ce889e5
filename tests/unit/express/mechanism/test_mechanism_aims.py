from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from animato.character import Character, EndPoint, Joint, Limits
from animato.errors import CharacterError, MotionError, UnknownNameError
from animato.express import Options, Problem, Target, build
from animato.express.mechanism import MechanismAims, MechanismBody, closed_clip, face_with_mechanism
from animato.express.sharing import goals_of
from animato.formats import load_character
from animato.mechanics.loops import loop_kinematics
from animato.motion import Clip, Posture
from animato.spatial import quaternions
from tests.mechanism_builders import stewart
from tests.unit.express.mechanism.differential_neck import differential_neck

FACED = 1e-6
"""[rad]"""


def resting(character: Character) -> Posture:
    """All actuators at 0."""
    names = character.actuated_coordinate_names
    return Posture(names, np.zeros(len(names)), "rest")


@lru_cache
def neck() -> Problem:
    return build(differential_neck(), resting(differential_neck()))


def hexapod() -> Problem:
    """A Stewart platform whose legs slide by 20 cm either way, with an eye on it."""

    def limited(joint: Joint) -> Joint:
        return replace(joint, stated_limits=(Limits(-0.2, 0.2),)) if joint.type == "prismatic" else joint

    plain = stewart()
    eye = EndPoint("eye", "platform", forward=(1.0, 0.0, 0.0), up=(0.0, 0.0, 1.0), symmetric=False)
    character = replace(plain, joints=tuple(map(limited, plain.joints)), end_points=(eye,))
    return build(character, resting(character))


def reachable(problem: Problem, count: int, share: float, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Where the eye is and looks for actuators all over their ranges, each [3]."""
    rng, body, found = np.random.default_rng(seed), MechanismBody(problem), []
    for _ in range(count):
        q = np.array([share * rng.uniform(*one.range) for one in problem.limits])
        body.improve(goals_of(problem.end_points, {}, None), q, q, q, 0, 0.0, q)  # as far as loops close
        pose = body.poses(q)[0]
        found.append((pose[4:], quaternions.rotate(pose[:4], np.array(problem.end_points[0].forward))))
    return found


@pytest.mark.parametrize(("make", "share"), [(neck, 0.95), (hexapod, 0.7)])
def test_every_reachable_target_is_faced(make: Callable[[], Problem], share: float) -> None:
    problem = make()
    for n, (eye, looking) in enumerate(reachable(problem, 4, share, 1)):
        target = Target(direction=tuple(looking)) if n % 2 else Target(point=tuple(eye + 1.5 * looking))
        answer = face_with_mechanism(problem, {"eye": target})
        assert answer.errors_rad["eye"] < FACED
        lower, upper = (np.array([one.range[side] for one in problem.limits]) for side in (0, 1))
        assert np.all(answer.positions >= lower) and np.all(answer.positions <= upper)


def test_orientations_are_faced_by_a_hexapod() -> None:
    problem = hexapod()
    wanted = quaternions.quaternion_from_rotation_vector([0.15, -0.1, 0.2])
    answer = face_with_mechanism(problem, {"eye": Target(quaternion_wxyz=tuple(wanted))})
    assert answer.errors_rad["eye"] < FACED
    body = MechanismBody(problem)
    assert quaternions.angle_between(body.poses(answer.positions)[0, :4], wanted) < FACED


def test_what_is_followed_faces_with_closed_loops_and_bounded_moves() -> None:
    problem = neck()
    aims, most = MechanismAims(problem), 4.2 / 100.0
    moved, errors = [problem.held], []
    for frame in range(250):
        angle = 0.02 * frame
        target = Target(direction=(1.0, 0.5 * np.sin(angle), 0.3 * np.cos(1.3 * angle)))
        aimed = aims.update({"eye": target})
        moved.append(aimed.positions)
        errors.append(aims.error_of(aimed.positions, {"eye": target}))
        assert errors[-1] == pytest.approx(aimed.error_rad, abs=1e-9)
    assert np.abs(np.diff(moved, axis=0)).max() <= most + 1e-12
    assert max(errors[60:]) < FACED
    mechanism = problem.mechanism
    assert mechanism is not None
    columns = [problem.names.index(name) for name in mechanism.control_names]
    played = loop_kinematics(mechanism, np.array(moved)[:, columns])
    assert played.residual.max() < 1e-8
    assert not len(played.branch_changes)


def test_nothing_moves_while_the_target_stands_and_without_one_the_posture_is_held() -> None:
    problem = neck()
    aims = MechanismAims(problem)
    target = {"eye": Target(direction=(1.0, 0.6, -0.2))}
    moved = np.array([aims.update(target).positions for _ in range(300)])
    assert np.abs(moved[-100:] - moved[-1]).max() < 1e-9
    aims.hold(np.full(3, 0.2))
    for _ in range(200):
        aimed = aims.update({})
    np.testing.assert_allclose(aimed.positions, 0.2, atol=1e-9)


def test_ranges_of_passive_joints_hold() -> None:
    """A nod of the head that its own joint does not allow is not made, though the cranks could."""
    character = differential_neck(nod_range=0.2)
    problem = build(character, resting(character))
    body_target = {"eye": Target(direction=(1.0, 0.0, 0.5))}
    answer = face_with_mechanism(problem, body_target)
    assert abs(answer.coordinates["nod"]) <= 0.2 + 1.001e-4  # curves between two moves
    assert answer.errors_rad["eye"] > 0.2
    free = face_with_mechanism(neck(), body_target)
    assert free.errors_rad["eye"] < FACED  # the negative control


def test_a_shipped_character_with_loops_faces_with_its_pelvis() -> None:
    legs = load_character("legs")
    legs = replace(legs, end_points=(EndPoint("front", "pelvis", symmetric=False),))
    problem = build(legs, "rest")
    target = {"front": Target(direction=(1.0, 0.1, 0.12))}
    aims = MechanismAims(problem)
    for _ in range(120):
        aimed = aims.update(target)
    assert aimed.error_rad < FACED
    with pytest.raises(UnknownNameError):
        aims.update({"back": Target(direction=(1.0, 0.0, 0.0))})


def test_there_is_no_chain_to_what_hangs_on_loops_and_no_loops_on_a_chain() -> None:
    with pytest.raises(CharacterError, match="closed loops or gears"):
        _ = neck().chain
    with pytest.raises(CharacterError, match="no closed loops"):
        MechanismBody(build("lamp", "proud"))


def test_a_posture_outside_the_limits_is_refused() -> None:
    character = differential_neck(reach=0.5)
    names = character.actuated_coordinate_names
    with pytest.raises(MotionError, match=r"'left' at 0\.7, outside its limits -0\.5 to 0\.5"):
        build(character, Posture(names, np.array([0.0, 0.7, 0.0]), "bent"), options=Options())


def test_a_motion_of_actuators_moves_the_passive_joints_too() -> None:
    problem = neck()
    character = problem.character
    times = np.linspace(0.0, 1.0, 11)
    positions = np.zeros((11, len(character.coordinate_names)))
    for name in ("left", "right"):
        positions[:, character.coordinate_names.index(name)] = 0.5 * times
    clip = closed_clip(problem, Clip(times, character.coordinate_names, positions))
    body = MechanismBody(problem)
    q = np.array([clip.positions[-1, clip.column(name)] for name in problem.names])
    assert clip.positions[-1, clip.column("left")] == 0.5
    nod = clip.positions[-1, clip.column("nod")]
    assert abs(nod) > 0.1
    assert nod == pytest.approx(body.coordinates(q)["nod"], abs=1e-9)
