"""How far tracked bodies are off their targets over time, one panel a body."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.findings import rounded
from animato.report.bending.curves import LEFT, PLOT, WIDTH, Curve, chart_style, thinned
from animato.report.kit import Axes, Markup, chart_file, element, key, time_cursor

_TOP, _GAP = 40, 52


def draw_deviations(
    times: np.ndarray,
    bodies: Sequence[str],
    curves: Sequence[Curve],
    *,
    still: np.ndarray | None = None,
    player: str = "",
) -> Markup:
    """Distances from the quasi-static targets; panels share both scales.

    Args:
        times: [s], [time].
        bodies: Names of the tracked bodies.
        curves: Distances [m], [time, body].
        still: Whether all targets stand still, [time]; shaded, as vibration is seen most there.
        player: Identifier of the player whose time it shares; "" where there is none.
    """
    largest = max(float(one.values.max()) for one in curves)
    scale, unit = (100.0, "cm") if largest >= 0.01 else (1000.0, "mm")
    height = 220 if len(bodies) == 1 else 130 if len(bodies) <= 3 else 92
    parts: list[Markup] = [key([(one.name, one.kind) for one in curves], LEFT, 20)]
    top = _TOP + 12
    for index, body in enumerate(bodies):
        axes = Axes(LEFT, top, PLOT, height, (float(times[0]), float(times[-1])), (0.0, 1.12 * scale * largest))
        title = f"{body.replace('_', ' ')}, off its target [{unit}]"
        lines = [thinned(axes, times, scale * one.values[:, index], one.kind) for one in curves]
        shades = [] if still is None else _shades(axes, times, still)
        parts += [*shades, axes.frame(title=title, across_unit=" s"), axes.inside(*lines)]
        parts += [_peak(axes, times, scale * one.values[:, index], one.kind) for one in curves]
        parts += [time_cursor(player, axes)] if player else []
        top += height + _GAP
    bottom = top - _GAP
    title = "Distance of each tracked body from its target over time"
    return chart_file(element("g", *parts), chart_style(), title, WIDTH, int(bottom + 30))


def _shades(axes: Axes, times: np.ndarray, still: np.ndarray) -> list[Markup]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], still.astype(int), [0]])))
    spans = [(times[a], times[min(b, len(times) - 1)]) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return [
        element(
            "rect",
            class_="still",
            x=f"{float(axes.x(a)):.1f}",
            y=f"{axes.top:.1f}",
            width=f"{float(axes.x(b) - axes.x(a)):.1f}",
            height=f"{axes.height:.1f}",
        )
        for a, b in spans
        if b - a > 0.05
    ]


def _peak(axes: Axes, times: np.ndarray, values: np.ndarray, kind: str) -> Markup:
    """The largest value with its number; to the left of its place where there is no room to the right."""
    at = int(np.argmax(values))
    x, y = float(axes.x(times[at])), float(axes.y(values[at]))
    left = x > axes.left + axes.width - 40
    dot = element("circle", class_=f"dot fill-{kind}", cx=f"{x:.1f}", cy=f"{y:.1f}", r=3.5)
    anchor = "end" if left else "start"
    place = {"x": f"{x + (-7 if left else 7):.1f}", "y": f"{y - 5:.1f}"}
    return element(
        "g", dot, element("text", rounded(values[at], 2), class_=f"peak ink-{kind}", text_anchor=anchor, **place)
    )
