"""Figures 4 and 5 and Table I: everything that the paper shows is there."""

from __future__ import annotations

import numpy as np

from animato.formats.character_files import load_character
from animato.gallery.trace.demo import chart_style
from animato.gallery.trace.figures import TABLE_ALPHAS, MethodRun, draw_knots, draw_methods, smoothing_table
from animato.trace.options import Options
from animato.trace.problem import build
from animato.trace.sketch.loading import load_strokes
from animato.trace.tracing import solve


def test_table_1_has_all_rows_and_its_trend() -> None:
    rows = smoothing_table().rows
    assert [row[0] for row in rows] == [f"{alpha:g}" for alpha in TABLE_ALPHAS]
    off, durations = np.array([[float(cell) for cell in row[1:]] for row in rows]).T
    assert off[-1] > 2.0 * off[0] and np.all(np.diff(durations) < 0.0)  # farther off, and quicker


def test_figures_have_their_axes_and_bars() -> None:
    arm = load_character("planar_arm")
    sketch = load_strokes("flourish", arm)
    knots = draw_knots(sketch, chart_style())
    assert "cumulated curvature" in knots and knots.count("<circle") == 11
    one = solve(build(arm, sketch, Options(control_point_count=16, segments=60, certificate=False)))
    runs = tuple(MethodRun(beta, name, one) for beta in (0.01, 0.1, 1.0) for name in ("D", "C", "ID"))
    picture = draw_methods(runs, chart_style())
    for words in ("geometric objective", "temporal objective", "execution time", "computation time", "beta 0.1"):
        assert words in picture
    assert picture.count("stroke-width:") >= 36
