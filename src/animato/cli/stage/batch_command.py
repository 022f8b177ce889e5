"""`animato batch`."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Annotated, Literal

from tyro.conf import Positional, UseAppendAction, arg

from animato.cli.line import DOES_NOT_FIT, FITS, say, working
from animato.errors import OptionError

if TYPE_CHECKING:
    from animato.outcome import Iteration, Progress

STOPPED = 130
_WORDS = {"fits": "fit", "does not fit": "do not fit", "failed": "failed"}
_EVERY_S = 20.0  # between two lines in a log


def batch(
    folder: Positional[Annotated[str, arg(metavar="FOLDER")]],
    /,
    *,
    robot: Annotated[tuple[str, ...], arg(metavar="CHARACTER"), UseAppendAction],
    verb: Literal["check", "fix", "mimic", "steady"] = "check",
    option: Annotated[tuple[str, ...], arg(metavar="NAME=VALUE", help_behavior_hint=""), UseAppendAction] = (),
    out: Annotated[str, arg(metavar="FOLDER", aliases=["-o"])] = "batch",
    on: Literal["here", "serial", "dask", "slurm"] = "here",
    workers: Annotated[int | None, arg(metavar="N", help_behavior_hint="(default: one a core)")] = None,
    scheduler: Annotated[str | None, arg(metavar="ADDRESS", help_behavior_hint="")] = None,
    chunk: Annotated[int | None, arg(metavar="N", help_behavior_hint="(default: by measured time)")] = None,
    longest_s: Annotated[float, arg(metavar="S")] = 3600.0,
    pages: Annotated[str, arg(metavar="N|all|none")] = "20",
    again: bool = False,
    collect: bool = False,
    base: Annotated[
        Literal["auto", "ground", "float"] | None, arg(metavar="{auto,ground,float}", help_behavior_hint="")
    ] = None,
    sbatch: Annotated[tuple[str, ...], arg(metavar="OPTION", help_behavior_hint=""), UseAppendAction] = (),
) -> int:
    """Check, fix, mimic or steady thousands of clips, and go on where it was stopped.

    Args:
        folder: Of clips, with the folders in it; or the address of one in object storage, such as s3://bucket/clips.
        robot: Who is to perform; once for each.
        verb: What is done with every clip.
        option: Of the verb or of reading, such as time=0.5 or rate_hz=60; once for each.
        out: Folder of results, or its address: table.parquet, index.html, clips and pages.
        on: Processes of this machine, this process alone, a Dask cluster or a Slurm array.
        workers: Processes, or ranks of the array.
        scheduler: Of Dask, such as tcp://host:8786; a cluster on this machine where not given.
        chunk: Clips that go together.
        longest_s: A clip may take; what takes longer is stopped and has failed.
        pages: How many of the worst get a page with a player.
        again: Try again what failed.
        collect: Do nothing but write the table and pages of what is there.
        base: Whether URDF robots are held or float; float for mimic where not given.
        sbatch: Further options of sbatch, such as --sbatch=--partition=short.
    """
    from animato.batch import run_batch
    from animato.batch.clips import parsed_options

    wished = parsed_options(option)
    with working("listing") as bar, _as_given(wished):
        summary = run_batch(
            folder,
            robot,
            verb,
            out,
            options=wished,
            on=on,
            workers=workers,
            scheduler=scheduler,
            chunk=chunk,
            longest_s=longest_s,
            pages=_pages(pages),
            again=again,
            collect=collect,
            base=base,
            sbatch=sbatch,
            progress=_logged(bar),
        )
    counts = ", ".join(f"{count} {_WORDS[status]}" for status, count in summary.done.items() if count)
    say(f"{sum(summary.done.values())} of {summary.total} are done: {counts or 'none'}; {summary.now} in this run.")
    say(f"The table: {summary.out}/table.parquet")
    say(f"The page: {summary.out}/index.html")
    if summary.stopped:
        left = f"with {summary.left} left" if summary.left else "before all pages were made"
        say(f"Stopped {left}. The same command goes on from here.")
        return STOPPED
    return FITS if summary.all_fit else DOES_NOT_FIT


@contextlib.contextmanager
def _as_given(wished: Collection[str]) -> Iterator[None]:
    """Errors about options of the verb, which have no flags of their own here."""
    try:
        yield
    except OptionError as error:
        words = str(error)
        for name in wished:
            words = words.replace(f"`{name}`", f"`option` {name}")
        raise OptionError(words) from error


def _pages(word: str) -> int | Literal["all"]:
    if word == "all":
        return "all"
    if word == "none":
        return 0
    if not word.isdecimal():
        raise OptionError(f"`pages` is a number, all or none; given '{word}'.")
    return int(word)


def _logged(bar: working) -> Progress:
    """Moves the bar; where there is none, as in a log, says now and then how far it is and what is left."""
    from animato.cli.line import console

    if console().is_terminal:
        return bar
    began = last = time.monotonic()
    first: int | None = None

    def tell(step: Iteration) -> None:
        nonlocal last, first
        first = step.number if first is None else first
        now = time.monotonic()
        if now - last < _EVERY_S or not step.total:
            return
        last = now
        rate = (step.number - first) / (now - began)
        left = f", about {(step.total - step.number) / rate:.0f} s left" if rate > 0.0 else ""
        say(f"{step.number} of {step.total}{left} ({step.stage})")

    return tell
