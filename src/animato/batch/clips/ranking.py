"""One rank of a Slurm array: each so many-th task of the file, done as any batch is."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from animato.batch.clips.batching import finished_rows
from animato.batch.clips.job import Job
from animato.batch.clips.listing import ClipTask
from animato.batch.clips.performing import perform_chunk
from animato.batch.engine import Place, Storage, Store, Task, run_tasks


def run_rank(folder: str | Path, rank: int, ranks: int) -> int:
    """Does the tasks of one rank and says how many.

    Args:
        folder: With job.json, tasks.jsonl and before.json, as `write_array` made it.
        rank: From 0.
        ranks: How many there are.
    """
    place = Path(folder)
    job = Job.read(json.loads((place / "job.json").read_text(encoding="utf-8")))
    own = [one for number, one in enumerate(_plain_tasks(place / "tasks.jsonl")) if number % ranks == rank]
    store = Store(Storage(job.out), rank=rank)
    before = frozenset(json.loads((place / "before.json").read_text(encoding="utf-8")))
    known = store.index(without=before)  # a rank that was put back into the queue goes on
    tasks = [_task(job, one) for one in own if one["key"] not in known]
    cores = int(os.environ.get("SLURM_CPUS_PER_TASK", "1"))
    work = partial(perform_chunk, job)
    for finished in run_tasks(work, tasks, Place("here", cores), total=len(tasks)):
        store.append(finished_rows(job, finished))
    return len(tasks)


def _plain_tasks(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _task(job: Job, plain: dict[str, Any]) -> Task:
    weight = plain.pop("weight")
    told = ClipTask(**{**plain, "beside": tuple(plain["beside"])})
    return Task(told.key, told, weight, job.robots[told.robot].label)
