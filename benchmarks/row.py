"""One measured figure beside a peer's, measured on the same input in the same run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Row:
    """A line of a benchmark.

    Attributes:
        name: What was measured.
        value: Ours.
        unit: Of both values.
        better: Which way is better.
        peer: Who else was measured, or "" where there is none.
        peer_value: Theirs, or None.
    """

    name: str
    value: float
    unit: str
    better: Literal["lower", "higher"]
    peer: str = ""
    peer_value: float | None = None


def best_seconds(call: Callable[[], object], repeats: int) -> float:
    """The shortest of several runs [s]: noise only ever adds."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return min(seconds)
