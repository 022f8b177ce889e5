"""Points of a robot that can draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from animato.character import Character
from animato.errors import AnimatoError
from animato.findings import pretty_names
from animato.mechanics.tree import build_point_kinematics, named_point
from animato.trace.sketch import with_body_points

_MOST = 60
_HANDS = ("pen", "hand", "finger", "tool", "tip", "grip", "wrist")  # words for what people draw with


def point_name(character: Character, body: int, place: np.ndarray) -> str:
    """The name of a place on a body, as `trace` reads it.

    Args:
        character: The robot.
        body: Number of the body.
        place: On it [m], [3].
    """
    numbers = ",".join(f"{value:.4f}".rstrip("0").rstrip(".") for value in place + 0.0)
    return f"{character.bodies[body].name} at {numbers}"


def point_for_page(character: Character, name: str) -> dict[str, Any]:
    """Name, label, body and place of a point.

    Raises:
        AnimatoError: There is no such point, or no motor moves it.
    """
    robot = with_body_points(character, [name])
    build_point_kinematics(robot, [name])
    found = named_point(robot, name)
    bodies = [body.name for body in character.bodies]
    pressed = robot is not character
    label = pretty_names([found.body])[found.body] + ", where pressed" if pressed else pretty_names([name])[name]
    place = [float(value) for value in found.position]
    return {"name": name, "label": label, "body": bodies.index(found.body), "place": place}


def all_points(character: Character) -> tuple[list[dict[str, Any]], str]:
    """End-points, then markers, that can draw; and why none can, in a sentence, where that is so."""
    names = [one.name for one in character.end_points] + [one.name for one in character.markers]
    if not names:
        names = [body.name for body in reversed(character.bodies)]
    points, refusal = [], ""
    for name in dict.fromkeys(names[:_MOST]):
        try:
            points.append(point_for_page(character, name))
        except AnimatoError as error:
            refusal = refusal or str(error)
    return points, "" if points else refusal or "This character has no point that could draw."


def likely_point(character: Character, names: Sequence[str]) -> str:
    """What a newcomer would draw with: the first end-point with the name of a hand or a tool, else the first point.

    Args:
        character: The robot.
        names: Of the points that can draw, end-points first.

    Returns:
        "" where there is no point.
    """
    ends = {one.name for one in character.end_points}
    for word in _HANDS:
        found = [name for name in names if word in name.lower()]
        if found:
            return next((name for name in found if name in ends), found[0])
    return names[0] if names else ""
