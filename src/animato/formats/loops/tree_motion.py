"""Where the bodies of a tree are for given joint positions, and how each coordinate moves the ends of loops."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from animato.character import FREEDOM, Character, Joint, JointType, Vector
from animato.character.structure import TreeLink, joint_motion, rest_coordinates, topology_of
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform


def homogeneous(transform: RigidTransform) -> np.ndarray:
    """The transform as a matrix, shape [4, 4]."""
    matrix = np.eye(4)
    matrix[:3, :3] = transform.rotation
    matrix[:3, 3] = transform.position
    return matrix


@dataclass(frozen=True, eq=False)
class _Step:
    """One joint of the tree: T_above_body = before @ motion @ after, or the same with the motion turned back.

    Attributes:
        joint: Which one; None where nothing moves.
        body, above: Of the tree.
        before, after: Shape [4, 4].
        backwards: Whether the tree walks it from child to parent.
        axes: Of the joint, shape [3, 3].
        still: T_above_body of a joint that never moves here, shape [4, 4].
    """

    joint: Joint | None
    body: str
    above: str | None
    before: np.ndarray
    after: np.ndarray
    backwards: bool
    axes: np.ndarray
    still: np.ndarray | None = None


class TreeMotion:
    """The part of a tree that loops go through, made once and evaluated often.

    Attributes:
        joints: Those that move, in the order of their coordinates.
        sizes: Degrees of freedom of each.
    """

    def __init__(self, tree: Character, bodies: Sequence[str], joints: Sequence[Joint]) -> None:
        """Takes the tree, the bodies that loops end on, and the joints that may move."""
        links = {link.body: link for link in topology_of(tree).links}
        self._paths = {body: _path(links, body) for body in bodies}
        needed = {link.body for path in self._paths.values() for link in path}
        self._steps = [_step(link) for body, link in links.items() if body in needed]
        shared = set.intersection(*({link.body for link in path} for path in self._paths.values()))
        # What all ends hang on moves them alike and closes nothing.
        useful = {step.joint.name for step in self._steps if step.joint is not None and step.body not in shared}
        useful |= {joint.coupling.leader for joint in _joints(self._steps) if joint.coupling and joint.name in useful}
        self.joints = [joint for joint in joints if joint.name in useful]
        self.sizes = [FREEDOM[joint.type] for joint in self.joints]
        self._columns = dict(zip((j.name for j in self.joints), np.cumsum([0, *self.sizes])[:-1], strict=True))
        self._steps = [step if self._moves(step.joint) else _stilled(step) for step in self._steps]

    @property
    def size(self) -> int:
        """How many coordinates there are."""
        return sum(self.sizes)

    def neutral(self) -> dict[str, Vector]:
        """Every joint where it rests."""
        return {joint.name: rest_coordinates(joint) for joint in self.joints}

    def moved(self, values: Mapping[str, Vector], change: np.ndarray) -> dict[str, Vector]:
        """The positions after a change [rad or m]; a ball turns by a vector in its own turned frame."""
        found = {}
        for joint, size in zip(self.joints, self.sizes, strict=True):
            first = self._columns[joint.name]
            part = change[first : first + size]
            if joint.type is JointType.SPHERICAL:
                turn = quaternions.quaternion_from_rotation_vector(part)
                new = quaternions.normalized(quaternions.multiply(np.array(values[joint.name]), turn))
            else:
                new = np.array(values[joint.name]) + part
            found[joint.name] = tuple(new.tolist())
        return found

    def evaluated(self, values: Mapping[str, Vector]) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """Poses [4, 4] of the bodies on the way to loops, and what moves each end.

        The second is, by body that a loop ends on, the velocity at the world's origin and the angular
        velocity for each coordinate, shape [6, coordinate].
        """
        poses: dict[str, np.ndarray] = {}
        twists: dict[str, np.ndarray] = {}
        for step in self._steps:
            above = np.eye(4) if step.above is None else poses[step.above]
            if step.still is not None or step.joint is None:
                poses[step.body] = above if step.still is None else above @ step.still
                continue
            stand = self._stand(step.joint, values)
            motion = _motion(step, stand)
            near = above @ step.before
            poses[step.body] = near @ (_inverse(motion) if step.backwards else motion) @ step.after
            twists[step.body] = _twists(step, stand, near, motion)
        return poses, {body: self._sum(path, twists) for body, path in self._paths.items()}

    def _moves(self, joint: Joint | None) -> bool:
        if joint is None:
            return False
        return joint.name in self._columns or (joint.coupling is not None and joint.coupling.leader in self._columns)

    def _stand(self, joint: Joint, values: Mapping[str, Vector]) -> Vector:
        if joint.coupling is not None and joint.coupling.leader in values:
            return (joint.coupling.ratio * values[joint.coupling.leader][0] + joint.coupling.offset,)
        return values.get(joint.name, rest_coordinates(joint))

    def _sum(self, path: Sequence[TreeLink], twists: Mapping[str, np.ndarray]) -> np.ndarray:
        total = np.zeros((6, self.size))
        for link in path:
            joint = link.joint
            if joint is None or link.body not in twists:
                continue
            gear = joint.coupling
            name, ratio = (joint.name, 1.0) if gear is None else (gear.leader, gear.ratio)
            if name in self._columns:
                first = self._columns[name]
                total[:, first : first + twists[link.body].shape[1]] += ratio * twists[link.body]
        return total


def _joints(steps: Sequence[_Step]) -> list[Joint]:
    return [step.joint for step in steps if step.joint is not None]


def _path(links: Mapping[str, TreeLink], body: str) -> list[TreeLink]:
    """From a body up to the root."""
    path, at = [], links.get(body)
    while at is not None:
        path.append(at)
        at = None if at.parent is None else links[at.parent]
    return path


def _step(link: TreeLink) -> _Step:
    joint = link.joint
    if joint is None:
        return _Step(None, link.body, link.parent, np.eye(4), np.eye(4), False, np.eye(3), np.eye(4))
    near, far = homogeneous(joint.frame_parent.transform), homogeneous(joint.frame_child.transform)
    if link.reversed:
        near, far = far, near
    return _Step(joint, link.body, link.parent, near, _inverse(far), link.reversed, joint.axes)


def _stilled(step: _Step) -> _Step:
    if step.joint is None:
        return step
    motion = _motion(step, rest_coordinates(step.joint))
    return replace(step, still=step.before @ (_inverse(motion) if step.backwards else motion) @ step.after)


def _motion(step: _Step, stand: Vector) -> np.ndarray:
    """What the joint does, shape [4, 4]."""
    joint = step.joint
    assert joint is not None
    if joint.type is not JointType.REVOLUTE:
        return homogeneous(joint_motion(joint, stand))
    # Most joints are hinges, and this is done thousands of times.
    (x, y, z), cos, sin = step.axes[:, 0], math.cos(stand[0]), math.sin(stand[0])
    v = 1.0 - cos
    return np.array(
        (
            (cos + x * x * v, x * y * v - z * sin, x * z * v + y * sin, 0.0),
            (x * y * v + z * sin, cos + y * y * v, y * z * v - x * sin, 0.0),
            (x * z * v - y * sin, y * z * v + x * sin, cos + z * z * v, 0.0),
            (0.0, 0.0, 0.0, 1.0),
        )
    )


def _inverse(matrix: np.ndarray) -> np.ndarray:
    back = np.eye(4)
    back[:3, :3] = matrix[:3, :3].T
    back[:3, 3] = -matrix[:3, :3].T @ matrix[:3, 3]
    return back


def _twists(step: _Step, stand: Vector, near: np.ndarray, motion: np.ndarray) -> np.ndarray:
    """Velocity at the world's origin and angular velocity for each coordinate of a joint, shape [6, coordinate]."""
    joint, turn, place = step.joint, near[:3, :3], near[:3, 3]
    assert joint is not None
    axes = step.axes
    sign = -1.0 if step.backwards else 1.0
    if joint.type in (JointType.PRISMATIC, JointType.CARTESIAN):
        slides = sign * turn @ axes[:, : FREEDOM[joint.type]]
        return np.vstack([slides, np.zeros_like(slides)])
    if joint.type is JointType.SPHERICAL:
        turns = turn if step.backwards else turn @ motion[:3, :3]
    elif joint.type is JointType.UNIVERSAL:
        first = homogeneous(joint_motion(joint, (stand[0], 0.0)))[:3, :3]
        second = homogeneous(joint_motion(joint, (0.0, stand[1])))[:3, :3]
        if step.backwards:
            turns = turn @ np.column_stack([second.T @ axes[:, 0], axes[:, 1]])
        else:
            turns = turn @ np.column_stack([axes[:, 0], first @ axes[:, 1]])
    else:
        turns = turn @ axes[:, :1]
    twist = np.vstack([np.cross(place, sign * turns.T).T, sign * turns])
    if joint.type is JointType.CYLINDRICAL:
        slide = sign * turn @ axes[:, 0]
        return np.column_stack([np.concatenate([slide, np.zeros(3)]), twist[:, 0]])
    return twist
