"""Where named points of a character are, and how they move with its joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from animato.character import X_AXIS, ZERO, Character, JointRole, JointType
from animato.errors import CharacterError, unknown_name
from animato.mechanics.tree.kinematics.packing import SLIDE, TURN, Tree, packed_tree
from animato.mechanics.tree.kinematics.point_kernels import PointChains, point_hessians_kernel, point_jacobians_kernel
from animato.motion import Posture


@dataclass(frozen=True)
class NamedPoint:
    """A point of a character by its name.

    Attributes:
        name: Of an end-point, a marker or a body, looked up in that order.
        body: Name of the body it is on.
        position: On that body [m].
        forward: The way it shows, a unit vector on that body; x of the body where it is no end-point.
    """

    name: str
    body: str
    position: tuple[float, ...]
    forward: tuple[float, ...]


def named_point(character: Character, name: str) -> NamedPoint:
    """Finds an end-point, a marker or the origin of a body."""
    for end_point in character.end_points:
        if end_point.name == name:
            turn = end_point.frame.transform.rotation
            forward = tuple(float(x) for x in turn @ np.array(end_point.forward))
            return NamedPoint(name, end_point.body, end_point.frame.position, forward)
    for marker in character.markers:
        if marker.name == name:
            return NamedPoint(name, marker.body, marker.position, X_AXIS)
    for body in character.bodies:
        if body.name == name:
            return NamedPoint(name, body.name, ZERO, X_AXIS)
    names = [place.name for place in character.end_points] + [place.name for place in character.markers]
    raise unknown_name(
        "point", name, dict.fromkeys([*names, *(body.name for body in character.bodies)]), character.name
    )


@dataclass(frozen=True, eq=False)
class PointKinematics:
    """Some points of a character as functions of the coordinates that move them.

    Attributes:
        tree: The character, packed.
        chains: What the kernels walk.
        points: The points; targets t = 0 ... are they, those after them are directions.
        names: Coordinates that move them, the columns of q, [n].
        lower, upper: Their joint limits [rad or m], infinite where free, [n].
        start: Where they are in the posture that was given, within the limits, [n].
        held: All other coordinates.
    """

    tree: Tree
    chains: PointChains
    points: tuple[NamedPoint, ...]
    names: tuple[str, ...]
    lower: np.ndarray
    upper: np.ndarray
    start: np.ndarray
    held: Posture

    def places(self, q: np.ndarray) -> np.ndarray:
        """f(q) of all targets [m, or unit vectors] at postures q [m, n]; shape [m, t, 3]."""
        out = np.empty((len(q), 3 * len(self.chains.local)))
        point_jacobians_kernel(self.tree.arrays, self.chains, np.ascontiguousarray(q), out, np.empty((len(q), 0)))
        return out.reshape(len(q), -1, 3)

    def jacobians(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """f(q), [m, t, 3], and df/dq, [m, t, 3, n], at postures q [m, n]."""
        targets, n = len(self.chains.local), len(self.names)
        places, jacobians = np.empty((len(q), 3 * targets)), np.empty((len(q), 3 * targets * n))
        point_jacobians_kernel(self.tree.arrays, self.chains, np.ascontiguousarray(q), places, jacobians)
        return places.reshape(len(q), targets, 3), jacobians.reshape(len(q), targets, 3, n)

    def hessians(self, q: np.ndarray, forces: np.ndarray) -> np.ndarray:
        """d/dq (J^T w) at postures q [m, n] for vectors w [m, t, 3]; symmetric, shape [m, n, n]."""
        n = len(self.names)
        out = np.empty((len(q), n * n))
        flat = np.ascontiguousarray(forces, dtype=np.float64).reshape(len(q), -1)
        point_hessians_kernel(self.tree.arrays, self.chains, np.ascontiguousarray(q), flat, out)
        return out.reshape(len(q), n, n)


def build_point_kinematics(
    character: Character,
    points: Sequence[str],
    *,
    start: Posture | None = None,
    pointing: Sequence[str] = (),
) -> PointKinematics:
    """Prepares the kinematics of points.

    Coordinates that move none of them, belong to a spherical joint or have no motor are held where the start posture
    has them; a character that floats stays where its file puts it.

    Args:
        character: A tree character.
        points: Names of end-points, markers or bodies.
        start: Posture for the coordinates that are held; neutral where not given.
        pointing: Those of the points whose forward direction is a target too.

    Raises:
        UnknownNameError: A point that the character does not have.
        CharacterError: A point that no motor moves.
    """
    tree = packed_tree(character)
    arrays = tree.arrays
    found = tuple(named_point(character, name) for name in points)
    resting = _resting(character, tree, start)
    targets = [(point, False) for point in found] + [(point, True) for point in found if point.name in pointing]
    ways = [_way(tree, point) for point, _ in targets]
    driven = _driven(character)
    moving = sorted(
        {int(arrays.coordinate[s]) for way in ways for s in way if arrays.kind[s] in (TURN, SLIDE)}
        & {tree.coordinate_names.index(name) for name in driven}
    )
    column = np.array([moving.index(c) if c in moving else -1 for c in arrays.coordinate], dtype=np.int64)
    chains = [[s for s in way if arrays.kind[s] in (TURN, SLIDE) and column[s] >= 0] for way in ways]
    for (point, _), chain in zip(targets, chains, strict=True):
        if not chain:
            raise CharacterError(
                f"No motor of '{character.name}' moves '{point.name}', so it cannot follow a stroke. "
                f"Choose a point behind a joint, such as an end-point."
            )
    body_index = [tree.body_names.index(point.body) for point, _ in targets]
    local = [_local(tree, body, point, way) for body, (point, way) in zip(body_index, targets, strict=True)]
    root = np.concatenate([tree.root_rest.position, tree.root_rest.quaternion_wxyz])
    names = tuple(tree.coordinate_names[c] for c in moving)
    lower, upper = _ranges(character, names)
    packed = PointChains(
        np.array(sorted({s for way in ways for s in way}), dtype=np.int64),
        column,
        np.array(moving, dtype=np.int64),
        np.array([s for chain in chains for s in chain], dtype=np.int64),
        np.concatenate([[0], np.cumsum([len(chain) for chain in chains])]).astype(np.int64),
        np.array([arrays.body_step[body] for body in body_index], dtype=np.int64),
        np.array(local),
        np.array([1 if way else 0 for _, way in targets], dtype=np.int64),
        resting,
        root,
    )
    stays = [c for c in range(len(resting)) if c not in moving]
    held = Posture(tuple(tree.coordinate_names[c] for c in stays), resting[stays])
    start_q = np.clip(resting[moving], lower, upper)
    return PointKinematics(tree, packed, found, names, lower, upper, start_q, held)


def _way(tree: Tree, point: NamedPoint) -> list[int]:
    """Steps from the root to the one that carries the point."""
    step = int(tree.arrays.body_step[tree.body_names.index(point.body)])
    way = [step]
    while tree.arrays.parent[way[0]] >= 0:
        way.insert(0, int(tree.arrays.parent[way[0]]))
    return way


def _local(tree: Tree, body: int, point: NamedPoint, directional: bool) -> np.ndarray:
    """The point, or its forward direction, in the frame of its step."""
    rotation = tree.arrays.body_rotation[body]
    if directional:
        return np.asarray(rotation @ np.array(point.forward))
    return np.asarray(rotation @ np.array(point.position) + tree.arrays.body_position[body])


def _driven(character: Character) -> tuple[str, ...]:
    """Coordinates that a motor drives, without those of spherical joints, which no box of limits describes."""
    joints = [joint for joint in character.free_joints if joint.type is not JointType.SPHERICAL]
    return tuple(name for joint in joints if joint.role is JointRole.ACTUATED for name in joint.coordinate_names)


def _resting(character: Character, tree: Tree, start: Posture | None) -> np.ndarray:
    resting = tree.neutral.copy()
    if start is not None:
        for name, value in zip(start.names, start.positions, strict=True):
            if name not in tree.coordinate_names:
                raise unknown_name("coordinate", name, tree.coordinate_names, character.name)
            resting[tree.coordinate_names.index(name)] = value
    return resting


def _ranges(character: Character, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Joint limits of coordinates, those of joints that follow by a gear included."""
    ranges: Mapping[str, list[float]] = {
        name: list(limits.range)
        for joint in character.free_joints
        if joint.type is not JointType.SPHERICAL
        for name, limits in zip(joint.coordinate_names, joint.limits, strict=True)
    }
    for joint in character.joints:
        if joint.coupling is None or joint.coupling.ratio == 0.0:
            continue
        leader = character.joint(joint.coupling.leader).coordinate_names[0]
        ends = sorted((end - joint.coupling.offset) / joint.coupling.ratio for end in joint.limits[0].range)
        if leader in ranges:
            low, high = ranges[leader]
            ranges[leader][:] = [max(low, ends[0]), min(high, ends[1])]
    lower, upper = (np.array([ranges[name][side] for name in names]) for side in (0, 1))
    return lower, upper
