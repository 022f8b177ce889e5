"""What people look at: named points, where they point, and how far a joint's turn is seen."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from animato.character import Character
from animato.character.structure import rigidified, topology_of
from animato.errors import AnimatoError
from animato.fix.problem import SeenPoint
from animato.mechanics.collision import shape_points
from animato.mechanics.tree import BodyPoses, forward_kinematics, named_point, states_of_posture

_AHEAD = 0.2  # of the character's size: how far ahead of a point stands what shows where it points
_AHEAD_WEIGHT = 0.25
_LEAST_LEVER = 0.02  # of the character's size


def seen_points(character: Character, names: tuple[str, ...], size: float) -> tuple[SeenPoint, ...]:
    """Named points; where none are named the end-points, or the tips of bodies that carry no other.

    What has a direction has a second point ahead of it.

    Args:
        character: Whose.
        names: Of end-points, markers or bodies.
        size: Of the character [m].

    Raises:
        UnknownNameError: A name is none of these.
    """
    found: list[SeenPoint] = []
    ends = {point.name for point in character.end_points}
    bodies = {body.name for body in character.bodies} - {marker.name for marker in character.markers}
    for name in names or tuple(point.name for point in character.end_points) or outermost(character):
        point = named_point(character, name)
        place = tip_of(character, name) if name in bodies - ends else np.array(point.position)
        found.append(SeenPoint(name, point.body, _triple(place), 1.0))
        if name in ends:
            ahead = place + _AHEAD * size * np.array(point.forward)
            found.append(SeenPoint(f"where {name} points", point.body, _triple(ahead), _AHEAD_WEIGHT, told=False))
    return tuple(found)


def outermost(character: Character) -> tuple[str, ...]:
    """Bodies that carry no other."""
    parents = {joint.parent for joint in character.joints}
    return tuple(body.name for body in character.bodies if body.name not in parents)


@lru_cache(maxsize=256)
def tip_of(character: Character, name: str) -> np.ndarray:
    """The point of a body's shapes that is farthest from its origin [m], [3]; the origin where no shape can be read."""
    body = next((one for one in character.bodies if one.name == name), None)
    points = [np.zeros((1, 3))]
    for shape in () if body is None else body.shapes:
        try:
            own = shape_points(shape.geometry)
        except AnimatoError:  # of a mesh that cannot be read: there are others to look at
            continue
        if own is not None and len(own):
            points.append(shape.frame.transform.apply(own))
    cloud = np.concatenate(points)
    return np.asarray(cloud[int(np.argmax(np.linalg.norm(cloud, axis=1)))])


def levers_of(character: Character) -> tuple[float, dict[str, float]]:
    """The character's size [m], and by coordinate how far from its joint what it moves reaches [m].

    Of characters with closed loops every coordinate counts alike.
    """
    if not topology_of(rigidified(character)).is_tree:
        frames = [joint.frame_parent.position for joint in character.joints]
        return max(float(np.linalg.norm(np.ptp(np.array(frames), axis=0))), 0.1) if frames else 1.0, {}
    poses = forward_kinematics(character, states_of_posture(character))
    spots = _spots(character, poses)
    every = np.array([spot for own in spots.values() for spot in own])
    size = max(float(np.linalg.norm(np.ptp(every, axis=0))), 1e-3)
    children: dict[str, list[str]] = {}
    for joint in character.joints:
        children.setdefault(joint.parent or "", []).append(joint.child)
    reaches: dict[str, float] = {}
    for joint in character.free_joints:
        origin, queue, reach = poses.of(joint.child).position[0], [joint.child], _LEAST_LEVER * size
        while queue:
            body = queue.pop()
            reach = max(reach, *(float(np.linalg.norm(spot - origin)) for spot in spots[body]))
            queue.extend(children.get(body, ()))
        reaches.update(dict.fromkeys(joint.coordinate_names, reach))
    return size, reaches


def _spots(character: Character, poses: BodyPoses) -> dict[str, list[np.ndarray]]:
    """By body: where its origin, its end-points and, if it is an outermost one, its tip are [m]."""
    spots = {name: [poses.positions[0, n]] for n, name in enumerate(poses.names)}
    for point in character.end_points:
        spots[point.body].append(poses.of(point.body).apply(np.array(point.frame.position))[0])
    for name in outermost(character):
        spots[name].append(poses.of(name).apply(tip_of(character, name))[0])
    return spots


def _triple(place: np.ndarray) -> tuple[float, float, float]:
    return float(place[0]), float(place[1]), float(place[2])
