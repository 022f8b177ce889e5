"""Charts of mimic over time: how far key-points are off, what touches when, how near the ZMP is to the rim.

Each goes with the player whose identifier it is given; "" where there is none.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from animato.findings import rounded
from animato.report.kit import Axes, Markup, chart_file, element, key, package_text, peak_keeping, time_cursor
from animato.report.mimic.shown import RIM, Shown, plain, stretches

WIDTH, LEFT, PLOT = 1120, 120, 980
_MOST_POINTS = 900


def chart_style() -> str:
    """The style sheet of all charts of mimic."""
    return package_text("charts.css") + package_text("mimic_charts.css")


def draw_errors(shown: Shown, player: str = "") -> Markup:
    """Mean and worst error of key-points over time, with and without balance and torque."""
    top, height = 56, 190
    lines = {"before": 1e3 * shown.before, "after": 1e3 * shown.after}
    largest = max(float(one.max(initial=1.0)) for one in lines.values())
    axes = Axes(LEFT, top, PLOT, height, _span(shown), (0.0, 1.08 * largest))
    entries = [
        ("mean, with balance and torque", "after"),
        ("worst key-point", "after dash fine"),
        ("mean, without", "before"),
        ("worst key-point, without", "before dash fine"),
    ]
    curves = []
    for kind, values in lines.items():
        curves.append(_line(axes, shown.times, values.max(axis=1, initial=0.0), f"{kind} dash fine"))
        curves.append(_line(axes, shown.times, values.mean(axis=1), kind))
    frame = axes.frame(title="key-points, off by [mm]", across_unit=" s", up_ticks=4)
    content = element("g", key(entries, LEFT, 20), frame, axes.inside(*curves), *_cursor(player, axes))
    return chart_file(content, chart_style(), "Errors of key-points over time", WIDTH, top + height + 30)


def draw_landmarks(shown: Shown) -> Markup:
    """Mean error of each key-point, with and without balance and torque; a thin line to the largest."""
    names = shown.solution.problem.landmarks
    row, top = 24, 50
    largest = 1e3 * max(float(shown.before.max(initial=1e-3)), float(shown.after.max(initial=1e-3)))
    axes = Axes(LEFT, top, PLOT - 60, row * len(names), (0.0, 1.04 * largest), (0.0, 1.0))
    parts = [
        key([("with balance and torque", "after"), ("without", "before"), ("to the largest", "after thin")], LEFT, 20)
    ]
    parts.append(axes.frame(across_unit=" mm", up_ticks=0))
    for index, name in enumerate(names):
        y = top + row * index
        parts.append(element("text", plain(name), class_="row-name", x=LEFT - 8, y=f"{y + 16:.1f}"))
        for shift, kind, values in ((3, "after", shown.after), (12, "before", shown.before)):
            mean, most = 1e3 * float(values[:, index].mean()), 1e3 * float(values[:, index].max(initial=0.0))
            x, end = float(axes.x(mean)), float(axes.x(most))
            size = {"x": LEFT, "y": f"{y + shift:.1f}", "width": f"{x - LEFT:.1f}", "height": 8}
            parts.append(element("rect", class_=f"fill-{kind}", **size))
            parts.append(element("path", class_=f"line thin {kind}", d=f"M{x:.1f},{y + shift + 4:.1f}H{end:.1f}"))
        most = float(axes.x(1e3 * max(float(shown.after[:, index].max()), float(shown.before[:, index].max()))))
        mean_text = rounded(1e3 * float(shown.after[:, index].mean()), 2)
        parts.append(element("text", mean_text, class_="mean", x=f"{most + 6:.1f}", y=f"{y + 16:.1f}"))
    title = "Mean error of each key-point"
    return chart_file(element("g", *parts), chart_style(), title, WIDTH, top + row * len(names) + 30)


def draw_contacts(shown: Shown, player: str = "") -> Markup:
    """Which part stands, touches or is free, when."""
    plan, planted = shown.solution.problem.plan, shown.solution.planted
    row, top = 26, 46
    axes = Axes(LEFT, top, PLOT, row * len(plan.parts), _span(shown), (0.0, 1.0))
    parts: list[Markup] = [bars(axes, shown.times, plan.flight, "flies", top, row * len(plan.parts))]
    for index, part in enumerate(plan.parts):
        y = top + row * index
        parts.append(element("text", part.name, class_="row-name", x=LEFT - 8, y=f"{y + 17:.1f}"))
        side = " right" if part.name.startswith("right") else ""
        own = plan.planted[:, index]
        longer, low = planted[:, index] & ~own, plan.lowered[:, index] & ~planted[:, index]
        parts.append(bars(axes, shown.times, own, f"stands{side}", y + 4, row - 8))
        parts.append(bars(axes, shown.times, longer, f"longer{side}", y + 4, row - 8))
        parts.append(bars(axes, shown.times, low, f"slides{side}", y + 9, row - 18))
    parts.append(axes.frame(across_unit=" s", up_ticks=0))
    words = "thick: stands as the person does; pale: stands a moment longer; thin: touches and may slide; "
    parts.append(element("text", words + "shaded: in the air", x=LEFT, y=22))
    parts += _cursor(player, axes)
    return chart_file(
        element("g", *parts), chart_style(), "Contacts over time", WIDTH, top + row * len(plan.parts) + 30
    )


def draw_margin(shown: Shown, player: str = "") -> Markup:
    """How far inside the soles the ZMP is over time; below zero it is outside."""
    top, height = 34, 120
    inside = 1e3 * shown.inside
    known = inside[np.isfinite(inside)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    axes = Axes(LEFT, top, PLOT, height, _span(shown), (min(0.0, 1.1 * low), 1.1 * max(high, 1.0)))
    curves = [axes.line(*part, "zmp") for part in _pieces(shown.times, inside)]
    curves += [
        axes.line(*part, "outside") for part in _pieces(shown.times, np.where(shown.inside < -RIM, inside, np.nan))
    ]
    zero = element("path", class_="limit", d=f"M{LEFT},{float(axes.y(0.0)):.1f}h{PLOT}")
    frame = axes.frame(title="ZMP to the rim of the soles that stand [mm]", across_unit=" s")
    content = element("g", frame, zero, axes.inside(*curves), *_cursor(player, axes))
    return chart_file(content, chart_style(), "Distance of the ZMP from the rim of the soles", WIDTH, top + height + 30)


def draw_timing(shown: Shown, player: str = "") -> Markup:
    """How much slower than the person the robot is over time [%]."""
    top, height = 34, 110
    source = shown.solution.problem.source_times
    slower = 100.0 * (np.gradient(shown.times) / np.gradient(source) - 1.0)
    axes = Axes(
        LEFT, top, PLOT, height, _span(shown), (min(0.0, float(slower.min())), max(1.0, 1.1 * float(slower.max())))
    )
    frame = axes.frame(title="slower than the person [%]", across_unit=" s")
    content = element("g", frame, axes.inside(_line(axes, shown.times, slower, "after")), *_cursor(player, axes))
    return chart_file(content, chart_style(), "How much slower than the person", WIDTH, top + height + 30)


def _span(shown: Shown) -> tuple[float, float]:
    return float(shown.times[0]), float(shown.times[-1])


def _line(axes: Axes, x: np.ndarray, y: np.ndarray, class_: str) -> Markup:
    chosen = peak_keeping(y, _MOST_POINTS)
    return axes.line(x[chosen], y[chosen], class_)


def _cursor(player: str, axes: Axes) -> list[Markup]:
    """Where the player of that identifier is; nothing where there is none."""
    return [time_cursor(player, axes)] if player else []


def bars(axes: Axes, times: np.ndarray, on: np.ndarray, class_: str, top: float, height: float) -> Markup:
    """Stretches in which something holds; each frame counts half a step to both sides."""
    half = 0.5 * float(times[-1] - times[0]) / max(1, len(times) - 1)
    bars = []
    for a, b in stretches(on):
        x = float(axes.x(max(times[a] - half, times[0])))
        width = float(axes.x(min(times[b - 1] + half, times[-1]))) - x
        size = {"x": f"{x:.1f}", "y": f"{top:.1f}", "width": f"{max(width, 1.0):.1f}", "height": f"{height:.1f}"}
        bars.append(element("rect", class_=class_, **size))
    return element("g", *bars)


def _pieces(x: np.ndarray, y: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """A curve without its gaps."""
    gaps = [-1, *np.flatnonzero(~np.isfinite(y)), len(y)]
    return [(x[a + 1 : b], y[a + 1 : b]) for a, b in pairwise(gaps) if b - a > 2]
