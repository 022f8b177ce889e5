"""The unit in which each coordinate of a character is stated."""

from __future__ import annotations

from animato.character import Character, Joint, JointType

COORDINATE_UNITS: dict[JointType, tuple[str, ...]] = {
    JointType.CARTESIAN: ("m", "m", "m"),
    JointType.SPHERICAL: ("1", "1", "1", "1"),
    JointType.CYLINDRICAL: ("m", "rad"),
    JointType.UNIVERSAL: ("rad", "rad"),
    JointType.PRISMATIC: ("m",),
    JointType.REVOLUTE: ("rad",),
    JointType.FIXED: (),
    JointType.GROUND: (),
}
"""Of each coordinate of a joint type, in their order: "rad", "m", or "1" for a quaternion's parts."""


def units_of_joint(joint: Joint) -> tuple[str, ...]:
    """The unit of each coordinate of a joint, in their order: "rad", "m", or "1" for a quaternion's parts."""
    return COORDINATE_UNITS[joint.type]


def units_of(names: tuple[str, ...], character: Character | None) -> tuple[str, ...]:
    """The unit of each named coordinate; an empty string where it is not known.

    Args:
        names: Coordinate names, as in a clip.
        character: Whose coordinates they are; None where nobody knows.
    """
    if character is None:
        return ("",) * len(names)
    known = {
        name: unit
        for joint in character.joints
        for name, unit in zip(joint.coordinate_names, units_of_joint(joint), strict=True)
    }
    return tuple(known.get(name, "") for name in names)
