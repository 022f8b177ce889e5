from __future__ import annotations

import numpy as np
import pytest

from benchmarks import express_track
from benchmarks.__main__ import names, table
from benchmarks.express_paper import ERIK_C, POSTURES
from benchmarks.express_samples import chain_of
from benchmarks.express_solvers import Solved, method_rows
from benchmarks.express_tables import paper_table, tracking_table
from benchmarks.express_track import PEERS, circled_postures, run, track_rows
from benchmarks.express_track_peers import Dls, LeastSquares, LocalSolver
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
    rows += method_rows("C", "erik", Solved(np.array([[0.03, 0.01, 0.02]]), 0.05))
    assert [row.peer_value for row in rows[2:]] == [*ERIK_C, 37.0]
    made = paper_table(rows)
    assert made.row_count == 1 + 5 + 2  # best known, methods, what is published
    assert "not installed" in list(made.columns[2].cells)


@pytest.mark.parametrize("make", [LocalSolver, Dls, LeastSquares])
def test_peers_that_start_warm_follow_a_target_for_a_while(make: type[LocalSolver]) -> None:
    found = run(circled_postures("G", 1), 1.0, make)
    assert found.pops <= 1 and found.error < 0.05  # least squares have another optimum than the one they begin at


def test_a_peer_that_is_missing_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = {"lively": (PEERS["lively"][0], "no_such_package")}
    monkeypatch.setattr(express_track, "PEERS", {name: PEERS[name] for name in ("memoryless", "local")} | absent)
    monkeypatch.setattr(express_track, "run", lambda *_: express_track.Run(1, 2.0, 3.0, 4.0, 5))
    rows = {row.name: row for row in track_rows(quick=True)}
    assert rows["track.G.pops.lively"].peer == "lively: not installed"
    assert rows["track.G.pops.lively"].peer_value is None
    assert {"track.G.pops", "track.G.jump", "track.G.error", "track.C.unplanned_pops"} <= set(rows)
    assert tracking_table(list(rows.values()), "G").row_count == 1 + len(PEERS)
    assert len(chain_of("G").names) == 8
