"""Tables of the page: every joint before and after, and what else could have given way."""

from __future__ import annotations

import math

from animato.findings import Finding, distance, percent, seconds
from animato.mechanics.limits import LIMIT_KINDS
from animato.report.fix.evidence import Evidence
from animato.report.fix.words import longer_words, trade_name
from animato.report.kit import KIND_WORDS, Markup, element


def joint_table(evidence: Evidence) -> Markup:
    """One row an axis: the largest share of each limit before and after, and by how much it has changed."""
    changed = {one.name: one for one in evidence.joints}
    heads = [_head("Joint"), _head("Changed by"), *(_head(KIND_WORDS[kind]) for kind in LIMIT_KINDS)]
    rows, now = [], ": before → now" if evidence.usable and evidence.solution.changed else ""
    for index, axis in enumerate(evidence.after.usage.axes):
        label, one = evidence.before.labels[axis.name], changed.get(axis.name)
        moved = "as it was" if one is None else distance(one.most, angular=one.angular)
        cells = [
            _cell(evidence.before.maxima[axis.name].get(kind), evidence.after.maxima[axis.name].get(kind))
            for kind in LIMIT_KINDS
        ]
        exact = None if label == axis.name else element("small", axis.name)
        rows.append(
            element(
                "tr",
                element("th", label, exact, scope="row"),
                _moved(moved, 0.0 if one is None else one.most, None if one is None else one.time_s),
                *cells,
                id=f"joint-{index}",
            )
        )
    return element(
        "section",
        element("h2", "All joints", id="joints"),
        element("p", f"The most that each joint is asked for, as a share of what it has{now}.", class_="lead"),
        element(
            "div",
            element("table", element("thead", element("tr", *heads)), element("tbody", *rows), class_="joints"),
            class_="scroll",
        ),
    )


def trade_table(evidence: Evidence) -> Markup:
    """Shape or time: what each way costs."""
    heads = ("What gives way", "Duration", "Visible change on average", "at most", "")
    rows = [
        element(
            "tr",
            element("th", trade_name(one).replace("`", ""), scope="row"),
            element("td", longer_words(one.longer)),
            element("td", distance(one.mean_m, angular=False)),
            element("td", distance(one.most_m, angular=False)),
            element("td", "this one" if one.chosen else "" if one.usable else "limits do not hold"),
            class_="ours" if one.chosen else None,
        )
        for one in evidence.trades
    ]
    top = element("tr", *(element("th", head, scope="col", style="padding:8px 14px 8px 10px") for head in heads))
    table = element("table", element("thead", top), element("tbody", *rows), class_="joints plain")
    return element("div", table, class_="scroll")


def _head(word: str) -> Markup:
    return element("th", element("button", word, type="button"), scope="col")


def _moved(words: str, most: float, time: float | None) -> Markup:
    when = None if time is None else element("span", f" at {seconds(time)}")
    return element("td", element("b", words) if time is not None else words, when, data_sort=f"{most:.6g}")


def _cell(before: Finding | None, after: Finding | None) -> Markup:
    if before is None or after is None:
        return element("td", element("span", "no limit", class_="none"), data_sort=-1)
    state = "over" if after.is_over else "near" if before.is_over else "fine"
    mark = "✕ " if after.is_over else "✓ " if before.is_over else ""
    rank = f"{before.share:.6g}" if math.isfinite(before.share) else "1e9"
    if percent(before.share) == percent(after.share):
        return element("td", percent(after.share), class_=state, data_sort=rank)
    return element(
        "td", element("span", f"{percent(before.share)} → "), element("b", f"{mark}{percent(after.share)}"),
        class_=state, data_sort=rank,
    )  # fmt: skip
