"""steady: the rod beside Exudyn, shapers and BFGS; seven demonstrators beside the published ones; what must hold."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from rich.table import Table

from animato.gallery.steady import DEMONSTRATORS
from benchmarks.row import Row
from benchmarks.steady_checks import energy_rows, gradient_rows, loop_rows
from benchmarks.steady_demonstrators import demonstrator_rows, growth_rows, table_1, warm_up
from benchmarks.steady_fit import fit_rows
from benchmarks.steady_reduction import reduction_rows
from benchmarks.steady_rod_retargeting import retargeting_rows
from benchmarks.steady_rod_simulation import simulation_rows
from benchmarks.steady_search import rod_search_rows
from benchmarks.steady_transfer import transfer_rows

WORKERS = 2
"""Processes of a quick run, which has to end within minutes; times are processor times, so it costs them little."""


def sections(*, quick: bool) -> dict[str, Callable[[], list[Row]]]:
    """All parts of this benchmark, by name."""
    return {
        "the rod simulated": partial(simulation_rows, quick=quick),
        "the rod retargeted": retargeting_rows,
        "searches": rod_search_rows,
        **{name: partial(demonstrator_rows, name) for name in DEMONSTRATORS},
        "growth": growth_rows,
        "reduction": partial(reduction_rows, quick=quick),
        "transfer": partial(transfer_rows, quick=quick),
        "materials": partial(fit_rows, quick=quick),
        "gradients": gradient_rows,
        "energy": energy_rows,
        "loops": partial(loop_rows, quick=quick),
    }


def rows(*, quick: bool) -> list[Row]:
    """All rows of this benchmark."""
    wanted = sections(quick=quick)
    warm_up()
    if not quick:
        return [row for name, section in wanted.items() for row in _timed(name, section)]
    order = sorted(wanted, key=lambda name: name not in _LONG)
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as pool:
        found = {name: pool.submit(_timed, name, wanted[name]) for name in order}
        return [row for name in wanted for row in found[name].result()]


_LONG = ("drummer", "boxer", "dancer", "reduction", "searches")
"""What is begun first, so that no process waits for it at the end."""


def _timed(name: str, section: Callable[[], list[Row]]) -> list[Row]:
    begin = time.perf_counter()
    found = section()
    print(f"{name}: {time.perf_counter() - begin:.1f} s", file=sys.stderr, flush=True)
    return found


def tables(found: list[Row]) -> list[Table]:
    """Table 1 of the paper, made of the rows."""
    return [table_1(found)]
