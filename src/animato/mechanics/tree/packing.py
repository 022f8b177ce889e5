"""A tree character as plain arrays, which the kernels walk.

Every joint becomes steps of one kind each: a turn, a slide, a ball, or the free root. Fixed joints
vanish: what they hold together moves as one step. A cylindrical joint is a slide and a turn, a
universal joint two turns, a cartesian joint three slides. Step 0 is the root. Frames of steps are
turned so that every axis is z, which halves the arithmetic of the kernels.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from animato.character import (
    Z_AXIS,
    Character,
    Joint,
    JointRole,
    JointType,
    MassProperties,
    combined,
    mass_properties_of,
)
from animato.character.structure import joint_motion, rigidified, topology_of
from animato.errors import CharacterError
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

FIXED, TURN, SLIDE, BALL, FREE = range(5)
_LOOP_TOLERANCE = 1e-6  # [m, rad] by which parts that are clamped twice may disagree


class PackedTree(NamedTuple):
    """Arrays over steps (s) and bodies (b). A step turns about, or slides along, z of its own frame.

    Attributes:
        parent: Step before this one, -1 for the root, [s].
        kind: FIXED, TURN, SLIDE, BALL or FREE, [s].
        coordinate: Column of the first coordinate, -1 for the root, [s].
        dof: Column of the first velocity, -1 for a root that is held, [s].
        scale: Position of the step per unit of its coordinate (gears, reversed joints), [s].
        offset: Position of the step where its coordinate is zero [rad or m], [s].
        rotation: Of the step's frame at position zero in its parent's, [s, 3, 3].
        position: Of the step's frame at position zero in its parent's [m], [s, 3].
        mass: Of all bodies that move with the step [kg], [s].
        centre: Of that mass in the step's frame [m], [s, 3].
        inertia: About that centre [kg m^2], [s, 3, 3].
        body_step: Step with which a body moves, [b].
        body_rotation: Of the body in its step's frame, [b, 3, 3].
        body_position: Of the body in its step's frame [m], [b, 3].
        gravity: In world coordinates [m/s^2], [3].
    """

    parent: np.ndarray
    kind: np.ndarray
    coordinate: np.ndarray
    dof: np.ndarray
    scale: np.ndarray
    offset: np.ndarray
    rotation: np.ndarray
    position: np.ndarray
    mass: np.ndarray
    centre: np.ndarray
    inertia: np.ndarray
    body_step: np.ndarray
    body_rotation: np.ndarray
    body_position: np.ndarray
    gravity: np.ndarray


@dataclass(frozen=True, eq=False)
class Tree:
    """A packed tree and the names of its columns.

    Attributes:
        arrays: What the kernels take.
        body_names: In the order of the character's bodies, flexible parts after them.
        coordinate_names: Columns of positions.
        neutral: Coordinates of the rest pose, [coordinate].
        dof_names: Columns of velocities, accelerations and torques; six of the root stand first
            where it is free. A spherical joint has three, about its own turned axes.
        dof_joints: The joint of each column, None for the root's.
        armature, damping, friction: Of each column, gears included, [dof].
        balls: (first coordinate, first dof, reversed) of each spherical joint.
        upright: Of each step's frame in its joint's own frame, as the character states it: takes z to
            the axis, [s, 3, 3].
        root_body: Name of the body whose pose a clip's base states.
        root_rest: Where that body is while no clip says otherwise.
    """

    arrays: PackedTree
    body_names: tuple[str, ...]
    coordinate_names: tuple[str, ...]
    neutral: np.ndarray
    dof_names: tuple[str, ...]
    dof_joints: tuple[Joint | None, ...]
    armature: np.ndarray
    damping: np.ndarray
    friction: np.ndarray
    balls: tuple[tuple[int, int, bool], ...]
    upright: np.ndarray
    root_body: str
    root_rest: RigidTransform

    @property
    def has_free_root(self) -> bool:
        """Whether the first six columns of velocities belong to the root."""
        return bool(self.arrays.kind[0] == FREE)


@lru_cache(maxsize=32)
def packed_tree(character: Character) -> Tree:
    """Packs a character. Flexible parts are taken as rigid.

    Raises:
        CharacterError: The joints form closed loops, or a part is clamped to bodies that do not fit.
    """
    return _Packer(rigidified(character)).tree()


@dataclass(frozen=True)
class _Place:
    """A frame that moves with a step: T_step_frame."""

    step: int
    transform: RigidTransform


_ROOT_DOFS = tuple(f"root.{name}" for name in ("vx", "vy", "vz", "wx", "wy", "wz"))
_BALL_DOFS = (".wx", ".wy", ".wz")


class _Packer:
    """Collects steps while it walks the spanning tree once."""

    def __init__(self, character: Character) -> None:
        self.character = character
        self.topology = topology_of(character)
        if not self.topology.is_tree:
            names = ", ".join(f"'{joint.name}'" for joint in self.topology.loop_joints)
            raise CharacterError(
                f"'{character.name}' has loops, closed by {names}; this works on characters whose joints form a tree."
            )
        self.columns: dict[str, int] = {name: n for n, name in enumerate(character.coordinate_names)}
        self.rows: list[tuple[int, int, int, int, float, float, RigidTransform]] = []
        self.places: dict[str, _Place] = {}
        self.upright: list[np.ndarray] = []
        self.balls: list[tuple[int, int, bool]] = []
        first = self.topology.links[0]
        self.free = first.joint is None or first.joint.role is JointRole.ACTUATED
        self.dof_names: list[str] = list(_ROOT_DOFS) if self.free else []
        self.dof_joints: list[Joint | None] = [None] * len(self.dof_names)
        self.dof_of: dict[str, int] = {}
        for joint in character.free_joints:
            self.dof_of[joint.name] = len(self.dof_names)
            ball = joint.type is JointType.SPHERICAL
            columns = tuple(joint.name + end for end in _BALL_DOFS) if ball else joint.coordinate_names
            self.dof_names += columns
            self.dof_joints += [joint] * len(columns)
        self.losses = np.zeros((3, len(self.dof_names)))  # armature, damping, friction

    def tree(self) -> Tree:
        character = self.character
        root_rest = self._walk()
        self._check_clamps()
        neutral = [value for joint in character.free_joints for value in joint.neutral]
        return Tree(
            self._arrays(),
            tuple(body.name for body in character.bodies),
            character.coordinate_names,
            np.array(neutral, dtype=np.float64),
            tuple(self.dof_names),
            tuple(self.dof_joints),
            self.losses[0],
            self.losses[1],
            self.losses[2],
            tuple(self.balls),
            np.array(self.upright),
            self.topology.links[0].body,
            root_rest,
        )

    def _walk(self) -> RigidTransform:
        root_rest = RigidTransform()
        for link in self.topology.links:
            joint = link.joint
            if not self.rows:  # the root, whose step frame is the world's or, where free, its body's
                self._add_step(-1, FREE if self.free else FIXED, -1, 0 if self.free else -1, 1.0, 0.0)
            if joint is None:
                self.places[link.body] = _Place(0, RigidTransform())
            elif joint.type is JointType.GROUND:
                held = joint.frame_parent.transform @ joint.frame_child.transform.inverse()
                if self.free and not self.places:
                    root_rest = held
                self.places[link.body] = _Place(0, root_rest.inverse() @ held)
            else:
                self._attach(link.body, joint, self.places[str(link.parent)], link.reversed)
        return root_rest

    def _add_step(
        self,
        parent: int,
        kind: int,
        coordinate: int,
        dof: int,
        scale: float,
        offset: float,
        transform: RigidTransform | None = None,
        upright: RigidTransform | None = None,
    ) -> int:
        transform, upright = transform or RigidTransform(), upright or RigidTransform()
        self.upright.append(upright.rotation)
        self.rows.append((parent, kind, coordinate, dof, scale, offset, transform @ upright))
        return len(self.rows) - 1

    def _attach(self, body: str, joint: Joint, base: _Place, backward: bool) -> None:
        """Adds the steps of a joint and places the body behind them."""
        near, far = joint.frame_parent.transform, joint.frame_child.transform
        if backward:
            near, far = far, near
        place = _Place(base.step, base.transform @ near)
        if joint.role is JointRole.CONFIGURABLE:  # set once, so it is as good as fixed
            motion = joint_motion(joint, joint.configuration or joint.neutral)
            place = _Place(base.step, place.transform @ (motion.inverse() if backward else motion))
            self.places[body] = _Place(place.step, place.transform @ far.inverse())
            return
        for axis_index, kind, position in self._motions(joint, backward):
            source = self._source(joint, position, backward)
            if axis_index < 0:
                place = _Place(self._add_step(place.step, kind, *source, place.transform), RigidTransform())
                continue
            upright = RigidTransform((0.0, 0.0, 0.0), quaternions.shortest_turn(Z_AXIS, joint.axes[:, axis_index]))
            step = self._add_step(place.step, kind, *source, place.transform, upright)
            place = _Place(step, upright.inverse())
        self.places[body] = _Place(place.step, place.transform @ far.inverse())

    def _motions(self, joint: Joint, backward: bool) -> list[tuple[int, int, int]]:
        """(axis, kind, coordinate within the joint) of each step, in the order they are walked."""
        motions = {
            JointType.REVOLUTE: [(0, TURN, 0)],
            JointType.PRISMATIC: [(0, SLIDE, 0)],
            JointType.CYLINDRICAL: [(0, SLIDE, 0), (0, TURN, 1)],
            JointType.UNIVERSAL: [(0, TURN, 0), (1, TURN, 1)],
            JointType.CARTESIAN: [(0, SLIDE, 0), (1, SLIDE, 1), (2, SLIDE, 2)],
            JointType.SPHERICAL: [(-1, BALL, 0)],
            JointType.FIXED: [],
        }[joint.type]
        return motions[::-1] if backward else motions

    def _source(self, joint: Joint, position: int, backward: bool) -> tuple[int, int, float, float]:
        """(coordinate, dof, scale, offset) of one step; walking backward turns its sign."""
        sign = -1.0 if backward else 1.0
        leader, ratio, offset = joint.name, 1.0, 0.0
        if joint.coupling is not None:
            leader, ratio, offset = joint.coupling.leader, joint.coupling.ratio, joint.coupling.offset
        dof = self.dof_of[leader] + position
        if joint.type is JointType.SPHERICAL:
            coordinate = self.columns[f"{leader}.qw"]
            self.balls.append((coordinate, dof, backward))
            columns = slice(dof, dof + 3)
        else:
            coordinate = self.columns[self.character.joint(leader).coordinate_names[position]]
            columns = slice(dof, dof + 1)
        self.losses[:, columns] += np.array(
            [[ratio**2 * joint.armature], [ratio**2 * joint.damping], [abs(ratio) * joint.friction]]
        )
        return coordinate, dof, sign * ratio, sign * offset

    def _check_clamps(self) -> None:
        """Fixed joints that the spanning tree did not need must agree with it."""
        used = {link.joint.name for link in self.topology.links if link.joint is not None}
        for joint in self.character.joints:
            if joint.type is not JointType.FIXED or joint.name in used:
                continue
            parent, child = self.places[joint.parent], self.places[joint.child]
            gap = (parent.transform @ joint.frame_parent.transform).inverse() @ (
                child.transform @ joint.frame_child.transform
            )
            off = max(float(np.abs(gap.position).max()), float(np.abs(gap.quaternion_wxyz[1:]).max()))
            if off > _LOOP_TOLERANCE:
                raise CharacterError(
                    f"'{joint.parent}' and '{joint.child}' of '{self.character.name}' are held together twice, and the "
                    f"two ways disagree by {off:.3g} (m or rad). Correct the frames of '{joint.name}'."
                )

    def _arrays(self) -> PackedTree:
        parent, kind, coordinate, dof, scale, offset, transform = zip(*self.rows, strict=True)
        loads: list[list[MassProperties]] = [[] for _ in self.rows]
        places = [self.places[body.name] for body in self.character.bodies]
        for body, place in zip(self.character.bodies, places, strict=True):
            properties = mass_properties_of(body)
            loads[place.step].append(properties.moved(place.transform.rotation, place.transform.position))
        totals = [combined(load) for load in loads]
        return PackedTree(
            np.array(parent, dtype=np.int64),
            np.array(kind, dtype=np.int64),
            np.array(coordinate, dtype=np.int64),
            np.array(dof, dtype=np.int64),
            np.array(scale),
            np.array(offset),
            np.array([one.rotation for one in transform]),
            np.array([one.position for one in transform]),
            np.array([total.mass for total in totals]),
            np.array([total.centre for total in totals]),
            np.array([total.inertia for total in totals]),
            np.array([place.step for place in places], dtype=np.int64),
            np.array([place.transform.rotation for place in places]),
            np.array([place.transform.position for place in places]),
            np.array(self.character.gravity),
        )
