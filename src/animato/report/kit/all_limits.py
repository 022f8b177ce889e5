"""Joints by time, coloured by the share of their limits: one picture a kind of limit, switched without a script."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.findings import percent
from animato.mechanics.limits import LIMIT_KINDS, SHARE_TOLERANCE, LimitUsage
from animato.report.kit.markup import Markup, data_address, element
from animato.report.kit.strip import ALL_KINDS, HeatStrip, build_heat_strip, draw_heat_strip
from animato.report.kit.strip_parts import KIND_WORDS, kind_switch, row_height, strip_layout, timeline_of


def usage_strip(usage: LimitUsage, *, player: str = "", labels: Sequence[str] = ()) -> Markup:
    """The strip of all joints that are limited.

    Args:
        usage: Shares over time.
        player: Identifier of the player whose time it shares; "" where there is none.
        labels: Names of the axes for people; their own without underscores where not given.
    """
    strip = build_heat_strip(usage)
    kinds = [kind for kind in (ALL_KINDS, *LIMIT_KINDS) if not np.all(np.isnan(strip.of_kind(kind)))]
    row = row_height(len(usage.axes))
    pictures = [strip_picture(strip.of_kind(kind), row, KIND_WORDS[kind], f"kind kind-{kind}") for kind in kinds]
    shown = labels or [axis.name.replace("_", " ") for axis in usage.axes]
    names = [element("a", label, title=axis.name) for label, axis in zip(shown, usage.axes, strict=True)]
    span = (float(strip.edges[0]), float(strip.edges[-1]))
    timeline = timeline_of(player, span, [axis.name for axis in usage.axes])
    body = strip_layout(names, pictures, _maxima(strip, kinds), span, row, **timeline)
    switches = [part for kind in kinds for part in kind_switch(kind)]
    return element("div", *switches, element("div", body, class_="scroll"), class_="switched")


def strip_picture(shares: np.ndarray, row: int, words: str, class_: str | None = None) -> Markup:
    """One strip as a picture.

    Args:
        shares: 1 is the limit itself, [column, row].
        row: Height of a row [pixels].
        words: What it shows, for those who cannot see it.
        class_: Of the element.
    """
    about = f"{words}: share that is used over time"
    return element(
        "img", class_=class_, src=data_address(draw_heat_strip(shares, row_height=row), "image/png"), alt=about
    )


def _maxima(strip: HeatStrip, kinds: Sequence[str]) -> list[Markup]:
    """The largest share of each row, of every kind."""
    columns = {kind: strip.of_kind(kind) for kind in kinds}
    count = next(iter(columns.values())).shape[1] if columns else 0
    return [element("div", *(_largest(columns[kind][:, n], kind) for kind in kinds)) for n in range(count)]


def _largest(shares: np.ndarray, kind: str) -> Markup:
    known = shares[~np.isnan(shares)]
    most = float(known.max(initial=0.0))
    over = " over" if most > 1.0 + SHARE_TOLERANCE else ""
    return element("span", percent(most) if len(known) else "-", class_=f"kind kind-{kind}{over}")
