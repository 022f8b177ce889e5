"""Joints and characters whose coordinates are counted from another position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import Coupling, Joint, JointType
from animato.character.landmarks import NamedPosture
from animato.character.limits import Limits
from animato.character.structure.joint_motion import joint_motion
from animato.character.vectors import Vector, finite_vector
from animato.character.wiring import Wire, scale_of
from animato.errors import CharacterError
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform


def rezeroed_joint(joint: Joint, zero: Vector) -> Joint:
    """The same joint, neutral where it stood at the coordinates `zero`; its limits are shifted along.

    Args:
        joint: Any joint.
        zero: Coordinates of the new neutral position [rad or m], in the order of `coordinate_names`.

    Raises:
        CharacterError: A spherical joint with a limited turn: a limit about another position is of
            another shape.
    """
    zero = finite_vector(zero, len(joint.coordinate_names), f"The new zero of joint '{joint.name}'")
    if zero == joint.neutral:
        return joint
    if joint.type is JointType.SPHERICAL and any(one.upper is not None for one in joint.limits):
        raise CharacterError(
            f"The turn of spherical joint '{joint.name}' is limited about its neutral position, which therefore "
            f"cannot be moved. Remove the limit 'upper' first."
        )
    before = after = joint_motion(joint, joint.neutral)
    if joint.type is JointType.UNIVERSAL:
        # The first turn is fixed to the parent, the second to the child.
        before, after = joint_motion(joint, (zero[0], 0.0)), joint_motion(joint, (0.0, zero[1]))
    else:
        before = joint_motion(joint, zero)
    limits = joint.stated_limits
    if joint.type is not JointType.SPHERICAL:
        # A servo's own stops stand in the middle of its travel; they move along once they are stated.
        stated = joint.limits if any(one.lower is not None or one.upper is not None for one in joint.limits) else limits
        limits = tuple(_shifted(one, value) for one, value in zip(stated, zero, strict=bool(stated)))
    return replace(
        joint,
        frame_parent=_frame(joint.frame_parent.transform @ before),
        frame_child=_frame(joint.frame_child.transform @ after.inverse()),
        stated_limits=limits,
    )


def rezeroed(character: Character, zeros: Mapping[str, Vector]) -> Character:
    """The same character, neutral where the named joints stood at these coordinates.

    Postures, gears and zeros of servos are restated, so that they mean what they meant.

    Args:
        character: Any.
        zeros: Coordinates by joint; joints that follow a leader and configurable ones are not allowed.
    """
    for name in zeros:
        if not character.joint(name).is_free_coordinate:
            raise CharacterError(f"Joint '{name}' has no free position, so its zero cannot be moved.")
    joints = []
    for joint in character.joints:
        moved = rezeroed_joint(joint, zeros[joint.name]) if joint.name in zeros else joint
        tie = joint.coupling
        if tie is not None and tie.leader in zeros:
            offset = tie.offset + tie.ratio * zeros[tie.leader][0]
            moved = replace(joint, coupling=Coupling(tie.leader, tie.ratio, offset))
        joints.append(moved)
    postures = tuple(_posture(posture, character, zeros) for posture in character.postures)
    wires = tuple(_wire(wire, character, zeros) for wire in character.wires)
    return replace(character, joints=tuple(joints), postures=postures, wires=wires)


def _wire(wire: Wire, character: Character, zeros: Mapping[str, Vector]) -> Wire:
    """The wire of a servo which stands where it stood."""
    for name, zero in zeros.items():
        joint = character.joint(name)
        if wire.zero is not None and wire.coordinate in joint.coordinate_names:
            bus = next(bus for bus in character.buses if bus.name == wire.bus)
            moved = zero[joint.coordinate_names.index(wire.coordinate)]
            return replace(wire, zero=scale_of(wire, bus, joint).told(moved))
    return wire


def _posture(posture: NamedPosture, character: Character, zeros: Mapping[str, Vector]) -> NamedPosture:
    """A posture, stated from the new zeros. What it left unnamed was at the old zero, so it is named now."""
    stated = dict(posture.values)
    for name, zero in zeros.items():
        joint = character.joint(name)
        old = [stated.get(key, rest) for key, rest in zip(joint.coordinate_names, joint.neutral, strict=True)]
        if joint.type is JointType.SPHERICAL:
            new = quaternions.multiply(quaternions.conjugate(np.array(zero)), quaternions.normalized(np.array(old)))
        else:
            new = np.array(old) - np.array(zero)
        stated.update(zip(joint.coordinate_names, new.tolist(), strict=True))
    return NamedPosture(posture.name, tuple(stated.items()))


def _shifted(limits: Limits, zero: float) -> Limits:
    lower = None if limits.lower is None else limits.lower - zero
    upper = None if limits.upper is None else limits.upper - zero
    return replace(limits, lower=lower, upper=upper)


def _frame(transform: RigidTransform) -> Frame:
    return Frame.from_transform(RigidTransform(transform.position, quaternions.normalized(transform.quaternion_wxyz)))
