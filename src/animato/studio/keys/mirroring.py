"""Poses with left and right exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from animato.character import WORLD, Character, Joint, JointType
from animato.errors import MotionError
from animato.motion import Clip
from animato.spatial import quaternions
from animato.studio.keys.completing import rest_root
from animato.studio.keys.pairs import is_left, other_side
from animato.view.scene import pose_bodies, still_clip

_ALONG = 0.5  # cosine above which axes of a pair count as mirrored: some characters are built in a pose that is not
_ALONG_ITSELF = 0.9  # the same of an axis that must be its own image
_SQUARE = 0.96  # cosine above which left and right are taken to be along an axis of the world
_SLIDES = {
    JointType.PRISMATIC: (True,),
    JointType.REVOLUTE: (False,),
    JointType.CYLINDRICAL: (True, False),
    JointType.UNIVERSAL: (False, False),
    JointType.CARTESIAN: (True, True, True),
}
_AXES = {JointType.CYLINDRICAL: (0, 0), JointType.UNIVERSAL: (0, 1), JointType.CARTESIAN: (0, 1, 2)}


@dataclass(frozen=True, eq=False)
class Mirror:
    """How a character's left and right are exchanged.

    Attributes:
        names: All coordinates of the character.
        matrix: What a mirrored pose takes of the pose, shape [coordinate, coordinate].
        normal: Across the plane between left and right, in the world at rest, shape [3].
        rest: The root at rest, shape [7].
        left_out: Joints that have no mirror image; they stay.
    """

    names: tuple[str, ...]
    matrix: np.ndarray
    normal: np.ndarray
    rest: np.ndarray
    left_out: tuple[str, ...]

    def of_row(self, row: np.ndarray, names: Sequence[str]) -> np.ndarray:
        """The mirrored pose: coordinates `names`, then the root where the row goes on."""
        columns = [self.names.index(name) for name in names]
        count = len(columns)
        found = np.array(row)
        found[:count] = self.matrix[np.ix_(np.array(columns), np.array(columns))] @ row[:count]
        if len(row) > count:
            found[count + 3 :] = self._turned_root(row[count + 3 :])
        return found

    def _turned_root(self, turn: np.ndarray) -> np.ndarray:
        """The root leans to the other side; where it stands and where it heads stay, shape [4]."""
        whole = quaternions.multiply(turn, quaternions.conjugate(self.rest[3:]))
        ahead = np.cross(self.normal, (0.0, 0.0, 1.0))
        there = quaternions.rotate(whole, ahead)
        angle = np.arctan2(np.cross(ahead, there)[2], ahead[:2] @ there[:2])
        heading = quaternions.quaternion_about((0.0, 0.0, 1.0), angle)
        lean = quaternions.multiply(quaternions.conjugate(heading), whole)
        lean = np.concatenate([lean[:1], -_reflected(lean[1:], self.normal)])
        return quaternions.multiply(quaternions.multiply(heading, lean), self.rest[3:])


@lru_cache(maxsize=8)
def mirror_of(character: Character) -> Mirror:
    """How a character is mirrored: pairs by their names, signs by how axes stand at rest.

    Args:
        character: With joints such as "left_knee" and "right_knee", "l_knee" and "r_knee", "KneeL" and "KneeR".

    Raises:
        MotionError: No pairs are found.
    """
    joints = {joint.name: joint for joint in character.free_joints}
    pairs = {name: other for name in joints if (other := other_side(name, joints)) is not None}
    pairs = {name: other for name, other in pairs.items() if pairs.get(other) == name}
    frames = _frames_at_rest(character)
    apart = [frames[name][0] - frames[other][0] for name, other in pairs.items() if is_left(name)]
    across = np.sum(apart, axis=0) if apart else np.zeros(3)
    across[2] = 0.0  # left and right are at one height
    if not apart or np.linalg.norm(across) < 1e-6:
        raise MotionError(
            f"'{character.name}' has no left and right that could be exchanged: no two of its joints are called like "
            "'left_elbow' and 'right_elbow', 'l_elbow' and 'r_elbow' or 'ElbowL' and 'ElbowR' and stand side by side."
        )
    normal = across / np.linalg.norm(across)
    if np.abs(normal).max() > _SQUARE:  # parts that are mounted unevenly must not tilt the mirror
        normal = np.round(normal)
    names = character.coordinate_names
    matrix, left_out = np.eye(len(names)), []
    for name, joint in joints.items():
        there = joints[pairs.get(name, name)]
        block = _block(joint, there, frames[name][1], frames[there.name][1], normal)
        if block is not None and _is_reversed(character, joint, there):
            block = _backwards(block)
        if block is None:
            left_out.append(name)
            continue
        rows = [names.index(one) for one in there.coordinate_names]
        columns = [names.index(one) for one in joint.coordinate_names]
        matrix[rows] = 0.0
        matrix[np.ix_(rows, columns)] = block
    return Mirror(names, matrix, normal, rest_root(character), tuple(left_out))


def mirrored(character: Character, row: np.ndarray, names: Sequence[str] | None = None) -> np.ndarray:
    """A pose with left and right exchanged, the root turned over to the other side, the feet where they were.

    Args:
        character: Who.
        row: Coordinates, then the root (7 numbers) where it is stated.
        names: Of the coordinates; all of the character where not given.

    Raises:
        MotionError: The character has no left and right.
    """
    names = tuple(character.coordinate_names if names is None else names)
    found = mirror_of(character).of_row(row, names)
    if len(row) > len(names) and character.soles:
        place = slice(len(names), len(names) + 2)  # level with the floor
        found[place] += _between_soles(character, row, names) - _between_soles(character, found, names)
    return found


def _between_soles(character: Character, row: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
    """The middle of all feet, x and y [m], shape [2]."""
    count = len(names)
    clip = Clip(np.zeros(1), names, row[None, :count], row[None, count : count + 3], row[None, count + 3 :])
    poses = pose_bodies(character, clip)
    middle: np.ndarray = np.mean([poses.of(sole.body).position[0, :2] for sole in character.soles], axis=0)
    return middle


def _block(joint: Joint, other: Joint, own: np.ndarray, there: np.ndarray, normal: np.ndarray) -> np.ndarray | None:
    """What the other joint takes of this one's coordinates; None where their axes are not mirrored.

    A slide is mirrored as an arrow is; a turn goes the other way round about the mirrored axis.

    Args:
        joint: This one.
        other: Its counterpart, or itself.
        own: Axes of its joint frame in the world at rest as columns, shape [3, 3].
        there: The same of the counterpart.
        normal: Across the plane, shape [3].
    """
    if joint.type is not other.type:
        return None
    image = _reflected(own.T, normal).T
    along = there.T @ image
    if joint.type is JointType.SPHERICAL:
        whole = np.eye(4)
        whole[1:, 1:] = -along
        return whole
    kinds = _SLIDES[joint.type]
    signs = []
    for axis, slides in zip(_AXES.get(joint.type, (0,)), kinds, strict=True):
        cosine = along[axis, axis]
        if abs(cosine) < (_ALONG_ITSELF if joint is other else _ALONG):
            return None
        signs.append(np.sign(cosine) * (1.0 if slides else -1.0))
    return np.diag(signs)


def _is_reversed(character: Character, joint: Joint, other: Joint) -> bool:
    """Whether one joint moves the image of what the other one does not, as where a robot is built from one foot up."""
    bodies = {body.name for body in character.bodies}
    image = {other_side(name, bodies) or name for name in _moved_by(character, joint)}
    moved = _moved_by(character, other)
    return len(image ^ moved) > len(image ^ (bodies - moved))


def _moved_by(character: Character, joint: Joint) -> set[str]:
    """Bodies on the child's side of a joint; all where a loop leads round it."""
    near: dict[str, list[str]] = {}
    for one in character.joints:
        if one is not joint:
            near.setdefault(one.parent, []).append(one.child)
            near.setdefault(one.child, []).append(one.parent)
    found, waiting = {joint.child}, [joint.child]
    while waiting:
        new = [name for name in near.get(waiting.pop(), ()) if name not in found and name != WORLD]
        found.update(new)
        waiting += new
    return found


def _backwards(block: np.ndarray) -> np.ndarray:
    """The same motion, of the parent seen from the child."""
    return block * np.array([[1.0], [-1.0], [-1.0], [-1.0]]) if block.shape == (4, 4) else -block


def _frames_at_rest(character: Character) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Place [3] and axes (columns [3, 3]; the joint's own frame where it is spherical) of each joint in the world."""
    poses = pose_bodies(character, still_clip(None))
    found = {}
    for joint in character.free_joints:
        at = poses.of(joint.parent) @ joint.frame_parent.transform
        turn = quaternions.matrix_from_quaternion(at.quaternion_wxyz[0])
        found[joint.name] = at.position[0], turn if joint.type is JointType.SPHERICAL else turn @ joint.axes
    return found


def _reflected(vectors: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Arrows in a mirror, shape [..., 3]."""
    found: np.ndarray = vectors - 2.0 * (vectors @ normal)[..., None] * normal
    return found
