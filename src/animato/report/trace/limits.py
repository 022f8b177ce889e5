"""The part of the page of trace that shows how much of each limit is used: joints by time."""

from __future__ import annotations

import numpy as np

from animato.findings import percent
from animato.mechanics.limits import LIMIT_KINDS, LimitUsage
from animato.report.check import KIND_WORDS, time_ticks
from animato.report.kit import ALL_KINDS, HeatStrip, Markup, build_heat_strip, data_address, draw_heat_strip, element

_ROW = 22


def limit_strip(usage: LimitUsage) -> Markup:
    """Joints by time, coloured by the share of their limits, one picture a kind; switched without a script."""
    moving = [index for index in range(len(usage.axes)) if _moves(usage, index)]
    shown = LimitUsage(
        usage.times,
        usage.frame_times,
        tuple(usage.axes[index] for index in moving),
        {kind: usage.values[kind][:, moving] for kind in LIMIT_KINDS},
        {kind: usage.shares[kind][:, moving] for kind in LIMIT_KINDS},
        usage.notes,
    )
    strip = build_heat_strip(shown)
    kinds = [kind for kind in (ALL_KINDS, *LIMIT_KINDS) if not np.all(np.isnan(strip.of_kind(kind)))]
    switches = [part for kind in kinds for part in _switch(kind)]
    pictures = [
        element(
            "img",
            class_=f"kind kind-{kind}",
            src=data_address(draw_heat_strip(strip.of_kind(kind), row_height=_ROW), "image/png"),
            alt=f"{KIND_WORDS[kind]}: share used by each joint over time",
        )
        for kind in kinds
    ]
    body = element(
        "div",
        element("div", *(element("a", axis.name.replace("_", " ")) for axis in shown.axes), class_="strip-names"),
        element("div", *pictures, time_ticks(strip, lines=True), class_="strip-plot"),
        element("div", *_maxima(strip, len(shown.axes), kinds), class_="strip-maxima"),
        element("div", time_ticks(strip, lines=False), class_="strip-times"),
        class_="strip",
        style=f"--row:{_ROW}px;--rows:{len(shown.axes)}",
    )
    return element("div", *switches, element("div", body, class_="scroll"), class_="switched")


def strip_legend() -> Markup:
    """What the colours mean."""
    return element(
        "span",
        element("span", "unused", class_="legend-end"),
        element("span", class_="legend-ramp"),
        element("span", "at its limit", class_="legend-end"),
        class_="legend",
    )


def _moves(usage: LimitUsage, axis: int) -> bool:
    return bool(np.ptp(usage.values["position"][:, axis]) > 1e-9)


def _switch(kind: str) -> tuple[Markup, Markup]:
    name = f"kind-{kind}"
    button = element("input", type="radio", name="kind", id=name, class_="switch", checked=kind == ALL_KINDS)
    return button, element("label", KIND_WORDS[kind], for_=name)


def _maxima(strip: HeatStrip, count: int, kinds: list[str]) -> list[Markup]:
    rows = []
    for index in range(count):
        spans = []
        for kind in kinds:
            column = strip.of_kind(kind)[:, index]
            text = "-" if np.all(np.isnan(column)) else percent(float(np.nanmax(column)))
            spans.append(element("span", text, class_=f"kind kind-{kind}"))
        rows.append(element("div", *spans))
    return rows
