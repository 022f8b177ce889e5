"""The constraint rows of every joint type, as scalar equations between two bodies.

Each row is one of four equations. With body poses (c, q), R = R(q), unit vectors e of the world, points
x and directions a given in body coordinates, and m(u) what the joint's parameters u do in body A:

    POINT   e . (c_A + R_A m(u) - c_B - R_B x_B) = 0
    DOT     (R_A m(u)) . (R_B b) = 0
    SLIDE   (c_A + R_A m(u) - c_B - R_B x_B) . (R_B b) = 0
    UNIT    q . q - 1 = 0

A joint's rows are those of Maloisel et al., "Optimal Design of Robotic Character Kinematics" (2023),
Table 1, with the rows of the passive joint first and what an actuator or a configurable joint adds
after them. One departure: the table repeats the three point rows for cylindrical and prismatic
actuators. We keep the two passive SLIDE rows and add the third along a_x, which spans the same space;
so the rows of an actuator always contain those of its passive joint, which redundancy removal needs.
Another: a joint that closes a loop states its three point rows along its own axes on B instead of the
world's. The redundant one of a planar loop is that along its hinges; in world axes it would be another
one whenever the plane of the loop has turned, and a row that is dropped once would be missed later.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from animato.character import Joint, JointType
from animato.spatial import quaternions


class RowKind(IntEnum):
    """Which equation a row is."""

    POINT = 0
    DOT = 1
    SLIDE = 2
    UNIT = 3


class MotionKind(IntEnum):
    """How m(u) of a row depends on its parameters; `terms` are the constant vectors it is made of.

    NONE m = t0; TURN m = cos u t1 + sin u t2; TURNS m = cos u2 t1 + sin u2 (sin u1 t2 - cos u1 t3);
    SLIDES m = t0 + u1 t1 + u2 t2 + u3 t3; BALL m = [t1 t2 t3] R(u) t0 with a quaternion u.
    """

    NONE = 0
    TURN = 1
    TURNS = 2
    SLIDES = 3
    BALL = 4


class RowPurpose(IntEnum):
    """What a row is for: holds a passive joint, sets an actuator or a design, or a quaternion's length."""

    PASSIVE = 0
    ACTUATOR = 1
    DESIGN = 2
    UNIT = 3
    BRANCH = 4


TERMS = 4
"""Vectors m(u) is made of, at most."""

WORLD_BODY = -1
"""Stands for the world where a row wants a body."""


@dataclass(frozen=True, eq=False)
class ConstraintRow:
    """One scalar equation.

    Attributes:
        owner: Name of the joint, or of the body for a unit row.
        words: What the equation says, to complete "joint 'knee': ...".
        kind: Which equation.
        purpose: Passive, actuator, design or unit.
        body_a, body_b: Indices of bodies, or `WORLD_BODY`. A unit row is about body B.
        motion: How m depends on parameters.
        terms: Vectors of m in body A [m for points], shape [TERMS, 3].
        vector_b: x_B of a POINT row [m], b of a DOT or SLIDE row, in body B, shape [3].
        axis: e of a POINT row, as 0, 1 or 2.
        constant: Subtracted; x_B . b of a SLIDE row [m].
        parameters: Names of the coordinates m depends on, in order.
    """

    owner: str
    words: str
    kind: RowKind
    purpose: RowPurpose
    body_a: int
    body_b: int
    motion: MotionKind
    terms: np.ndarray
    vector_b: np.ndarray
    axis: int = 0
    constant: float = 0.0
    parameters: tuple[str, ...] = ()


def unit_row(body: str, index: int) -> ConstraintRow:
    """The row that keeps a body's quaternion at length one."""
    words = "the quaternion has length one"
    zeros = np.zeros((TERMS, 3))
    return ConstraintRow(
        body, words, RowKind.UNIT, RowPurpose.UNIT, WORLD_BODY, index, MotionKind.NONE, zeros, zeros[0]
    )


def passive_rows(joint: Joint, body_a: int, body_b: int, *, closing: bool = False) -> list[ConstraintRow]:
    """The rows that hold a joint's bodies together while it is free to move.

    Args:
        joint: Any joint.
        body_a: Index of its parent; the parent of a ground joint is the world.
        body_b: Index of its child.
        closing: Whether the joint closes a loop: its point rows are then along its own axes.
    """
    side = _Sides(joint, body_a, body_b)
    point = [side.slide(axis) if closing else side.point(axis) for axis in range(3)]
    xy, xz, yz = ((0, 1), (0, 2), (1, 2))
    rows = {
        JointType.CARTESIAN: lambda: [side.dot(*xy), side.dot(*xz), side.dot(*yz)],
        JointType.SPHERICAL: lambda: point,
        JointType.CYLINDRICAL: lambda: [side.slide(1), side.slide(2), side.dot(*xy), side.dot(*xz)],
        JointType.UNIVERSAL: lambda: [*point, side.dot(*xy)],
        JointType.PRISMATIC: lambda: [side.slide(1), side.slide(2), side.dot(*xy), side.dot(*xz), side.dot(*yz)],
        JointType.REVOLUTE: lambda: [*point, side.dot(*xy), side.dot(*xz)],
        JointType.FIXED: lambda: [*point, side.dot(*xy), side.dot(*xz), side.dot(*yz)],
        JointType.GROUND: lambda: [*point, side.dot(*xy), side.dot(*xz), side.dot(*yz)],
    }
    return rows[joint.type]()


def driving_rows(joint: Joint, body_a: int, body_b: int, purpose: RowPurpose) -> list[ConstraintRow]:
    """The rows an actuator or a configurable joint adds to those of its passive joint."""
    side = _Sides(joint, body_a, body_b, purpose)
    names = joint.coordinate_names
    if joint.type is JointType.CARTESIAN:
        return [side.point(axis, names) for axis in range(3)]
    if joint.type is JointType.SPHERICAL:
        return [side.dot(a, b, MotionKind.BALL, names) for a, b in ((0, 1), (0, 2), (1, 2))]
    if joint.type is JointType.CYLINDRICAL:
        return [side.slide(0, names[:1]), side.dot(1, 2, MotionKind.TURN, names[1:])]
    if joint.type is JointType.UNIVERSAL:
        # The second row sees the first angle only: the turned a_y does not feel a turn about itself.
        return [side.dot(0, 2, MotionKind.TURNS, names), side.dot(1, 2, MotionKind.TURN, names[:1])]
    if joint.type is JointType.PRISMATIC:
        return [side.slide(0, names)]
    if joint.type is JointType.REVOLUTE:
        return [side.dot(1, 2, MotionKind.TURN, names)]
    return []


def branch_rows(joint: Joint, body_a: int, body_b: int, *, driven: bool) -> list[ConstraintRow]:
    """Rows whose value is 1 where the joint is as built and -1 where it is flipped by half a turn.

    Two directions that must be square to each other are so on both sides; these rows tell which.
    """
    side = _Sides(joint, body_a, body_b, RowPurpose.BRANCH)
    names = joint.coordinate_names
    if joint.type is JointType.SPHERICAL:
        return [side.dot(axis, axis, MotionKind.BALL, names) for axis in (0, 1)] if driven else []
    if joint.type is JointType.UNIVERSAL:
        if not driven:
            return []
        return [side.dot(0, 0, MotionKind.TURNS, names), side.dot(1, 1, MotionKind.TURN, names[:1])]
    if joint.type in (JointType.REVOLUTE, JointType.CYLINDRICAL):
        turned = [side.dot(1, 1, MotionKind.TURN, names[-1:])] if driven else []
        return [side.dot(0, 0), *turned]
    return [side.dot(0, 0), side.dot(1, 1)]


_AXIS_NAMES = "xyz"


class _Sides:
    """The two frames of a joint, from which its rows are made."""

    def __init__(self, joint: Joint, body_a: int, body_b: int, purpose: RowPurpose = RowPurpose.PASSIVE) -> None:
        self.joint, self.purpose = joint, purpose
        self.bodies = (body_a, body_b)
        near, far = joint.frame_parent, joint.frame_child
        if joint.type is JointType.GROUND:
            # Stated about the child's own origin, as c - c_0, so that its turn does not enter.
            held = near.transform @ far.transform.inverse()
            self.turn_a, self.axes_a, self.axes_b = held.rotation, held.rotation, np.eye(3)
            self.point_a, self.point_b = np.array(held.position), np.zeros(3)
            return
        self.turn_a = quaternions.matrix_from_quaternion(near.quaternion_wxyz)
        self.axes_a = self.turn_a @ joint.axes
        self.axes_b = quaternions.matrix_from_quaternion(far.quaternion_wxyz) @ joint.axes
        self.point_a, self.point_b = np.array(near.position), np.array(far.position)

    def point(self, axis: int, parameters: tuple[str, ...] = ()) -> ConstraintRow:
        """The two origins meet along a world axis; with parameters, after sliding along all three axes."""
        motion = MotionKind.SLIDES if parameters else MotionKind.NONE
        terms = _terms(self.point_a, *self.axes_a.T) if parameters else _terms(self.point_a)
        words = f"its two sides meet along world {_AXIS_NAMES[axis]}"
        return self._row(RowKind.POINT, words, motion, terms, self.point_b, parameters, axis=axis)

    def slide(self, along: int, parameters: tuple[str, ...] = ()) -> ConstraintRow:
        """The two origins are at no distance along an axis of B; with a parameter, at that distance."""
        motion = MotionKind.SLIDES if parameters else MotionKind.NONE
        terms = _terms(self.point_a, self.axes_a[:, along]) if parameters else _terms(self.point_a)
        axis = self.axes_b[:, along]
        distance = "as far as it is set" if parameters else "not apart"
        words = f"its two sides are {distance} along a_{_AXIS_NAMES[along]}"
        constant = float(self.point_b @ axis)
        return self._row(RowKind.SLIDE, words, motion, terms, axis, parameters, constant=constant)

    def dot(
        self, a: int, b: int, motion: MotionKind = MotionKind.NONE, parameters: tuple[str, ...] = ()
    ) -> ConstraintRow:
        """Axis a of side A, turned by the parameters, is square to axis b of side B."""
        x, y, z = self.axes_a.T
        one = self.axes_a[:, a]
        if motion is MotionKind.TURN:  # about a_x, which takes a_y to cos u a_y + sin u a_z
            terms = _terms(np.zeros(3), y, z)
        elif motion is MotionKind.TURNS:  # of a_x: first about a_x by u1, then about the turned a_y by u2
            terms = _terms(np.zeros(3), x, y, z)
        elif motion is MotionKind.BALL:  # in the joint's frame, then into body A
            terms = _terms(self.joint.axes[:, a], *self.turn_a.T)
        else:
            terms = _terms(one)
        turned = "turned " if parameters else ""
        words = f"the {turned}a_{_AXIS_NAMES[a]} of one side is square to a_{_AXIS_NAMES[b]} of the other"
        return self._row(RowKind.DOT, words, motion, terms, self.axes_b[:, b], parameters)

    def _row(
        self,
        kind: RowKind,
        words: str,
        motion: MotionKind,
        terms: np.ndarray,
        vector_b: np.ndarray,
        parameters: tuple[str, ...],
        axis: int = 0,
        constant: float = 0.0,
    ) -> ConstraintRow:
        a, b = self.bodies
        return ConstraintRow(
            self.joint.name,
            words,
            kind,
            self.purpose,
            a,
            b,
            motion,
            terms,
            vector_b,
            axis,
            constant,
            parameters,
        )


def _terms(*vectors: np.ndarray) -> np.ndarray:
    terms = np.zeros((TERMS, 3))
    terms[: len(vectors)] = vectors
    return terms
