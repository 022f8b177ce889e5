"""A batch from beginning to end: list, do what is missing, write the table and the pages."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from animato.batch.clips.browsing import write_index
from animato.batch.clips.job import VERBS, Job, build_job
from animato.batch.clips.listing import Clips, refuse_among
from animato.batch.clips.pages import PageTask, make_pages, page_name
from animato.batch.clips.performing import FAILED, STATUSES, failed_row, late, perform_chunk
from animato.batch.clips.slurm import run_slurm
from animato.batch.clips.table import write_tables
from animato.batch.clips.wishes import wishes_of
from animato.batch.engine import PLACES, Finished, Place, Storage, Store, Task, checked_longest, run_tasks
from animato.errors import OptionError, unknown_name
from animato.outcome import Iteration, Progress

SLURM = "slurm"
ABOUT = "batch.json"
LONGEST_S = 3600.0
DIED = "the process that worked on it died, twice: out of memory, or a fault in a library."


@dataclass(frozen=True)
class Summary:
    """What a batch came to.

    Attributes:
        out: Where results are.
        total: Clips times robots.
        done: Rows of the table by status: "fits", "does not fit", "failed".
        now: How many of them were done in this run; the others were there already.
        stopped: Whether it was stopped by Ctrl-C; the same call goes on.
    """

    out: str
    total: int
    done: Mapping[str, int]
    now: int
    stopped: bool = False

    @property
    def left(self) -> int:
        """Clips times robots that are not done."""
        return self.total - sum(self.done.values())

    @property
    def all_fit(self) -> bool:
        """Whether every clip fits every robot."""
        return self.done.get(STATUSES[0], 0) == self.total


def run_batch(
    clips: str | Path,
    robots: Sequence[str | Path],
    verb: str,
    out: str | Path,
    *,
    options: Mapping[str, Any] | None = None,
    on: str = "here",
    workers: int | None = None,
    scheduler: str | None = None,
    chunk: int | None = None,
    longest_s: float | None = LONGEST_S,
    pages: int | Literal["all"] = 20,
    again: bool = False,
    collect: bool = False,
    base: Literal["auto", "ground", "float"] | None = None,
    sbatch: Sequence[str] = (),
    progress: Progress | None = None,
) -> Summary:
    """Has a verb work on every clip of a folder for every robot, and goes on where it was stopped.

    Args:
        clips: Folder of clips, with the folders in it; or the address of one in object storage ("s3://...").
        robots: Names or files of characters.
        verb: "check", "fix", "mimic" or "steady".
        out: Folder of results, or its address; made where missing.
        options: Of the verb and of the readers by name, as `animato.fix.Options` and `ClipReading` have them; or the
            verb's `Options`.
        on: "here" (processes of this machine), "serial" (this process), "dask" or "slurm".
        workers: Processes, or ranks of a Slurm array; as many as there are cores where None.
        scheduler: Address of a Dask scheduler; a cluster on this machine where None.
        chunk: Tasks that go together; found by measuring where None.
        longest_s: A clip may take [s]; what takes longer has failed. For ever where None.
        pages: How many of the worst get a page with a player; or "all".
        again: Whether what failed is tried again.
        collect: Do nothing but write the table and the pages of what is there.
        base: Whether URDF robots are held or float; as the verb has it where None.
        sbatch: Further options of sbatch, such as "--partition=short".
        progress: Told of finished clips.

    Raises:
        OptionError: Something is out of range, or there are no robots.
        MotionError: There are no clips.
        AnimatoError: A robot cannot be loaded, or results cannot be written.
        MissingDependencyError: joblib, pyarrow, fsspec or distributed is needed and not installed.
    """
    if verb not in VERBS:
        raise unknown_name("verb", verb, VERBS, "a batch")
    if on not in (*PLACES, SLURM):
        raise unknown_name("place", on, (*PLACES, SLURM), "a batch")
    if pages != "all" and not (isinstance(pages, int) and pages >= 0):
        raise OptionError(f"`pages` is how many of the worst get a page, 0 or more, or 'all'; given {pages!r}.")
    if chunk is not None and chunk < 1:
        raise OptionError(f"`chunk` is how many clips go together, 1 or more; given {chunk!r}.")
    source, target = Storage(_absolute(clips)), Storage(_absolute(out))
    job = build_job(verb, robots, wishes_of(verb, options), source, target, base, checked_longest(longest_s))
    refuse_among(job)
    place = Place("here") if on == SLURM else Place(on, workers, scheduler)
    batch = _Batch(job, Clips(source, target), Store(target), place, again, progress)
    stopped = False
    if not collect:  # where nothing can be written, that is said before hours of work
        target.write(ABOUT, (json.dumps(job.plain(), indent=2, ensure_ascii=False) + "\n").encode("utf-8", "replace"))
    try:
        if not collect and on == SLURM:
            run_slurm(job, batch.missing(), workers, sbatch, batch.look)
        elif not collect:
            batch.run(chunk)
        batch.write(pages)
    except KeyboardInterrupt:
        stopped = True
        batch.write(0)
    done = {status: batch.done[status] for status in STATUSES}
    return Summary(target.address, batch.total, done, batch.now, stopped)


class _Batch:
    """A batch on its way: counters, and where what is finished lies."""

    def __init__(
        self, job: Job, clips: Clips, store: Store, place: Place, again: bool, progress: Progress | None
    ) -> None:
        self.job, self._clips, self._store, self._place, self._progress = job, clips, store, place, progress
        self.total = len(clips.listed) * len(job.robots)
        self.now = 0
        self.done: Counter[str] = Counter()
        self._again = again
        self._finished = self._statuses()

    def missing(self) -> Iterator[Task]:
        """Tasks that are to be done, found one by one."""
        for task in self._clips.tasks(self.job):
            status = self._finished.get(bytes.fromhex(task.key))
            if status is None or (self._again and status == FAILED):
                yield task
            else:
                self._count(status)

    def run(self, chunk: int | None) -> None:
        """Does what is missing; every chunk is kept as soon as it is done."""
        work = partial(perform_chunk, self.job)
        for finished in run_tasks(work, self.missing(), self._place, total=self.total, chunk=chunk):
            rows = finished_rows(self.job, finished)
            self._store.append(rows)
            self.now += len(rows)
            for row in rows:
                self._count(row["status"])

    def look(self) -> int:
        """Reads anew what others have finished, tells of it and how many that is."""
        self._finished = self._statuses()
        wanted = Counter(self._finished.get(bytes.fromhex(task.key), "") for task in self._clips.tasks(self.job))
        del wanted[""]
        before = sum(self.done.values())
        self.done = wanted
        self.now += max(0, sum(wanted.values()) - before)
        self._tell()
        return sum(wanted.values())

    def write(self, pages: int | Literal["all"]) -> None:
        """Writes tables, pages and the page of all."""
        measures: set[str] = set()
        index = self._store.index(lambda row: measures.update(row.get("measures") or ()))
        tasks = {task.key: task for task in self._clips.tasks(self.job) if task.key in index}
        self.done = Counter()
        ranked: list[tuple[tuple[int, float, str], str]] = []
        for row in self._store.results(index[key] for key in tasks):
            self.done[row["status"]] += 1
            ranked.append((badness(row), row["key"]))
        about = {"verb": self.job.verb, "options": dataclasses.asdict(self.job.wishes), "version": self.job.version}
        write_tables(Storage(self.job.out), self._store.results(index[key] for key in tasks), measures, about)
        ranked.sort()
        shown = [key for rank, key in ranked if rank[0] != _FAILED_RANK][: None if pages == "all" else pages]
        if shown:
            wanted = [
                PageTask(tasks[row["key"]].payload, row.get("result") or "", page_name(row))
                for row in self._store.results(index[key] for key in shown)
            ]
            make_pages(self.job, wanted, self._place, self._progress)
        write_index(self.job, self._store.results(index[key] for _, key in ranked), self.total)

    def _statuses(self) -> dict[bytes, str]:
        """What is finished; not what a later batch, of other options, has written its own result over."""
        found: dict[bytes, str] = {}
        written: dict[str, bytes] = {}

        def seen(row: dict[str, Any]) -> None:
            key = bytes.fromhex(row["key"])
            found[key] = next((one for one in STATUSES if one == row.get("status")), FAILED)
            if row.get("result"):
                before = written.get(row["result"], key)
                if before != key:
                    found.pop(before, None)
                written[row["result"]] = key

        self._store.index(seen)
        return found

    def _count(self, status: str) -> None:
        self.done[status] += 1
        self._tell()

    def _tell(self) -> None:
        if self._progress is not None:
            failed = self.done.get(FAILED, 0)
            stage = f"{self.job.verb}: {self.done.get(STATUSES[1], 0)} do not fit, {failed} failed"
            self._progress(Iteration(stage=stage, number=sum(self.done.values()), total=self.total))


_FAILED_RANK = 1


def badness(row: Mapping[str, Any]) -> tuple[int, float, str]:
    """Sorts rows, the worst first: what does not fit by how much, then what failed, then what fits."""
    rank = {STATUSES[1]: 0, FAILED: _FAILED_RANK}.get(row["status"], 2)
    return rank, -float(row.get("worst") or 0.0), f"{row['clip']} {row['robot']}"


def finished_rows(job: Job, finished: Finished) -> list[dict[str, Any]]:
    """Rows of a chunk; where its process died, of the one task that killed it."""
    if finished.results is None:
        why = late(job.longest_s) if job.longest_s is not None and finished.seconds > job.longest_s else DIED
        return [{**failed_row(job, task.payload, why), "seconds": finished.seconds} for task in finished.tasks]
    return list(finished.results)


def _absolute(place: str | Path) -> str:
    """An address that means the same in another process."""
    return str(place) if "://" in str(place) else str(Path(place).resolve())
