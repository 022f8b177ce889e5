from __future__ import annotations

from benchmarks.__main__ import names, table
from benchmarks.row import Row, best_seconds


def test_the_frame_finds_its_benchmarks() -> None:
    assert "house" in names()
    assert "row" not in names()


def test_rows_make_a_table() -> None:
    rows = [Row("a", 1.0, "s", "lower"), Row("b", 2.0, "frames/s", "higher", "peer", 1.0)]
    assert table(rows).row_count == 2


def test_the_best_of_several_runs_counts() -> None:
    assert 0.0 <= best_seconds(lambda: sum(range(10)), 3) < 0.1
