"""The part of the page that shows where and when: the heat strip with its names, times and hints."""

from __future__ import annotations

import numpy as np

from animato.findings import CAPACITY, CheckResult, Finding, human_unit, interval_words, percent
from animato.mechanics.limits import LIMIT_KINDS
from animato.report.kit import (
    ALL_KINDS,
    KIND_WORDS,
    HeatStrip,
    Markup,
    Packer,
    build_heat_strip,
    data_address,
    draw_heat_strip,
    element,
    kind_switch,
    row_height,
    script_data,
    strip_layout,
    strip_legend,
    timeline_of,
)

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
    switches = [part for kind in kinds for part in kind_switch(kind, usable=kind in limited)]
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
    span = (float(strip.edges[0]), float(strip.edges[-1]))
    timeline = timeline_of(player, span, [axis.name for axis in result.usage.axes])
    names, maxima = _row_names(result, curve_pairs), _row_maxima(result, kinds)
    body = strip_layout(names, pictures, maxima, span, height, id="strip-plot", **timeline)
    return element(
        "section",
        element("h2", "Where and when", id="where"),
        element("p", "Each line is a joint, time runs to the right. ", strip_legend(), class_="lead"),
        element("div", *switches, element("div", body, class_="scroll"), class_="switched"),
        script_data("strip-data", _hint_data(result, strip, curve_pairs)),
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
