"""Histograms and normal distributions of the facing errors, as in the evaluation of Ribeiro and Paiva (2019)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from animato.gallery.express.runs import ANIMATO, DLS, ERIK, MEASURES, Errors
from animato.report.kit import Axes, Markup, chart_file, element, key, path

WIDTH = 1120
COLOURS = {ANIMATO: "c0", ERIK: "c1", DLS: "c2"}
_LEFT, _PLOT, _STEP, _TOP = 58, 300, 366, 66
# The same for all skeletons, so that they can be compared; what lies beyond counts in the last bin.
_MOST = dict(zip(MEASURES, (0.3, 0.3, 0.15), strict=True))
_BINS = 30


def draw_histograms(errors: Mapping[str, Mapping[str, Errors]], style: str) -> Markup:
    """A row of three histograms for each skeleton: animato's solver as bars, ERIK as an outline.

    Args:
        errors: By letter of the skeleton and by solver.
        style: Style sheet of the charts.
    """
    parts = [key([(ANIMATO, "c0"), (ERIK, "c1")], _LEFT, 22)]
    for row, (letter, by_solver) in enumerate(errors.items()):
        for column, measure in enumerate(MEASURES):
            parts.append(_histogram(by_solver, letter, measure, _LEFT + column * _STEP, _TOP + row * 142))
    height = _TOP + 142 * len(errors) - 14
    return chart_file(element("g", *parts), style, "Histograms of the errors by skeleton", WIDTH, height)


def _histogram(by_solver: Mapping[str, Errors], letter: str, measure: str, left: float, top: float) -> Markup:
    edges = np.linspace(0.0, _MOST[measure], _BINS + 1)
    shares = {}
    for solver in (ANIMATO, ERIK):
        values = np.clip(by_solver[solver][measure], 0.0, edges[-1] * (1.0 - 1e-12))
        shares[solver] = 100.0 * np.histogram(values, edges)[0] / len(values)
    highest = max(5.0, 1.06 * max(float(share.max()) for share in shares.values()))
    axes = Axes(left, top, _PLOT, 82, (0.0, float(edges[-1])), (0.0, highest))
    x, floor = axes.x(edges), float(axes.y(0.0))
    bars = [
        element(
            "rect", class_="bar", x=f"{a + 0.5:.1f}", y=f"{y:.1f}", width=f"{b - a - 1:.1f}", height=f"{floor - y:.1f}"
        )
        for a, b, y in zip(x[:-1], x[1:], axes.y(shares[ANIMATO]), strict=True)
    ]
    outline = np.concatenate([[floor], np.repeat(axes.y(shares[ERIK]), 2), [floor]])
    steps = element("path", class_="line c1", d=path(np.repeat(x, 2), outline))
    means = f"{letter}: {measure}, " + " / ".join(f"{by_solver[one][measure].mean():.4f}" for one in shares)
    return element("g", axes.frame(title=means, up_unit=" %"), axes.inside(*bars, steps))


def draw_normals(errors: Mapping[str, Mapping[str, Errors]], style: str) -> Markup:
    """Normal distributions with the mean and deviation of each solver's errors, one row for each skeleton.

    Args:
        errors: By letter of the skeleton and by solver.
        style: Style sheet of the charts.
    """
    parts = [key(list(COLOURS.items()), _LEFT, 22)]
    for row, (letter, by_solver) in enumerate(errors.items()):
        for column, measure in enumerate(MEASURES):
            parts.append(_normals(by_solver, letter, measure, _LEFT + column * _STEP, _TOP + row * 200))
    height = _TOP + 200 * len(errors) - 20
    return chart_file(element("g", *parts), style, "Normal distributions of the errors by solver", WIDTH, height)


def _normals(by_solver: Mapping[str, Errors], letter: str, measure: str, left: float, top: float) -> Markup:
    """Every curve is as high as its own peak: beside one that is almost exact all others would be flat."""
    moments = {solver: (float(one[measure].mean()), float(one[measure].std())) for solver, one in by_solver.items()}
    widest = max(mean + 2.5 * deviation for mean, deviation in moments.values())
    axes = Axes(left, top, _PLOT, 136, (-0.3 * widest, widest), (0.0, 1.05))
    lines = []
    for solver in reversed(moments):  # animato's on top
        mean, deviation = moments[solver]
        deviation = max(deviation, 1e-4 * widest)
        x = np.unique(np.concatenate([np.linspace(*axes.across, 121), mean + deviation * np.linspace(-4, 4, 81)]))
        lines.append(axes.line(x, np.exp(-0.5 * ((x - mean) / deviation) ** 2), COLOURS[solver]))
    zero = element("path", class_="limit", d=path(axes.x(np.zeros(2)), axes.y(np.array([0.0, 1.05]))))
    return element("g", axes.frame(title=f"{letter}: {measure}", up_ticks=0), axes.inside(zero, *lines))
