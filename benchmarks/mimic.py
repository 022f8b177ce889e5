"""mimic: four captures on the G1 beside two peers, other robots, motions played in MuJoCo, and what must hold."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from benchmarks.mimic_checks import growth_rows, jump_rows, paper_rows, start_rows
from benchmarks.mimic_clips import OTHERS, SCORED, clip_rows, other_robot_rows, small_play_rows
from benchmarks.mimic_online import online_rows
from benchmarks.row import Row

WORKERS = 2
"""Processes of a quick run, which has to end within minutes; times are processor times, so it costs them little."""

_LONG = ("growth", "starts")
"""What is begun first, so that no process waits for it at the end."""


def sections(*, quick: bool) -> dict[str, Callable[[], list[Row]]]:
    """All parts of this benchmark, by name."""
    return {
        **{name: partial(clip_rows, name, quick=quick) for name in SCORED},
        "jump": jump_rows,
        "the paper's robot": partial(paper_rows, quick=quick),
        **{f"golf on {name}": partial(other_robot_rows, name) for name in OTHERS},
        **{f"{name} played on pico": partial(small_play_rows, name, quick=quick) for name in SCORED},
        "online": online_rows,
        "starts": partial(start_rows, quick=quick),
        "growth": partial(growth_rows, quick=quick),
    }


def rows(*, quick: bool) -> list[Row]:
    """All rows of this benchmark."""
    wanted = sections(quick=quick)
    if not quick:
        return [row for name, section in wanted.items() for row in _timed(name, section)]
    order = sorted(wanted, key=lambda name: name not in _LONG)
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as pool:
        found = {name: pool.submit(_timed, name, wanted[name]) for name in order}
        return [row for name in wanted for row in found[name].result()]


def _timed(name: str, section: Callable[[], list[Row]]) -> list[Row]:
    begin = time.perf_counter()
    found = section()
    print(f"{name}: {time.perf_counter() - begin:.1f} s", file=sys.stderr, flush=True)
    return found
