"""The stage: servos on time, faults that end well, and what others measure of it."""

from __future__ import annotations

import importlib
import importlib.util

from benchmarks import stage_faults, stage_playing
from benchmarks.row import Row

_OTHERS = ("stage_bottango", "stage_exports", "stage_batch")


def rows(*, quick: bool = False) -> list[Row]:
    """All rows of the stage."""
    found = [*stage_playing.rows(quick=quick), *stage_faults.rows(quick=quick)]
    for name in _OTHERS:
        if importlib.util.find_spec(f"benchmarks.{name}") is not None:
            found += importlib.import_module(f"benchmarks.{name}").rows(quick=quick)
    return found
