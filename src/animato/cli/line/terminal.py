"""What is said while a command works and when it is done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any

from animato.outcome import Iteration

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.measure import Measurement
    from rich.segment import Segment


_SHOWN, _TAIL = 120, 40  # letters of a word that is longer than both, at its beginning and its end
_LONGEST_WORD = 300  # paths of files may be long; names of 5000 letters say nothing more
_LONGEST = 4000  # letters of a message
_LONG_WORD = re.compile(rf"\S{{{_LONGEST_WORD},}}")


def console(*, stderr: bool = True) -> Console:
    """Where people read: the error stream, so that results can be piped.

    Whatever is printed there is cleaned first: names come out of files, and must not steer the terminal.
    """
    from rich.console import Console

    where = Console(stderr=stderr, highlight=False)
    where.push_render_hook(_Cleaning())  # type: ignore[arg-type]  # rich asks for no more than its one method
    return where


class _Cleaning:
    """A hook of rich's that sees all that is about to be printed."""

    def process_renderables(self, renderables: list[Any]) -> list[Any]:
        """What is printed instead."""
        return [_Cleaned(one) for one in renderables]


class _Cleaned:
    """Anything that rich can print, its text made printable; rich's own colours and cursor moves stay."""

    def __init__(self, inside: Any) -> None:
        self._inside = inside

    def __rich_console__(self, where: Console, options: ConsoleOptions) -> Iterator[Segment]:
        from rich.segment import Segment

        from animato.formats.files import printable

        for segment in where.render(self._inside, options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)

    def __rich_measure__(self, where: Console, options: ConsoleOptions) -> Measurement:
        from rich.measure import Measurement

        return Measurement.get(where, options, self._inside)


def cleaned(message: str) -> str:
    """A message whose names cannot steer the terminal nor fill it, for what is printed without a console."""
    from animato.formats.files import printable

    short = _LONG_WORD.sub(lambda word: f"{word[0][:_SHOWN]}...{word[0][-_TAIL:]}", printable(message))
    return short if len(short) <= _LONGEST else f"{short[: _LONGEST - 3]}..."


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
