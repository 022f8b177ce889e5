"""What is to follow its target: a body, and how much it counts when."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from animato.errors import OptionError

if TYPE_CHECKING:  # the command line reads options, and starts without numpy
    import numpy as np


@dataclass(frozen=True)
class Emphasis:
    """A span of time in which a body counts more or less.

    Attributes:
        start_s, end_s: From when to when [s].
        factor: On the body's weight.
    """

    start_s: float
    end_s: float
    factor: float

    def __post_init__(self) -> None:
        if not self.start_s < self.end_s or not self.factor >= 0.0:
            raise OptionError(
                f"A span of emphasis goes from an earlier to a later time with a factor of at least 0, not "
                f"{self.start_s} to {self.end_s} with {self.factor}."
            )


@dataclass(frozen=True)
class Tracked:
    """A body whose centre of mass, and maybe orientation, is to stay near its target (eqs. 19 to 22).

    Attributes:
        body: Its name.
        weight: Of its place.
        orientation: Factor on `Options.orientation_weight`; 0 where it may turn as it likes.
        emphasis: Spans of time in which it counts more or less.
    """

    body: str
    weight: float = 1.0
    orientation: float = 0.0
    emphasis: tuple[Emphasis, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "emphasis", tuple(self.emphasis))
        for name in ("weight", "orientation"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0.0):
                raise OptionError(f"The {name} of tracked body '{self.body}' is at least 0, not {value}.")

    def factors(self, times: np.ndarray) -> np.ndarray:
        """What emphasis makes of its weight at times [s], shape [time]."""
        import numpy as np

        factors = np.ones(len(times))
        for span in self.emphasis:
            factors[(times >= span.start_s) & (times <= span.end_s)] *= span.factor
        return factors

    @classmethod
    def parsed(cls, word: str) -> Tracked:
        """From a word such as "head", "glass=1:upright" or "left_hand=100@1.2-3.4".

        NAME, then =WEIGHT, then :upright where its orientation counts, then @START-END where the weight holds only
        from START to END [s].
        """
        name, _, rest = word.partition("=")
        upright = ":upright" in word
        name, rest = name.replace(":upright", ""), rest.replace(":upright", "")
        amount, at, span = rest.partition("@")
        try:
            weight = float(amount) if amount else 1.0
            if not at:
                return cls(name, weight, 1.0 if upright else 0.0)
            start, end = (float(part) for part in span.split("-"))
            return cls(name, 1.0, 1.0 if upright else 0.0, (Emphasis(start, end, weight),))
        except ValueError:
            raise OptionError(
                f"A tracked body is NAME, NAME=WEIGHT, NAME:upright or NAME=WEIGHT@START-END in seconds, not '{word}'."
            ) from None
