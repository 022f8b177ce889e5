"""The part of the page that plays: the motion, coloured by what it asks of the joints."""

from __future__ import annotations

import numpy as np

from animato.errors import AnimatoError
from animato.findings import CAPACITY, BalanceFinding, CheckResult, Finding, capitalized, distance, listed, percent
from animato.mechanics.contact import convex_hull
from animato.report.kit import (
    Figure,
    Film,
    FloorPolygon,
    Markup,
    Thing,
    element,
    film_player,
    trail_of,
    use_of,
)

PLAYER = "film"
"""Identifier of the player; the strip, the curves and the sentences name it."""

_TOLD = 3  # joints that a caption names
_MOST_WORDS = 400  # changes of the caption
_MOST_TRAILS = 4
_MOST_OUTLINES = 2000


def film_of(result: CheckResult) -> Film:
    """The film of a check: the clip by use of limits, and the artist's motion where there is one.

    Args:
        result: A check.
    """
    character, clip = result.character, result.clip
    use = use_of(character, result.usage) if result.worst else None
    figures = [Figure(character, clip, use=use)]
    if result.ghost is not None:
        figures.append(Figure(character, result.ghost, name="the artist's motion", ghost=True))
    things: list[Thing] = []
    if clip.frame_count > 1:
        names = [one.name for one in character.end_points[:_MOST_TRAILS]]
        things += [trail_of(character, clip, name, shown=False) for name in names]
    if result.balance is not None:
        things.append(_soles(result.balance))
    title = f"{character.name} in {result.clip_name}, to be played"
    return Film(tuple(figures), tuple(things), _words(result), title)


def film_section(result: CheckResult) -> Markup | None:
    """The player under the headline; None where the character cannot be drawn."""
    try:
        player = film_player(film_of(result), PLAYER, used=bool(result.findings))
    except AnimatoError:  # a character that cannot be drawn can still be checked; its poses say why
        return None
    linked = " A click on the strip, on a curve or on a sentence shows that moment." if result.worst else ""
    return element(
        "section",
        element("h2", "The motion", id="motion"),
        element("p", _LEGEND if result.findings else "As it was given.", linked, class_="lead"),
        player,
    )


_LEGEND = "Grey: the joint has plenty left. Orange: at its limit. Magenta: asked for too much."


def said(result: CheckResult, findings: tuple[Finding, ...]) -> str:
    """What is too much, joint by joint: "Left elbow: 143 % of its top speed"."""
    parts: dict[str, list[str]] = {}
    for finding in findings:
        if finding.kind == "position":
            text = f"{distance(finding.excess, angular=finding.angular)} beyond its range"
        elif finding.is_spent:
            text = "too fast to be driven"
        else:
            text = f"{percent(finding.share)} of its {CAPACITY[finding.kind]}"
        parts.setdefault(finding.axis, []).append(text)
    return ". ".join(f"{capitalized(result.labels[axis])}: {listed(texts)}" for axis, texts in parts.items())


def _words(result: CheckResult) -> tuple[tuple[float, str], ...]:
    """Which joints are over a limit, from each time on at which that changes [s]."""
    edges = sorted({time for one in result.findings for span in one.intervals for time in span})
    if not edges or len(edges) > _MOST_WORDS:
        return ()
    words = [(float(result.clip.times[0]), "")]
    for low, high in zip(edges, [*edges[1:], np.inf], strict=True):
        middle = 0.5 * (low + min(high, low + 1.0))
        over = [one for one in result.findings if any(start <= middle <= end for start, end in one.intervals)]
        names = list(dict.fromkeys(result.labels[one.axis] for one in over))
        more = f" and {len(names) - _TOLD} more" if len(names) > _TOLD else ""
        told = names[:_TOLD] if more else [listed(names)] if names else []
        words.append((low, f"Too much for {', '.join(told)}{more}" if names else ""))
    return tuple(words)


def _soles(finding: BalanceFinding) -> FloorPolygon:
    """What touches the floor, and the ZMP."""
    balance = finding.balance
    chosen = np.unique(np.linspace(0, len(balance.times) - 1, _MOST_OUTLINES).round().astype(int))
    touching, corners = balance.support.touching[chosen], balance.corners.positions[chosen]
    outlines = [
        convex_hull(np.round(places[there, :2], 3)) if there.sum() > 2 else np.zeros((0, 2))
        for places, there in zip(corners, touching, strict=True)
    ]
    height = float(corners[touching][:, 2].min()) if touching.any() else 0.0
    zmp = np.where(balance.flight[chosen][:, None], np.nan, balance.zmp[chosen])
    return FloorPolygon(balance.times[chosen], outlines, zmp, ~balance.lost[chosen], height)
