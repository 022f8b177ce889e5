"""The page of express as one file that needs nothing else."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from animato.express import Solution
from animato.findings import percent, seconds, unbroken
from animato.formats.files import write_whole
from animato.mechanics.limits import LIMIT_KINDS, LimitUsage
from animato.report.express.course_chart import Course, draw_courses
from animato.report.kit import Markup, data_address, element, package_text, whole_page


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
    title = f"{problem.character.name} holds {problem.facts()['holding']} and faces"
    chart = draw_courses([_course(solution)], package_text("charts.css"), title)
    body = element(
        "main",
        _header(solution, title),
        _picture(solution) if pictures else None,
        _section("Joints and what they miss", _COURSE, chart),
        _section("How much of each limit is used", _LIMITS, _peaks(solution.usage)),
        _notes(solution),
    )
    return whole_page(title, body)


_COURSE = (
    "Angles of the joints, and the angle between what is to be faced and where the end-point faces, the way of the "
    "motion included. Shaded: the joints change to another branch of solutions."
)
_LIMITS = "The largest share of each limit over the whole motion, between frames too; 100 % is the limit itself."


def _section(title: str, words: str, *content: Markup) -> Markup:
    cards = (element("div", one, class_="card", style="margin-bottom:16px") for one in content)
    return element("section", element("h2", title), element("p", words, class_="lead"), *cards)


def _header(solution: Solution, title: str) -> Markup:
    usable = solution.outcome.usable
    state, mark, answer = ("fits", "✓", "Performed") if usable else ("over", "!", "Not to be performed like this")
    facts = [
        element("div", element("dt", word.capitalize()), element("dd", unbroken(value)))
        for word, value in solution.facts().items()
        if word != "outcome"
    ]
    return element(
        "header",
        element("p", "animato express", class_="eyebrow"),
        element("h1", title),
        element(
            "div",
            element("p", element("span", mark, class_="mark", aria_hidden="true"), answer, class_="answer"),
            element("p", unbroken(solution.outcome.reason), class_="verdict"),
            class_=f"verdict-box {state}",
        ),
        element("dl", *facts, class_="facts"),
    )


def _course(solution: Solution) -> Course:
    clip, joints = solution.clip, solution.problem.chain.names
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
    from PIL import Image

    from animato.view import render_strobe

    image = render_strobe(solution.problem.character, solution.clip, width=1120, height=630)
    stream = io.BytesIO()
    Image.fromarray(image).save(stream, "PNG", optimize=True)
    shown = element(
        "img",
        src=data_address(stream.getvalue(), "image/png"),
        alt=f"{solution.problem.character.name} while it faces",
        style="width:100%;display:block;border-radius:8px",
    )
    return _section("The motion", "Later poses are more solid.", shown)


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


def _notes(solution: Solution) -> Markup:
    options = solution.problem.options
    notes = [
        f"{options.rate_hz:g} commands a second, smoothness {options.smoothness}, responsiveness "
        f"{options.responsiveness}; made in {seconds(solution.seconds)}.",
        "Position, velocity, acceleration and jerk limits are held by the motion filter; torques are judged.",
        *solution.usage.notes,
        *(f"Warning: {one.kind}, {one.count} times; first: {one.first}" for one in solution.report.warnings),
    ]
    items = (element("li", note) for note in notes)
    return element("section", element("h2", "Notes"), element("ul", *items), class_="notes")
