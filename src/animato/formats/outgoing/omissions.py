"""What of a character a format cannot hold, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from animato.character import FREEDOM, Character, Joint, JointRole, JointType, Limits, Manner
from animato.described import shortened

_OF_LIMITS = {
    "range": "Ranges of joints are left out",
    "velocity": "Limits of speed are left out",
    "acceleration": "Limits of acceleration are left out",
    "jerk": "Limits of jerk are left out",
    "torque": "Limits of torque are left out",
    "curve": "Torque against speed is left out, only the largest torque is kept",
}
_OF_JOINTS: dict[str, tuple[str, Callable[[Joint], bool]]] = {
    "servos": (
        "Names and gears of servos are left out; what they add to the limits is kept",
        lambda one: one.actuator is not None,
    ),
    "damping": ("Damping is left out", lambda one: one.damping > 0.0),
    "friction": ("Friction is left out", lambda one: one.friction > 0.0),
    "armature": ("Rotor inertia is left out", lambda one: one.armature > 0.0),
    "couplings": ("Gears are left out", lambda one: one.coupling is not None),
    "manner": ("The manner of joints is left out", lambda one: one.manner != Manner()),
    "passive": (
        "That these joints have no motor is left out",
        lambda one: bool(FREEDOM[one.type]) and one.role is JointRole.PASSIVE and one.coupling is None,
    ),
    "still names": (
        "The names of joints that do not move are left out",
        lambda one: not FREEDOM[one.type],
    ),
}


def left_out(character: Character, held: Collection[str]) -> list[str]:
    """Sentences on what the character has and a format does not hold.

    Args:
        character: As it was, before it was made rigid and cut.
        held: What the format holds: "range", "velocity", "acceleration", "jerk", "torque", "curve", "servos",
            "damping", "friction", "armature", "couplings", "manner", "passive", "still names", "mass",
            "collision", "end-points", "markers", "soles", "postures", "wires of servos", "ignored collisions",
            "gravity", "description".
    """
    said = _made_rigid(character)
    for word, sentence in _OF_LIMITS.items():
        names = [joint.name for joint in character.free_joints if any(_has(one, word) for one in joint.limits)]
        if names and word not in held:
            said.append(_of(sentence, names))
    for word, (sentence, has) in _OF_JOINTS.items():
        names = [joint.name for joint in character.joints if has(joint)]
        if names and word not in held:
            said.append(_of(sentence, names))
    return said + _of_the_whole(character, held)


def _made_rigid(character: Character) -> list[str]:
    said = []
    if character.flexible_parts:
        names = [part.name for part in character.flexible_parts]
        said.append(_of("Parts that bend are written as rigid bodies", names))
    fixed = [
        joint.name
        for joint in character.joints
        if joint.role is JointRole.CONFIGURABLE and joint.type is not JointType.GROUND
    ]
    if fixed:
        said.append(_of("Configurable joints are written fixed where they are set", fixed))
    return said


def _has(limits: Limits, word: str) -> bool:
    if word == "range":
        return limits.lower is not None or limits.upper is not None
    return getattr(limits, word) is not None


def _of_the_whole(character: Character, held: Collection[str]) -> list[str]:
    said = []
    if "mass" not in held and any(body.mass or body.density for body in character.bodies):
        said.append("Masses and inertias are left out.")
    shapes = [(body.name, shape) for body in character.bodies for shape in body.shapes]
    unseen = list(dict.fromkeys(name for name, shape in shapes if not shape.visual))
    if unseen and "collision" not in held:
        said.append(_of("Shapes that are for collision only are left out", unseen))
    groups: dict[str, Sequence[str]] = {
        "end-points": [one.name for one in character.end_points],
        "markers": [one.name for one in character.markers],
        "soles": [one.name for one in character.soles],
        "postures": [one.name for one in character.postures],
        "wires of servos": [one.coordinate for one in character.wires],
        "ignored collisions": [f"{first} with {second}" for first, second in character.ignored_collisions],
    }
    for word, names in groups.items():
        if names and word not in held:
            verb = "Pairs of bodies that may touch" if word == "ignored collisions" else word.capitalize()
            said.append(_of(f"{verb} are left out", names))
    if "gravity" not in held and character.gravity != Character.gravity:
        said.append(f"Gravity is left out: {character.gravity} m/s^2.")
    if "description" not in held and character.description:
        said.append("The description is left out.")
    return said


def _of(sentence: str, names: Sequence[str]) -> str:
    return f"{sentence}: {shortened(names)}."
