"""Things in the world that a character must not run into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from animato.character import Body, Box, Character, Frame, Joint, JointType, Shape
from animato.mechanics.tree import forward_kinematics, packed_tree, states_of_posture
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform


@dataclass(frozen=True)
class Obstacle:
    """A thing that stands still.

    Attributes:
        name: For people, such as "table".
        shapes: What it is made of; their frames are in the world.
        may_touch: Bodies of the character that may touch it, such as the pen its board.
    """

    name: str
    shapes: tuple[Shape, ...]
    may_touch: tuple[str, ...] = ()


def obstacles_of(scene: Character) -> tuple[Obstacle, ...]:
    """The bodies of a scene, or of another character at rest, as obstacles: those with shapes that count."""
    poses = forward_kinematics(scene, states_of_posture(scene))
    found = []
    for body in scene.bodies:
        index = poses.names.index(body.name)
        place = RigidTransform(poses.positions[0, index], poses.quaternions_wxyz[0, index])
        shapes = tuple(
            replace(shape, frame=Frame.from_transform(place @ shape.frame.transform))
            for shape in body.shapes
            if shape.collision
        )
        if shapes:
            found.append(Obstacle(body.name, shapes))
    return tuple(found)


def among(character: Character, obstacles: Sequence[Obstacle]) -> Character:
    """The character with its surroundings: every obstacle is one more body that moves with the root.

    A name that is taken gets a number. A character that floats has its obstacles where they are while it is at rest,
    so that this is for characters that are held, or stay.
    """
    tree, taken = packed_tree(character), {body.name for body in character.bodies}
    taken |= {joint.name for joint in character.joints}
    back = Frame.from_transform(tree.root_rest.inverse())
    bodies, joints, ignored = list(character.bodies), list(character.joints), list(character.ignored_collisions)
    for obstacle in obstacles:
        name = _free_name(obstacle.name, taken)
        taken.add(name)
        bodies.append(Body(name, shapes=obstacle.shapes))
        stands = _free_name(f"{name} stands", taken)
        taken.add(stands)
        joints.append(Joint(stands, JointType.FIXED, tree.root_body, name, frame_parent=back))
        ignored += [(name, body) for body in obstacle.may_touch]
    return replace(character, bodies=tuple(bodies), joints=tuple(joints), ignored_collisions=tuple(ignored))


def box_behind(points: np.ndarray, towards: np.ndarray, *, margin: float, depth: float) -> Shape:
    """A box whose front face is the plane of points, on the side away from someone.

    Args:
        points: About flat [m], [point, 3].
        towards: Where someone stands, in front of the plane [m], [3].
        margin: By which the box is larger than the points, to every side [m].
        depth: Of the box [m].
    """
    middle = points.mean(axis=0)
    axes = np.linalg.svd(points - middle, full_matrices=True)[2]
    if axes[2] @ (towards - middle) < 0.0:
        axes[2] *= -1.0
    axes[1] = np.cross(axes[2], axes[0])
    spans = (points - middle) @ axes.T
    low, high = spans.min(axis=0), spans.max(axis=0)
    size = (*(high - low + 2.0 * margin)[:2].tolist(), depth)
    centre = middle + 0.5 * (low + high)[:2] @ axes[:2] - (0.5 * depth - low[2]) * axes[2]
    turn = quaternions.quaternion_from_matrix(axes.T)
    return Shape(Box(size), Frame(tuple(centre.tolist()), tuple(turn.tolist())), visual=False)


def _free_name(name: str, taken: set[str]) -> str:
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name} {number}"
    return free
