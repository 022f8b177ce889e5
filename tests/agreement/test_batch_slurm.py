"""A batch on a Slurm array of one node, killed on its way, comes to the table of a batch in one process."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from animato.batch import run_batch
from tests.batch_builders import make_clips
from tests.slurm_node import NoSlurmError, slurm_node

pytest.importorskip("pyarrow")
pytest.importorskip("joblib")
CLIPS = 60
PATIENCE_S = 120.0
PROGRAM = """
import sys
from animato.batch import run_batch
run_batch(sys.argv[1], ["lamp"], "check", sys.argv[2], on="slurm", workers=2, pages=0)
"""


@pytest.fixture(scope="module")
def slurm() -> Iterator[dict[str, str]]:
    try:
        with slurm_node() as environment:
            yield environment
    except NoSlurmError as error:
        pytest.skip(f"no Slurm can be started here: {error}")


def test_an_array_that_was_killed_and_submitted_again_gives_the_same_table(
    slurm: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clips, out = make_clips(tmp_path / "clips", CLIPS), tmp_path / "out"
    command = [sys.executable, "-c", PROGRAM, str(clips), str(out)]
    with subprocess.Popen(command, env=slurm, stderr=subprocess.DEVNULL) as process:
        begin = time.monotonic()
        while not list((out / "done").glob("*.jsonl")) and time.monotonic() - begin < PATIENCE_S:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        subprocess.run(["scancel", "--full", "--signal=KILL", "--name=animato"], env=slurm, check=False)
    while subprocess.run(["squeue", "-h"], env=slurm, capture_output=True, check=True).stdout.strip():
        assert time.monotonic() - begin < PATIENCE_S, "the array does not end"
        time.sleep(0.2)
    monkeypatch.setenv("SLURM_CONF", slurm["SLURM_CONF"])
    resumed = run_batch(clips, ["lamp"], "check", out, on="slurm", workers=2, pages=0)
    assert resumed.left == 0 and resumed.done["fits"] == CLIPS
    run_batch(clips, ["lamp"], "check", tmp_path / "whole", on="serial", pages=0)
    assert (out / "table.parquet").read_bytes() == (tmp_path / "whole" / "table.parquet").read_bytes()
