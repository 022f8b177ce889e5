"""How far things are off where the stiffness is another one."""

from __future__ import annotations

import numpy as np

from animato.findings import rounded
from animato.report.bending import chart_style
from animato.report.kit import Axes, Markup, chart_file, element, key
from animato.steady.judging import Sensitivity

_WIDTH, _HEIGHT, _LEFT, _TOP = 1120, 190, 64, 56


def draw_sensitivity(found: Sensitivity) -> Markup:
    """Largest deviation against the error in Young's modulus, before and after."""
    percent = 100.0 * (found.factors - 1.0)
    lines = {"before": 100.0 * found.before, "after": 100.0 * found.after}
    holds = {"before": 100.0 * found.hold_before, "after": 100.0 * found.hold_after}
    largest = max(float(np.max(one[np.isfinite(one)], initial=1e-3)) for one in lines.values())
    room = 0.04 * float(np.ptp(percent))
    across = (float(percent.min()) - room, float(percent.max()) + room)
    axes = Axes(_LEFT, _TOP, _WIDTH - _LEFT - 40, _HEIGHT, across, (0.0, 1.15 * largest))
    parts: list[Markup] = [
        key(
            [
                ("before", "before"),
                ("steadied", "after"),
                ("before, late in pauses", "before dash"),
                ("steadied, late in pauses", "after dash"),
            ],
            _LEFT,
            20,
        ),
        axes.frame(title="largest deviation [cm]", across_unit=" %", up_ticks=4),
    ]
    for kind, values in lines.items():
        seen, ring = np.isfinite(values), np.isfinite(holds[kind])
        parts.append(axes.line(percent[seen], values[seen], kind))
        if ring.any():
            parts.append(axes.line(percent[ring], holds[kind][ring], f"{kind} dash"))
        for x, y in zip(percent[seen], values[seen], strict=True):
            place = {"x": f"{float(axes.x(x)):.1f}", "y": f"{float(axes.y(y)) - 9:.1f}"}
            parts.append(
                element("circle", class_=f"dot fill-{kind}", cx=place["x"], cy=f"{float(axes.y(y)):.1f}", r=4.5)
            )
            parts.append(
                element("text", rounded(float(y), 2), class_=f"peak ink-{kind}", text_anchor="middle", **place)
            )
    words = "stiffness of all flexible parts against what was assumed"
    parts.append(
        element("text", words, x=f"{_LEFT + axes.width:.1f}", y=f"{_TOP + _HEIGHT + 36:.1f}", text_anchor="end")
    )
    title = "Largest deviation for other stiffness, before and after"
    return chart_file(element("g", *parts), chart_style(), title, _WIDTH, _TOP + _HEIGHT + 46)
