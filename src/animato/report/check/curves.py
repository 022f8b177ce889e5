"""Curves of one axis against its limits, as SVG."""

from __future__ import annotations

import numpy as np

from animato.findings import Finding, human_unit, limit_band, percent, rounded
from animato.mechanics.limits import LimitUsage
from animato.report.kit import Axes, Markup, Scale, element, peak_keeping, round_ticks, tick_text, time_cursor

WIDTH, HEIGHT = 560, 210
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 14, 26
MAX_POINTS = 900


def draw_curve(
    usage: LimitUsage, finding: Finding, title: str, ghost_usage: LimitUsage | None = None, player: str = ""
) -> Markup:
    """The value that a finding is about over time, the band it must stay in, and where it leaves it.

    Args:
        usage: Values and limits.
        finding: Which axis and which kind.
        title: For those who cannot see it.
        ghost_usage: The artist's motion, drawn dashed where it has this axis.
        player: Identifier of the player whose time it shares; "" where there is none.
    """
    axis = next(index for index, one in enumerate(usage.axes) if one.name == finding.axis)
    unit = human_unit(finding.kind, angular=finding.angular)
    worst = int(np.searchsorted(usage.times, finding.time))
    chosen = peak_keeping(usage.values[finding.kind][:, axis], MAX_POINTS, (worst,))
    times = usage.times[chosen]
    values = usage.values[finding.kind][chosen, axis] * unit.factor
    lower, upper = (bound[chosen] * unit.factor for bound in limit_band(usage, axis, finding.kind))
    ghost = _ghost_curve(ghost_usage, finding, unit.factor)
    across = Scale(float(usage.times[0]), float(usage.times[-1]), LEFT, WIDTH - RIGHT)
    up = _value_scale(values, lower, upper, ghost)
    clip = f"beyond-{axis}-{finding.kind}"
    line = _path(across(times), up(values))
    left = float(across(finding.time)) > 0.7 * WIDTH  # the labels of limits stay out of the worst moment's way
    return element(
        "svg",
        element("title", title),
        element("defs", element("clipPath", *_outside(across(times), up(lower), up(upper)), id=clip)),
        _frame(across, up, unit.symbol),
        _in_plot(
            element("path", class_="band", d=_closed(across(times), up(upper), up(lower))),
            *(_limit_line(across(times), up, bound) for bound in (lower, upper)),
            None if ghost is None else element("path", class_="ghost", d=_path(across(ghost[0]), up(ghost[1]))),
            element("path", class_="value", d=line),
            element("path", class_="beyond", d=line, clip_path=f"url(#{clip})") if finding.is_over else None,
        ),
        _limit_label(up, upper, above=True, left=left),
        _limit_label(up, lower, above=False, left=left),
        _worst_mark(across, up, finding, unit.factor),
        _cursor(player, across) if player else None,
        class_="curve",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
    )


def _cursor(player: str, across: Scale) -> Markup:
    plot = (LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM)
    return time_cursor(player, Axes(*plot, (across.low, across.high), (0.0, 1.0)))


def _ghost_curve(usage: LimitUsage | None, finding: Finding, factor: float) -> tuple[np.ndarray, np.ndarray] | None:
    names = [] if usage is None else [axis.name for axis in usage.axes]
    if usage is None or finding.axis not in names:
        return None
    values = usage.values[finding.kind][:, names.index(finding.axis)]
    chosen = peak_keeping(values, MAX_POINTS)
    return usage.times[chosen], values[chosen] * factor


def _value_scale(
    values: np.ndarray, lower: np.ndarray, upper: np.ndarray, ghost: tuple[np.ndarray, np.ndarray] | None
) -> Scale:
    """From the lowest to the highest value; a limit is in the picture unless it is far away from all values."""
    shown = values if ghost is None else np.concatenate([values, ghost[1]])
    low, high = float(shown.min()), float(shown.max())
    ends = [float(lower.max()), float(upper.min())]
    gaps = [max(low - ends[0], 0.0), max(ends[1] - high, 0.0)]
    for end, gap in zip(ends, gaps, strict=True):
        if np.isfinite(end) and (gap <= 0.6 * (high - low) or gap == min(gaps)):
            low, high = min(low, end), max(high, end)
    room = 0.14 * (high - low) or 1.0
    return Scale(low - room, high + room, HEIGHT - BOTTOM, TOP)


def _path(x: np.ndarray, y: np.ndarray) -> str:
    if len(x) == 1:  # one frame is a point; a short stroke with round ends shows it
        return f"M{x[0] - 2:.1f},{y[0]:.1f}L{x[0] + 2:.1f},{y[0]:.1f}"
    return "M" + "L".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))


def _closed(x: np.ndarray, first: np.ndarray, second: np.ndarray) -> str:
    """The area between two curves; constant ones need their ends only."""
    if len(x) == 1:
        x, first, second = np.array([LEFT, WIDTH - RIGHT]), np.repeat(first, 2), np.repeat(second, 2)
    elif np.ptp(first) == 0.0 and np.ptp(second) == 0.0:
        x, first, second = x[[0, -1]], first[[0, -1]], second[[0, -1]]
    return _path(np.concatenate([x, x[::-1]]), np.concatenate([first, second[::-1]])) + "Z"


def _outside(x: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> tuple[Markup, Markup]:
    """The parts of the picture above and below the band."""
    ceiling, floor = np.full(len(x), -20.0), np.full(len(x), HEIGHT + 20.0)
    return element("path", d=_closed(x, ceiling, upper)), element("path", d=_closed(x, floor, lower))


def _frame(across: Scale, up: Scale, symbol: str) -> Markup:
    parts = []
    heights = round_ticks(up.low, up.high, 4)
    for value in heights:
        y = float(up(value))
        parts.append(element("path", class_="grid", d=f"M{LEFT},{y:.1f}H{WIDTH - RIGHT}"))
        label = tick_text(value, heights)
        parts.append(element("text", label, class_="tick", x=LEFT - 7, y=f"{y + 4:.1f}", text_anchor="end"))
    moments = round_ticks(across.low, across.high, 8)
    for value in moments:
        x = float(across(value))
        parts.append(element("path", class_="grid", d=f"M{x:.1f},{HEIGHT - BOTTOM}v4"))
        label = tick_text(value, moments) + (" s" if value == moments[-1] else "")
        parts.append(element("text", label, class_="tick", x=f"{x:.1f}", y=HEIGHT - 8, text_anchor="middle"))
    parts.append(element("text", symbol, class_="tick unit", x=LEFT + 5, y=TOP - 2))
    return element("g", *parts)


def _in_plot(*parts: Markup | None) -> Markup:
    """Parts cut off at the edges of the plot: an inner picture does that without a name that must be unique."""
    left, top, width, height = LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    box = f"{left} {top} {width} {height}"
    return element("svg", *parts, x=left, y=top, width=width, height=height, viewBox=box)


def _limit_line(x: np.ndarray, up: Scale, bound: np.ndarray) -> Markup | None:
    if not np.all(np.isfinite(bound)):
        return None
    flat = np.ptp(bound) == 0.0
    line = f"M{LEFT},{float(up(bound[0])):.1f}H{WIDTH - RIGHT}" if flat else _path(x, up(bound))
    return element("path", class_="limit", d=line)


def _limit_label(up: Scale, bound: np.ndarray, *, above: bool, left: bool) -> Markup | None:
    """The number of a constant limit, or words for one that changes with speed; None where it is out of sight."""
    last = float(bound[0 if left else -1])
    if not up.low < last < up.high:
        return None
    flat = np.ptp(bound) == 0.0
    if not flat and not above:  # the other side says it already
        return None
    words = f"limit {rounded(last)}" if flat else "limit at its speed"
    y = max(float(up(last)) - 5, TOP + 11)
    x, anchor = (LEFT + 5, "start") if left else (WIDTH - RIGHT - 5, "end")
    return element("text", words, class_="limit-label", x=x, y=f"{y:.1f}", text_anchor=anchor)


def _worst_mark(across: Scale, up: Scale, finding: Finding, factor: float) -> Markup:
    """A dot at the worst moment with its share, on the side away from the band."""
    x, y = float(across(finding.time)), float(up(finding.value * factor))
    below = finding.value < 0.0 if finding.kind != "position" else finding.value < finding.limit and finding.is_over
    label = element(
        "text",
        percent(finding.share),
        x=f"{min(max(x, LEFT + 26), WIDTH - RIGHT - 26):.1f}",
        y=f"{min(y + 20, HEIGHT - BOTTOM - 2) if below else max(y - 10, TOP + 4):.1f}",
        text_anchor="middle",
    )
    dot = element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4)
    return element("g", dot, label, class_="worst over" if finding.is_over else "worst")
