"""Clips that a batch makes: kept, never taken for clips, never mistaken for others."""

from __future__ import annotations

from pathlib import Path

import pytest

from animato.batch import read_table, run_batch
from animato.errors import OptionError
from tests.batch_builders import make_clips

pytest.importorskip("pyarrow")


@pytest.fixture
def clips(tmp_path: Path) -> Path:
    make_clips(tmp_path / "clips" / "wild", 1, wild=True)
    return tmp_path / "clips"


def test_a_result_is_kept_as_a_clip(clips: Path, tmp_path: Path) -> None:
    wild = clips / "wild"
    summary = run_batch(wild, ["lamp"], "fix", tmp_path / "out", options={"time": 0.5}, on="serial", pages=1)
    (row,) = read_table(str(tmp_path / "out")).to_pylist()
    assert row["status"] == "fits" and row["worst"] <= 1.0 + 1e-6 and row["asked_worst"] > 1.0
    assert row["result"] == "clips/lamp/000/clip_00000.npz" and (tmp_path / "out" / row["result"]).is_file()
    assert summary.all_fit and len(list((tmp_path / "out" / "pages").rglob("*.html"))) == 1


def test_results_inside_the_folder_of_clips_are_no_clips(clips: Path) -> None:
    for _ in range(2):
        summary = run_batch(clips / "wild", ["lamp"], "fix", clips / "wild" / "out", on="serial", pages=0)
        assert summary.total == 1


def test_results_of_other_batches_are_no_clips_and_none_are_put_among_them(clips: Path, tmp_path: Path) -> None:
    wild = clips / "wild"
    run_batch(wild, ["lamp"], "fix", wild / "fixed", on="serial", pages=0)
    assert run_batch(wild, ["lamp"], "check", tmp_path / "out", on="serial", pages=0).total == 1
    for place, out in ((wild, wild), (tmp_path / "all" / "clips", tmp_path / "all")):
        with pytest.raises(OptionError, match="among the clips"):
            run_batch(place, ["lamp"], "fix", out, on="serial", pages=0)
    assert not (wild / "done").exists()


def test_a_result_that_other_options_wrote_over_is_made_again(clips: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"

    def run(time: float) -> tuple[int, bytes]:
        summary = run_batch(clips / "wild", ["lamp"], "fix", out, options={"time": time}, on="serial", pages=0)
        return summary.now, (out / "clips" / "lamp" / "000" / "clip_00000.npz").read_bytes()

    (_, first), (_, second), (again, third) = run(0.5), run(1.0), run(0.5)
    assert first == third != second and again == 1
    assert run(0.5)[0] == 0
