"""The page of fix: what the robot does now beside what was asked, what changed, where and by how much."""

from __future__ import annotations

from pathlib import Path

from animato.errors import AnimatoError
from animato.findings import capitalized, rounded
from animato.fix import Solution
from animato.formats.files import write_whole
from animato.outcome import Progress, announcer
from animato.report.fix.changes import gathered
from animato.report.fix.charts import draw_deviations, draw_tempo, time_gave_way
from animato.report.fix.evidence import Evidence, gather_evidence
from animato.report.fix.film_section import PLAYER, film_section
from animato.report.fix.strips import strips_section
from animato.report.fix.tables import joint_table, trade_table
from animato.report.fix.words import change_sentences, change_words, doubt_sentence, facts, headline, wrong_sentences
from animato.report.kit import (
    PLAYER_STYLE,
    Markup,
    element,
    notes_section,
    package_text,
    photograph,
    player_script,
    section,
    sentence_list,
    verdict_header,
    whole_page,
)
from animato.version import __version__
from animato.view import render_picture

_LISTED = 6


def fix_page(
    solution: Solution, evidence: Evidence | None = None, *, pictures: bool = True, progress: Progress | None = None
) -> str:
    """The whole page as HTML.

    Args:
        solution: A fix, or why there is none.
        evidence: What is told of it; gathered now where not given.
        pictures: Whether to draw the character.
        progress: Told what is being worked on.
    """
    told = evidence or gather_evidence(solution, progress=progress)
    announcer(progress)("drawing the page")
    character, usable = solution.problem.character, solution.outcome.usable
    title = f"{character.name}, {told.before.clip_name}: " + ("fixed" if usable else "cannot be fixed")
    film = film_section(told) if pictures else None
    player = PLAYER if film is not None else ""
    main = element(
        "main",
        verdict_header("fix", title, *_answer(solution), _sentences(told), facts(told)),
        _obstacles(told, pictures=pictures),
        film,
        _lists(told),
        _changes(told, player) if usable else None,
        strips_section(told, player),
        section("What else could give way", _TRADE, trade_table(told)) if told.trades else None,
        joint_table(told) if told.after.usage.axes else None,
        _notes(told),
    )
    scripts = [element("script", package_text("player_numbers.js"), package_text("check_page.js"))]
    scripts += [player_script()] if player else []
    return whole_page(title, main, *scripts, styles=(PLAYER_STYLE,) if player else ())


def save_page(
    path: str | Path,
    solution: Solution,
    *,
    evidence: Evidence | None = None,
    pictures: bool = True,
    progress: Progress | None = None,
) -> Path:
    """Writes the page to a file, whole or not at all."""
    return write_whole(path, fix_page(solution, evidence, pictures=pictures, progress=progress))


_TRADE = (
    "The same clip with more or less time that gives way: where shape alone does, it is as long as yours; where time "
    "does, it slows down locally and keeps its shape as far as that goes."
)
_CHANGED = (
    "Distance of each named point from where you had it at that moment. Where the ground is shaded, what was asked for "
    "exceeds a limit."
)
_TEMPO = "How fast your time runs: 100 % is your own tempo."


def _answer(solution: Solution) -> tuple[str, str]:
    if not solution.outcome.usable:
        return "over", "Cannot be done"
    return "fits", "Fixed" if solution.changed else "Fits as it is"


def _sentences(evidence: Evidence) -> list[str]:
    doubt = doubt_sentence(evidence).replace("`", "")
    return [one for one in (headline(evidence), doubt, _checks(evidence)) if one]


def _checks(evidence: Evidence) -> str:
    """The check before and after, in its own words."""
    before, after = evidence.before.outcome, evidence.after.outcome
    if not evidence.usable or not evidence.solution.changed:
        return f"Checked: {_small(before.reason)}"
    return f"Checked before: {_small(before.reason)} Checked now: {_small(after.reason)}"


def _small(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _obstacles(evidence: Evidence, *, pictures: bool) -> Markup | None:
    """What stands in the way, with the posture that is meant."""
    found = evidence.obstacles
    if not found:
        return None
    reasons = [capitalized(one.reason) for one in found]
    moments = [(evidence.robot_time(one.time_s), one.axis) for one in found]
    lists = element(
        "div",
        sentence_list("What stands in the way", reasons, "over", moments=moments),
        sentence_list("What would do", list(dict.fromkeys(one.advice for one in found)), "help"),
        class_="lists",
    )
    return element("section", lists, _posture(evidence) if pictures else None)


def _posture(evidence: Evidence) -> Markup | None:
    worst, problem = evidence.obstacles[0], evidence.solution.problem
    try:
        picture = render_picture(problem.character, problem.clip, time=worst.time_s, width=760, height=480)
    except AnimatoError:
        return None
    words = f"{problem.character.name} at {worst.time_s:.2f} s of what was asked for"
    image = photograph(picture, words)
    return element(
        "figure", image, element("figcaption", words), class_="card", style="max-width:800px;margin-top:24px"
    )


def _lists(evidence: Evidence) -> Markup | None:
    """What was wrong, and what was changed, each sentence linked to its moment."""
    before = evidence.before
    findings = before.findings
    wrong = sentence_list(
        "What was wrong",
        wrong_sentences(evidence),
        "over",
        shown=_LISTED,
        moments=[(evidence.robot_time(one.time), one.axis) for one in findings] if findings else [],
    )
    if not evidence.solution.outcome.usable:
        return element("section", wrong, class_="lists") if wrong else None
    told = (*gathered(evidence.points)[:_LISTED], *gathered(evidence.gazes)[:2])
    changes, timed = [change_words(one) for one in told], [(one.time_s, "") for one in told]
    rest = [one for one in change_sentences(evidence) if one not in changes]
    moved = sentence_list("What was changed", [capitalized(one) for one in (*changes, *rest)], "help", moments=timed)
    shown = [part for part in (wrong, moved if evidence.solution.changed else None) if part is not None]
    return element("section", *shown, class_="lists") if shown else None


def _changes(evidence: Evidence, player: str) -> Markup | None:
    if not evidence.solution.changed:
        return None
    tempo = None
    if time_gave_way(evidence):
        tempo = section("Your tempo, and the robot's", _TEMPO, draw_tempo(evidence, player))
    points = evidence.solution.deviation.points
    moved = section("By how much, and when", _CHANGED, draw_deviations(evidence, player)) if points else None
    return element("div", *(one for one in (moved, tempo) if one is not None))


def _notes(evidence: Evidence) -> Markup:
    solution = evidence.solution
    problem, gap = solution.problem, solution.gap
    made = [
        "What is changed is the cubic spline through the clip's frames: its control points are moved so that named "
        "points, where they point, and then angles change as little as can be, in squares over time, and every limit "
        "holds between frames, too.",
        f"{solution.outcome.iterations or 0} convex programs were solved"
        + (f"; the last ones leave a gap of at most {rounded(100.0 * gap, 2)} %." if 0.0 < gap < 1.0 else "."),
        f"Source of the clip: {problem.clip.source or 'not stated'}. Made by animato {__version__}.",
    ]
    return notes_section(capitalized(one) for one in (*solution.notes, *evidence.after.notes, *made))
