"""Speed along the path, drawn in black and performed in colour, and how far the rhythm is off."""

from __future__ import annotations

import numpy as np

from animato.report.kit import Axes, Markup, chart_file, element, key, peak_keeping, time_cursor
from animato.report.trace.curves import TraceCurves

WIDTH = 1120
_LEFT, _PLOT, _MAX_POINTS = 64, 1036, 900
_CURSOR_PLACES = 240  # whose times are sent


def draw_trace_speeds(curves: TraceCurves, points: tuple[str, ...], style: str, *, player: str = "") -> Markup:
    """One chart a point: its speed against the share of the path that is behind.

    Args:
        curves: Both motions.
        points: Names of the points.
        style: Style sheet of the charts.
        player: Identifier of the player whose time is marked; "" where there is none.
    """
    height = 230 if len(points) == 1 else 120
    parts: list[Markup] = [key([("drawn", "drawn"), ("performed", "c1")], _LEFT + 430, 24)]
    top = 36
    for index, point in enumerate(points):
        drawn, performed = curves.drawn_speeds[:, index], curves.performed_speeds[:, index]
        largest = 1.08 * max(float(drawn.max()), float(performed.max()), 1e-9)
        axes = Axes(_LEFT, top + 14, _PLOT, height, (0.0, 1.0), (0.0, largest))
        parts += [
            axes.frame(title=f"speed of {point.replace('_', ' ')} [m/s]", up_ticks=4),
            axes.inside(
                *_marks(curves, axes),
                _curve(curves.middles, drawn, axes, "drawn"),
                _curve(curves.middles, performed, axes, "c1"),
            ),
            *_cursor(curves, axes, player),
        ]
        top += height + 62
    parts += [_caption(top - 14), *_mark_words(curves, top - 14)]
    return chart_file(element("g", *parts), style, "Speed along the path, drawn and performed", WIDTH, top)


def draw_lateness(curves: TraceCurves, style: str, *, player: str = "") -> Markup:
    """How far the robot is behind the drawn rhythm, along the path; `player` is whose time is marked."""
    late = 1000.0 * curves.lateness
    largest = 1.15 * max(float(np.abs(late).max()), 1.0)
    axes = Axes(_LEFT, 40, _PLOT, 130, (0.0, 1.0), (-largest, largest))
    zero = element("path", class_="axis", d=f"M{_LEFT},{float(axes.y(0.0)):.1f}h{_PLOT}")
    content = element(
        "g",
        axes.frame(title="behind the drawn rhythm (above 0) or ahead of it (below) [ms]", up_ticks=4),
        zero,
        axes.inside(_curve(curves.s, late, axes, "c1")),
        *_cursor(curves, axes, player),
        _caption(208),
    )
    return chart_file(content, style, "How far the rhythm is off along the path", WIDTH, 222)


def _cursor(curves: TraceCurves, axes: Axes, player: str) -> list[Markup]:
    """Where the player is along the path."""
    if not player:
        return []
    return [time_cursor(player, axes, times=np.interp(np.linspace(0.0, 1.0, _CURSOR_PLACES), curves.s, curves.times))]


def _curve(x: np.ndarray, y: np.ndarray, axes: Axes, class_: str) -> Markup:
    chosen = peak_keeping(y, _MAX_POINTS)
    return axes.line(x[chosen], y[chosen], class_)


def _marks(curves: TraceCurves, axes: Axes) -> list[Markup]:
    """Bands where the pen is in the air, dashed lines where the hand stood still."""
    bands = []
    for leaves, touches in curves.air:
        left, right = float(axes.x(leaves)), float(axes.x(touches))
        size = {"x": f"{left:.1f}", "y": f"{axes.top:.1f}", "width": f"{right - left:.1f}", "height": axes.height}
        bands.append(element("rect", class_="band", **size))
    for place in curves.pauses:
        d = f"M{float(axes.x(place)):.1f},{axes.top:.1f}v{axes.height:.1f}"
        bands.append(element("path", class_="decided", d=d))
    return bands


def _mark_words(curves: TraceCurves, y: float) -> list[Markup]:
    said = ["bands: pen in the air"] if curves.air else []
    said += ["dashed: the hand stood still"] if curves.pauses else []
    return [element("text", "; ".join(said), x=_LEFT, y=f"{y:.1f}")] if said else []


def _caption(y: float) -> Markup:
    words = "share of the path that is behind"
    return element("text", words, x=f"{_LEFT + _PLOT:.1f}", y=f"{y:.1f}", text_anchor="end")
