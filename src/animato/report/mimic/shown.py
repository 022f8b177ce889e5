"""What the page of mimic shows, worked out once: person and robot at the knots, feet, and how near each limit is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.contact import corners_of, momentum_of, outside_distance, used_reach
from animato.mechanics.tree import BodyPoses, forward_kinematics
from animato.mimic import Solution
from animato.mimic.mapping import scaled_by_segments

HELD = ("range", "speed", "torque", "soles", "friction")
"""What may hold a frame, in the order in which it is told."""

HELD_KINDS = {"range": "position", "speed": "velocity", "torque": "torque"}
"""Those of `HELD` that are limits of joints, by their kind."""

RIM = 1e-4
"""Of the ZMP beyond the rim of the soles [m]: what is less is on it."""

_LEAST_PUSH = 0.01  # of the largest push of a corner: what is less says nothing about friction


@dataclass(frozen=True, eq=False)
class Shown:
    """Person and robot at the knots.

    Attributes:
        solution: What is shown.
        times: Of the robot [s], [knot].
        poses: Of the robot's bodies.
        names: Landmarks that both have, the pelvis first.
        person: Where the person has them, scaled and with its pelvis where the robot's is [m], [knot, landmark, 3].
        robot: Where the robot has them [m], [knot, landmark, 3].
        before: Key-point errors of the motion without balance and torque [m], [knot, key-point].
        after: Those of the solution [m], [knot, key-point].
        corners: Points that may touch [m], [knot, corner, 3].
        planted: Which of them stand, [knot, corner].
        centre: Of mass [m], [knot, 3].
        inside: How far the ZMP is inside the soles that stand [m], negative outside, NaN in flight, [knot].
        held: Share of each of `HELD` that is used, [knot, kind].
    """

    solution: Solution
    times: np.ndarray
    poses: BodyPoses
    names: tuple[str, ...]
    person: np.ndarray
    robot: np.ndarray
    before: np.ndarray
    after: np.ndarray
    corners: np.ndarray
    planted: np.ndarray
    centre: np.ndarray
    inside: np.ndarray
    held: np.ndarray


def gather(solution: Solution) -> Shown:
    """Works out what the page shows."""
    problem, states = solution.problem, solution.states
    poses = forward_kinematics(problem.character, states)
    first = dict.fromkeys(("pelvis", *problem.landmarks, *problem.person.names))
    names = tuple(name for name in first if name in problem.anatomy.names and problem.person.has(name))
    robot = landmark_places(solution, poses, names)
    own = _sized(solution)[:, [problem.person.names.index(name) for name in names]]
    person = robot[:, :1] + own - own[:, :1]
    points = [point for part in problem.plan.parts for point in part.points]
    corners = corners_of(problem.character, states, points).positions
    planted = np.repeat(solution.planted, [len(part.points) for part in problem.plan.parts], axis=1)
    return Shown(
        solution=solution,
        times=states.times,
        poses=poses,
        names=names,
        person=person,
        robot=robot,
        before=solution.kinematic_errors,
        after=solution.errors,
        corners=corners,
        planted=planted,
        centre=momentum_of(problem.character, states).centre,
        inside=-outside_distance(solution.zmp, corners[..., :2], planted),
        held=_held(solution, corners, planted),
    )


def _sized(solution: Solution) -> np.ndarray:
    """The person as large as the robot: scaled as a whole, or segment by segment [m], [knot, landmark, 3]."""
    problem = solution.problem
    if problem.by_segments:
        return scaled_by_segments(problem.person, problem.anatomy) * (solution.scale / problem.scale)
    return solution.scale * problem.person.positions


def landmark_places(solution: Solution, poses: BodyPoses, names: tuple[str, ...]) -> np.ndarray:
    """Where a robot has landmarks [m], [time, landmark, 3]."""
    points = [solution.problem.anatomy.point(name) for name in names]
    return np.stack([poses.of(point.body).apply(point.position) for point in points], axis=1)


def near_shares(solution: Solution) -> np.ndarray:
    """Share of each of `HELD` from which on it holds a frame, [kind]; the solver leaves a margin unused."""
    motors = 0.98 * (1.0 - solution.problem.options.margin)
    return np.array((0.99, motors, motors, 0.9, 0.95))


@dataclass(frozen=True)
class Slide:
    """How far a part slides while it stands.

    Attributes:
        part: Its name.
        start_s: From when it stands.
        end_s: Until when.
        metres: By which its corners move along the floor [m].
    """

    part: str
    start_s: float
    end_s: float
    metres: float


def worst_slide(shown: Shown) -> Slide | None:
    """The stance in which a part slides farthest; None where nothing ever stands."""
    found, first = [], 0
    for column, part in enumerate(shown.solution.problem.plan.parts):
        corners = shown.corners[:, first : first + len(part.points), :2]
        first += len(part.points)
        for a, b in stretches(shown.solution.planted[:, column]):
            moved = float(np.linalg.norm(np.ptp(corners[a:b], axis=0), axis=1).max())
            found.append(Slide(part.name, float(shown.times[a]), float(shown.times[b - 1]), moved))
    return max(found, key=lambda slide: slide.metres, default=None)


def stretches(on: np.ndarray) -> list[tuple[int, int]]:
    """First frame and the one after the last of each stretch in which something holds."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], np.asarray(on, dtype=int), [0]])))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def plain(name: str) -> str:
    """A landmark or a joint for people."""
    return name.replace("_", " ").removesuffix(" joint")


def _held(solution: Solution, corners: np.ndarray, planted: np.ndarray) -> np.ndarray:
    """Used shares, [knot, kind]."""
    shares = solution.usage.shares
    found = [np.nan_to_num(shares[kind]).max(axis=1, initial=0.0) for kind in ("position", "velocity", "torque")]
    found.append(used_reach(solution.zmp, corners[..., :2], planted))
    push, slide = solution.forces[..., 2], np.linalg.norm(solution.forces[..., :2], axis=2)
    firm = planted & (push > _LEAST_PUSH * max(float(push.max(initial=0.0)), 1e-9))
    share = np.where(firm, slide / np.where(firm, push, 1.0), 0.0) / solution.problem.options.friction
    found.append(np.where(firm.any(axis=1), share.max(axis=1, initial=0.0), np.nan))
    return np.column_stack(found)
