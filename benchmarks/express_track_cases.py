"""Characters, postures and courses that followers are measured on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from animato.character import Character
from animato.express.facing import REACHED, FacingProblem, build_facing_problem, solve_facings
from animato.express.gaze import Gaze, look_at
from animato.express.options import Options
from animato.express.problem import Problem, build
from animato.formats.character_files import load_character
from animato.formats.character_yaml.reader import character_from_yaml
from animato.motion import Posture
from benchmarks.express_courses import SETS, Course

RATE = 100.0  # [Hz] of targets and commands
SMOOTHNESS, RESPONSIVENESS = 0.1, 1.0  # of the motion filter behind every follower
LOOK_S = 0.2  # from one look at what is possible to the next
SEEN = np.radians(0.5)  # by which a point that can be faced is missed at most
NEAREST = 0.1  # [m] from the eye, within which a point is in the character's face: a millimetre is half a degree
WIDEST = 0.9  # [rad] of a joint in a random posture

SHIPPED = {"C": "skeleton_c", "G": "skeleton_g", "lamp": "lamp"}
CHARACTERS = (*SHIPPED, "arm7")
"""Those that followers are measured on."""

_AXES = (("z", 170, 1.7), ("y", 120, 1.7), ("z", 170, 1.75), ("y", -120, 2.3), ("z", 170, 2.4), ("y", 120, 3.1))


@dataclass(frozen=True, eq=False)
class Case:
    """One posture and one course.

    Attributes:
        problem: Who holds what; its options are the default ones but for the filter's.
        facing: The same for single targets, with the roll as the course has it.
        course: What is to be faced.
        start: Joint positions at which every follower begins, facing the first target as well as can be [n].
        possible: Whether the target of a frame can be faced at all, [frame].
    """

    problem: Problem
    facing: FacingProblem
    course: Course
    start: np.ndarray
    possible: np.ndarray


@lru_cache
def character_of(name: str) -> Character:
    """One of `CHARACTERS`."""
    return load_character(SHIPPED[name]) if name in SHIPPED else character_from_yaml(arm7_yaml(), source="arm7")


def arm7_yaml() -> str:
    """A seven-axis arm of the class of light collaborative robots: axes, lengths, limits and speeds as those have."""
    lines = ["animato: 1", "name: arm7", "description: Seven-axis arm, 1.3 m tall", "bodies:", "  link_0: {mass: 4}"]
    lines += [f"  link_{n}: {{mass: 3}}" for n in range(1, 8)]
    lines += ["joints:", "  ground: {type: ground, child: link_0}"]
    for n, (axis, degrees, speed) in enumerate((*_AXES, ("z", 175, 3.1)), 1):
        along, most = ("[0, -1, 0]", -degrees) if degrees < 0 else (axis, degrees)
        lines.append(
            f"  joint_{n}: {{type: revolute, parent: link_{n - 1}, child: link_{n}, at: [0, 0, 0.19], axis: {along}, "
            f"limits: {{lower: -{most} deg, upper: {most} deg, velocity: {speed}, acceleration: 15, jerk: 400}}}}"
        )
    lines += ["end_points:", "  tip: {body: link_7, at: [0, 0, 0.12], forward: z, up: x}", "postures:"]
    lines += ["  rest: {joint_2: 30 deg, joint_4: 60 deg, joint_6: 45 deg}"]
    lines += ["  curious: {joint_1: 20 deg, joint_2: 40 deg, joint_3: -15 deg, joint_4: 70 deg, joint_6: -35 deg}"]
    lines += ["  proud: {joint_2: -15 deg, joint_4: -20 deg, joint_5: 10 deg, joint_6: 60 deg}"]
    lines += ["  sad: {joint_2: 50 deg, joint_3: 20 deg, joint_4: 80 deg, joint_6: 70 deg}"]
    return "\n".join(lines) + "\n"


def postures(name: str, seed: int, count: int) -> list[Posture]:
    """Random postures of a character by a seed; every third is one that its file names."""
    character, rng = character_of(name), np.random.default_rng(seed)
    chain = build(character, "rest").chain
    lower = np.maximum(chain.arrays.lower, -WIDEST)
    upper = np.minimum(chain.arrays.upper, WIDEST)
    found = []
    for n in range(count):
        drawn = Posture(chain.names, rng.uniform(lower, upper), f"random posture {n}")
        named = ("curious", "proud", "sad")[n // 3 % 3]
        found.append(Posture.named(character, named) if n % 3 == 2 else drawn)
    return found


def case(name: str, course: str, chosen: str, n: int, seconds: float, *, free_roll: bool = False) -> Case:
    """The n-th case of a character on a course.

    Args:
        name: One of `CHARACTERS`.
        course: One of `COURSES`.
        chosen: Set of courses, "chosen" or "reported".
        n: Which one.
        seconds: How long [s].
        free_roll: Whether any roll will do.
    """
    one = SETS[chosen].course(course, n, seconds, RATE, free_roll=free_roll)
    posture = postures(name, SETS[chosen].posture_seed, n + 1)[n]
    return build_case(name, posture, one)


def build_case(name: str, posture: Posture | str, course: Course) -> Case:
    """A case of a posture and a course: where it begins, and when facing is possible."""
    options = Options(rate_hz=RATE, smoothness=SMOOTHNESS, responsiveness=RESPONSIVENESS)
    problem = build(character_of(name), posture, options=options)
    free = course.free_roll or course.points is not None
    facing = build_facing_problem(problem.chain, problem.held, roll="free" if free else "exact")
    every = round(LOOK_S * course.rate_hz)
    if course.points is None:
        targets = course.orientations(problem.chain.end_point)
        found = solve_facings(facing, targets[::every])
        start, able = found.positions[0], found.errors.orientation < REACHED
    else:
        gazes = [look_at(facing, point) for point in course.points[::every]]
        start = gazes[0].positions
        able = np.array([_sees(gaze, point) for gaze, point in zip(gazes, course.points[::every], strict=True)])
    return Case(problem, facing, course, start, _between(able, every, _frames(course)))


def _sees(gaze: Gaze, point: np.ndarray) -> bool:
    return bool(gaze.miss_rad < SEEN and np.linalg.norm(point - gaze.eye) > NEAREST)


def _frames(course: Course) -> int:
    values = course.directions if course.points is None else course.points
    return 0 if values is None else len(values)


def _between(able: np.ndarray, every: int, frames: int) -> np.ndarray:
    """Whether facing is possible in each frame, [frame]: at the looks before and after it."""
    before = np.arange(frames) // every
    return able[before] & able[np.minimum(before + 1, len(able) - 1)]
