"""The part of the page that shows the worst joints against their limits."""

from __future__ import annotations

from animato.findings import (
    CheckResult,
    Finding,
    capitalized,
    finding_sentence,
    interval_words,
    moment,
    percent,
    unbroken,
)
from animato.report.check.curves import draw_curve
from animato.report.kit import KIND_WORDS, Markup, element

CURVE_COUNT = 6
CURVE_COUNT_IF_FITS = 4


def pairs_to_draw(result: CheckResult) -> tuple[Finding, ...]:
    """The findings whose curves are shown: the worst, or where everything fits the closest calls."""
    return result.findings[:CURVE_COUNT] or result.worst[:CURVE_COUNT_IF_FITS]


def curve_section(result: CheckResult, pairs: tuple[Finding, ...], player: str = "") -> Markup:
    """One card a finding: its sentence and its curve.

    Args:
        result: A check.
        pairs: Which findings.
        player: Identifier of the player whose time the curves share; "" where there is none.
    """
    index_of = {axis.name: index for index, axis in enumerate(result.usage.axes)}
    cards, seen = [], set()
    for finding in pairs:
        sentence = finding_sentence(result, finding)
        ghost_usage = result.ghost_usage if _is_moved_by_ghost(result, finding) else None
        # The first card of an axis is where a click in the strip leads.
        anchor = None if finding.axis in seen else f"curve-{index_of[finding.axis]}"
        seen.add(finding.axis)
        title = f"{capitalized(result.labels[finding.axis])}: {KIND_WORDS[finding.kind].lower()}"
        cards.append(
            element(
                "figure",
                element("h3", title),
                draw_curve(result.usage, finding, f"{title} over time. {sentence}", ghost_usage, player),
                element("figcaption", unbroken(_caption(finding))),
                class_="card over" if finding.is_over else "card",
                id=anchor,
            )
        )
    more = len(result.findings) - len(pairs)
    has_ghost = any(_is_moved_by_ghost(result, finding) for finding in pairs)
    dashed = " Dashed: the artist's motion." if has_ghost else ""
    rest = (
        f" {more} more {'is' if more == 1 else 'are'} in the table below."
        if more > 0 and not result.outcome.usable
        else ""
    )
    heading = "The closest calls" if result.outcome.usable else "The worst moments"
    return element(
        "section",
        element("h2", heading, id="curves"),
        element(
            "p",
            "The shaded band is what the joint can do; the line is what it is asked for.",
            dashed,
            rest,
            class_="lead",
        ),
        element("div", *cards, class_="cards"),
    )


def _caption(finding: Finding) -> str:
    peak = f"{percent(finding.share)} at {moment(finding)}"
    narrows = " The faster it moves, the less its motor gives." if finding.limit < finding.limit_at_rest else ""
    return f"{peak}; too much {interval_words(finding)}.{narrows}" if finding.is_over else f"{peak}.{narrows}"


def _is_moved_by_ghost(result: CheckResult, finding: Finding) -> bool:
    """Whether the artist's motion names the coordinates of this axis; held joints have no curve to compare."""
    if result.ghost is None:
        return False
    joint = result.character.joint(finding.joint)
    leader = joint if joint.coupling is None else result.character.joint(joint.coupling.leader)
    return finding.axis in result.ghost.names or any(name in result.ghost.names for name in leader.coordinate_names)
