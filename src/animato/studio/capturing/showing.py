"""A capture as a message for pages."""

from __future__ import annotations

from typing import Any

import numpy as np

from animato.character import Character
from animato.studio.capturing.captured import Captured
from animato.studio.capturing.landmarks import LANDMARKS, mirror_name
from animato.studio.capturing.seen import Seen

_DECIMALS = 4


def message_of(
    take: str, character: Character, captured: Captured, seen: Seen
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Values and arrays of the message `capture`.

    Args:
        take: Its name.
        character: Who follows.
        captured: What people said.
        seen: What there is to see.
    """
    bodies = [body.name for body in character.bodies]
    robot = {name: (body, at) for name, body, at in seen.points}
    values = {
        "take": take,
        "file": captured.file,
        "span": seen.span,
        "range": [float(seen.times[0]), float(seen.times[-1])],
        "names": seen.names,
        "bones": seen.bones,
        "edges": seen.bone_edges,
        "parts": [_part(name, captured, seen, robot, bodies) for name in LANDMARKS],
        "contacts": [
            {"part": part, "planted": captured.contacts.get(part, found), "edited": part in captured.contacts}
            for part, found in seen.contacts.items()
        ],
        "notes": seen.notes,
        "trouble": seen.trouble,
    }
    pace = captured.pace or ((0.0, seen.times[0]), (_length(captured, seen), seen.times[-1]))
    arrays = {
        "times": seen.times,
        "places": seen.places,
        "goals": seen.goals,
        "bone_places": seen.bone_places,
        "pace": np.array(pace),
    }
    return values, arrays


def _length(captured: Captured, seen: Seen) -> float:
    """How long the motion will be [s]."""
    return float(seen.times[-1] - seen.times[0]) / captured.wishes.speed


def _part(
    name: str,
    captured: Captured,
    seen: Seen,
    robot: dict[str, tuple[str, tuple[float, float, float]]],
    bodies: list[str],
) -> dict[str, Any]:
    """One landmark: of what it is made, and where the robot has it."""
    own = mirror_name(name) if captured.wishes.mirror else name
    at = seen.names.index(name) if name in seen.names else -1
    body, place = robot.get(name, ("", (0.0, 0.0, 0.0)))
    return {
        "name": name,
        "label": name.replace("_", " "),
        "sources": seen.sources[at] if at >= 0 else [],
        "known": at >= 0,
        "said": own in captured.person,
        "body": bodies.index(body) if body in bodies else -1,
        "place": [round(value, _DECIMALS) for value in place],
        "placed": name in captured.robot,
        "weight": captured.weights.get(name, 1.0),
    }
