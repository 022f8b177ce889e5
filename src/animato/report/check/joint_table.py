"""All joints with the most they are asked for, as an HTML table that can be sorted."""

from __future__ import annotations

import math

from animato.character import Limits
from animato.findings import CheckResult, Finding, human_unit, in_human_unit, percent, rounded, seconds
from animato.mechanics.limits import LIMIT_KINDS
from animato.report.kit import KIND_WORDS, Markup, element


def joint_table(result: CheckResult) -> Markup:
    """One row an axis, one column a kind of limit: the largest share, when, and the limit."""
    heads = [_head("Joint"), *(_head(KIND_WORDS[kind]) for kind in LIMIT_KINDS)]
    rows = []
    for index, axis in enumerate(result.usage.axes):
        label = result.labels[axis.name]
        exact = None if label == axis.name else element("small", axis.name)
        cells = [_cell(result.maxima[axis.name].get(kind), axis.limits, kind, axis.angular) for kind in LIMIT_KINDS]
        rows.append(element("tr", element("th", label, exact, scope="row"), *cells, id=f"joint-{index}"))
    return element(
        "section",
        element("h2", "All joints", id="joints"),
        element("p", "The most that each joint is asked for, as a share of what it has, and when.", class_="lead"),
        element(
            "div",
            element("table", element("thead", element("tr", *heads)), element("tbody", *rows), class_="joints"),
            class_="scroll",
        ),
    )


def _head(word: str) -> Markup:
    return element("th", element("button", word, type="button"), scope="col")


def _cell(finding: Finding | None, limits: Limits, kind: str, angular: bool) -> Markup:
    if finding is None:
        return element("td", element("span", "no limit", class_="none"), data_sort=-1)
    state = "over" if finding.is_over else "near" if finding.is_near else "fine"
    mark = {"over": "✕ ", "near": "! ", "fine": ""}[state]
    share = element("b", f"{mark}{percent(finding.share)}")
    when = element("span", f" at {seconds(finding.time)}")
    rank = f"{finding.share:.6g}" if math.isfinite(finding.share) else "1e9"
    return element(
        "td", share, when, element("small", limit_words(limits, kind, angular)), class_=state, data_sort=rank
    )


def limit_words(limits: Limits, kind: str, angular: bool) -> str:
    """A limit in the units of people: "-90 to 90 deg", "limit 464 deg/s", "3 N m at rest"."""
    if kind == "position":
        unit = human_unit(kind, angular=angular)
        low, high = (None if end is None else rounded(end * unit.factor) for end in (limits.lower, limits.upper))
        if low is None:
            return f"up to {high} {unit.symbol}"
        return f"from {low} {unit.symbol}" if high is None else f"{low} to {high} {unit.symbol}"
    if kind != "torque" or limits.curve is None:
        return f"limit {in_human_unit(getattr(limits, kind), kind, angular=angular)}"
    rest = min(limits.curve.torques[0], math.inf if limits.torque is None else limits.torque)
    return f"limit {in_human_unit(rest, kind, angular=angular)} at rest"
