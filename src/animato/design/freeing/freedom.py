"""What of a joint or body may change, in an object or in a word."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal, get_args

from animato.errors import OptionError

What = Literal["axis", "orientation", "position", "length"]

_COUNTS: dict[str, tuple[int, ...]] = {
    "axis": (0, 1),
    "orientation": (0, 1),
    "position": (0, 1, 3),
    "length": (0, 1, 2),
}
_EXAMPLES = "knee:axis, knee:axis:20, hip:position:0.02,0,0.01, shank:length:0.05, head_mount:orientation:30"


@dataclass(frozen=True)
class Freedom:
    """One thing that a design may change.

    Attributes:
        name: Of a joint; of a body for a length.
        what: "axis" tilts the axis of a joint and leaves the body behind it as free to be tilted back; "orientation"
            turns a joint with all that hangs on it; "position" moves a joint on its parent; "length" moves what is
            at the far end of a body along it.
        most: How far, each way: one angle [rad] for axis and orientation; one distance or one along each of the
            parent's axes [m] for a position, 0 for an axis that stays; one distance, or how much shorter and how much
            longer, for a length [m]. Empty for 30 degrees, 5 % of the character, or 30 % of the length.
    """

    name: str
    what: What
    most: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.what not in get_args(What):
            raise OptionError(
                f"What is freed of '{self.name}' is one of {', '.join(get_args(What))}, not {self.what!r}."
            )
        most = tuple(float(value) for value in self.most)
        fine = len(most) in _COUNTS[self.what] and all(math.isfinite(value) and value >= 0.0 for value in most)
        if not fine or (most and max(most) == 0.0):
            counts = " or ".join(str(count) for count in _COUNTS[self.what] if count)
            raise OptionError(
                f"How far the {self.what} of '{self.name}' may change is {counts} numbers of at least 0, one of them "
                f"above 0, not {', '.join(f'{value:g}' for value in most)}."
            )
        if self.what in ("axis", "orientation") and most and most[0] >= math.pi / 2:
            raise OptionError(f"The {self.what} of '{self.name}' may turn by less than 90 degrees each way.")
        object.__setattr__(self, "most", most)


def as_freedom(word: Freedom | str) -> Freedom:
    """A freedom from a word such as "knee:axis:20" (degrees) or "hip:position:0.02,0,0.01" (metres).

    Raises:
        OptionError: The word says none.
    """
    if isinstance(word, Freedom):
        return word
    found = re.fullmatch(rf"(.+):({'|'.join(get_args(What))})(?::([^:]*))?", word) if isinstance(word, str) else None
    if found is None:
        raise OptionError(f"`free` is NAME:WHAT or NAME:WHAT:HOW_FAR, such as {_EXAMPLES}; not {word!r:.60}.")
    name, what, far = found.groups()
    try:
        most = tuple(float(part) for part in far.split(",")) if far is not None else ()
    except ValueError:
        raise OptionError(f"How far in `free={word}` must be numbers, such as {_EXAMPLES}.") from None
    if what in ("axis", "orientation"):
        most = tuple(math.radians(value) for value in most)
    return Freedom(name, what, most)  # type: ignore[arg-type]
