"""What is said while a command works and when it is done."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console


def console(*, stderr: bool = True) -> Console:
    """Where people read: the error stream, so that results can be piped."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False)


def say(sentence: str) -> None:
    """One sentence for people."""
    console().print(sentence, markup=False, soft_wrap=True)


class progress_bar:  # noqa: N801  # reads as a verb where it is used
    """A bar on stderr while something takes its time; gives the callback that moves it."""

    def __init__(self, title: str) -> None:
        from rich.progress import Progress

        self.bar = Progress(console=console(), transient=True)
        self.task = self.bar.add_task(title, total=None)

    def __enter__(self) -> Callable[[int, int], None]:
        self.bar.start()
        return lambda done, total: self.bar.update(self.task, completed=done, total=total)

    def __exit__(self, *_: Any) -> None:
        self.bar.stop()
