"""express: holding a posture while facing, beside ERIK, DLS, mink, pink and the best known; tracking; the filter."""

from __future__ import annotations

from rich.table import Table

from benchmarks.express_axis_words import axis_word_rows, long_chain_rows
from benchmarks.express_filter import filter_rows
from benchmarks.express_loop import loop_rows
from benchmarks.express_solvers import erik_rows, solver_rows
from benchmarks.express_tables import paper_table
from benchmarks.express_track import track_rows, tracking_table
from benchmarks.express_track_cases import CHARACTERS
from benchmarks.row import Row


def rows(*, quick: bool) -> list[Row]:
    """All rows of this benchmark."""
    return [
        *solver_rows(quick=quick),
        *axis_word_rows(quick=quick),
        *long_chain_rows(quick=quick),
        *loop_rows(quick=quick),
        *erik_rows(quick=quick),
        *track_rows(quick=quick),
        *filter_rows(quick=quick),
    ]


def tables(found: list[Row]) -> list[Table]:
    """The paper's tables and those of tracking, made of the rows."""
    names = [name for name in CHARACTERS if any(row.name.startswith(f"track.{name}.") for row in found)]
    return [paper_table(found), *(tracking_table(found, name) for name in names)]
