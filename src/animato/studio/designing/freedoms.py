"""What may be freed at a joint, for the small menu that opens there."""

from __future__ import annotations

from typing import Any

from animato.character import Character, JointRole, JointType
from animato.design import Freedom, freed
from animato.design.freeing import as_freedom
from animato.errors import AnimatoError
from animato.findings import pretty_names

WORDS = {
    "axis": "its axis may tilt",
    "orientation": "it may be mounted turned",
    "position": "it may sit elsewhere",
    "length": "this part may be longer or shorter",
}
_UNITS = {"axis": "deg", "orientation": "deg", "position": "mm", "length": "mm"}


def choices_at(character: Character, joint: str, words: tuple[str, ...]) -> list[dict[str, Any]]:
    """What may be freed at a joint, and of the body that it moves.

    Args:
        character: As it is.
        joint: Name of the joint.
        words: What is free already.

    Returns:
        Plain values: `name` and `what` for the message that frees it, `label`, `on`, `far` in degrees or millimetres
        (None where as far as is usual) and its `unit`.

    Raises:
        UnknownNameError: There is no such joint.
    """
    one = character.joint(joint)
    free = {(freedom.name, str(freedom.what)): freedom for freedom in map(as_freedom, words)}
    found = []
    for name, what in ((joint, "axis"), (joint, "position"), (joint, "orientation"), (one.child, "length")):
        if not _can_be(character, name, what):
            continue
        freedom = free.get((name, what))
        far = None if freedom is None or not freedom.most else round(max(freedom.most) * _factor(what), 3)
        found.append(
            {"name": name, "what": what, "label": WORDS[what], "on": freedom is not None, "far": far}
            | {"unit": _UNITS[what]}
        )
    return found


def freed_for_page(character: Character, words: tuple[str, ...]) -> list[dict[str, Any]]:
    """All that is free, in words, with the joint or body at which it is marked."""
    names = [*(joint.name for joint in character.joints), *(body.name for body in character.bodies)]
    labels = pretty_names(names)
    found = []
    for freedom in map(as_freedom, words):
        label = labels.get(freedom.name, freedom.name)
        found.append(
            {"name": freedom.name, "what": freedom.what, "label": f"{label}: {WORDS[freedom.what]}"}
            | {"bounds": bounds_words(character, freedom)}
        )
    return found


def bounds_words(character: Character, freedom: Freedom) -> str:
    """How far something may change, such as "up to 30° each way"; "" where it cannot be said."""
    try:
        made = freed(character, freedom)
    except AnimatoError:
        return ""
    old = {joint.name for joint in character.joints}
    new = next(joint for joint in made.joints if joint.name not in old and joint.role is JointRole.CONFIGURABLE)
    limits = [one for one in new.limits if one.upper is not None]
    if not limits:
        return ""
    upper = max(float(one.upper) for one in limits if one.upper is not None)
    if new.type in (JointType.PRISMATIC, JointType.CARTESIAN):
        lower = max(-float(one.lower) for one in limits if one.lower is not None)
        each = f"up to {1e3 * upper:.0f} mm"
        return f"{each} each way" if abs(upper - lower) < 1e-9 else f"{each} longer, {1e3 * lower:.0f} mm shorter"
    return f"up to {upper * _factor('axis'):.0f}° each way"


def far_words(what: str, far: float) -> str:
    """How far, in the words of `design.freed`, from degrees or millimetres."""
    return f"{far:g}" if what in ("axis", "orientation") else f"{far / 1e3:g}"


def _factor(what: str) -> float:
    return 57.29577951308232 if what in ("axis", "orientation") else 1e3


def _can_be(character: Character, name: str, what: str) -> bool:
    try:
        freed(character, f"{name}:{what}")
    except AnimatoError:
        return False
    return True
