"""What people want of a motion that is made performable: the options of `fix` that they meet, in plain values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from animato.character import Character
from animato.errors import OptionError
from animato.fix import Options
from animato.studio.desk import Fields

KEPT, REST = "clip", "rest"
"""How a motion begins and ends: as it does, or at rest; postures of the character are ways, too."""

_FLAGS = ("collisions", "balance", "torque", "jerk")


def wishes_from(fields: Fields, character: Character) -> dict[str, Any]:
    """Wishes that a message has, as plain values for the settings of the document.

    Args:
        fields: Of the message.
        character: Whose postures and joints they may name.

    Raises:
        OptionError: A wish that cannot be.
    """
    wishes: dict[str, Any] = {}
    if fields.has("time"):
        wishes["time"] = fields.number("time", least=0.0, most=1.0)
    for name in ("start", "end"):
        if fields.has(name):
            wishes[name] = fields.choice(name, [KEPT, REST, *(one.name for one in character.postures)])
    for name in ("protect", "points", "accents"):
        if fields.has(name):
            words = fields.raw(name)
            if not isinstance(words, list) or not all(isinstance(one, str) and len(one) < 200 for one in words):
                raise OptionError(f"`{name}` is a list of words; given {words!r:.60}.")
            wishes[name] = words
    for name in _FLAGS:
        if fields.has(name):
            wishes[name] = fields.flag(name)
    options_from(wishes)
    return wishes


def options_from(wishes: Mapping[str, Any]) -> Options:
    """The options that wishes are; what is not wished for is as usual."""
    known: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in wishes.items()
        if name in Options.__dataclass_fields__
    }
    return Options(**known)
