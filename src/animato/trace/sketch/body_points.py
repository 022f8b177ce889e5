"""Points anywhere on a body of the robot, as a person writes them: "forearm at 0.1,0,0.02"."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import replace

from animato.character import Character, Marker
from animato.errors import OptionError, unknown_name

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?"
_TEXT = re.compile(rf"(?P<body>.+?)\s*(?:@|\sat\s)\s*(?P<at>{_NUMBER}(?:\s*,\s*{_NUMBER}){{2}})")

_ALMOST = re.compile(r"@|\sat(\s|$)")


def known_points(character: Character) -> list[str]:
    """Names of all points of a robot: end-points, markers, and the origins of bodies."""
    places = [one.name for one in character.end_points] + [one.name for one in character.markers]
    return list(dict.fromkeys([*places, *(body.name for body in character.bodies)]))


def checked_point(name: str) -> str:
    """The name of a point without spaces around it.

    Raises:
        OptionError: It is to say a place on a body, and does not.
    """
    name = name.strip()
    if _ALMOST.search(name) is not None and not is_body_point(name):
        raise OptionError(
            f"'{name[:80]}' says no place on a body: three numbers in metres are wanted, in the body's own axes, such "
            "as 'forearm at 0.1,0,0.02'."
        )
    return name


def is_body_point(name: str) -> bool:
    """Whether a name says a place on a body."""
    return _TEXT.fullmatch(name.strip()) is not None


def with_body_points(character: Character, names: Iterable[str]) -> Character:
    """The robot with a marker for each name that says a place on a body, under that name.

    Args:
        character: The robot.
        names: Such as "forearm at 0.1,0,0.02", or "forearm@0.1,0,0.02": a body and where on it, in its own axes [m].
            Names that the robot has stay as they are, and so do those that say no place.

    Raises:
        UnknownNameError: There is no such body.
        OptionError: A place beyond a kilometre.
    """
    known, added = set(known_points(character)), []
    for name in dict.fromkeys(names):
        match = None if name in known else _TEXT.fullmatch(name.strip())
        if match is None:
            continue
        bodies = [body.name for body in character.bodies]
        if match["body"] not in bodies:
            raise unknown_name("body", match["body"], bodies, character.name)
        x, y, z = (float(part) for part in match["at"].split(","))
        if not all(math.isfinite(value) and abs(value) <= 1000.0 for value in (x, y, z)):
            raise OptionError(f"A point of a body is within 1000 m of its origin, not at {match['at']}.")
        added.append(Marker(name, match["body"], (x, y, z)))
    return replace(character, markers=(*character.markers, *added)) if added else character
