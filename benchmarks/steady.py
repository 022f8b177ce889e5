"""steady: the rod beside Exudyn, shapers and BFGS; seven demonstrators beside the published ones; what must hold."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from rich.table import Table

from animato.gallery.steady import DEMONSTRATORS
from benchmarks.row import Row
from benchmarks.steady_checks import energy_rows, gradient_rows, loop_rows
from benchmarks.steady_demonstrators import demonstrator_rows, growth_rows, retargeted, table_1, warm_up
from benchmarks.steady_fit import fit_rows
from benchmarks.steady_reduction import reduction_rows
from benchmarks.steady_rod_retargeting import retargeting_rows
from benchmarks.steady_rod_simulation import simulation_rows
from benchmarks.steady_search import rod_search_rows


def rows(*, quick: bool) -> list[Row]:
    """All rows of this benchmark."""
    warm_up()
    sections: dict[str, Callable[[], list[Row]]] = {
        "the rod simulated": lambda: simulation_rows(quick=quick),
        "the rod retargeted": retargeting_rows,
        "searches": rod_search_rows,
        **{name: lambda name=name: demonstrator_rows(retargeted(name)) for name in DEMONSTRATORS},
        "growth": lambda: growth_rows(seconds=(4.0, 40.0)),
        "reduction": lambda: reduction_rows(quick=quick),
        "materials": lambda: fit_rows(quick=quick),
        "gradients": gradient_rows,
        "energy": energy_rows,
        "loops": lambda: loop_rows(quick=quick),
    }
    found: list[Row] = []
    for title, section in sections.items():
        begin = time.perf_counter()
        found += section()
        print(f"{title}: {time.perf_counter() - begin:.1f} s", file=sys.stderr, flush=True)
    return found


def tables(found: list[Row]) -> list[Table]:
    """Table 1 of the paper, made of the rows."""
    return [table_1(found)]
