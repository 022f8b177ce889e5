"""The page of design: initial against optimized over the target. It needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from animato.design.optimization import Solution
from animato.design.study import ChoiceResult, ToleranceReport
from animato.errors import AnimatoError
from animato.findings import rounded
from animato.formats.files import write_whole
from animato.report.design.amounts import cm, deg, improvement
from animato.report.design.charts import draw_errors, draw_history, draw_singular_values
from animato.report.design.film import PLAYER, film_section
from animato.report.design.pictures import picture_sections
from animato.report.design.study_tables import study_sections
from animato.report.design.tables import (
    assembly_table,
    count_tables,
    error_table,
    history_table,
    limit_table,
    parameter_table,
)
from animato.report.design.verdicts import answer_word, target_verdict
from animato.report.design.words import gain_words, what_changed, what_to_watch
from animato.report.kit import (
    PLAYER_STYLE,
    Markup,
    element,
    notes_section,
    package_text,
    player_script,
    section,
    sentence_list,
    verdict_header,
    whole_page,
)
from animato.version import __version__


def design_page(
    solution: Solution,
    *,
    pictures: bool = True,
    choices: Sequence[ChoiceResult] = (),
    spread: ToleranceReport | None = None,
) -> str:
    """The whole page as HTML.

    Args:
        solution: Initial and optimized design.
        pictures: Whether to show the character.
        choices: All candidates that were tried, the best first.
        spread: What inaccurate parts do to the optimized design.
    """
    style = chart_style()
    shown = _pictures(solution) if pictures else []
    player = PLAYER if len(shown) > 1 else ""
    title = f"{solution.problem.character.name}, designed for {_motion_names(solution)}"
    body = element(
        "main",
        _header(solution, title),
        *shown[:1],
        _lists(solution),
        *shown[1:],
        section("Errors over time", _ERRORS, draw_errors(solution, style, player=player), error_table(solution)),
        *study_sections(choices, spread),
        *_tables(solution, style, player),
        _course(solution, style),
        _notes(solution),
        player_script() if player else None,
    )
    styles = ("design_page.css", "design_marks.css", *((PLAYER_STYLE,) if player else ()))
    return whole_page(title, body, styles=styles)


def save_page(
    path: str | Path,
    solution: Solution,
    *,
    pictures: bool = True,
    choices: Sequence[ChoiceResult] = (),
    spread: ToleranceReport | None = None,
) -> Path:
    """Writes the page to a file, whole or not at all; arguments as for `design_page`."""
    return write_whole(path, design_page(solution, pictures=pictures, choices=choices, spread=spread))


def chart_style() -> str:
    """The style sheet of all charts of design."""
    return package_text("charts.css") + package_text("design_charts.css")


_ERRORS = "How far points and bodies are from where they should be, however much each counts."
_PARAMETERS = (
    "What to set when the character is built. A ball joint is told by its angle from neutral; its change by the angle "
    "and the axis it turns about, in the frame of the joint as it was."
)
_LIMITS = "Of each limit, the largest share that is used at any moment: 0 % is the middle of a range, 100 % its end."
_HOLDS = (
    "Near a singular pose small errors of the parts become large errors of the motion. Redundant rows are constraints "
    "that follow from the others only while loops keep a special shape; they are checked at every step."
)


def _motion_names(solution: Solution) -> str:
    names = [motion.name.replace("_", " ") for motion in solution.problem.motions]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _header(solution: Solution, title: str) -> Markup:
    state, answer = answer_word(solution)
    verdicts = [target_verdict(solution), gain_words(solution)]
    return verdict_header("design", title, state, answer, verdicts, _facts(solution))


def _facts(solution: Solution) -> list[tuple[str, str]]:
    before, after = solution.initial.errors, solution.optimized.errors
    facts = []
    if np.isfinite(before.positions).any():
        facts.append(("Distance, mean", f"{cm(before.position_mean_cm)} → {cm(after.position_mean_cm)}"))
    if np.isfinite(before.orientations).any():
        facts.append(("Turn, mean", f"{deg(before.orientation_mean_deg)} → {deg(after.orientation_mean_deg)}"))
    tight = max((one.share for one in solution.optimized.limit_shares), default=0.0)
    if solution.problem.mechanism.counts.redundant_passive:
        facts.append(("Redundant rows hold to", f"{solution.dropped_residual:.0e}"))
    facts += [
        ("Targets cost less by", improvement(solution.improvement_percent)),
        ("Objective fell by", improvement(solution.objective_improvement_percent)),
        ("Worst limit", f"{100.0 * tight:.0f} %"),
        ("Design variables", str(solution.problem.mechanism.counts.design_variables)),
        ("Solved in", f"{rounded(solution.seconds, 2)} s, {len(solution.history)} iterations"),
    ]
    return facts


def _lists(solution: Solution) -> Markup:
    return element(
        "section",
        sentence_list("What changed", what_changed(solution), "help"),
        sentence_list("What to watch", what_to_watch(solution) or ["Nothing: all targets are met."], "near"),
        class_="lists",
    )


def _pictures(solution: Solution) -> list[Markup]:
    """The player and the pictures below it; why there are none where there are none."""
    try:
        return [film_section(solution), *picture_sections(solution)]
    except AnimatoError as error:  # a character that cannot be drawn can still be designed
        return [element("section", element("p", f"The character could not be drawn. {error}", class_="lead"))]


def _tables(solution: Solution, style: str, player: str) -> list[Markup]:
    parameters, limits = parameter_table(solution), limit_table(solution)
    found = []
    if parameters is not None and solution.problem.design_free:
        found.append(section("Parameters of the design", _PARAMETERS, parameters))
    if limits is not None:
        found.append(section("Limits used", _LIMITS, limits))
    chart = draw_singular_values(solution, style, player=player)
    found.append(section("Does it hold together?", _HOLDS, chart, assembly_table(solution)))
    return found


def _course(solution: Solution, style: str) -> Markup:
    counts = element("div", count_tables(solution), class_="card")
    if not solution.history:
        return element("section", element("h2", "The problem"), counts)
    every = element("details", element("summary", "Every iteration"), history_table(solution))
    chart = element("div", draw_history(solution, style), every, class_="card", style="margin-bottom:16px")
    lead = element("p", solution.outcome.reason, class_="lead")
    return element("section", element("h2", "The solve"), lead, chart, counts)


def _notes(solution: Solution) -> Markup:
    problem = solution.problem
    total = solution.objective_improvement_percent
    words = {"design": "the design alone", "control": "the controls alone", "both": "design and controls"}
    weights = ", ".join(f"{name} {value:g}" for name, value in vars(problem.weights).items())
    notes = [
        *(note for motion in problem.motions for note in motion.notes),
        f"Optimized: {words[problem.optimize]}. "
        f"The objective with limits and regularization, whose fall is the published measure (Table 6), is "
        f"{improvement(total)} less; the cost of the targets alone {improvement(solution.improvement_percent)} less.",
        f"Weights per step beside those of the targets: {weights}.",
        "Method: sequential quadratic programming after Maloisel, Schumacher, Knoop, Grandia, Bächer: Optimal Design "
        "of Robotic Character Kinematics, ACM Trans. Graph. 42(6), 2023. Counts as in its Tables 5 and 7.",
        "Rows of constraints are lengths in metres or cosines without a unit.",
        f"Made by animato {__version__}.",
    ]
    return notes_section(notes)
