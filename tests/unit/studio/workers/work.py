"""Work for processes to do."""

from __future__ import annotations

import time
from typing import Any

from animato.errors import OptionError
from animato.outcome import Progress, Stage


def after(seconds: float, what: Any) -> Any:
    """The thing itself, after a while."""
    time.sleep(seconds)
    return what


def refuse(words: str) -> None:
    """An error of animato's family."""
    raise OptionError(words)


def identity(thing: Any) -> int:
    """Which object it is."""
    return id(thing)


def count(steps: int, progress: Progress) -> int:
    """Takes steps of 10 ms."""
    stage = Stage("counting", progress, steps)
    for _ in range(steps):
        time.sleep(0.01)
        stage.step()
    return steps


def deaf(seconds: float, progress: Progress) -> None:
    """Begins, and then does not tell of itself any more."""
    Stage("deaf", progress, 2).step()
    time.sleep(seconds)
