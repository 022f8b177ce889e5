"""Processes of a Dask cluster that end, all of them at once: others take their place, and the rest is done."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest

from animato.batch.engine import Place, Task, run_tasks

DEADLY = (0, 1)  # one for each process, so that none is left that knows the work


def deadly_halves(numbers: Sequence[int]) -> list[float]:
    if any(number in DEADLY for number in numbers):
        os._exit(9)
    return [0.5 * number for number in numbers]


def test_the_rest_is_done_after_all_processes_died() -> None:
    pytest.importorskip("distributed")
    tasks = [Task(f"{number}", number) for number in range(12)]
    lost, found = [], {}
    for done in run_tasks(deadly_halves, tasks, Place("dask", 2), total=12, chunk=1):
        if done.results is None:
            lost += [task.payload for task in done.tasks]
        else:
            found.update({task.payload: result for task, result in zip(done.tasks, done.results, strict=True)})
    assert sorted(lost) == list(DEADLY)
    assert found == {number: 0.5 * number for number in range(2, 12)}
