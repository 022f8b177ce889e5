"""What is said while a command works and when it is done."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from animato.outcome import Iteration

if TYPE_CHECKING:
    from rich.console import Console


def console(*, stderr: bool = True) -> Console:
    """Where people read: the error stream, so that results can be piped."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False)


def say(sentence: str) -> None:
    """One sentence for people."""
    console().print(sentence, markup=False, soft_wrap=True)


class working:  # noqa: N801  # reads as a verb where it is used
    """A bar on the error stream while something takes its time; silent where nobody watches.

        with working("tracing") as progress:
            solve(problem, progress=progress)

    What it gives is a `Progress`: it shows the stage, how far it is, what is left and, where there is one, the
    objective.
    """

    def __init__(self, title: str) -> None:
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

        where = console()
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[figures]}"),
            TimeRemainingColumn(elapsed_when_finished=True),
            console=where,
            transient=True,
            disable=not where.is_terminal,
        )
        self._task = self._bar.add_task(title, total=None, figures="")

    def __enter__(self) -> working:
        self._bar.start()
        return self

    def __call__(self, step: Iteration) -> None:
        """Moves the bar."""
        figures = "" if step.total is None else f"{step.number}/{step.total}"
        if step.objective is not None:
            figures += f" {step.objective:.4g}"
        self._bar.update(
            self._task, description=step.stage, completed=step.number, total=step.total, figures=figures.strip()
        )

    def stage(self, title: str) -> None:
        """Says what comes next."""
        self(Iteration(stage=title))

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._bar.stop()
