"""Memory of a batch does not grow with what is done."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from animato.batch.engine import Place, Storage, Store, Task, run_tasks

COUNT = 10_000
GROWTH = 8e6  # bytes; results of all tasks together would be more than three times that


def row_and_memory(numbers: Sequence[int]) -> list[dict[str, object]]:
    return [{"key": f"{number}", "told": "x" * 2500, "memory": resident(), "pid": os.getpid()} for number in numbers]


def resident() -> int:
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads memory from /proc, which is Linux's")
def test_memory_is_flat_over_ten_thousand_tasks(tmp_path: Path) -> None:
    pytest.importorskip("joblib")
    store = Store(Storage(str(tmp_path)))

    def tasks() -> Iterator[Task]:
        for number in range(COUNT):
            yield Task(f"{number}", number)

    done = early = late = 0
    workers: dict[int, list[int]] = {}
    for finished in run_tasks(row_and_memory, tasks(), Place("here", 2), total=COUNT, chunk=50):
        assert finished.results is not None
        store.append(finished.results)
        done += len(finished.tasks)
        if done == 1000:
            early = resident()
        late = resident()
        for row in finished.results:
            workers.setdefault(row["pid"], []).append(row["memory"])
    assert done == COUNT and early > 0
    assert late - early < GROWTH
    for memory in workers.values():
        assert memory[-1] - memory[min(len(memory) - 1, 500)] < GROWTH
