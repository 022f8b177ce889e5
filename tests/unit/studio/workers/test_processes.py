"""Work in processes of their own: latest wins, progress, cancelling, crashes."""

from __future__ import annotations

import operator
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import animato as an
from animato.outcome import Iteration
from animato.studio.desk import Desk
from animato.studio.document import Document
from animato.studio.workers import Inline, JobTool, Processes
from tests.unit.studio.workers import work


@pytest.fixture(scope="module")
def desk() -> Desk:
    return Desk(Document(an.load_character("lamp"), "lamp"))


@pytest.fixture(scope="module")
def workshop(desk: Desk) -> Iterator[Processes]:
    workshop = Processes(desk, at_hand={})  # quicker to start
    yield workshop
    workshop.close()


def until(desk: Desk, done: Callable[[], object], seconds: float = 120.0) -> None:
    """Lets the desk work until something is so."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it never came to be"
        desk.run_due()
        time.sleep(0.001)


def test_a_quick_call_brings_its_result(desk: Desk, workshop: Processes) -> None:
    found: list[Any] = []
    workshop.quickly("sum", operator.add, 2, 3, then=found.append)
    until(desk, lambda: found)
    assert found == [5]


def test_the_latest_of_a_lane_wins(desk: Desk, workshop: Processes) -> None:
    found: list[Any] = []
    for n in range(6):
        workshop.quickly("slow", work.after, 0.05, n, then=found.append)
    workshop.quickly("other", work.after, 0.0, "other", then=found.append)
    until(desk, lambda: len(found) == 3)
    assert sorted(found, key=str) == [0, 5, "other"]


def test_what_cannot_be_done_is_told_in_its_sentence(desk: Desk, workshop: Processes) -> None:
    told: list[str] = []
    workshop.quickly("wrong", work.refuse, "That is not allowed.", then=print, failed=told.append)
    until(desk, lambda: told)
    assert told == ["That is not allowed."]


def test_a_process_that_dies_is_replaced(desk: Desk, workshop: Processes) -> None:
    told: list[str] = []
    found: list[Any] = []
    workshop.quickly("die", os._exit, 3, then=print, failed=told.append)
    workshop.quickly("sum", operator.add, 2, 3, then=found.append)
    until(desk, lambda: found)
    assert found == [5]
    assert "ended unexpectedly" in told[0]


def test_a_character_is_sent_once_and_stays_the_same_object(desk: Desk, workshop: Processes) -> None:
    found: list[Any] = []
    for _ in range(2):
        workshop.quickly("who", work.identity, desk.document.character, then=found.append)
        until(desk, lambda: found)
    until(desk, lambda: len(found) == 2)
    assert found[0] == found[1]


def test_a_job_tells_of_its_progress_and_ends(desk: Desk, workshop: Processes) -> None:
    seen: list[tuple[float | None, str]] = []
    found: list[Any] = []
    workshop.on_jobs(lambda: seen.extend((job.share, job.words) for job in workshop.jobs), print)
    job = workshop.start("counting", work.count, 4, then=found.append)
    assert workshop.jobs == (job,)
    until(desk, lambda: found)
    assert found == [4]
    assert any(words.startswith("counting, step") for _, words in seen)
    assert job.over
    assert not workshop.jobs


def test_a_cancelled_job_is_gone_and_the_next_one_runs(desk: Desk, workshop: Processes) -> None:
    found: list[Any] = []
    first = workshop.start("for ever", work.count, 10_000, then=found.append, failed=found.append)
    second = workshop.start("short", work.count, 2, then=found.append)
    until(desk, lambda: first.words.startswith("counting"))
    begin = time.process_time()
    first.cancel()
    assert time.process_time() - begin < 0.1
    assert first.over
    assert workshop.jobs == (second,)
    until(desk, lambda: found)
    assert found == [2]


def test_many_jobs_that_are_cancelled_at_once_leave_a_workshop_that_works(desk: Desk) -> None:
    """As by a slider that moves while processes still start."""
    workshop = Processes(desk, at_hand={})
    found: list[Any] = []
    for _ in range(6):
        workshop.start("for ever", work.count, 10_000, then=found.append, failed=found.append).cancel()
    workshop.start("deaf", work.deaf, 1000.0, then=found.append, failed=found.append).cancel()
    workshop.start("short", work.count, 2, then=found.append)
    until(desk, lambda: found)
    workshop.close()
    assert found == [2]


def test_a_cancelled_job_that_does_not_hear_of_it_is_ended(desk: Desk, workshop: Processes) -> None:
    found: list[Any] = []
    deaf = workshop.start("deaf", work.deaf, 1000.0, then=found.append, failed=found.append)
    until(desk, lambda: deaf.words.startswith("deaf"))
    deaf.cancel()
    workshop.start("short", work.count, 2, then=found.append)
    until(desk, lambda: found)
    assert found == [2]


def test_a_call_that_hangs_is_ended(desk: Desk, workshop: Processes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("animato.studio.workers.processes._LONGEST_S", 0.2)
    told: list[str] = []
    found: list[Any] = []
    workshop.quickly("sleep", work.after, 0.0, 1, then=found.append)
    until(desk, lambda: found)
    workshop.quickly("sleep", work.after, 1000.0, 2, then=found.append, failed=told.append)
    workshop.quickly("sum", operator.add, 2, 3, then=found.append)
    until(desk, lambda: len(found) == 2)
    assert found == [1, 5]
    assert "was ended" in told[0]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes as Linux shows them")
def test_processes_end_with_a_studio_that_is_killed() -> None:
    code = """
import sys, time
from animato.studio.workers.helper import Helper
helper = Helper(lambda *said: print(helper._process.pid, flush=True) if said[1] == "ready" else None)
time.sleep(100)
"""
    studio = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert studio.stdout is not None
    worker = int(studio.stdout.readline())
    os.kill(worker, 0)
    studio.kill()
    studio.wait()
    studio.stdout.close()
    for _ in range(1000):
        if not _is_there(worker):
            return
        time.sleep(0.01)
    pytest.fail("the process lives on")


def _is_there(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"  # whoever adopted it has not looked yet


def test_inline_does_it_at_once() -> None:
    found: list[Any] = []
    told: list[str] = []
    workshop = Inline()
    workshop.quickly("sum", operator.add, 2, 3, then=found.append)
    workshop.start("counting", work.count, 3, then=found.append)
    workshop.quickly("wrong", work.refuse, "No.", then=found.append, failed=told.append)
    assert found == [5, 3]
    assert told == ["No."]


def test_pages_are_told_of_jobs_and_can_end_them(desk: Desk, workshop: Processes) -> None:
    tool = JobTool(desk, workshop)
    job = workshop.start("for ever", work.count, 10_000, then=print)
    (told,) = tool.state()["jobs"]
    assert (told["id"], told["title"]) == (job.number, "for ever")
    job.cancel()
    assert tool.state() == {"jobs": []}


def test_the_words_of_a_job() -> None:
    job = Inline().start("x", work.count, 1, then=print)
    job.note(Iteration(stage="path", number=12, total=40))
    assert (job.share, job.words) == (0.3, "path, step 12 of 40")
    job.note(Iteration(stage="check"))
    assert (job.share, job.words) == (None, "check")
