"""Chunks, pools and what is finished, without any clips."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from animato.batch.engine import Chunking, Finished, Place, Storage, Store, Task, run_tasks
from animato.errors import AnimatoError, OptionError, UnknownNameError


def squares(numbers: Sequence[int]) -> list[int]:
    return [number**2 for number in numbers]


def deadly_squares(numbers: Sequence[int]) -> list[int]:
    if 13 in numbers:
        os._exit(9)
    return squares(numbers)


def tasks(count: int) -> list[Task]:
    return [Task(f"{number}", number) for number in range(count)]


def test_every_task_is_done_once_in_this_process() -> None:
    found = {}
    for done in run_tasks(squares, tasks(100), Place("serial"), total=100):
        assert done.results is not None
        for task, result in zip(done.tasks, done.results, strict=True):
            assert task.payload not in found
            found[task.payload] = result
    assert found == {number: number**2 for number in range(100)}


def test_a_process_that_dies_takes_only_the_task_that_killed_it() -> None:
    pytest.importorskip("joblib")
    found, lost = {}, []
    for done in run_tasks(deadly_squares, tasks(40), Place("here", 2), total=40, chunk=5):
        if done.results is None:
            lost += [task.payload for task in done.tasks]
        else:
            found.update({task.payload: result for task, result in zip(done.tasks, done.results, strict=True)})
    assert lost == [13]
    assert found == {number: number**2 for number in range(40) if number != 13}


def test_short_tasks_go_together_and_long_ones_alone() -> None:
    chunking = Chunking(slots=2, total=10_000)
    short = [Task(f"{n}", n, 1.0, "a") for n in range(10)]
    assert [len(one) for one in chunking.chunks(short[:3])] == [1, 1, 1]  # nothing is known yet
    chunking.measured(Finished(tuple(short), tuple(range(10)), seconds=10 / 128))
    ahead = chunking.chunks([*(Task(f"{n}", n, 1.0, "a") for n in range(200)), Task("long", 0, 500.0, "a"), short[0]])
    sizes = [len(one) for one in ahead]
    assert sizes == [128, 72, 1, 1]  # 1/128 s each, a second a chunk; the long one would take 4 s
    assert chunking.expected(short[0]) == pytest.approx(1 / 128)
    assert chunking.expected(Task("other", 0, 1.0, "b")) is None


def test_an_old_measurement_counts_less() -> None:
    chunking = Chunking(slots=1, total=100)
    one = (Task("0", 0),)
    chunking.measured(Finished(one, (0,), seconds=10.0))  # a character was loaded
    for _ in range(20):
        chunking.measured(Finished(one, (0,), seconds=0.01))
    assert chunking.expected(one[0]) == pytest.approx(0.01, rel=0.01)


def test_chunks_at_the_end_are_shared_out() -> None:
    chunking = Chunking(slots=4, total=80)
    known = tuple(Task(f"{n}", n) for n in range(10))
    chunking.measured(Finished(known, tuple(range(10)), seconds=0.2))  # 20 ms each: 50 to the second
    assert max(len(one) for one in chunking.chunks(tasks(80))) <= 10


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="Place"):
        Place("cloud")
    with pytest.raises(OptionError, match="workers"):
        Place("here", 0)
    with pytest.raises(OptionError, match="chunk"):
        Chunking(1, 1, 0)
    with pytest.raises(OptionError, match="scheduler"):
        Place("here", None, "tcp://nowhere:1")


def test_a_store_gives_back_what_was_written_and_the_later_run_counts(tmp_path: Path) -> None:
    first = Store(Storage(str(tmp_path)))
    first.append([{"key": "a", "x": 0.1 + 0.2}, {"key": "b", "x": float("inf")}])
    first.append([{"key": "c", "name": "\udcff ä"}])
    later = Store(Storage(str(tmp_path)))
    later.append([{"key": "b", "x": 2.0}])
    index = Store(Storage(str(tmp_path))).index()
    assert list(index) == ["a", "b", "c"]
    rows = list(later.results(index[key] for key in ("c", "a", "b")))
    assert rows == [{"key": "c", "name": "\udcff ä"}, {"key": "a", "x": 0.1 + 0.2}, {"key": "b", "x": 2.0}]


def test_a_store_leaves_out_what_cannot_be_read(tmp_path: Path) -> None:
    store = Store(Storage(str(tmp_path)))
    store.append([{"key": "a"}, {"key": "b"}])
    (file,) = (tmp_path / "done").iterdir()
    file.write_bytes(file.read_bytes()[:-5])
    (tmp_path / "done" / "00001-00000-0000009-x.jsonl").write_bytes(b"\xff\n[1]\n")
    assert list(store.index()) == ["a"]


def test_object_storage_lists_reads_and_writes() -> None:
    pytest.importorskip("fsspec")
    storage = Storage("memory://batch-storage-test/inner")
    storage.write("a/b.txt", b"12")
    storage.write("a/b.txt", b"123")
    assert [(one.name, one.size) for one in storage.files()] == [("a/b.txt", 3)]
    assert [one.name for one in storage.files("a")] == ["b.txt"]
    assert storage.read("a/b.txt") == b"123" and storage.exists("a/b.txt") and not storage.exists("c")
    assert list(storage.files("nothing")) == []
    with pytest.raises(AnimatoError, match="Cannot read 'c'"):
        storage.read("c")
    with pytest.raises(AnimatoError, match="cannot be opened"):
        list(Storage("nosuchprotocol://x").files())
