from __future__ import annotations

import numpy as np
import pytest

from animato.gallery.steady import DEMONSTRATORS
from benchmarks.row import Row
from benchmarks.steady import sections
from benchmarks.steady_demonstrators import table_1
from benchmarks.steady_rod_simulation import quintic_swing
from benchmarks.steady_search import Trace


def test_every_demonstrator_has_a_section() -> None:
    assert set(DEMONSTRATORS) < set(sections(quick=True))
    assert set(sections(quick=True)) == set(sections(quick=False))


def test_the_swing_goes_to_thirty_degrees_and_back_with_its_derivatives() -> None:
    assert quintic_swing(np.array([0.0, 0.2, 0.5, 2.0, 2.3, 4.0])) == pytest.approx(np.radians([0, 0, 30, 30, 0, 0]))
    times, step = np.linspace(0.21, 0.49, 15), 1e-6
    for order in range(2):
        slope = (quintic_swing(times + step, order) - quintic_swing(times - step, order)) / (2.0 * step)
        assert quintic_swing(times, order + 1) == pytest.approx(slope, rel=1e-6)


def test_a_trace_says_when_an_objective_was_reached() -> None:
    trace = Trace()
    trace.costs, trace.seconds = [4.0, 2.0, 1.0], [0.1, 0.2, 0.3]
    assert trace.seconds_to(2.0) == 0.2
    assert trace.seconds_to(0.5) == 0.3  # never: all that was spent
    assert trace.best == 1.0 and trace.after(2) == 2.0


def test_the_papers_table_is_made_of_what_was_run() -> None:
    keys = ("unknowns", "parameters", "realtime", "retarget_s", "peak_before_cm", "peak_after_cm", "validated_peak_cm")
    rows = [Row(f"drummer.{key}", 1.0, "", "lower") for key in keys]
    rows.append(Row("drummer.acceleration", 50.0, "rad/s^2", "lower", "before", 40.0))
    made = table_1(rows)
    assert made.row_count == 1
    assert "50 / 40" in list(made.columns[-1].cells)
