"""trace: the temporal stage beside IPOPT, toppra and a cone solver; end to end; live; path and timing coupled."""

from __future__ import annotations

import importlib
import importlib.util

from benchmarks.row import Row
from benchmarks.trace_end_to_end import end_to_end_rows, live_rows
from benchmarks.trace_live import live_quality_rows
from benchmarks.trace_timing import timing_rows


def rows(*, quick: bool) -> list[Row]:
    """All rows of this benchmark."""
    return [
        *timing_rows(quick=quick),
        *end_to_end_rows(quick=quick),
        *live_rows(quick=quick),
        *live_quality_rows(quick=quick),
        *_coupled_rows(quick=quick),
    ]


def _coupled_rows(*, quick: bool) -> list[Row]:
    """Rows of the coupled optimization, where it is there."""
    if importlib.util.find_spec("benchmarks.trace_coupled") is None:
        return []
    module = importlib.import_module("benchmarks.trace_coupled")
    found: list[Row] = module.coupled_rows(quick=quick)
    return found
