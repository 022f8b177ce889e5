"""All that a page must know about a character to draw it and to let people touch it."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from animato.character import Character, Joint, JointRole, JointType, Limits
from animato.findings import pretty_names
from animato.report.kit import Figure, Film, film_data
from animato.report.kit.strip import strip_palette
from animato.spatial import quaternions
from animato.studio.watching.rest import rest_clip

_TURNS = {JointType.REVOLUTE: (True,), JointType.UNIVERSAL: (True, True), JointType.CYLINDRICAL: (False, True)}


@lru_cache(maxsize=4)
def scene_of(character: Character) -> dict[str, Any]:
    """Plain values for the message `scene`.

    Args:
        character: Who is shown.

    Returns:
        What `film_data` gives of the rest pose, and: `name`; `bodies` and `body_labels`; `coordinates`, the columns of
        every motion; `joints`; `points`, the places to draw and point with; `soles`; `floats`; `palette`, the colours
        of shares from 0 to 1 and beyond (red, green, blue, opacity).
    """
    bodies = [body.name for body in character.bodies]
    numbers = {name: n for n, name in enumerate(bodies)}
    labels = pretty_names([joint.name for joint in character.joints])
    film = film_data(Film((Figure(character, rest_clip(character)),), title=character.name))
    return {
        **film,
        "name": character.name,
        "description": character.description,
        "floats": character.floats,
        "bodies": bodies,
        "body_labels": list(pretty_names(bodies).values()),
        "coordinates": list(character.coordinate_names),
        "joints": [_joint(joint, labels[joint.name], numbers) for joint in character.joints if _moves(joint)],
        "points": _points(character, numbers),
        "soles": [
            {"name": sole.name, "body": numbers[sole.body], "corners": [_plain(one) for one in sole.corners]}
            for sole in character.soles
        ],
        "palette": strip_palette().tolist(),
    }


def _moves(joint: Joint) -> bool:
    return joint.type not in (JointType.FIXED, JointType.GROUND)


def _joint(joint: Joint, label: str, numbers: dict[str, int]) -> dict[str, Any]:
    """A joint as seen from the body that it moves."""
    turn = np.array(joint.frame_child.quaternion_wxyz)
    axes = quaternions.rotate(turn, joint.axes.T)
    return {
        "name": joint.name,
        "label": label,
        "body": numbers[joint.child],
        "parent": numbers[joint.parent],
        "place": _plain(joint.frame_child.position),
        "axis": _plain(axes[0]),
        "axes": [_plain(axis) for axis in axes],
        "kind": joint.type.value,
        "role": str(joint.role),
        "coordinates": _coordinates(joint) if joint.is_free_coordinate else [],
        "leader": None if joint.coupling is None else joint.coupling.leader,
    }


def _coordinates(joint: Joint) -> list[dict[str, Any]]:
    names = joint.coordinate_names
    if joint.type is JointType.SPHERICAL:
        units, limits = [""] * 4, [joint.limits[0]] * 4
        ranges: list[tuple[float | None, float | None]] = [(-1.0, 1.0)] * 4
    else:
        turns = _TURNS.get(joint.type, (False,) * len(names))
        units, limits = ["rad" if one else "m" for one in turns], list(joint.limits)
        ranges = [(one.lower, one.upper) for one in limits]
    return [
        {
            "name": name,
            "lower": _known(low),
            "upper": _known(high),
            "unit": unit,
            "neutral": neutral,
            "driven": joint.role is JointRole.ACTUATED,
            **_rates(limit),
        }
        for name, (low, high), unit, neutral, limit in zip(names, ranges, units, joint.neutral, limits, strict=True)
    ]


def _rates(limit: Limits) -> dict[str, float | None]:
    return {kind: _known(getattr(limit, kind)) for kind in ("velocity", "acceleration", "jerk", "torque")}


def _known(value: float | None) -> float | None:
    """A limit, or None where there is none."""
    return None if value is None or not math.isfinite(value) else float(value)


def _points(character: Character, numbers: dict[str, int]) -> list[dict[str, Any]]:
    """End-points, then markers; each name once, as the first of that name is the one that is found by it."""
    found: dict[str, dict[str, Any]] = {}
    for end in character.end_points:
        forward = end.frame.transform.rotation @ np.array(end.forward)
        place, body = _plain(end.frame.position), numbers[end.body]
        found[end.name] = {"name": end.name, "kind": "end-point", "body": body, "place": place}
        found[end.name]["forward"] = _plain(forward)
    for marker in character.markers:
        place, body = _plain(marker.position), numbers[marker.body]
        found.setdefault(marker.name, {"name": marker.name, "kind": "marker", "body": body, "place": place})
    labels = pretty_names(found)
    return [{**values, "label": labels[name]} for name, values in found.items()]


def _plain(vector: Any) -> list[float]:
    return [round(float(value), 6) for value in vector]
