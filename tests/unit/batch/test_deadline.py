"""What takes too long is stopped: waiting, working, and deaf to exceptions."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from animato.batch.engine import LateError, Place, Task, checked_longest, deadline, run_tasks
from animato.errors import OptionError

LONGEST_S = 0.3
FOR_EVER_S = 600.0


def naps(seconds: Sequence[float]) -> list[str]:
    return [nap(one) for one in seconds]


def nap(seconds: float) -> str:
    try:
        with deadline(LONGEST_S):
            time.sleep(seconds)
    except LateError:
        return "late"
    return "rested"


def deaf_naps(seconds: Sequence[float]) -> list[str]:
    """As machine code that never comes back: no exception arrives."""
    sys.modules[deadline.__module__]._GRACE_S = 0.2  # type: ignore[attr-defined]
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    return naps(seconds)


def test_waiting_is_stopped_and_what_is_in_time_is_left_alone() -> None:
    before = signal.getsignal(signal.SIGALRM)
    assert naps([0.0, FOR_EVER_S, 0.0]) == ["rested", "late", "rested"]
    assert signal.getsignal(signal.SIGALRM) is before
    with deadline(None):
        pass


def test_another_thread_that_works_is_stopped() -> None:
    found: list[str] = []

    def work() -> None:
        try:
            with deadline(LONGEST_S):
                while not found:
                    pass
        except LateError:
            found.append("late")

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(60.0)
    assert found == ["late"]


def test_a_process_works_on_after_a_task_that_was_stopped() -> None:
    pytest.importorskip("joblib")
    tasks = [Task(f"{number}", FOR_EVER_S if number == 2 else 0.0) for number in range(6)]
    found = {}
    for done in run_tasks(naps, tasks, Place("here", 1), total=6, chunk=3):
        assert done.results is not None
        found.update({task.key: result for task, result in zip(done.tasks, done.results, strict=True)})
    assert [found[f"{number}"] for number in range(6)] == ["rested", "rested", "late", "rested", "rested", "rested"]


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals cannot be blocked here")
def test_a_process_that_hears_no_exception_is_replaced() -> None:
    pytest.importorskip("joblib")
    tasks = [Task(f"{number}", FOR_EVER_S if number == 2 else 0.0) for number in range(4)]
    lost, found = [], []
    for done in run_tasks(deaf_naps, tasks, Place("here", 1), total=4, chunk=2):
        if done.results is None:
            lost += [task.key for task in done.tasks]
            assert done.seconds > LONGEST_S
        else:
            found += [task.key for task in done.tasks]
    assert lost == ["2"] and sorted(found) == ["0", "1", "3"]


def test_a_clip_that_takes_too_long_has_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    from animato.batch import read_table, run_batch
    from animato.batch.clips import performing, verbs
    from tests.batch_builders import make_clips

    clips = make_clips(tmp_path / "clips", 3)
    run_batch(clips, ["lamp"], "check", tmp_path / "warm", on="serial", pages=0)
    real = verbs.performed

    def sometimes(verb: str, wishes: object, model: object, path: Path) -> object:
        if path.stem.endswith("1"):
            time.sleep(FOR_EVER_S)
        return real(verb, wishes, model, path)  # type: ignore[arg-type]

    monkeypatch.setattr(performing, "performed", sometimes)
    run_batch(clips, ["lamp"], "check", tmp_path / "out", on="serial", pages=0, longest_s=3.0)
    rows = read_table(str(tmp_path / "out")).to_pylist()
    assert [row["status"] for row in rows] == ["fits", "failed", "fits"]
    assert "longer than 3 s" in rows[1]["error"]


@pytest.mark.parametrize("given", [0.0, -1.0, float("nan"), float("inf")])
def test_a_time_that_is_none_is_refused(given: float) -> None:
    with pytest.raises(OptionError, match="longest_s"):
        checked_longest(given)
