"""Joint angles and error of chains that track a target, with the changes of branch marked."""

from __future__ import annotations

import numpy as np

from animato.gallery.express.runs import Tracking
from animato.report.kit import Axes, Markup, chart_file, element, key, peak_keeping

WIDTH = 1120
_LEFT, _PLOT, _ROW, _MAX_POINTS = 58, 1046, 400, 900


def draw_tracking(runs: list[Tracking], style: str) -> Markup:
    """For each run its joint angles over time and, below, its combined error.

    Args:
        runs: Of any chains.
        style: Style sheet of the charts.
    """
    parts = [_run(run, 26 + row * _ROW) for row, run in enumerate(runs)]
    return chart_file(element("g", *parts), style, "Tracking a circling target", WIDTH, 10 + _ROW * len(runs))


def _run(run: Tracking, top: float) -> Markup:
    span = (float(run.times[0]), float(run.times[-1]))
    degrees = np.degrees(run.positions)
    largest = 1.08 * max(90.0, float(np.abs(degrees).max()))
    angles = Axes(_LEFT, top + 44, _PLOT, 180, span, (-largest, largest))
    errors = Axes(_LEFT, top + 280, _PLOT, 66, span, (0.0, max(0.01, 1.1 * float(run.errors.max()))))
    count = int(run.changes[-1])
    counted = f"{count} {'change' if count == 1 else 'changes'} of branch, {run.leaps} by a leap"
    names = [(name.replace("_", " "), f"c{n % 8}") for n, name in enumerate(run.joints)]
    return element(
        "g",
        element("text", f"{run.character}: {counted}", class_="head", x=_LEFT, y=top),
        key(names, _LEFT + 120, angles.top - 9),
        angles.inside(*_branch_marks(run, angles)),
        angles.frame(title="joint angles", across_unit=" s", up_unit="°", up_ticks=4),
        angles.inside(*(_curve(run.times, degrees[:, n], angles, f"c{n % 8}") for n in range(len(run.joints)))),
        errors.inside(*_branch_marks(run, errors)),
        errors.frame(title="combined error", across_unit=" s"),
        errors.inside(_curve(run.times, run.errors, errors, "c3")),
    )


def _curve(times: np.ndarray, values: np.ndarray, axes: Axes, class_: str) -> Markup:
    chosen = peak_keeping(values, _MAX_POINTS)
    return axes.line(times[chosen], values[chosen], class_)


def _branch_marks(run: Tracking, axes: Axes) -> list[Markup]:
    """Bands where a change of branch was under way, and a line where each was decided."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], run.changing, [False]]).astype(np.int8)))
    last = len(run.times) - 1
    bands = []
    for first, after in edges.reshape(-1, 2):
        x0, x1 = (float(axes.x(run.times[min(n, last)])) for n in (first, after))
        size = {"width": f"{max(x1 - x0, 1.5):.1f}", "height": f"{axes.height:.1f}"}
        bands.append(element("rect", class_="band", x=f"{x0:.1f}", y=f"{axes.top:.1f}", **size))
    decided = np.flatnonzero(np.diff(run.changes, prepend=0))
    lines = [f"M{float(axes.x(run.times[n])):.1f},{axes.top:.1f}v{axes.height:.1f}" for n in decided]
    return [*bands, *(element("path", class_="decided", d=line) for line in lines)]
