"""Where along a stroke the timing matters most."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from animato.errors import OptionError
from animato.motion import Stroke
from animato.trace.sketch.sketch import Sketch

_NUMBER = r"(\d+\.?\d*|\.\d+)"
_TEXT = re.compile(rf"{_NUMBER}\s*-\s*{_NUMBER}\s*[x*]\s*{_NUMBER}")


@dataclass(frozen=True)
class Accent:
    """A part of a stroke whose timing counts more, or less, than the rest.

    Attributes:
        start: Share of the path at which it begins, 0 to 1.
        end: Share of the path at which it ends, 0 to 1.
        weight: How much it counts; the rest counts 1.
    """

    start: float
    end: float
    weight: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.start < self.end <= 1.0:
            raise OptionError(
                f"An accent goes from one share of the path to a later one, not {self.start:g}-{self.end:g}."
            )
        if not (np.isfinite(self.weight) and self.weight >= 0.0):
            raise OptionError(f"The weight of an accent is 0 or more, given {self.weight}.")


def parse_accent(text: str) -> Accent:
    """An accent as a person writes it: "0.4-0.5x8", from 40 % to 50 % of the path eight times as important."""
    match = _TEXT.fullmatch(text.strip())
    if match is None:
        raise OptionError(f"'{text}' is not an accent. Write it so: 0.4-0.5x8, part of the path and weight.")
    start, end, weight = map(float, match.groups())
    return Accent(start, end, weight)


def with_accents(sketch: Sketch, accents: Iterable[Accent]) -> Sketch:
    """The sketch with the timing of some parts weighted; where accents overlap, the last one counts."""
    weights = np.array(sketch.accents)
    for accent in accents:
        inside = (sketch.arc_length >= accent.start) & (sketch.arc_length <= accent.end)
        weights[inside] = accent.weight
    return replace(sketch, accents=weights)


def accents_of_pressure(stroke: Stroke, strongest: float = 5.0) -> np.ndarray:
    """Accents where the pen was pressed: 1 at no pressure to `strongest` at full pressure, shape [sample]."""
    if not (np.isfinite(strongest) and strongest >= 0.0):
        raise OptionError(f"The strongest accent is 0 or more, given {strongest}.")
    if stroke.pressure is None:
        return np.ones(len(stroke.points))
    return 1.0 + (strongest - 1.0) * stroke.pressure
