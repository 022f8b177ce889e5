"""A folder of clips through a verb: rows, failures, going on, object storage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from animato.batch import read_table, run_batch
from animato.batch.clips import parsed_options
from animato.batch.engine import Storage
from animato.errors import AnimatoError, MotionError, OptionError, UnknownNameError
from tests.batch_builders import make_clips

pytest.importorskip("pyarrow")


def rows_of(out: Path | str) -> list[dict[str, Any]]:
    return read_table(str(out)).to_pylist()


@pytest.fixture
def clips(tmp_path: Path) -> Path:
    make_clips(tmp_path / "clips" / "gentle", 3)
    make_clips(tmp_path / "clips" / "wild", 1, wild=True)
    (tmp_path / "clips" / "broken.csv").write_text("this is no motion\n")
    return tmp_path / "clips"


def test_one_row_a_clip_and_robot_and_a_failing_clip_stops_nothing(clips: Path, tmp_path: Path) -> None:
    summary = run_batch(clips, ["lamp", "pico"], "check", tmp_path / "out", on="serial", pages=1)
    rows = rows_of(tmp_path / "out")
    assert summary.total == len(rows) == 10 and summary.now == 10 and summary.left == 0
    lamp = {row["clip"]: row for row in rows if row["robot"] == "lamp"}
    assert [lamp[name]["status"] for name in sorted(lamp)] == ["failed", "fits", "fits", "fits", "does not fit"]
    broken, wild = lamp["broken.csv"], lamp["wild/000/clip_00000.npz"]
    assert "broken.csv" in broken["error"] and broken["frames"] is None
    assert wild["worst"] > 1.0 and wild["limits"] and wild["worst_joint"] and len(wild["strip"]) == 48
    assert wild["frames"] == 50 and wild["duration_s"] == pytest.approx(0.98)
    assert {row["status"] for row in rows if row["robot"] == "pico"} == {"failed"}  # they are the lamp's clips
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "wild/000/clip_00000.npz" in page
    (player,) = (tmp_path / "out" / "pages").rglob("*.html")
    assert player.name.startswith("clip_00000.npz.") and "wild" in str(player)
    assert not summary.all_fit


def test_going_on_does_what_is_missing_and_gives_the_same_table(clips: Path, tmp_path: Path) -> None:
    out, whole = tmp_path / "out", tmp_path / "whole"
    run_batch(clips, ["lamp"], "check", whole, on="serial", pages=0, chunk=1)
    run_batch(clips, ["lamp"], "check", out, on="serial", pages=0, chunk=1)
    files = sorted((out / "done").iterdir())
    for file in files[1::2]:
        file.unlink()
    again = run_batch(clips, ["lamp"], "check", out, on="serial", pages=0)
    assert again.now == len(files[1::2])
    assert (out / "table.parquet").read_bytes() == (whole / "table.parquet").read_bytes()
    assert run_batch(clips, ["lamp"], "check", out, on="serial", pages=0).now == 0


def test_what_a_verb_does_not_keep_is_said_and_does_not_fit(
    clips: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    from animato.batch.clips import performing, verbs

    def content(*given: Any) -> Any:
        return replace(verbs.performed(*given), usable=True, reason="all limits hold")

    monkeypatch.setattr(performing, "performed", content)
    run_batch(clips / "wild", ["lamp"], "check", tmp_path / "out", on="serial", pages=0)
    (row,) = rows_of(tmp_path / "out")
    assert row["status"] == "does not fit" and "which check does not keep" in row["verdict"]


def test_another_option_another_clip_and_another_robot_are_done_anew(clips: Path, tmp_path: Path) -> None:
    def now(robot: str = "lamp", **options: Any) -> int:
        return run_batch(clips, [robot], "check", tmp_path / "out", options=options, on="serial", pages=0).now

    assert now() == 5
    assert now(keep_reference_pose=True) == 5
    assert now() == 0
    first = next(clips.rglob("clip_00001.npz"))
    make_clips(tmp_path / "other", 2, seed=9)
    first.write_bytes(next((tmp_path / "other").rglob("clip_00001.npz")).read_bytes())
    assert now() == 1
    assert now("pico") == 5


def test_what_failed_is_tried_again_when_asked(clips: Path, tmp_path: Path) -> None:
    run_batch(clips, ["lamp"], "check", tmp_path / "out", on="serial", pages=0)
    again = run_batch(clips, ["lamp"], "check", tmp_path / "out", on="serial", pages=0, again=True)
    assert again.now == 1 and again.done["failed"] == 1 and again.left == 0


def test_object_storage_in_and_out(clips: Path, tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    source, target = Storage("memory://batch-test/clips"), "memory://batch-test/out"
    for file in clips.rglob("*.*"):
        source.write(file.relative_to(clips).as_posix(), file.read_bytes())
    there = run_batch(source.address, ["lamp"], "check", target, on="serial", pages=1)
    here = run_batch(clips, ["lamp"], "check", tmp_path / "out", on="serial", pages=0)
    assert there.done == here.done
    assert rows_of(target) == rows_of(tmp_path / "out")
    assert Storage(target).exists("index.html")
    assert run_batch(source.address, ["lamp"], "check", target, on="serial", pages=0).now == 0


def test_the_worst_is_what_the_verdict_names(clips: Path, tmp_path: Path) -> None:
    make_clips(tmp_path / "many", 8, wild=True, seed=3)
    run_batch(tmp_path / "many", ["lamp"], "check", tmp_path / "out", on="serial", pages=0)
    for row in rows_of(tmp_path / "out"):
        assert f"{100.0 * row['worst']:.0f} % of what it has" in row["verdict"]
        assert f"the {row['worst_kind']} of {row['worst_joint']}" in row["verdict"]


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that nobody can read from its beginning")
def test_a_file_that_cannot_be_read_stops_nothing(clips: Path, tmp_path: Path) -> None:
    (clips / "wild" / "sealed.npz").symlink_to("/proc/self/mem")
    run_batch(clips / "wild", ["lamp"], "check", tmp_path / "out", on="serial", pages=0)
    assert [row["status"] for row in rows_of(tmp_path / "out")] == ["does not fit", "failed"]


def test_where_nothing_can_be_written_is_said_before_anything_runs(clips: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told: list[object] = []
    with pytest.raises(AnimatoError, match="Cannot write"):
        run_batch(clips, ["lamp"], "check", tmp_path / "file" / "out", on="serial", pages=0, progress=told.append)
    assert not told


def test_what_cannot_be_is_refused_before_anything_runs(clips: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / "empty").mkdir()
    for arguments, error, said in (
        ((clips, [], "check"), OptionError, "robot"),
        ((clips, ["lamp", "lamp"], "check"), OptionError, "twice"),
        ((clips, ["lamp"], "juggle"), UnknownNameError, "Verb"),
        ((tmp_path / "nowhere", ["lamp"], "check"), MotionError, "is not there"),
        ((clips / "broken.csv", ["lamp"], "check"), MotionError, "is a file"),
        ((tmp_path / "empty", ["lamp"], "check"), MotionError, "No clips"),
    ):
        with pytest.raises(error, match=said):
            run_batch(*arguments, out, on="serial")
    with pytest.raises(UnknownNameError, match="'tim'"):
        run_batch(clips, ["lamp"], "fix", out, options={"tim": 1}, on="serial")
    with pytest.raises(OptionError, match="`time`"):
        run_batch(clips, ["lamp"], "fix", out, options={"time": 7}, on="serial")
    with pytest.raises(OptionError, match="pages"):
        run_batch(clips, ["lamp"], "fix", out, pages=-1, on="serial")
    assert not out.exists()


def test_options_in_words() -> None:
    words = ("time=0.5", "points=[head, hand]", "balance=false", "smooth-hz=6", "start=rest", "protect=[1.2-1.6]")
    assert parsed_options(words) == {
        "time": 0.5,
        "points": ["head", "hand"],
        "balance": False,
        "smooth_hz": 6,
        "start": "rest",
        "protect": ["1.2-1.6"],
    }
    for word in ("time", "=3", "time=[1"):
        with pytest.raises(OptionError, match="`option`"):
            parsed_options((word,))


def test_a_clip_that_kills_its_process_is_told_of(clips: Path, tmp_path: Path) -> None:
    from animato.batch.clips.batching import DIED, finished_rows
    from animato.batch.clips.job import build_job
    from animato.batch.clips.listing import Clips
    from animato.batch.clips.wishes import wishes_of
    from animato.batch.engine import Finished

    out = Storage(str(tmp_path / "out"))
    job = build_job("check", ["lamp"], wishes_of("check", None), Storage(str(clips)), out, None)
    task = next(iter(Clips(Storage(str(clips)), out).tasks(job)))
    (row,) = finished_rows(job, Finished((task,), None))
    assert row["status"] == "failed" and row["error"] == DIED and row["key"] == task.key and row["clip"] == "broken.csv"
