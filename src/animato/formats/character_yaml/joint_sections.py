"""Joints and postures of a character file: whose units depend on whether an axis turns or slides."""

from __future__ import annotations

from collections.abc import Sequence

from animato.character import (
    MANNER_WORDS,
    WORLD,
    Actuator,
    Coupling,
    Frame,
    Joint,
    JointRole,
    JointType,
    Limits,
    Manner,
    TorqueSpeedCurve,
)
from animato.errors import CharacterError, unknown_name
from animato.formats.character_yaml import schema
from animato.formats.files import COORDINATE_UNITS, Dimension, Places, Quantity, shortened, wanted, with_article

TURN, SLIDE, PLAIN = "rad", "m", "1"
_DOES = {TURN: "turns", SLIDE: "slides", PLAIN: "is a component of a quaternion"}

AXIS_UNITS: dict[JointType, tuple[str, ...]] = {**COORDINATE_UNITS, JointType.SPHERICAL: (TURN,)}
"""The unit of the position that each of a joint's limits is about."""

_PARTNERS = {
    Dimension.ANGLE: Dimension.LENGTH,
    Dimension.ANGULAR_SPEED: Dimension.SPEED,
    Dimension.ANGULAR_ACCELERATION: Dimension.ACCELERATION,
    Dimension.ANGULAR_JERK: Dimension.JERK,
    Dimension.TORQUE: Dimension.FORCE,
    Dimension.INERTIA: Dimension.MASS,
}
"""What is measured on an axis that turns, and the same on one that slides."""


def joint_of(name: str, section: schema.JointSection, places: Places) -> Joint:
    """The joint of a section; references to bodies and other joints are checked elsewhere."""
    path = ("joints", name)
    is_ground = section.type is JointType.GROUND
    if section.parent is None and not is_ground:
        raise places.error((*path, "parent"), "is missing; only a ground joint has none. Name the body that holds it.")
    if is_ground and section.parent not in (None, WORLD):
        raise places.error((*path, "parent"), f"of a ground joint is '{WORLD}' and can be left out, not a body.")
    if section.parent == WORLD and not is_ground:
        raise places.error(
            (*path, "parent"),
            f"'{WORLD}' holds only ground joints, this one is {section.type.value}. "
            f"Put a body on the ground with a ground joint and hang the joint on that.",
        )
    kinds = AXIS_UNITS[section.type]
    kind = kinds[0] if len(set(kinds)) == 1 else None
    with places.at(*path, "limits"):
        limits = _limits(section, places, name)
    actuator = None
    if section.actuator is not None:
        with places.at(*path, "actuator"):
            actuator = Actuator(section.actuator.servo, section.actuator.gear_ratio)
    coupling = None
    if section.follows is not None:
        offset = _checked(section.follows.offset, kind, places, *path, "follows", "offset")
        coupling = Coupling(section.follows.leader, section.follows.ratio, 0.0 if offset is None else offset)
    if section.configuration and section.role is not JointRole.CONFIGURABLE:
        raise places.error((*path, "configuration"), "is only for joints with 'role: configurable'.")
    friction = _checked(section.friction, kind, places, *path, "friction")
    armature = _checked(section.armature, kind, places, *path, "armature")
    return Joint(
        name,
        section.type,
        WORLD if section.parent is None else section.parent,
        section.child,
        section.role,
        Frame(section.at, section.turn),
        Frame(section.child_at, section.child_turn),
        section.axis,
        section.second_axis,
        limits,
        actuator,
        coupling,
        _configuration(section, places, name),
        section.damping,
        0.0 if friction is None else friction,
        0.0 if armature is None else armature,
        _manner(section, places, name),
    )


def checked_posture(
    name: str, values: dict[str, Quantity], joints: Sequence[Joint], owner: str, places: Places
) -> tuple[tuple[str, float], ...]:
    """The values of a posture, once it is known what each of its coordinates does."""
    kinds = {
        coordinate: kind
        for joint in joints
        if joint.is_free_coordinate
        for coordinate, kind in zip(joint.coordinate_names, COORDINATE_UNITS[joint.type], strict=True)
    }
    pairs = []
    for coordinate, value in values.items():
        path = ("postures", name, coordinate)
        if coordinate not in kinds:
            with places.at(*path):
                raise unknown_name("coordinate", coordinate, kinds, owner)
        pairs.append((coordinate, _number(value, kinds[coordinate], places, *path)))
    return tuple(pairs)


def _limits(section: schema.JointSection, places: Places, name: str) -> tuple[Limits, ...]:
    kinds = AXIS_UNITS[section.type]
    if len(section.limits) not in (0, len(kinds)):
        raise CharacterError(f"a {section.type.value} joint takes {len(kinds)} limits, given {len(section.limits)}.")
    found = []
    for index, (one, kind) in enumerate(zip(section.limits, kinds, strict=False)):
        path = places.path_of(("joints", name, "limits", index))
        numbers = {
            key: _checked(getattr(one, key), kind, places, *path, key)
            for key in ("lower", "upper", "velocity", "acceleration", "jerk", "torque")
        }
        with places.at(*path):
            curve = None
            if one.curve is not None:
                curve = TorqueSpeedCurve(
                    tuple(_number(value, kind, places, *path, "curve", "speeds") for value in one.curve.speeds),
                    tuple(_number(value, kind, places, *path, "curve", "torques") for value in one.curve.torques),
                )
            found.append(Limits(**numbers, curve=curve))
    return tuple(found)


def _manner(section: schema.JointSection, places: Places, name: str) -> Manner:
    if section.manner is None:
        return Manner()
    path = ("joints", name, "manner")
    if not AXIS_UNITS[section.type]:
        raise places.error(path, f"is for joints that move, this one is {section.type.value}.")
    given = {word: getattr(section.manner, word) for word in MANNER_WORDS}
    for word, value in given.items():
        with places.at(*path, word):
            Manner(**{word: value})  # an error then names the line
    return Manner(**given)


def _configuration(section: schema.JointSection, places: Places, name: str) -> tuple[float, ...]:
    kinds = COORDINATE_UNITS[section.type]
    if len(section.configuration) not in (0, len(kinds)):
        raise places.error(
            ("joints", name, "configuration"),
            f"of a {section.type.value} joint is {len(kinds)} numbers, not {len(section.configuration)}.",
        )
    return tuple(
        _number(value, kind, places, "joints", name, "configuration")
        for value, kind in zip(section.configuration, kinds, strict=False)
    )


def _checked(value: Quantity | None, kind: str | None, places: Places, *path: str | int) -> float | None:
    return None if value is None else _number(value, kind, places, *path)


def _number(value: Quantity, kind: str | None, places: Places, *path: str | int) -> float:
    """The number of a quantity, if its unit fits what the axis does.

    Args:
        value: With what its unit measures.
        kind: TURN, SLIDE or PLAIN; None where axes differ, which fits all.
        places: For the error.
        *path: Where it stands.
    """
    if value.dimension is None or kind is None:
        return value.value
    slides = value.dimension in _PARTNERS.values()
    if kind == PLAIN or slides != (kind == SLIDE):
        pair = next(pair for pair in _PARTNERS.items() if value.dimension in pair)
        right = "a number without a unit" if kind == PLAIN else wanted(pair[0] if slides else pair[1])
        given = f"'{shortened(value.text)}' is {with_article(value.dimension)}"
        raise places.error(path, f"{given}, but this coordinate {_DOES[kind]}. Give {right}.")
    return value.value
