"""Rows of a batch as its page takes them: columns, with words that repeat written once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MOST_ROWS = 50_000
"""Of a page: beyond this a browser takes too long to open it, and the table is the better place."""

LIMITS = ("position", "velocity", "acceleration", "jerk", "torque", "balance")


class _Words:
    """Words by number."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, word: str) -> int:
        return self.numbers.setdefault(word, len(self.numbers))


@dataclass
class Listing:
    """What the page of a batch shows.

    Attributes:
        verb: That worked on the clips.
        robots: Their names.
        total: Rows there will be when all is done.
        version: Of animato.
        full_level: The level of a share of 1 in a row's strip.
        wishes: Options in words.
        counts: Rows by status.
        over: Rows by limit that is exceeded.
        left_out: Rows that fit best and are not on the page.
    """

    verb: str
    robots: tuple[str, ...]
    total: int
    version: str
    full_level: int
    wishes: str = ""
    counts: Counter[str] = field(default_factory=Counter)
    over: Counter[str] = field(default_factory=Counter)
    left_out: int = 0
    _columns: dict[str, list[Any]] = field(default_factory=dict)
    _measures: dict[str, list[Any]] = field(default_factory=dict)
    _words: dict[str, _Words] = field(default_factory=dict)

    def add(self, row: Mapping[str, Any], page: str) -> None:
        """Adds a row; the worst come first.

        Args:
            row: As the batch has it.
            page: Its page, from the page of the batch on; "" where it has none.
        """
        self.counts[row["status"]] += 1
        limits = [kind for kind in LIMITS if kind in (row.get("limits") or ())]
        self.over.update(limits)
        count = len(self._columns.get("clip", ()))
        if count >= MOST_ROWS:
            self.left_out += 1
            return
        cells = {
            "clip": row["clip"],
            "robot": self._numbered("robot", row["robot"]),
            "status": self._numbered("status", row["status"]),
            "said": self._numbered("said", row.get("verdict") or row.get("error") or ""),
            "worst": _short(row.get("worst")),
            "kind": self._numbered("kind", row.get("worst_kind") or ""),
            "joint": self._numbered("joint", row.get("worst_joint") or ""),
            "at": _short(row.get("worst_at_s")),
            "limits": sum(1 << LIMITS.index(kind) for kind in limits),
            "frames": row.get("frames"),
            "duration": _short(row.get("duration_s")),
            "strip": row.get("strip") or "",
            "page": page,
            "result": row.get("result") or "",
        }
        for name, value in cells.items():
            self._columns.setdefault(name, []).append(value)
        for name, value in (row.get("measures") or {}).items():
            self._measures.setdefault(name, [None] * count).append(_short(value))
        for values in self._measures.values():
            values.extend([None] * (count + 1 - len(values)))

    def data(self) -> dict[str, Any]:
        """For the page's script."""
        return {
            "columns": self._columns,
            "measures": self._measures,
            "words": {name: list(words.numbers) for name, words in self._words.items()},
            "limits": LIMITS,
            "full": self.full_level,
        }

    def _numbered(self, column: str, word: str) -> int:
        return self._words.setdefault(column, _Words()).number(word)


def _short(value: Any) -> float | None:
    """Five digits, which is more than a list shows; None for what is infinite or not known."""
    return float(f"{value:.5g}") if isinstance(value, int | float) and math.isfinite(value) else None
