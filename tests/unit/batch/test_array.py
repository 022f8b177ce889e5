"""A Slurm array without Slurm: what is written, and what its ranks do."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from animato.batch import run_batch
from animato.batch.engine import Storage
from tests.batch_builders import make_clips

pytest.importorskip("pyarrow")


@pytest.fixture
def clips(tmp_path: Path) -> Path:
    make_clips(tmp_path / "clips" / "gentle", 3)
    make_clips(tmp_path / "clips" / "wild", 1, wild=True)
    (tmp_path / "clips" / "broken.csv").write_text("this is no motion\n")
    return tmp_path / "clips"


def test_a_slurm_array_is_written_and_its_ranks_do_their_share(clips: Path, tmp_path: Path) -> None:
    pytest.importorskip("joblib")
    from animato.batch.clips import Job, run_rank
    from animato.batch.clips.batching import _Batch
    from animato.batch.clips.job import build_job
    from animato.batch.clips.listing import Clips
    from animato.batch.clips.slurm import write_array
    from animato.batch.clips.wishes import wishes_of
    from animato.batch.engine import Place, Store

    out = Storage(str(tmp_path / "out"))
    job = build_job("check", ["lamp"], wishes_of("check", None), Storage(str(clips)), out, None)
    batch = _Batch(job, Clips(Storage(str(clips)), out), Store(out), Place("serial"), False, None)
    script = write_array(job, batch.missing(), 2, ["--partition=short"])
    assert script is not None
    text = script.read_text()
    assert "#SBATCH -a 0-1\n" in text and "#SBATCH --partition=short\n" in text and "animato.batch.rank" in text
    assert Job.read(json.loads((script.parent / "job.json").read_text())) == job
    os.environ.pop("SLURM_CPUS_PER_TASK", None)
    assert [run_rank(script.parent, rank, 2) for rank in (0, 1)] == [3, 2]
    assert run_rank(script.parent, 0, 2) == 0  # put back into the queue: nothing is left
    collected = run_batch(clips, ["lamp"], "check", tmp_path / "out", collect=True, pages=0)
    assert collected.left == 0 and collected.now == 0
    whole = tmp_path / "whole"
    run_batch(clips, ["lamp"], "check", whole, on="serial", pages=0)
    assert (whole / "table.parquet").read_bytes() == (tmp_path / "out" / "table.parquet").read_bytes()
