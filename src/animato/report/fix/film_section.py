"""The part of the page that plays: what the robot does now, and what was asked for beside it."""

from __future__ import annotations

from animato.errors import AnimatoError
from animato.findings import capitalized, distance
from animato.fix import Solution
from animato.report.fix.evidence import Evidence, gather_evidence
from animato.report.kit import BESIDE, COOL, WARM, Figure, Film, Markup, element, film_player, trail_of, use_of

PLAYER = "film"
"""Identifier of the player; strips, charts and sentences name it."""

_MOST_TRAILS = 3
_MOST_WORDS = 400
_AS_MADE = "As you made it"
_LEGEND = "Grey: the joint has plenty left. Orange: at its limit. Magenta: asked for too much."


def film_of(fixed: Solution | Evidence, *, placing: str = BESIDE) -> Film:
    """The fixed motion, and the artist's in its time, both coloured by what their joints use.

    Args:
        fixed: A fix, or what is told of it where that is known already.
        placing: Where the artist's motion stands at first.
    """
    evidence = fixed if isinstance(fixed, Evidence) else gather_evidence(fixed, trade=False)
    solution, character = evidence.solution, evidence.solution.problem.character
    if not evidence.usable:
        use = use_of(character, evidence.before.usage) if evidence.before.worst else None
        title = f"{character.name} in {evidence.before.clip_name}, as it was asked for"
        return Film((Figure(character, solution.problem.clip, use=use),), title=title)
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
    begin = max(0.0, evidence.points[0].time_s - 0.6) if evidence.points else None
    try:
        player = film_player(film_of(evidence), PLAYER, used=bool(evidence.before.findings), begin_s=begin)
    except AnimatoError:  # a character that cannot be drawn can still be fixed
        return None
    if not evidence.usable:
        heading, lead = "What was asked for", f"{_LEGEND} Click on a strip or sentence to see that moment."
    elif not evidence.solution.changed:
        heading, lead = "The motion", "As it was given: nothing was changed."
    else:
        heading = "Now and before"
        lead = (
            f"On the left what the robot does now, on the right what was asked for. {_LEGEND} Click on a strip, chart "
            "or sentence to see that moment."
        )
    return element("section", element("h2", heading, id="motion"), element("p", lead, class_="lead"), player)


def _words(evidence: Evidence) -> tuple[tuple[float, str], ...]:
    """What is off most, from each time on at which that changes [s]: one short line, so that nothing below it moves."""
    edges = sorted({time for one in evidence.points for time in (one.start_s, one.end_s)})
    if not edges or len(edges) > _MOST_WORDS:
        return ()
    words = [(float(evidence.solution.clip.times[0]), _AS_MADE)]
    for low, high in zip(edges, [*edges[1:], edges[-1] + 1.0], strict=True):
        middle = 0.5 * (low + high)
        inside = [one for one in evidence.points if one.start_s <= middle <= one.end_s]
        most = max(inside, key=lambda one: one.most, default=None)
        told = f"{most.name.replace('_', ' ')}: up to {distance(most.most, angular=False)}" if most else _AS_MADE
        words.append((low, capitalized(told)))
    return tuple(words)
