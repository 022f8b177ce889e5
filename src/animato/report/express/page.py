"""The page of express as one file that needs nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.express import Solution
from animato.express.filter import manner_of
from animato.findings import percent, seconds
from animato.formats.files import write_whole
from animato.mechanics.limits import LIMIT_KINDS, LimitUsage
from animato.report.express.course_chart import Course, draw_courses
from animato.report.express.film import film_of
from animato.report.kit import (
    PLAYER_STYLE,
    Markup,
    element,
    film_player,
    notes_section,
    package_text,
    player_script,
    section,
    usage_strip,
    verdict_header,
    whole_page,
)


def save_page(path: str | Path, solution: Solution, *, pictures: bool = True) -> Path:
    """Writes the page to a file, whole or not at all.

    Args:
        path: The file.
        solution: A motion that holds a posture while it faces.
        pictures: Whether to draw the character.
    """
    return write_whole(path, express_page(solution, pictures=pictures))


def express_page(solution: Solution, *, pictures: bool = True) -> str:
    """The whole page as HTML; arguments as for `save_page`."""
    problem = solution.problem
    doing = "performs a clip" if problem.clip is not None else f"holds {problem.facts()['holding']}"
    title = f"{problem.character.name} {doing} and faces"
    chart = draw_courses([_course(solution)], package_text("charts.css"), title, player=_PLAYER if pictures else "")
    strip = usage_strip(solution.usage, player=_PLAYER) if pictures and solution.clip.frame_count > 1 else None
    body = element(
        "main",
        _header(solution, title),
        _picture(solution) if pictures else None,
        section("Joints and what they miss", _COURSE, chart),
        section("How much of each limit is used", _LIMITS, strip, _peaks(solution.usage)),
        _notes(solution),
        player_script() if pictures else None,
    )
    return whole_page(title, body, styles=(PLAYER_STYLE,) if pictures else ())


_PLAYER = "motion"
_MOTION = (
    "Orange: where the end-point looks. Purple: what it is to face. Translucent: the posture that it holds. A click on "
    "the curves below shows that moment."
)
_COURSE = (
    "Angles of the joints, and the angle between what is to be faced and where the end-point faces, the way of the "
    "motion included. Shaded: the joints change to another branch of solutions."
)
_LIMITS = "The largest share of each limit over the whole motion, between frames too; 100 % is the limit itself."


def _header(solution: Solution, title: str) -> Markup:
    outcome = solution.outcome
    state, answer = ("fits", "Performed") if outcome.usable else ("over", "Not to be performed like this")
    facts = [(word.capitalize(), value) for word, value in solution.facts().items() if word != "outcome"]
    return verdict_header("express", title, state, answer, [outcome.reason], facts)


def _course(solution: Solution) -> Course:
    clip, joints = solution.clip, solution.problem.names
    return Course(
        f"{solution.report.branch_changes} changes of branch",
        joints,
        clip.times,
        clip.selected(joints).positions,
        np.degrees(solution.errors_rad),
        "off the target",
        "°",
        solution.changing,
    )


def _picture(solution: Solution) -> Markup:
    character = solution.problem.character
    shown = film_player(film_of(solution), _PLAYER, f"{character.name} while it faces")
    return section("The motion", _MOTION, shown)


def _peaks(usage: LimitUsage) -> Markup:
    """Axes that move by kinds of limits."""
    kinds = [kind for kind in LIMIT_KINDS if np.isfinite(usage.shares[kind]).any()]
    moving = [n for n in range(len(usage.axes)) if np.ptp(usage.values["position"][:, n]) > 1e-9]
    top = element("tr", *(element("th", head, scope="col", style="padding:8px 14px") for head in ("joint", *kinds)))
    rows = [
        element(
            "tr",
            element("th", usage.axes[n].name.replace("_", " "), scope="row"),
            *(element("td", _share(usage.shares[kind][:, n])) for kind in kinds),
        )
        for n in moving
    ]
    table = element("table", element("thead", top), element("tbody", *rows), class_="joints")
    return element("div", table, class_="scroll")


def _share(shares: np.ndarray) -> str:
    return percent(float(np.nanmax(shares))) if np.isfinite(shares).any() else "-"


def _manner(solution: Solution) -> str:
    """The character parameters of the motion filter in words; those that are 0 for all joints are left out."""
    problem = solution.problem
    manner = manner_of(problem.character, problem.names, problem.options)
    ranges = [(word, float(np.min(values)), float(np.max(values))) for word, values in manner.items()]
    told = [f"{word} {low:g}" if low == high else f"{word} {low:g} to {high:g}" for word, low, high in ranges if high]
    return ", ".join(told) or "time-optimal"


def _notes(solution: Solution) -> Markup:
    options = solution.problem.options
    notes = [
        f"{options.rate_hz:g} commands a second, {_manner(solution)}; made in {seconds(solution.seconds)}.",
        "Position, velocity, acceleration and jerk limits are held by the motion filter; torques are judged.",
        *solution.usage.notes,
        *(f"Warning: {one.kind}, {one.count} times; first: {one.first}" for one in solution.report.warnings),
    ]
    return notes_section(notes)
