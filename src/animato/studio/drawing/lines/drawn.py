"""A drawing as the source of a take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from animato.errors import MotionError
from animato.studio.document import Keep, Read
from animato.studio.drawing.lines.drawn_stroke import DrawnStroke
from animato.studio.drawing.lines.wishes import DrawnWishes

MOST_STROKES = 500


@dataclass(frozen=True, eq=False)
class Drawn:
    """Lines in the order in which they were drawn, and what is wanted of their performance.

    Attributes:
        strokes: At least one.
        wishes: What is wanted.
    """

    kind: ClassVar[str] = "drawn"

    strokes: tuple[DrawnStroke, ...]
    wishes: DrawnWishes = field(default_factory=DrawnWishes)

    def __post_init__(self) -> None:
        if not 1 <= len(self.strokes) <= MOST_STROKES:
            raise MotionError(f"A drawing has 1 to {MOST_STROKES} lines; given {len(self.strokes)}.")

    @property
    def points(self) -> tuple[str, ...]:
        """All points that draw, in the order of their first lines."""
        return tuple(dict.fromkeys(stroke.point for stroke in self.strokes))

    @property
    def duration(self) -> float:
        """How long the hand drew, without ways through the air [s]."""
        return sum(stroke.duration for stroke in self.strokes)

    def with_strokes(self, strokes: tuple[DrawnStroke, ...]) -> Drawn:
        """With other lines."""
        return replace(self, strokes=strokes)

    def with_wish(self, name: str, value: Any) -> Drawn:
        """With one option another."""
        return replace(self, wishes=self.wishes.with_value(name, value))

    def for_file(self, keep: Keep) -> dict[str, Any]:
        """Plain values, exact."""
        strokes = [stroke.values() for stroke in self.strokes]
        return {"kind": self.kind, "wishes": self.wishes.values(), "strokes": strokes}

    def for_page(self) -> dict[str, Any]:
        """What is shown and edited."""
        return {
            "strokes": [stroke.shown for stroke in self.strokes],
            "wishes": self.wishes.values(),
            "drawn_s": round(self.duration, 3),
        }

    @classmethod
    def from_file(cls, values: Mapping[str, Any], read: Read) -> Drawn:
        """Back from `for_file`.

        Raises:
            AnimatoError: Something is missing or says no drawing.
        """
        strokes, wishes = values.get("strokes"), values.get("wishes", {})
        if not isinstance(strokes, list) or not isinstance(wishes, Mapping):
            raise MotionError("A drawing has a list of `strokes`, and `wishes`.")
        return cls(tuple(DrawnStroke.from_values(one) for one in strokes), DrawnWishes.from_values(wishes))
