"""express: holding a posture while facing, beside ERIK, DLS, mink, pink and the best known; tracking; the filter."""

from __future__ import annotations

from benchmarks.express_filter import filter_rows
from benchmarks.express_peers import peer_rows
from benchmarks.express_solvers import erik_rows, loop_rows, solver_rows
from benchmarks.express_track import track_rows
from benchmarks.row import Row


def rows(*, quick: bool) -> list[Row]:
    """All rows of this benchmark."""
    return [
        *solver_rows(quick=quick),
        *loop_rows(quick=quick),
        *peer_rows(quick=quick),
        *erik_rows(quick=quick),
        *track_rows(quick=quick),
        *filter_rows(quick=quick),
    ]
