"""Colours that animato chooses where a character does not: left and right differ, motors are dark."""

from __future__ import annotations

import re
from collections.abc import Container

from animato.character import Character
from animato.character.structure import topology_of
from animato.errors import CharacterError

Colour = tuple[float, float, float]
"""Red, green, blue, each 0 to 1, as written in a file (sRGB)."""

LEFT: Colour = (0.13, 0.52, 0.60)
RIGHT: Colour = (0.91, 0.43, 0.29)
CENTRE: tuple[Colour, ...] = ((0.93, 0.91, 0.86), (0.96, 0.76, 0.36))
ACTUATED: Colour = (0.19, 0.21, 0.26)
PASSIVE: Colour = (0.66, 0.69, 0.73)
GROUND: Colour = (0.26, 0.29, 0.35)
FLEXIBLE: Colour = (0.86, 0.66, 0.22)
GHOST: Colour = (0.27, 0.30, 0.93)

_TRAIL: tuple[Colour, ...] = ((0.20, 0.29, 0.62), (0.16, 0.60, 0.63), (0.98, 0.75, 0.24), (0.92, 0.32, 0.26))


def side_of_name(name: str, others: Container[str] = ()) -> str:
    """'left', 'right' or 'centre', as the name of a body says: left_arm, LeftArm, arm_l, LShoulder, arm.R.

    A single letter counts only where `others` holds the name of the twin, as it may mean roll as well.
    """
    words = [word.lower() for word in _words(name)]
    for side in ("left", "right"):
        if any(word.startswith(side) or word.endswith(side) for word in words):
            return side
    for letter, side, twin in (("l", "left", "r"), ("r", "right", "l")):
        for here in (letter, letter.upper()):
            there = twin if here == letter else twin.upper()
            for found in re.finditer(here, name):
                swapped = name[: found.start()] + there + name[found.end() :]
                if _stands_alone(name, found.start()) and swapped in others:
                    return side
    return "centre"


def _words(name: str) -> list[str]:
    """Parts of a name that is written in camel case or with separators."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return [word for word in re.split(r"[^A-Za-z]+", spaced) if word]


def _stands_alone(name: str, place: int) -> bool:
    """Whether a letter of a name is a word of its own: arm_l, l_arm, LShoulder, ArmL, L1."""
    before, after = name[place - 1 : place], name[place + 1 : place + 2]
    free_before = not before.isalpha() or (name[place].isupper() and before.islower())
    free_after = not after.isalpha() or (name[place].isupper() and after.isupper())
    return free_before and free_after


def body_sides(character: Character) -> dict[str, str]:
    """Side of every body: what its name says, or else the side of the body it hangs from."""
    names = {body.name for body in character.bodies}
    sides = {body.name: side_of_name(body.name, names) for body in character.bodies}
    try:
        links = topology_of(character).links
    except CharacterError:
        return sides
    for link in links:
        if link.body in sides and sides[link.body] == "centre" and link.parent is not None:
            sides[link.body] = sides.get(link.parent, "centre")
    return sides


def body_colours(character: Character) -> dict[str, Colour]:
    """A colour for every body; neighbours in the middle of the character alternate between two tones."""
    sides = body_sides(character)
    depth: dict[str, int] = {}
    try:
        for link in topology_of(character).links:
            depth[link.body] = 0 if link.parent is None else depth.get(link.parent, 0) + 1
    except CharacterError:
        pass
    middle = {name: CENTRE[depth.get(name, n) % len(CENTRE)] for n, name in enumerate(sides)}
    return {
        name: LEFT if side == "left" else RIGHT if side == "right" else middle[name] for name, side in sides.items()
    }


def speed_colour(share: float) -> Colour:
    """Blue over green and yellow to red for a share from 0 to 1."""
    place = min(max(share, 0.0), 1.0) * (len(_TRAIL) - 1)
    low = min(int(place), len(_TRAIL) - 2)
    part = place - low
    first, second = _TRAIL[low], _TRAIL[low + 1]
    red, green, blue = (a + part * (b - a) for a, b in zip(first, second, strict=True))
    return red, green, blue
