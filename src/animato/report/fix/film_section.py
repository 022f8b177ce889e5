"""The part of the page that plays: what the robot does now, and what was asked for beside it."""

from __future__ import annotations

from animato.errors import AnimatoError
from animato.findings import distance, listed
from animato.fix import Solution
from animato.report.fix.evidence import Evidence, gather_evidence
from animato.report.kit import BESIDE, COOL, WARM, Figure, Film, Markup, element, film_player, trail_of, use_of

PLAYER = "film"
"""Identifier of the player; strips, charts and sentences name it."""

_MOST_TRAILS = 3
_MOST_WORDS = 400
_TOLD = 2


def film_of(fixed: Solution | Evidence, *, placing: str = BESIDE) -> Film:
    """The fixed motion, and the artist's in its time, both coloured by what their joints use.

    Args:
        fixed: A fix, or what is told of it where that is known already.
        placing: Where the artist's motion stands at first.
    """
    evidence = fixed if isinstance(fixed, Evidence) else gather_evidence(fixed, trade=False)
    solution, character = evidence.solution, evidence.solution.problem.character
    now = use_of(character, evidence.after.usage) if evidence.after.worst else None
    asked = use_of(character, evidence.asked_usage) if evidence.before.worst else None
    figures = [Figure(character, solution.clip, use=now)]
    if solution.changed:
        ghost = Figure(character, solution.artist, name="what was asked", ghost=True, placing=placing, use=asked)
        figures.append(ghost)
    things = []
    for name in list(dict.fromkeys(one.name for one in evidence.points))[:_MOST_TRAILS]:
        things.append(trail_of(character, solution.clip, name, colour=WARM, shown=False))
        things.append(trail_of(character, solution.artist, name, colour=COOL, dashed=True, shown=False))
    title = f"{character.name} in {evidence.before.clip_name}, fixed, and as it was asked for"
    return Film(tuple(figures), tuple(things), _words(evidence), title)


def film_section(evidence: Evidence) -> Markup | None:
    """The player under the headline; None where the character cannot be drawn."""
    changed = evidence.solution.changed
    begin = max(0.0, evidence.points[0].time_s - 0.6) if evidence.points else None
    try:
        player = film_player(film_of(evidence), PLAYER, used=bool(evidence.before.findings), begin_s=begin)
    except AnimatoError:  # a character that cannot be drawn can still be fixed
        return None
    if not changed:
        lead = "As it was given: nothing was changed."
    else:
        lead = (
            "On the left what the robot does now, on the right what was asked for. Grey: the joint has plenty left. "
            "Orange: at its limit. Magenta: asked for too much. Click on a strip, chart or sentence to see that moment."
        )
    return element("section", element("h2", "Now and before", id="motion"), element("p", lead, class_="lead"), player)


def _words(evidence: Evidence) -> tuple[tuple[float, str], ...]:
    """What is off where, and what was too much, from each time on at which that changes [s]."""
    spans = [
        (evidence.robot_time(start), evidence.robot_time(end), "wrong", evidence.before.labels[one.axis])
        for one in evidence.before.findings
        for start, end in one.intervals
    ]
    for one in evidence.points:
        told = f"{one.name.replace('_', ' ')} {distance(one.most, angular=False)}"
        spans.append((one.start_s, one.end_s, "moved", told))
    edges = sorted({time for span in spans for time in span[:2]})
    if not edges or len(edges) > _MOST_WORDS:
        return ()
    words = [(float(evidence.solution.clip.times[0]), "As you made it")]
    for low, high in zip(edges, [*edges[1:], edges[-1] + 1.0], strict=True):
        middle = 0.5 * (low + high)
        inside = [span for span in spans if span[0] <= middle <= span[1]]
        words.append((low, _caption(inside)))
    return tuple(words)


def _caption(inside: list[tuple[float, float, str, str]]) -> str:
    moved = [words for *_, kind, words in inside if kind == "moved"][:_TOLD]
    wrong = list(dict.fromkeys(words for *_, kind, words in inside if kind == "wrong"))
    if not moved and not wrong:
        return "As you made it"
    parts = [f"Moved by up to: {listed(moved)}"] if moved else []
    more = f" and {len(wrong) - _TOLD} more" if len(wrong) > _TOLD else ""
    parts += [f"asked too much of {', '.join(wrong[:_TOLD]) if more else listed(wrong)}{more}"] if wrong else []
    return ". ".join(part[:1].upper() + part[1:] for part in parts)
