"""People of pico's own build, problems of them, and solutions that several tests look at; each is solved once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from animato.character import Character
from animato.formats import load_character
from animato.mechanics.tree import States, forward_kinematics
from animato.mimic.anatomy import Anatomy, BodyPoint, anatomy_of
from animato.mimic.optimization import Solution, solve
from animato.mimic.options import Options
from animato.mimic.person import Person
from animato.mimic.problem import Problem, build
from tests.pose_builders import person_of_points

SIZE = 4.5
"""Of these people beside pico."""
RATE = 30.0


@lru_cache
def pico() -> Character:
    return load_character("pico")


@lru_cache
def pico_anatomy() -> Anatomy:
    """With elbows and hands where pico has them."""
    points = {
        f"{side}_{place}": BodyPoint(f"{side}_{place}", body, at, "")
        for side in ("left", "right")
        for place, body, at in (
            ("shoulder", f"{side}_upper_arm", (0.0, 0.0, 0.0)),
            ("elbow", f"{side}_forearm", (0.0, 0.0, 0.0)),
            ("wrist", f"{side}_forearm", (0.0, 0.0, -0.05)),
        )
    }
    return anatomy_of(pico(), points=points)


def landmarks_in(joints: np.ndarray, root: np.ndarray) -> np.ndarray:
    """All landmarks of pico [m], [frame, landmark, 3], in postures [frame, coordinate] with its root at [frame, 7]."""
    anatomy, count = pico_anatomy(), len(joints)
    nothing = np.zeros((count, 6 + joints.shape[1]))
    poses = forward_kinematics(anatomy.character, States(np.arange(count) / RATE, joints, nothing, nothing, root))
    return np.stack([poses.of(point.body).apply(point.position) for point in anatomy.points], axis=1)


def standing_person(seconds: float = 1.0) -> Person:
    """Stands as pico does, without moving."""
    anatomy, count = pico_anatomy(), round(seconds * RATE) + 1
    joints = np.tile(anatomy.stand_posture, (count, 1))
    positions = SIZE * landmarks_in(joints, np.tile(anatomy.stand_root, (count, 1)))
    return person_of_points(np.arange(count) / RATE, anatomy.names, positions)


def stepping_person(seconds: float = 1.0) -> Person:
    """Leans over its right foot, moves the left one forward, and lifts the right arm."""
    person = standing_person(seconds)
    positions, share = person.positions.copy(), person.times / seconds
    step = np.clip((share - 0.3) / 0.4, 0.0, 1.0)
    forward, lift = step * step * (3.0 - 2.0 * step), 16.0 * (step * (1.0 - step)) ** 2
    arm = np.sin(np.pi * share) ** 2
    over = np.clip(share / 0.3, 0.0, 1.0) * np.clip((1.0 - share) / 0.3, 0.0, 1.0)
    lean = over * over * (3.0 - 2.0 * over)
    for column, name in enumerate(person.names):
        place = name.split("_")[-1]
        if name.startswith("left") and place in ("knee", "ankle", "heel", "toe"):
            positions[:, column] += np.outer(forward, (0.06 if place == "knee" else 0.12, 0.0, 0.0))
            positions[:, column, 2] += 0.1 * lift
        elif place not in ("knee", "ankle", "heel", "toe"):
            positions[:, column, 0] += 0.06 * forward
            positions[:, column, 1] -= 0.12 * lean
        if name in ("right_elbow", "right_wrist"):
            far = 0.1 if place == "elbow" else 0.25
            positions[:, column] += np.outer(arm, (0.4 * far, -far, far))
    return person_of_points(person.times, person.names, positions)


def hopping_person(seconds: float = 1.2, height: float = 0.35) -> Person:
    """Jumps straight up as a body falls, in the middle."""
    person = standing_person(seconds)
    positions, late = person.positions.copy(), person.times - 0.5 * seconds
    positions[..., 2] += np.maximum(0.0, height - 0.5 * 9.81 * late**2)[:, None]
    return person_of_points(person.times, person.names, positions)


def problem_of(person: Person, options: Options | None = None) -> Problem:
    """Of pico and a person."""
    return build(pico(), person, options or Options(), anatomy=pico_anatomy())


PEOPLE = {"stand": standing_person, "step": stepping_person, "hop": hopping_person}


@lru_cache
def solved(name: str, collisions: bool = False) -> Solution:
    """Of one of `PEOPLE`; nobody comes near itself in them, so collisions need not be looked for."""
    return solve(problem_of(PEOPLE[name](), Options(collisions=collisions)))


def key_points(solution: Solution) -> np.ndarray:
    """Where pico's key-points and pelvis are at the knots [m], [knot, key-point, 3]."""
    columns = [pico_anatomy().names.index(name) for name in ("pelvis", *solution.problem.landmarks)]
    return landmarks_in(solution.states.positions, solution.states.root)[:, columns]
