"""Margins of every limit over time, and which of them holds which frame."""

from __future__ import annotations

import numpy as np

from animato.findings import percent
from animato.mechanics.limits import LIMIT_KINDS
from animato.report.kit import (
    ALL_KINDS,
    HeatStrip,
    Markup,
    build_heat_strip,
    data_address,
    draw_heat_strip,
    element,
    joined,
    round_ticks,
    tick_text,
)
from animato.report.mimic.shown import HELD, Shown, plain

_KINDS = {
    ALL_KINDS: "All limits",
    "position": "Range",
    "velocity": "Speed",
    "acceleration": "Acceleration",
    "jerk": "Jerk",
    "torque": "Torque",
}
_HELD_WORDS = {
    "range": "end of a range",
    "speed": "speed of a motor",
    "torque": "torque of a motor",
    "soles": "rim of the soles",
    "friction": "friction",
}


def limit_strip(shown: Shown) -> Markup:
    """Joints by time, coloured by the share of their limits; one picture a kind, switched without a script."""
    usage = shown.solution.usage
    strip = build_heat_strip(usage)
    kinds = [kind for kind in (ALL_KINDS, *LIMIT_KINDS) if not np.all(np.isnan(strip.of_kind(kind)))]
    row = 24 if len(usage.axes) <= 16 else 20 if len(usage.axes) <= 32 else 16
    switches = [part for kind in kinds for part in _switch(kind)]
    pictures = [_picture(strip.of_kind(kind), row, f"kind kind-{kind}", _KINDS[kind]) for kind in kinds]
    names = [element("a", plain(axis.name), title=axis.name) for axis in usage.axes]
    maxima = [
        element("div", *(element("span", _most(strip, kind, index), class_=f"kind kind-{kind}") for kind in kinds))
        for index in range(len(usage.axes))
    ]
    body = _strip(names, pictures, maxima, (float(strip.edges[0]), float(strip.edges[-1])), row)
    return element("div", *switches, element("div", body, class_="scroll"), class_="switched")


def held_strip(shown: Shown) -> Markup:
    """What holds which frame: range, speed, torque, the rim of the soles, friction."""
    row = 26
    names = [element("a", _HELD_WORDS[name]) for name in HELD]
    most = [np.nanmax(shown.held[:, n], initial=0.0) for n in range(len(HELD))]
    maxima = [element("div", element("span", percent(float(share)))) for share in most]
    picture = _picture(shown.held, row, None, "What is used of ranges, speeds, torques, soles and friction over time")
    span = (float(shown.times[0]), float(shown.times[-1]))
    return element("div", _strip(names, [picture], maxima, span, row), class_="scroll")


def _switch(kind: str) -> tuple[Markup, Markup]:
    name = f"kind-{kind}"
    knob = element("input", type="radio", name="kind", id=name, checked=kind == ALL_KINDS, class_="switch")
    return knob, element("label", _KINDS[kind], for_=name)


def _picture(shares: np.ndarray, row: int, class_: str | None, words: str) -> Markup:
    address = data_address(draw_heat_strip(shares, row_height=row), "image/png")
    return element("img", class_=class_, src=address, alt=words)


def _most(strip: HeatStrip, kind: str, index: int) -> str:
    shares = strip.of_kind(kind)[:, index]
    return "-" if np.all(np.isnan(shares)) else percent(float(np.nanmax(shares)))


def _strip(
    names: list[Markup], pictures: list[Markup], maxima: list[Markup], span: tuple[float, float], row: int
) -> Markup:
    return element(
        "div",
        element("div", *names, class_="strip-names"),
        element("div", *pictures, _ticks(span, lines=True), class_="strip-plot"),
        element("div", *maxima, class_="strip-maxima"),
        element("div", _ticks(span, lines=False), class_="strip-times"),
        class_="strip",
        style=f"--row:{row}px;--rows:{len(names)}",
    )


def _ticks(span: tuple[float, float], *, lines: bool) -> Markup:
    """Round times along a strip, as lines or as numbers."""
    start, end = span
    ticks, parts = round_ticks(start, end, 10), []
    for value in ticks:
        place = 100.0 * (value - start) / max(end - start, 1e-9)
        text = None if lines else tick_text(value, ticks) + (" s" if value == ticks[-1] else "")
        parts.append(element("i" if lines else "span", text, style=f"left:{place:.3f}%"))
    return joined(*parts)
