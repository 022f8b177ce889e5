"""The part of the page that shows where and when: the heat strip with its names, times and hints."""

from __future__ import annotations

import json

import numpy as np

from animato.findings import CAPACITY, CheckResult, Finding, human_unit, interval_words, percent
from animato.mechanics.limits import LIMIT_KINDS
from animato.report.kit import (
    ALL_KINDS,
    HeatStrip,
    Markup,
    Packer,
    build_heat_strip,
    data_address,
    draw_heat_strip,
    element,
    joined,
    round_ticks,
    script_data,
    tick_text,
)

KIND_WORDS = {
    ALL_KINDS: "All limits",
    "position": "Range",
    "velocity": "Speed",
    "acceleration": "Acceleration",
    "jerk": "Jerk",
    "torque": "Torque",
}
SHARE_UNIT = 0.001  # a hint shows tenths of a percent
NO_SHARE = 65535


def strip_section(result: CheckResult, curve_pairs: tuple[Finding, ...], player: str = "") -> Markup:
    """Joints by time, one picture a kind of limit, switched without a script; hints need one.

    Args:
        result: A check with at least one limited axis.
        curve_pairs: The findings whose curves the page shows; a click on a joint's name leads there.
        player: Identifier of the player whose time it shares; "" where there is none.
    """
    strip = build_heat_strip(result.usage)
    height = row_height(len(result.usage.axes))
    kinds = [ALL_KINDS, *LIMIT_KINDS]
    limited = {kind for kind in kinds if not np.all(np.isnan(strip.of_kind(kind)))}
    switches = [part for kind in kinds for part in _switch(kind, usable=kind in limited)]
    pictures = [
        element(
            "img",
            class_=f"kind kind-{kind}",
            src=data_address(draw_heat_strip(strip.of_kind(kind), row_height=height), "image/png"),
            alt=_description(result, kind),
        )
        for kind in kinds
        if kind in limited
    ]
    timeline = timeline_of(player, strip, [axis.name for axis in result.usage.axes]) if player else {}
    body = element(
        "div",
        element("div", *_row_names(result, curve_pairs), class_="strip-names"),
        element("div", *pictures, time_ticks(strip, lines=True), class_="strip-plot", id="strip-plot", **timeline),
        element("div", *_row_maxima(result, kinds), class_="strip-maxima"),
        element("div", time_ticks(strip, lines=False), class_="strip-times"),
        class_="strip",
        style=f"--row:{height}px;--rows:{len(result.usage.axes)}",
    )
    return element(
        "section",
        element("h2", "Where and when", id="where"),
        element("p", "Each line is a joint, time runs to the right. ", _legend(), class_="lead"),
        element("div", *switches, element("div", body, class_="scroll"), class_="switched"),
        script_data("strip-data", _hint_data(result, strip, curve_pairs)),
    )


def timeline_of(player: str, strip: HeatStrip, joints: list[str]) -> dict[str, object]:
    """Attributes of an element as wide as a strip that give it the time of a player.

    Args:
        player: Identifier of the player.
        strip: With its span of time.
        joints: Names of its rows from the top; what is clicked is marked in the figure.
    """
    return {
        "data_timeline": player,
        "data_from": f"{strip.edges[0]:.6g}",
        "data_to": f"{strip.edges[-1]:.6g}",
        "data_joints": json.dumps(joints),
    }


def row_height(axis_count: int) -> int:
    """Height of one joint in the strip [pixel]: the more joints, the tighter."""
    return 24 if axis_count <= 16 else 20 if axis_count <= 32 else 16


def _switch(kind: str, *, usable: bool) -> tuple[Markup, Markup]:
    hint = None if usable else "no joint has such a limit"
    name = f"kind-{kind}"
    knob = element(
        "input", type="radio", name="kind", id=name, checked=kind == ALL_KINDS, disabled=not usable, class_="switch"
    )
    return knob, element("label", KIND_WORDS[kind], for_=name, title=hint)


def _legend() -> Markup:
    return element(
        "span",
        element("span", "unused", class_="legend-end"),
        element("span", class_="legend-ramp"),
        element("span", "at its limit", class_="legend-end"),
        element("span", class_="legend-beyond"),
        element("span", "too much", class_="legend-end"),
        class_="legend",
    )


def _row_names(result: CheckResult, curve_pairs: tuple[Finding, ...]) -> list[Markup]:
    over = {finding.axis for finding in result.findings}
    shown = {finding.axis for finding in curve_pairs}
    return [
        element(
            "a",
            result.labels[axis.name],
            href=f"#curve-{index}" if axis.name in shown else f"#joint-{index}",
            title=axis.name,
            class_="over" if axis.name in over else None,
        )
        for index, axis in enumerate(result.usage.axes)
    ]


def _row_maxima(result: CheckResult, kinds: list[str]) -> list[Markup]:
    rows = []
    for axis in result.usage.axes:
        worst = result.maxima[axis.name]
        spans = []
        for kind in kinds:
            found = list(worst.values()) if kind == ALL_KINDS else [worst[kind]] if kind in worst else []
            top = max(found, key=lambda finding: finding.share, default=None)
            text = "-" if top is None else percent(top.share)
            over = " over" if top is not None and top.is_over else ""
            spans.append(element("span", text, class_=f"kind kind-{kind}{over}"))
        rows.append(element("div", *spans))
    return rows


def time_ticks(strip: HeatStrip, *, lines: bool) -> Markup:
    """Round times along a strip, as lines or as numbers."""
    start, end = float(strip.edges[0]), float(strip.edges[-1])
    ticks = round_ticks(start, end, 10)
    parts = []
    for value in ticks:
        place = 100.0 * (value - start) / (end - start) if end > start else 50.0
        text = None if lines else tick_text(value, ticks) + (" s" if value == ticks[-1] else "")
        parts.append(element("i" if lines else "span", text, style=f"left:{place:.3f}%"))
    return joined(*parts)


def _description(result: CheckResult, kind: str) -> str:
    """What the picture shows, for those who cannot see it."""
    about = "the largest share of any limit" if kind == ALL_KINDS else f"the share of its {CAPACITY[kind]}"
    over = [finding for finding in result.findings if kind in (ALL_KINDS, finding.kind)]
    shown = "; ".join(
        f"{result.labels[finding.axis]}, {KIND_WORDS[finding.kind].lower()}, {interval_words(finding)}"
        for finding in over[:12]
    )
    more = f"; and {len(over) - 12} more" if len(over) > 12 else ""
    return f"Joints by time, coloured by {about} that is used. Too much: {shown or 'nowhere'}{more}."


def _hint_data(result: CheckResult, strip: HeatStrip, curve_pairs: tuple[Finding, ...]) -> dict[str, object]:
    """Shares and values of each limited axis and kind in each column, as small integers."""
    usage, packer = result.usage, Packer()
    pairs, shares, values = [], [], []
    for kind in LIMIT_KINDS:
        for index, axis in enumerate(usage.axes):
            share = strip.shares[kind][:, index]
            if np.all(np.isnan(share)):
                continue
            unit = human_unit(kind, angular=axis.angular)
            value = usage.values[kind][strip.samples[kind][:, index], index] * unit.factor
            value = np.nan_to_num(value, posinf=0.0, neginf=0.0)
            scale = float(np.abs(value).max()) / 32767.0 or 1.0
            pairs.append([index, KIND_WORDS[kind], scale, unit.symbol])
            level = np.nan_to_num(share, nan=0.0, posinf=1e6) / SHARE_UNIT
            # Rounded away from 100 %, so that a hint never says 100 % of what is hatched.
            level = np.where(share > 1.0, np.ceil(level - 1e-6), np.floor(level + 1e-6))
            shares.append(np.where(np.isnan(share), NO_SHARE, np.clip(level, 0, NO_SHARE - 1)).astype("<u2"))
            values.append(np.rint(value / scale).astype("<i2"))
    shown = {finding.axis for finding in curve_pairs}
    return {
        "start": float(strip.edges[0]),
        "end": float(strip.edges[-1]),
        "columns": strip.column_count,
        "unit": SHARE_UNIT,
        "axes": [[result.labels[axis.name], axis.name, int(axis.name in shown)] for axis in usage.axes],
        "pairs": pairs,
        "shares": packer.whole(np.column_stack(shares)),
        "values": packer.whole(np.column_stack(values)),
        "numbers": packer.text(),
    }
