"""How a joint moves inside its limits: the part of its character that a motion filter gives it."""

from __future__ import annotations

from dataclasses import dataclass, fields

from animato.character.vectors import finite_vector
from animato.errors import CharacterError

MOST_OVERSHOOT = 0.9
"""A joint that passed every set-point by the whole way would never come to rest."""


@dataclass(frozen=True)
class Manner:
    """How one joint moves while it follows set-points. None means as whoever moves it likes.

    Attributes:
        smoothness: How far set-points are eased, and starts and stops stretched, 0 to 1.
        responsiveness: Share of the set-points' velocity that is anticipated, 0 to 1.
        softness: How early it slows down before the ends of its range, 0 (not at all) to 1.
        haste: Share of the easing that is left out again, 0 to 1.
        overshoot: Share of a way by which its end is passed before the joint settles, 0 to 0.9.
    """

    smoothness: float | None = None
    responsiveness: float | None = None
    softness: float | None = None
    haste: float | None = None
    overshoot: float | None = None

    def __post_init__(self) -> None:
        for name in MANNER_WORDS:
            value = getattr(self, name)
            if value is None:
                continue
            (number,) = finite_vector([value], 1, f"The {name}")
            if not 0.0 <= number <= most_of(name):
                raise CharacterError(f"The {name} must be from 0 to {most_of(name):g}, not {number:g}.")
            object.__setattr__(self, name, number)


MANNER_WORDS: tuple[str, ...] = tuple(one.name for one in fields(Manner))
"""What there is to say of a manner."""

UNSAID = Manner()


def most_of(word: str) -> float:
    """The largest value that a word of a manner may have; the least is 0."""
    return MOST_OVERSHOOT if word == "overshoot" else 1.0
