"""Batches that are killed with -9 or stopped by Ctrl-C, and gone on with to the very same table."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from animato.batch import run_batch
from tests.batch_builders import make_clips

pytest.importorskip("pyarrow")
PROGRAM = Path(__file__).with_name("batch_program.py")
CLIPS, ENOUGH = 40, 4
PATIENCE_S = 120.0  # processes start slowly on a machine that has other things to do; nothing is measured by it


@contextmanager
def started(clips: Path, out: Path, where: str) -> Iterator[subprocess.Popen[bytes]]:
    """A batch in a session of its own, which ends with the test whatever happens."""
    command = [sys.executable, str(PROGRAM), str(clips), str(out), where]
    process = subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        with_session = [number for number in of_session(process.pid) if number != process.pid]
        for number in (process.pid, *with_session):
            if process.poll() is None or number != process.pid:
                with suppress(ProcessLookupError):  # it ended by itself in between
                    os.kill(number, signal.SIGKILL)
        process.wait()


def of_session(session: int) -> list[int]:
    """Processes of a session that are there, those that wait to be buried left out."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(place.parent.name))
    return found


def until(happens: object, process: subprocess.Popen[bytes]) -> None:
    """Waits for something that is bound to happen."""
    assert callable(happens)
    begin = time.monotonic()
    while not happens():
        assert time.monotonic() - begin < PATIENCE_S, "it did not happen"
        assert process.poll() is None or happens(), "the batch ended first"
        time.sleep(0.01)


def finished(out: Path) -> int:
    return len(list((out / "done").glob("*.jsonl")))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc, which is Linux's")
@pytest.mark.parametrize("where", ["here", "dask"])
def test_killed_at_any_moment_and_gone_on_with_it_is_the_same_table(tmp_path: Path, where: str) -> None:
    pytest.importorskip("joblib" if where == "here" else "distributed")
    clips = make_clips(tmp_path / "clips", CLIPS)
    with started(clips, tmp_path / "out", where) as process:
        until(lambda: finished(tmp_path / "out") >= ENOUGH, process)
        process.kill()
        process.wait()
        begin = time.monotonic()
        while of_session(process.pid) and time.monotonic() - begin < PATIENCE_S:
            time.sleep(0.05)
        assert of_session(process.pid) == []  # no process works on for nobody
    kept = finished(tmp_path / "out")
    assert ENOUGH <= kept < CLIPS
    assert not list((tmp_path / "out").glob("table.parquet"))
    resumed = run_batch(clips, ["lamp"], "check", tmp_path / "out", on="serial", pages=0)
    assert resumed.now == CLIPS - kept and resumed.left == 0
    run_batch(clips, ["lamp"], "check", tmp_path / "whole", on="serial", pages=0)
    assert (tmp_path / "out" / "table.parquet").read_bytes() == (tmp_path / "whole" / "table.parquet").read_bytes()


def test_control_c_keeps_what_is_done(tmp_path: Path) -> None:
    pytest.importorskip("joblib")
    clips = make_clips(tmp_path / "clips", CLIPS)
    with started(clips, tmp_path / "out", "here") as process:
        until(lambda: finished(tmp_path / "out") >= ENOUGH, process)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal sends it: to all of them
        assert process.wait(PATIENCE_S) == 0
    kept = finished(tmp_path / "out")
    assert (tmp_path / "out" / "table.parquet").is_file()
    assert run_batch(clips, ["lamp"], "check", tmp_path / "out", on="serial", pages=0).now == CLIPS - kept
