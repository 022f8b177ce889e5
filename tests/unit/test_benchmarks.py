from __future__ import annotations

import numpy as np

from benchmarks.__main__ import names, table
from benchmarks.express_paper import POSTURES, TABLE_8, TABLE_9
from benchmarks.express_solvers import Solved, method_rows
from benchmarks.express_tables import paper_table
from benchmarks.row import Row, best_seconds


def test_the_frame_finds_its_benchmarks() -> None:
    assert "house" in names()
    assert "row" not in names()


def test_rows_make_a_table() -> None:
    rows = [Row("a", 1.0, "s", "lower"), Row("b", 2.0, "frames/s", "higher", "peer", 1.0)]
    assert table(rows).row_count == 2


def test_the_best_of_several_runs_counts() -> None:
    assert 0.0 <= best_seconds(lambda: sum(range(10)), 3) < 0.1


def test_the_papers_table_is_made_of_rows() -> None:
    rows = [Row("C.postures", 3789, "count", "higher", "published", POSTURES["C"]), Row("C.error", 0.02, "", "lower")]
    rows += method_rows("C", "erik", Solved(np.array([[0.03, 0.01, 0.02]]), np.array([2]), 0.05))
    assert [row.peer_value for row in rows[2:]] == [*TABLE_9["erik"][::2], TABLE_8["C"].iterations.mean, 37.0]
    made = paper_table(rows)
    assert made.row_count == 1 + 9 + 4  # best known, methods, what is published
    assert "not installed" in list(made.columns[2].cells)
