"""Joints by time, before and after under each other: where the magenta was, and that it is gone."""

from __future__ import annotations

import numpy as np

from animato.findings import percent
from animato.mechanics.limits import SHARE_TOLERANCE, LimitUsage
from animato.report.fix.evidence import Evidence
from animato.report.fix.film_section import PLAYER
from animato.report.kit import (
    ALL_KINDS,
    Markup,
    build_heat_strip,
    data_address,
    draw_heat_strip,
    element,
    strip_layout,
    strip_legend,
    timeline_of,
)

_TALL, _LOW, _MANY = 20, 15, 16  # heights of rows [pixel], and rows from which on they are low


def strips_section(evidence: Evidence, player: str = PLAYER) -> Markup | None:
    """Both strips, linked to the player; None where no joint has a limit.

    Args:
        evidence: Of a fix.
        player: Identifier of the player whose time they share; "" where there is none.
    """
    shares = evidence.after.usage.shares.values()
    limited = [n for n in range(len(evidence.after.usage.axes)) if any(np.any(~np.isnan(one[:, n])) for one in shares)]
    if not limited:
        return None
    both = evidence.usable and evidence.solution.changed
    words = "Each line is a joint, time runs to the right; the largest share of any of its limits. "
    return element(
        "section",
        element("h2", "Every joint, before and after" if both else "Every joint", id="where"),
        element("p", words, strip_legend(), class_="lead"),
        _strip(evidence, "As it was asked for", evidence.asked_usage, limited, player),
        _strip(evidence, "As it is now", evidence.after.usage, limited, player) if both else None,
    )


def _strip(evidence: Evidence, title: str, usage: LimitUsage, axes: list[int], player: str) -> Markup:
    strip = build_heat_strip(usage)
    shares = strip.of_kind(ALL_KINDS)[:, axes]
    height = _TALL if len(axes) <= _MANY else _LOW
    peaks = np.nan_to_num(shares, nan=0.0, posinf=1e6).max(axis=0)
    over = peaks > 1.0 + SHARE_TOLERANCE
    names = [usage.axes[n].name for n in axes]
    count = int(over.sum())
    said = f"{title}: " + (f"too much for {count} joint{'s' * (count != 1)}" if count else "every joint can do it")
    picture = element(
        "img",
        src=data_address(draw_heat_strip(shares, row_height=height), "image/png"),
        alt=f"{said}; the largest share is {percent(float(peaks.max()))}.",
    )
    links = [
        element("a", evidence.before.labels[name], href=f"#joint-{n}", title=name, class_="over" if bad else None)
        for n, name, bad in zip(axes, names, over, strict=True)
    ]
    maxima = [
        element("div", element("span", percent(float(peak)), class_="over" if bad else None))
        for peak, bad in zip(peaks, over, strict=True)
    ]
    span = float(strip.edges[0]), float(strip.edges[-1])
    layout = strip_layout(links, [picture], maxima, span, height, **timeline_of(player, span, names))
    return element("div", element("h3", said), layout, class_="scroll", style="margin-bottom:16px")
