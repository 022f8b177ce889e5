"""What the engine is given and what it gives back. It knows nothing of clips."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Task:
    """One piece of work.

    Attributes:
        key: What its result is found by; the same key is the same work with the same result.
        payload: What the work is told of it. Must be picklable, and small: it is sent.
        weight: How long it may take, in a unit of its group's own, such as the bytes of a file.
        group: Tasks of one group take about the same time for the same weight.
    """

    key: str
    payload: Any
    weight: float = 1.0
    group: str = ""


Work = Callable[[Sequence[Any]], list[Any]]
"""What does a chunk: payloads in, one result for each out, in their order. It runs in another process, so it must be
picklable; it must not raise for what is wrong with one payload."""


@dataclass(frozen=True)
class Finished:
    """A chunk that is done, or whose process died.

    Attributes:
        tasks: Of the chunk.
        results: One for each task; None where the process died, and then nothing of the chunk is known.
        seconds: It took, in the process that did it [s]; where that died, since it was submitted.
    """

    tasks: tuple[Task, ...]
    results: tuple[Any, ...] | None
    seconds: float = 0.0


def timed(work: Work, payloads: Sequence[Any]) -> tuple[list[Any], float]:
    """The results of a chunk and how long it took [s]; this is what a process of a pool runs."""
    import time

    began = time.perf_counter()
    results = work(payloads)
    return results, time.perf_counter() - began
