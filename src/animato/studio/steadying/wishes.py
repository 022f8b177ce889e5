"""What people want of a motion that is steadied, in plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from animato.character import Character
from animato.errors import OptionError, unknown_name
from animato.mechanics.simulation import end_bodies
from animato.steady import Options
from animato.studio.desk import Fields

SOFTEST, STIFFEST = 0.5, 2.0
"""Factors on the stiffness of all parts that bend, from which to which they can be tried."""

_NUMBERS = {"stiffness_spread": (0.0, 0.3), "hold_weight": (1.0, 100.0), "acceleration_factor": (0.5, 6.0)}
_MOST_TRACKED = 12


@dataclass(frozen=True)
class Wishes:
    """Settings of the tool.

    Attributes:
        stiffness: Factor on the stiffness of all parts that bend.
        tracked: Bodies that are to keep to their paths; the ends of the character where empty.
        stiffness_spread: Also good where parts are so much softer or stiffer, as a share.
        hold_weight: How much more wobbling counts while the character stands still.
        acceleration_factor: How much more than the artist's own peak a motor may accelerate.
    """

    stiffness: float = 1.0
    tracked: tuple[str, ...] = ()
    stiffness_spread: float = 0.0
    hold_weight: float = 1.0
    acceleration_factor: float = 2.0

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Wishes:
        """From the settings of a document; what is not there, or is of no use, is as usual."""
        found: dict[str, Any] = {}
        for name in ("stiffness", *_NUMBERS):
            value = values.get(name)
            if isinstance(value, int | float) and not isinstance(value, bool):
                least, most = _NUMBERS.get(name, (SOFTEST, STIFFEST))
                found[name] = min(max(float(value), least), most)
        tracked = values.get("tracked")
        if isinstance(tracked, list | tuple):
            found["tracked"] = tuple(one for one in tracked if isinstance(one, str))
        return cls(**found)

    def tracked_of(self, character: Character) -> tuple[str, ...]:
        """Names of the bodies that are looked at; those of another character do not count."""
        known = {body.name for body in character.bodies}
        return tuple(one for one in self.tracked if one in known) or end_bodies(character)

    def options(self) -> Options:
        """For the verb."""
        return Options(
            stiffness_spread=self.stiffness_spread,
            hold_weight=self.hold_weight,
            acceleration_factor=self.acceleration_factor,
        )


def wishes_from(fields: Fields, character: Character) -> dict[str, Any]:
    """Wishes that a message has, as plain values for the settings of the document.

    Args:
        fields: Of the message.
        character: Whose bodies they may name.

    Raises:
        OptionError: A wish that cannot be.
        UnknownNameError: A body that is not there.
    """
    wishes: dict[str, Any] = {}
    for name, (least, most) in _NUMBERS.items():
        if fields.has(name):
            wishes[name] = fields.number(name, least=least, most=most)
    if fields.has("tracked"):
        given, known = fields.raw("tracked"), [body.name for body in character.bodies]
        if not isinstance(given, list) or len(given) > _MOST_TRACKED:
            raise OptionError(f"`tracked` is a list of at most {_MOST_TRACKED} bodies; given {given!r:.60}.")
        for one in given:
            if one not in known:
                raise unknown_name("body", str(one)[:40], known, character.name)
        wishes["tracked"] = list(dict.fromkeys(given))
    return wishes
