"""What people ask of a design, as plain values that a project keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from animato.errors import OptionError, unknown_name

Pull = tuple[float, float, float, float]
"""A handle: when, from the start of the target [s], and how far it is pulled in the world, x, y, z [m]."""

KINDS = ("take", "drawing", "shipped")
"""Where target paths come from: what a take does, a line that was drawn, targets that come with animato."""


@dataclass(frozen=True)
class Wish:
    """What is asked of a design. All plain values: undo and saving need no more.

    Attributes:
        kind: Where the target paths come from, one of `KINDS`; "" while nothing is asked.
        name: Of the take or of the shipped target.
        points: Of the character whose paths are followed; of a drawing and a shipped target, their own.
        handles: By point, in the order of time.
        freed: What may change beside joints that are configurable already, in the words of `design.freed`.
        weights: How much more than others a point counts.
        keep_motors: Whether motors do exactly what they did.
        turns: Whether it counts how points are turned, beside where they are; of takes.
    """

    kind: str = ""
    name: str = ""
    points: tuple[str, ...] = ()
    handles: Mapping[str, tuple[Pull, ...]] = field(default_factory=dict)
    freed: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    keep_motors: bool = False
    turns: bool = False

    @property
    def target(self) -> tuple[Any, ...]:
        """What says which target paths there are before anybody drags them."""
        return self.kind, self.name, self.points, self.turns

    def with_pull(self, point: str, index: int, move: tuple[float, float, float]) -> Wish:
        """With a handle pulled.

        Raises:
            OptionError: There is no such handle.
        """
        if point not in self.handles:
            raise unknown_name("target path", point, list(self.handles), "the design")
        pulls = list(self.handles[point])
        if not 0 <= index < len(pulls):
            raise OptionError(f"The path of '{point}' has handles 0 to {len(pulls) - 1}; given {index}.")
        pulls[index] = (pulls[index][0], *move)
        return replace(self, handles={**self.handles, point: tuple(pulls)})

    def with_freedom(self, name: str, what: str, *, on: bool, far: str = "") -> Wish:
        """With a joint or body freed, or not.

        Args:
            name: Of the joint, or of the body for a length.
            what: "axis", "orientation", "position" or "length".
            on: Whether it may change.
            far: How far, as `design.freed` reads it; its default where empty.
        """
        begin = f"{name}:{what}"
        others = tuple(word for word in self.freed if word != begin and not word.startswith(f"{begin}:"))
        return replace(self, freed=(*others, f"{begin}:{far}" if far else begin) if on else others)

    def values(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "kind": self.kind,
            "name": self.name,
            "points": list(self.points),
            "handles": {point: [list(pull) for pull in pulls] for point, pulls in self.handles.items()},
            "freed": list(self.freed),
            "weights": dict(self.weights),
            "keep_motors": self.keep_motors,
            "turns": self.turns,
        }

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Wish:
        """Back from `values`; what makes no sense, such as by a text editor, is left out."""
        try:
            handles = {
                str(point): tuple((float(t), float(x), float(y), float(z)) for t, x, y, z in pulls)
                for point, pulls in dict(values.get("handles", {})).items()
            }
            weights = {str(name): float(factor) for name, factor in dict(values.get("weights", {})).items()}
        except (TypeError, ValueError):
            return cls()
        kind = str(values.get("kind", ""))
        return cls(
            kind if kind in KINDS else "",
            str(values.get("name", "")),
            tuple(map(str, values.get("points", ()))),
            handles,
            tuple(map(str, values.get("freed", ()))),
            weights,
            bool(values.get("keep_motors", False)),
            bool(values.get("turns", False)),
        )
