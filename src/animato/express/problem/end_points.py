"""What faces: end-points of the character, or markers and bodies that become some."""

from __future__ import annotations

from animato.character import Character
from animato.character.structure import character_with_end_point
from animato.errors import CharacterError
from animato.express.options import Options

_MOST_NAMES = 40  # that an error lists


def with_end_points(character: Character, options: Options) -> tuple[Character, tuple[str, ...]]:
    """The character with all end-points that the options name, and their names, the most important first.

    Args:
        character: Who moves. What it has as a marker or a body only becomes an end-point.
        options: Their `forward` and `up` hold for the most important end-point and for all that are made.

    Raises:
        UnknownNameError: The character has nothing of such a name.
        CharacterError: None is named, and the character has none or several.
        OptionError: A direction is none.
    """
    known = [one.name for one in character.end_points]
    first = _only(character) if options.end_point is None else options.end_point
    names = (first, *(name for name in options.also_facing if name != first))
    for name in names:
        stated = name == first or name not in known
        ways = (options.forward, options.up) if stated else (None, None)
        character = character_with_end_point(character, name, *ways)
    return character, names


def _only(character: Character) -> str:
    """The name of the only end-point."""
    names = [one.name for one in character.end_points]
    if len(names) == 1:
        return names[0]
    if names:
        raise CharacterError(f"'{character.name}' has the end-points {', '.join(names)}; say which one (`end_point`).")
    places = [*(one.name for one in character.markers), *(one.name for one in character.bodies)]
    listed = ", ".join(places[:_MOST_NAMES])
    listed += f" and {len(places) - _MOST_NAMES} more" if len(places) > _MOST_NAMES else ""
    raise CharacterError(
        f"'{character.name}' has no end-point that could face. Name a marker or a body that is to be one "
        f"(`end_point`), and its directions where they are not x and z (`forward`, `up`): {listed}."
    )
