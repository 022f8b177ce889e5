"""How strips stand on a page: names on the left, the picture with its times, the largest shares on the right."""

from __future__ import annotations

import json
from collections.abc import Sequence

from animato.report.kit.markup import Markup, element, joined
from animato.report.kit.scale import round_ticks, tick_text
from animato.report.kit.strip import ALL_KINDS

KIND_WORDS = {
    ALL_KINDS: "All limits",
    "position": "Range",
    "velocity": "Speed",
    "acceleration": "Acceleration",
    "jerk": "Jerk",
    "torque": "Torque",
}
"""What kinds of limits are called on pages."""


def strip_layout(
    names: Sequence[Markup],
    pictures: Sequence[Markup],
    maxima: Sequence[Markup],
    span: tuple[float, float],
    row: int,
    **plot: object,
) -> Markup:
    """A strip with all that stands around it.

    Args:
        names: Of its rows, from the top.
        pictures: Lie over each other; the style sheet shows one of them.
        maxima: Beside each row.
        span: From when to when it goes [s].
        row: Height of a row [pixels].
        plot: Further attributes of the element that holds the pictures, such as `timeline_of`.
    """
    return element(
        "div",
        element("div", *names, class_="strip-names"),
        element("div", *pictures, time_ticks(span, lines=True), class_="strip-plot", **plot),
        element("div", *maxima, class_="strip-maxima"),
        element("div", time_ticks(span, lines=False), class_="strip-times"),
        class_="strip",
        style=f"--row:{row}px;--rows:{len(names)}",
    )


def timeline_of(player: str, span: tuple[float, float], joints: Sequence[str] = ()) -> dict[str, object]:
    """Attributes that give an element the time of a player; nothing where there is no player.

    Args:
        player: Identifier of the player, "" for none.
        span: Times at the left and the right end of the element [s].
        joints: Names of its rows from the top; what is clicked is marked in the figure.
    """
    if not player:
        return {}
    start, end = span
    return {
        "data_timeline": player,
        "data_from": f"{start:.6g}",
        "data_to": f"{end:.6g}",
        "data_joints": json.dumps(list(joints)),
    }


def row_height(axis_count: int) -> int:
    """Height of one joint in a strip [pixel]: the more joints, the tighter."""
    return 24 if axis_count <= 16 else 20 if axis_count <= 32 else 16


def kind_switch(kind: str, *, usable: bool = True) -> tuple[Markup, Markup]:
    """What chooses the picture of one kind of limit, without a script; one that is not `usable` says why."""
    name = f"kind-{kind}"
    knob = element(
        "input", type="radio", name="kind", id=name, checked=kind == ALL_KINDS, disabled=not usable, class_="switch"
    )
    return knob, element("label", KIND_WORDS[kind], for_=name, title=None if usable else "no joint has such a limit")


def strip_legend(*, beyond: bool = True) -> Markup:
    """What the colours mean; those `beyond` a limit where there may be such."""
    return element(
        "span",
        element("span", "unused", class_="legend-end"),
        element("span", class_="legend-ramp"),
        element("span", "at its limit", class_="legend-end"),
        element("span", class_="legend-beyond") if beyond else None,
        element("span", "too much", class_="legend-end") if beyond else None,
        class_="legend",
    )


def time_ticks(span: tuple[float, float], *, lines: bool) -> Markup:
    """Round times along a strip, as lines or as numbers."""
    start, end = span
    ticks, parts = round_ticks(start, end, 10), []
    for value in ticks:
        place = 100.0 * (value - start) / (end - start) if end > start else 50.0
        text = None if lines else tick_text(value, ticks) + (" s" if value == ticks[-1] else "")
        parts.append(element("i" if lines else "span", text, style=f"left:{place:.3f}%"))
    return joined(*parts)
