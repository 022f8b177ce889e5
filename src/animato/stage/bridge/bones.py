"""A character as the bones of an armature: one bone an axis, whose channels are the coordinates themselves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from animato.character import Coupling, JointRole
from animato.formats.files import UniqueNames
from animato.formats.outgoing import AxisKind, PlainAxis, PlainStep, PlainTree
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

ROOT_COORDINATES = ("base.x", "base.y", "base.z", "base.qw", "base.qx", "base.qy", "base.qz")
_QUATERNION = (".qw", ".qx", ".qy", ".qz")
_BONE_Y = (0.0, 1.0, 0.0)


@dataclass(frozen=True)
class Channel:
    """One number of a bone that an editor animates.

    Attributes:
        coordinate: What a clip calls it.
        path: "location" [m], "rotation" about a local axis [rad] or "quaternion".
        index: 0 to 2 for local x, y, z; for a quaternion 0 to 3 for w, x, y, z.
        sign: The channel is the coordinate times this, 1 or -1.
        lower: Of the coordinate [rad or m]; None where it is free.
        upper: The same.
    """

    coordinate: str
    path: str
    index: int
    sign: float = 1.0
    lower: float | None = None
    upper: float | None = None


@dataclass(frozen=True, eq=False)
class Bone:
    """One axis of one joint, or the floating root.

    Attributes:
        name: Of its coordinate, of the joint for a ball, of the body for the root.
        parent: Name of the bone it hangs on; None on the world.
        joint: Name of the joint; None for the root.
        kind: "root", "turn", "slide" or "ball".
        rest: T_world_bone while all channels are at zero; the bone's y is the axis.
        channels: What moves.
        role: "driven" where a motor moves it, "free" where nothing does, "follower" for one side of a gear, "computed"
            where closed loops decide.
        coupling: Of a follower.
    """

    name: str
    parent: str | None
    joint: str | None
    kind: str
    rest: RigidTransform
    channels: tuple[Channel, ...]
    role: str
    coupling: Coupling | None = None


@dataclass(frozen=True, eq=False)
class Skeleton:
    """All bones, and what hangs on them.

    Attributes:
        bones: Parents before children.
        bodies: Body -> the bone that carries it (None: it stands in the world) and T_bone_body (or T_world_body).
    """

    bones: tuple[Bone, ...]
    bodies: dict[str, tuple[str | None, RigidTransform]]


def bones_of(tree: PlainTree) -> Skeleton:
    """Makes a bone of every axis, so that each channel of a bone is a coordinate of the character.

    Args:
        tree: Of the character.
    """
    bones: list[Bone] = []
    bodies: dict[str, tuple[str | None, RigidTransform]] = {}
    world: dict[str | None, RigidTransform] = {None: RigidTransform()}
    known = {step.joint.name for step in tree.steps if step.joint is not None}
    for step in tree.steps:
        above = None if step.parent is None else bodies[step.parent][0]
        frame = world[step.parent] @ step.before
        last, rest = above, world[None]
        if step.joint is None:
            names = UniqueNames(axis.name for one in tree.steps for axis in one.axes)
            bones.append(_root(names.new(step.body)))
            last = bones[-1].name
        for axis in step.axes:
            rest = frame @ RigidTransform((0.0, 0.0, 0.0), _turn(axis))
            bones.append(_bone(tree, step, axis, last, rest, known))
            last = bones[-1].name
        world[step.body] = frame @ step.after
        if last is not None and last == above:  # a fixed joint: the body hangs on the bone that its parent hangs on
            carrier = next(bone for bone in bones if bone.name == last)
            rest = carrier.rest
        bodies[step.body] = (last, (rest if last is not None else RigidTransform()).inverse() @ world[step.body])
    return Skeleton(tuple(bones), bodies)


def _turn(axis: PlainAxis) -> np.ndarray:
    """Q_frame_bone: turns the bone's y onto the axis; a ball counts along the axes of the joint's frame."""
    if axis.kind is AxisKind.BALL:
        return np.array((1.0, 0.0, 0.0, 0.0))
    return quaternions.shortest_turn(_BONE_Y, axis.direction)


def _root(name: str) -> Bone:
    # The bone rests at the world's origin, so that its channels are the place and turn that a clip states.
    paths = (*(("location", n) for n in range(3)), *(("quaternion", n) for n in range(4)))
    channels = tuple(Channel(name, *where) for name, where in zip(ROOT_COORDINATES, paths, strict=True))
    return Bone(name, None, None, "root", RigidTransform(), channels, "free")


def _bone(
    tree: PlainTree, step: PlainStep, axis: PlainAxis, parent: str | None, rest: RigidTransform, known: set[str]
) -> Bone:
    joint = step.joint
    assert joint is not None
    coupling = joint.coupling if joint.coupling is not None and joint.coupling.leader in known else None
    role = "free"
    if coupling is not None:
        role = "follower"
    elif tree.drives(joint) or joint.role is JointRole.ACTUATED or _leads_motor(tree, joint.name):
        role = "driven"
    elif tree.ties:
        role = "computed"
    channels = tuple(_channels(step, axis))
    return Bone(axis.name, parent, joint.name, axis.kind.value, rest, channels, role, coupling)


def _leads_motor(tree: PlainTree, name: str) -> bool:
    """Whether a motor sits on the other side of a gear, so that a clip states this side."""
    return any(
        one.coupling is not None and one.coupling.leader == name and one.role is JointRole.ACTUATED
        for one in tree.character.joints
    )


def _channels(step: PlainStep, axis: PlainAxis) -> Iterator[Channel]:
    if axis.kind is AxisKind.BALL:
        back = -1.0 if step.reversed else 1.0
        for number, suffix in enumerate(_QUATERNION):
            yield Channel(axis.name + suffix, "quaternion", number, back if number else 1.0)
        return
    lower, upper = (float(one) if math.isfinite(one) else None for one in axis.limits.range)
    path = "rotation" if axis.kind is AxisKind.TURN else "location"
    yield Channel(axis.name, path, 1, 1.0, lower, upper)
