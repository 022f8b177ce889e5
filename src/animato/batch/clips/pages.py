"""A page with a player for single clips of a batch: tasks like any others, done for the worst or for all."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from animato.batch.clips.job import Job
from animato.batch.clips.listing import ClipTask
from animato.batch.clips.performing import brought, loaded_character
from animato.batch.engine import LateError, Place, Storage, Task, deadline, run_tasks
from animato.errors import AnimatoError
from animato.findings import check
from animato.loading import load_clip
from animato.motion import Clip
from animato.outcome import Progress, Stage


@dataclass(frozen=True)
class PageTask:
    """A page to be made.

    Attributes:
        task: The clip's.
        result: The resulting clip in the folder of results; "" where there is none, and the clip itself is shown.
        page: Where the page goes, in the folder of results.
    """

    task: ClipTask
    result: str
    page: str


def page_name(row: dict[str, Any]) -> str:
    """Where the page of a row is, in the folder of results; another key is another page."""
    return f"pages/{row['robot']}/{row['clip']}.{row['key'][:12]}.html"


def make_pages(job: Job, wanted: Sequence[PageTask], place: Place, progress: Progress | None) -> None:
    """Makes the pages that are missing. One that cannot be made is left out; its row has said why already."""
    out = Storage(job.out)
    missing = [one for one in wanted if not out.exists(one.page)]
    stage = Stage("pages", progress, len(missing))
    tasks = (Task(one.task.key, one, 1.0, job.robots[one.task.robot].label) for one in missing)
    for done in run_tasks(partial(_pages, job), tasks, place, total=len(missing)):
        for _ in done.tasks:
            stage.step()


def _pages(job: Job, wanted: Sequence[PageTask]) -> list[bool]:
    """Makes pages; tells of each whether it is there."""
    return [_page(job, one) for one in wanted]


def _page(job: Job, wanted: PageTask) -> bool:
    try:
        with deadline(job.longest_s), ExitStack() as stack:
            return _written(job, wanted, stack)
    except LateError:
        return False
    except Exception:  # the table is there, whatever becomes of a page
        return False


def _written(job: Job, wanted: PageTask, stack: ExitStack) -> bool:
    robot, out = job.robots[wanted.task.robot], Storage(job.out)
    model = loaded_character(robot.source, robot.base, robot.sha256)
    asked = _asked(job, wanted, stack)
    shown: Clip | None = asked
    if wanted.result:
        into = Path(stack.enter_context(TemporaryDirectory(prefix="animato-")))
        shown = load_clip(out.brought(wanted.result, into), model)
    if shown is None:
        return False
    ghost = asked if wanted.result and job.verb != "mimic" else None  # a copied capture is no wish
    how = {} if job.verb != "check" else job.wishes.options
    found = check(model, shown, ghost, clip_name=Path(wanted.task.clip).stem, **how)
    place = Path(stack.enter_context(TemporaryDirectory(prefix="animato-"))) / "page.html"
    found.save_page(place)
    out.write(wanted.page, place.read_bytes())
    return True


def _asked(job: Job, wanted: PageTask, stack: ExitStack) -> Clip | None:
    """The clip as it was given, as the robot's; None where a capture has no joint of it."""
    robot = job.robots[wanted.task.robot]
    path = brought(job, wanted.task, stack)
    try:
        return load_clip(path, loaded_character(robot.source, robot.base, robot.sha256), **dict(job.wishes.reading))
    except AnimatoError:
        return None
