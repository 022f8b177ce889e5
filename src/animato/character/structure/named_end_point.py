"""End-points of characters that have none: robots from URDF, MJCF and USD files know bodies and sites only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from animato.character.character import Character
from animato.character.frame import HERE, Frame
from animato.character.landmarks import EndPoint
from animato.character.vectors import AXES, X_AXIS, Z_AXIS, Vector3, unit_vector
from animato.errors import CharacterError, OptionError, UnknownNameError, did_you_mean

_PARALLEL = 1.0 - 1e-6  # of two directions, by their dot product
_MOST_NAMES = 40  # that an error lists


def character_with_end_point(
    character: Character,
    name: str,
    forward: str | Sequence[float] | None = None,
    up: str | Sequence[float] | None = None,
) -> Character:
    """The character with an end-point of that name: its own, or one made of a marker (a site) or a body.

    Args:
        character: Whose end-point it is.
        name: Of an end-point; where there is none, of a marker; where there is none either, of a body.
        forward: The way it faces, in the frame of what is named: x, y, z, -x, -y, -z or three numbers. As the end-point
            has it where not given, x for one that is made.
        up: What it calls up, likewise; z for one that is made, or x where it faces along z.

    Raises:
        UnknownNameError: There is nothing of that name.
        OptionError: A direction is none, or both are parallel.
    """
    known = next((one for one in character.end_points if one.name == name), None)
    if known is not None and forward is None and up is None:
        return character
    place = _made(character, name) if known is None else known
    ahead = place.forward if forward is None else _direction(forward, "forward")
    above = place.up if up is None else _direction(up, "up")
    if up is None and _are_parallel(ahead, above):
        above = X_AXIS if _are_parallel(ahead, Z_AXIS) else Z_AXIS
    if _are_parallel(ahead, above):
        raise OptionError(
            f"`forward` {list(ahead)} and `up` {list(above)} of end-point '{name}' are parallel; up must point "
            "another way, or the roll about forward would mean nothing."
        )
    made = replace(place, forward=ahead, up=above)
    others = [made if one is known else one for one in character.end_points]
    return replace(character, end_points=tuple(others) if known is not None else (*others, made))


def _made(character: Character, name: str) -> EndPoint:
    """An end-point where a marker or a body is."""
    frames: dict[str, tuple[str, Frame]] = {body.name: (body.name, HERE) for body in character.bodies}
    frames |= {marker.name: (marker.body, marker.frame) for marker in character.markers}
    if name not in frames:
        raise _unknown(character, name)
    return EndPoint(name, *frames[name])


def _unknown(character: Character, name: str) -> UnknownNameError:
    """What there is instead."""
    groups = {
        "End-points": [one.name for one in character.end_points],
        "Markers": [one.name for one in character.markers],
        "Bodies": [one.name for one in character.bodies],
    }
    told = [f"{kind}: {_listed(names)}." for kind, names in groups.items() if names]
    every = [one for names in groups.values() for one in names]
    return UnknownNameError(
        f"Nothing in '{character.name}' is called '{name}' that could be an end-point."
        f"{did_you_mean(name, every)} {' '.join(told)}"
    )


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def _direction(given: str | Sequence[float], what: str) -> Vector3:
    """A direction by its word or its numbers, of length one."""
    allowed = f"`{what}` must be one of {', '.join(AXES)} or three numbers, not all 0, not {given!r:.60}."
    if isinstance(given, str):
        if given.strip() not in AXES:
            raise OptionError(allowed)
        return AXES[given.strip()]
    try:
        x, y, z = unit_vector(given, 3, what)
    except CharacterError:
        raise OptionError(allowed) from None
    return x, y, z


def _are_parallel(first: Vector3, second: Vector3) -> bool:
    return abs(float(np.dot(first, second))) > _PARALLEL
