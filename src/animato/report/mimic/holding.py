"""Which limit holds which frame: of which joint, by the rim of the soles or by friction."""

from __future__ import annotations

import numpy as np

from animato.findings import percent
from animato.report.kit import (
    Axes,
    Markup,
    chart_file,
    element,
    strip_layout,
    strip_picture,
    time_cursor,
    timeline_of,
)
from animato.report.mimic.charts import LEFT, PLOT, WIDTH, bars, chart_style
from animato.report.mimic.shown import HELD, HELD_KINDS, Shown, near_shares, plain

_ROW, _TOP, _SHIFT, _STRIP_ROW = 22, 14, 120, 26
_WORDS = {
    "range": "end of a range",
    "speed": "speed of a motor",
    "torque": "torque of a motor",
    "soles": "rim of the soles",
    "friction": "friction",
}


def holding(shown: Shown) -> tuple[list[str], np.ndarray]:
    """Everything that may hold the motion, such as "torque of left knee", and how much of it is used, [knot, holder].

    1 is where it begins to hold the frame.
    """
    usage, near = shown.solution.usage, near_shares(shown.solution)
    names = [f"{word} of {plain(axis.name)}" for word in HELD_KINDS for axis in usage.axes]
    joints = [np.nan_to_num(usage.shares[kind]) / least for kind, least in zip(HELD_KINDS.values(), near, strict=False)]
    others = np.nan_to_num(shown.held[:, len(joints) :], posinf=9.0) / near[len(joints) :]
    return [*names, "rim of the soles", "friction"], np.column_stack([*joints, others])


def holders(shown: Shown, most: int = 3) -> list[list[str]]:
    """What holds each knot, the nearest to its limit first."""
    names, shares = holding(shown)
    ranks = np.argsort(-shares, axis=1, kind="stable")[:, :most]
    return [[names[n] for n in row if shares[t, n] > 1.0] for t, row in enumerate(ranks)]


def held_strip(shown: Shown, player: str = "") -> Markup:
    """How much is used of range, speed, torque, the rim of the soles and friction over time.

    Args:
        shown: A solution, with what is shown of it.
        player: Identifier of the player whose time it shares; "" where there is none.
    """
    names = [element("a", _WORDS[name]) for name in HELD]
    most = [np.nanmax(shown.held[:, n], initial=0.0) for n in range(len(HELD))]
    maxima = [element("div", element("span", percent(float(share)))) for share in most]
    picture = strip_picture(shown.held, _STRIP_ROW, "Ranges, speeds, torques, soles and friction")
    span = (float(shown.times[0]), float(shown.times[-1]))
    strip = strip_layout(names, [picture], maxima, span, _STRIP_ROW, **timeline_of(player, span))
    return element("div", strip, class_="scroll")


def draw_holders(shown: Shown, player: str = "", most: int = 14) -> Markup | None:
    """When each of them holds the motion, the longest first; nothing where none does.

    Args:
        shown: A solution, with what is shown of it.
        player: Identifier of the player whose time it shares; "" where there is none.
        most: Rows.
    """
    names, shares = holding(shown)
    near = shares > 1.0
    order = [n for n in np.argsort(-near.sum(axis=0), kind="stable")[:most] if near[:, n].any()]
    if not order:
        return None
    left, height = LEFT + _SHIFT, _ROW * len(order)
    axes = Axes(left, _TOP, PLOT - _SHIFT, height, (float(shown.times[0]), float(shown.times[-1])), (0.0, 1.0))
    parts: list[Markup] = [axes.frame(across_unit=" s", up_ticks=0)]
    for row, n in enumerate(order):
        y = _TOP + _ROW * row
        told = f"{names[n]}, {percent(float(near[:, n].mean()))}"
        parts.append(element("text", told, class_="row-name", x=left - 8, y=f"{y + 15:.1f}"))
        parts.append(bars(axes, shown.times, near[:, n], "holds", y + 4, _ROW - 8))
    parts += [time_cursor(player, axes)] if player else []
    return chart_file(element("g", *parts), chart_style(), "What holds which frame", WIDTH, _TOP + height + 30)
