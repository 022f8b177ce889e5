"""How long the parts of a person and of a robot are, and the person in the robot's proportions."""

from __future__ import annotations

import numpy as np

from animato.errors import MotionError
from animato.mimic.anatomy import Anatomy, stand_points
from animato.mimic.person import SIDES, Person

SHOULDERS = "shoulders"
"""The middle of the two shoulders, on which the arms and the neck hang."""

PARENTS: dict[str, str] = {
    SHOULDERS: "pelvis",
    "chest": "pelvis",
    "neck": SHOULDERS,
    "head": "neck",
    **{
        f"{side}_{place}": above if above in ("pelvis", SHOULDERS) else f"{side}_{above}"
        for side in SIDES
        for place, above in (
            ("hip", "pelvis"),
            ("knee", "hip"),
            ("ankle", "knee"),
            ("heel", "ankle"),
            ("toe", "ankle"),
            ("shoulder", SHOULDERS),
            ("elbow", "shoulder"),
            ("wrist", "elbow"),
            ("hand", "wrist"),
        )
    },
}
"""Landmark -> the one from which it is reached; parents stand before their children."""

SEGMENTS: dict[str, tuple[tuple[str, str], ...]] = {
    "thigh": (("left_hip", "left_knee"), ("right_hip", "right_knee")),
    "shin": (("left_knee", "left_ankle"), ("right_knee", "right_ankle")),
    "foot": (("left_ankle", "left_toe"), ("right_ankle", "right_toe")),
    "upper arm": (("left_shoulder", "left_elbow"), ("right_shoulder", "right_elbow")),
    "forearm": (("left_elbow", "left_wrist"), ("right_elbow", "right_wrist")),
    "shoulder width": (("left_shoulder", "right_shoulder"),),
    "hip width": (("left_hip", "right_hip"),),
    "spine": (("pelvis", SHOULDERS),),
}
"""What is compared, both sides together."""

_SHORTEST = 1e-3  # [m]: what is shorter has no direction


def segment_scales(person: Person, anatomy: Anatomy) -> dict[str, float]:
    """Length of each of `SEGMENTS` on the robot over that of the person; what one of them lacks is left out."""
    return {name: robot / human for name, (human, robot) in _lengths(person, anatomy).items()}


def uniform_scale(person: Person, anatomy: Anatomy) -> float:
    """The one scale of the person that fits the lengths of its segments to the robot's, by least squares.

    s minimizes the sum over segments of (s l_person - l_robot)^2.

    Raises:
        MotionError: They have no segment in common.
    """
    lengths = np.array(list(_lengths(person, anatomy).values()))
    if not len(lengths):
        raise MotionError(
            f"The person ({', '.join(person.names)}) and '{anatomy.character.name}' "
            f"({', '.join(anatomy.names)}) have no two landmarks in common whose distance could be compared."
        )
    human, robot = lengths.T
    return float(human @ robot / (human @ human))


def scaled_by_segments(person: Person, anatomy: Anatomy) -> np.ndarray:
    """The person with the robot's lengths: each segment keeps its direction and gets the robot's length.

    From the pelvis outward. The pelvis itself moves as on a person scaled by the length of the legs.
    Segments that the robot does not have are scaled as the whole person is.

    Returns:
        Positions of the person's landmarks [m], [frame, landmark, 3].
    """
    whole = uniform_scale(person, anatomy)
    human, robot = _person_points(person), _robot_points(anatomy)
    legs = [part for name, part in segment_scales(person, anatomy).items() if name in ("thigh", "shin")]
    placed = {"pelvis": human["pelvis"] * (np.mean(legs) if legs else whole)}
    for name in _walk(human):
        above = PARENTS[name]
        span = human[name] - human[above]
        length = np.linalg.norm(span, axis=1, keepdims=True)
        if name in robot and above in robot:
            wanted = np.linalg.norm(robot[name] - robot[above])
            span = span * (wanted / np.maximum(length, _SHORTEST))
        else:
            span = span * whole
        placed[name] = placed[above] + span
    return np.stack([placed.get(name, whole * human[name]) for name in person.names], axis=1)


def _walk(points: dict[str, np.ndarray]) -> list[str]:
    """Landmarks that are reached from the pelvis, parents before children."""
    order = ["pelvis"]
    left = [name for name in PARENTS if name in points]
    while True:
        ready = [name for name in left if PARENTS[name] in order]
        if not ready:
            return order[1:]
        order += ready
        left = [name for name in left if name not in ready]


def _lengths(person: Person, anatomy: Anatomy) -> dict[str, tuple[float, float]]:
    """Of each segment that both have, its length on the person and on the robot [m]."""
    human, robot = _person_points(person), _robot_points(anatomy)
    found = {}
    for name, ends in SEGMENTS.items():
        both = [(a, b) for a, b in ends if all(end in points for end in (a, b) for points in (human, robot))]
        if not both:
            continue
        of_person = [float(np.median(np.linalg.norm(human[a] - human[b], axis=1))) for a, b in both]
        of_robot = [float(np.linalg.norm(robot[a] - robot[b])) for a, b in both]
        if min(of_person) > _SHORTEST and min(of_robot) > _SHORTEST:
            found[name] = float(np.mean(of_person)), float(np.mean(of_robot))
    return found


def _person_points(person: Person) -> dict[str, np.ndarray]:
    """Positions of landmarks [m], [frame, 3], the middle of the shoulders among them."""
    return _with_shoulders({name: person.landmark(name) for name in person.names})


def _robot_points(anatomy: Anatomy) -> dict[str, np.ndarray]:
    """The same of the robot while it stands, [3]."""
    return _with_shoulders(stand_points(anatomy))


def _with_shoulders(points: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    sides = [points[f"{side}_shoulder"] for side in SIDES if f"{side}_shoulder" in points]
    return {**points, SHOULDERS: (sides[0] + sides[1]) / 2.0} if len(sides) == 2 else points
