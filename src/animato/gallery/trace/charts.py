"""Pictures of one drawing performed with several weights: speed profiles, paths, and what rises and falls."""

from __future__ import annotations

import numpy as np

from animato.gallery.trace.runs import TrendRun
from animato.report.kit import (
    Axes,
    Markup,
    chart_file,
    element,
    key,
    path,
    peak_keeping,
    round_ticks,
    tick_text,
    time_cursor,
)
from animato.report.trace import build_trace_curves, coloured_line, speed_legend, view_axes

WIDTH = 1120
_LEFT, _PLOT = 64, 1036
_CURSOR_PLACES = 240  # whose times are sent
_CLIP = 99.0  # percentile of speeds above which a profile may leave its chart


def draw_profiles(run: TrendRun, style: str, *, player: str = "") -> Markup:
    """Speed of one point over its mean speed along the path, drawn and performed, one chart a value.

    Args:
        run: One drawing with several weights.
        style: Style sheet of the charts.
        player: Identifier of the player whose time is marked; "" where there is none.
    """
    point = run.traces[0].problem.sketch.points[run.shown].replace("_", " ")
    parts: list[Markup] = [key([("drawn", "drawn"), ("performed", "c1")], _LEFT + 430, 24)]
    top, height = 30, 120
    for label, solution in zip(run.labels, run.traces, strict=True):
        curves = build_trace_curves(solution)
        drawn = _over_mean(curves.drawn_speeds[:, run.shown])
        performed = _over_mean(curves.performed_speeds[:, run.shown])
        highest = 1.15 * max(float(np.percentile(drawn, _CLIP)), float(np.percentile(performed, _CLIP)))
        axes = Axes(_LEFT, top + 22, _PLOT, height, (0.0, 1.0), (0.0, highest))
        title = f"{label}: speed of {point} over its mean; {solution.scaling.duration:.2f} s"
        lines = [
            axes.line(curves.middles[chosen], values[chosen], name)
            for values, name in ((drawn, "drawn"), (performed, "c1"))
            for chosen in [peak_keeping(values, 900)]
        ]
        parts += [axes.frame(title=title, up_ticks=3), axes.inside(*lines)]
        if player:
            places = np.linspace(0.0, 1.0, _CURSOR_PLACES)
            parts.append(time_cursor(player, axes, times=np.interp(places, curves.s, curves.times)))
        top += height + 58
    parts.append(element("text", "share of the path", x=_LEFT + _PLOT, y=top + 6, text_anchor="end"))
    return chart_file(element("g", *parts), style, "Speed profiles, drawn and performed", WIDTH, top + 20)


def draw_path_strip(run: TrendRun, style: str) -> Markup:
    """What the robot does over a shadow of the drawing, coloured by speed, one panel a value."""
    every = [build_trace_curves(solution) for solution in run.traces]
    right, up = view_axes(every[0].drawn)
    places = np.stack([np.stack([one.drawn, one.performed]) for one in every])
    flat = np.stack([places @ right, -(places @ up)], axis=-1)
    low, high = flat.min(axis=(0, 1, 2, 3)), flat.max(axis=(0, 1, 2, 3))
    panel = (_PLOT + 50) / len(every)
    scale = float((panel - 24) / max(high[0] - low[0], 1e-6))
    height = scale * float(high[1] - low[1])
    fastest = float(max(one.performed_speeds.max() for one in every))
    parts: list[Markup] = []
    for index, (label, curves) in enumerate(zip(run.labels, every, strict=True)):
        corner = np.array([26 + index * panel, 48.0])
        drawn, performed = (flat[index] - low) * scale + corner
        parts.append(element("text", label, class_="head", x=f"{corner[0]:.1f}", y=26))
        for one in range(drawn.shape[1]):
            parts.append(element("path", class_="line shadow", d=path(*drawn[:, one].T)))
            parts += coloured_line(performed[:, one], curves.performed_speeds[:, one] / fastest)
            x, y = (f"{value:.1f}" for value in performed[0, one])
            parts.append(element("circle", class_="start", cx=x, cy=y, r=5))
    total = int(height + 120)
    parts.append(speed_legend(fastest, total - 22))
    return chart_file(element("g", *parts), style, "Paths with more and more smoothing", WIDTH, total)


def draw_trends(run: TrendRun, measures: dict[str, np.ndarray], style: str) -> Markup:
    """One small chart a measure over the values of the weight, evenly spaced.

    Args:
        run: Whose values.
        measures: Titles and numbers, each [k].
        style: Style sheet of the charts.
    """
    width = (_PLOT + 40) / len(measures)
    parts = [
        _trend(56 + index * width, width - 66, title, np.asarray(numbers), run)
        for index, (title, numbers) in enumerate(measures.items())
    ]
    return chart_file(element("g", *parts), style, f"What {run.weight} changes", WIDTH, 240)


def _trend(left: float, width: float, title: str, numbers: np.ndarray, run: TrendRun) -> Markup:
    axes = Axes(left, 40, width, 150, (-0.25, len(numbers) - 0.75), (0.0, 1.12 * float(numbers.max())))
    parts = [element("path", class_="axis", d=f"M{left:.1f},190h{width:.1f}")]
    ticks = round_ticks(*axes.up, 4)
    for value in ticks:
        y = float(axes.y(value))
        parts.append(element("path", class_="grid", d=f"M{left:.1f},{y:.1f}h{width:.1f}"))
        parts.append(element("text", tick_text(value, ticks), x=f"{left - 7:.1f}", y=f"{y + 4:.1f}", text_anchor="end"))
    across, heights = axes.x(np.arange(len(numbers))), axes.y(numbers)
    parts.append(element("path", class_="line c1", d=path(across, heights)))
    for place, height, value in zip(across, heights, run.values, strict=True):
        parts.append(element("circle", class_="start", cx=f"{place:.1f}", cy=f"{height:.1f}", r=4))
        parts.append(element("text", f"{value:g}", x=f"{place:.1f}", y=208, text_anchor="middle"))
    parts.append(element("text", run.weight, x=f"{left + width:.1f}", y=228, text_anchor="end"))
    parts.append(element("text", title, class_="title", x=f"{left:.1f}", y=26))
    return element("g", *parts)


def _over_mean(speeds: np.ndarray) -> np.ndarray:
    """Speeds over their mean along the path."""
    return np.asarray(speeds / max(float(speeds.mean()), 1e-12))
