"""The page of steady: target, before and after overlaid, and everything that says why it may be believed."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.findings import rounded
from animato.formats.files import write_whole
from animato.outcome import Progress, announcer
from animato.report.bending import (
    PLAYER,
    Curve,
    draw_deviations,
    draw_motors,
    draw_spectra,
    length,
    mode_cards,
    overlay_cards,
    render_figures,
    telling_moments,
    turning_motors,
    worst_moment,
)
from animato.report.kit import (
    PLAYER_STYLE,
    Markup,
    element,
    film_player,
    notes_section,
    player_script,
    section,
    sentence_list,
    verdict_header,
    whole_page,
)
from animato.report.steady.evidence import Evidence, courses, film_of, gather_evidence
from animato.report.steady.stiffness_chart import draw_sensitivity
from animato.report.steady.words import (
    body_moments,
    body_sentences,
    cost_words,
    facts,
    limit_moments,
    limit_sentences,
    verdict_words,
)
from animato.steady import Solution
from animato.steady.profiles import motor_limits
from animato.version import __version__

_STILL = 0.02  # [m/s]: slower than this a target counts as standing, as in the objective


def steady_page(
    solution: Solution,
    evidence: Evidence | None = None,
    *,
    pictures: bool = True,
    progress: Progress | None = None,
) -> str:
    """The whole page as HTML.

    Args:
        solution: A steadied motion.
        evidence: What was found by trying it; tried now where not given.
        pictures: Whether to draw the robot.
        progress: Told what is being worked on.
    """
    tried = evidence or gather_evidence(solution, progress=progress)
    say = announcer(progress)
    say("drawing the page")
    problem = solution.problem
    title = f"{problem.character.name}, steadied"
    begin = worst_moment(tried.figures)
    shown = film_player(film_of(solution, tried.figures), PLAYER, begin_s=begin, still=pictures)
    body = element(
        "main",
        _header(solution, tried, title),
        section("All three at once", _PLAYER, shown),
        _lists(solution),
        section("How far off, and when", _ERRORS, draw_steady_errors(solution, PLAYER)),
        _pictures(solution, tried) if pictures else None,
        section("What rings", _SPECTRA, _spectra(solution, tried)),
        section("How it vibrates", _MODES, mode_cards(problem.scenarios[0].system, tried.modes)) if pictures else None,
        section("What the motors do", _MOTORS, _motors(solution)),
        section(
            "If the stiffness is another one", _stiffness_words(solution, tried), draw_sensitivity(tried.sensitivity)
        ),
        section("What else could be done", _OTHERS, _compared_table(tried)),
        _notes(solution, tried),
    )
    return whole_page(title, body, player_script(), styles=(PLAYER_STYLE, "bending_page.css"))


def save_page(
    path: str | Path,
    solution: Solution,
    *,
    evidence: Evidence | None = None,
    pictures: bool = True,
    progress: Progress | None = None,
) -> Path:
    """Writes the page to a file, whole or not at all."""
    return write_whole(path, steady_page(solution, evidence, pictures=pictures, progress=progress))


_PLAYER = (
    "Green is the target: what the character would do if it were slow enough not to swing. Orange is the artist's "
    "motion as the character performs it; in its own colours, with a blue line, the steadied one. Lines follow the "
    "tracked bodies. Charts, pictures and sentences below share its time: a click takes it there."
)
_ERRORS = (
    "Distance of each tracked body from its target. Where the ground is shaded the target stands still; what rings "
    "there is seen most."
)
_SPECTRA = (
    "Frequencies in what is off, all tracked bodies together; dotted lines are the character's own modes in its first "
    "pose. What was at the modes should be gone."
)
_MODES = "The slowest ways in which the character swings by itself while its motors hold; both ends of the swing."
_MOTORS = (
    "Orange as the artist made it, blue as it is now, dashed the limits where they are near; the share is that of the "
    "steadied motion. Torque is what the simulation needs."
)
_OTHERS = (
    "All on the same model against the same target. Shapers add delayed copies of the motion so that a mode is not "
    "excited; they are advanced by half their length. The slower motion is compared with a slower target."
)


def _header(solution: Solution, tried: Evidence, title: str) -> Markup:
    outcome = solution.outcome
    better = solution.peak_after < 0.95 * solution.peak_before
    answer = ("Steadied" if better else "As it was") if outcome.usable else "Not to be used"
    verdicts = [verdict_words(solution), cost_words(solution), _check_words(tried)]
    if not outcome.solved:
        verdicts.append(outcome.reason[:1].upper() + outcome.reason[1:] + ".")
    return verdict_header("steady", title, "fits" if outcome.usable else "over", answer, verdicts, facts(solution))


def _lists(solution: Solution) -> Markup:
    better, asked = body_sentences(solution), limit_sentences(solution)
    return element(
        "section",
        sentence_list("What follows better", better, "help", shown=6, moments=body_moments(solution)),
        sentence_list("What it asks of the motors", asked, "help", moments=limit_moments(solution)),
        class_="lists",
    )


def _check_words(tried: Evidence) -> str:
    found = tried.validation
    return (
        f"On a model with twice the coordinates and shorter steps, on which it was not made, it is "
        f"{length(found.peak_after)} off at the most, and {length(found.peak_before)} before."
    )


def draw_steady_errors(solution: Solution, player: str = "") -> Markup:
    """How far each tracked body is off its target over time, before and after.

    Args:
        solution: A steadied motion.
        player: Identifier of the player whose time it shares; "" where there is none.
    """
    problem = solution.problem
    names = [one.body for one in problem.tracked]
    targets = problem.scenarios[0].target_points
    speed = np.linalg.norm(np.gradient(targets, problem.step_s, axis=0), axis=2).max(axis=1)
    curves = [
        Curve("before", "before", solution.deviations(solution.before)),
        Curve("steadied", "after", solution.deviations(solution.after)),
    ]
    times = problem.basis.start + problem.times
    return draw_deviations(times, names, curves, still=speed < _STILL, player=player)


def _spectra(solution: Solution, tried: Evidence) -> Markup:
    target = solution.problem.scenarios[0].target_points
    curves = [
        Curve("before", "before", solution.before.runs[0].points - target),
        Curve("steadied", "after", solution.after.runs[0].points - target),
    ]
    modes = [float(one) for one in tried.modes.frequencies_hz if np.isfinite(one)]
    slow = [one for one in modes if one < 45.0] or [10.0]
    return draw_spectra(solution.problem.step_s, curves, modes, highest_hz=float(np.clip(1.5 * slow[-1], 8.0, 45.0)))


def _motors(solution: Solution) -> Markup:
    problem = solution.problem
    names = problem.basis.names
    return draw_motors(
        problem.basis.start + problem.times,
        names,
        motor_limits(problem.character, names),
        turning_motors(problem.character, names),
        courses(solution),
        player=PLAYER,
    )


def _pictures(solution: Solution, tried: Evidence) -> Markup:
    problem = solution.problem
    before, after = solution.deviations(solution.before), solution.deviations(solution.after)
    moments = telling_moments(problem.times, before.max(axis=1))
    captions = []
    for moment in moments:
        at = int(np.argmin(np.abs(problem.times - moment)))
        body = problem.tracked[int(np.argmax(before[at]))].body.replace("_", " ")
        captions.append(
            f"{problem.basis.start + moment:.2f} s: {body} {length(float(before[at].max()))} off before, "
            f"{length(float(after[at].max()))} now"
        )
    target, naive, steadied = tried.figures
    shown = [problem.basis.start + moment for moment in moments]
    pictures = overlay_cards(problem.character, steadied, [target, naive], shown, captions)
    words = "Green the target, orange the artist's motion as it is performed, solid the steadied one."
    return section("Where it was worst", words, pictures)


def render_worst(solution: Solution, tried: Evidence, *, width: int = 900, height: int = 640) -> np.ndarray:
    """The moment at which the artist's motion is farthest off, all three motions overlaid, sRGB bytes."""
    off = solution.deviations(solution.before).max(axis=1)
    moment = solution.problem.basis.start + float(solution.problem.times[int(np.argmax(off))])
    target, naive, steadied = tried.figures
    return render_figures(solution.problem.character, steadied, [target, naive], [moment], width, height)[0]


def _stiffness_words(solution: Solution, tried: Evidence) -> str:
    spread = tried.sensitivity.worst_after(0.1)
    hold = tried.sensitivity.worst_hold(0.1)
    ringing = "" if np.isnan(hold) else f", and rings by {length(hold)} late in pauses"
    made = (
        "It was made for this spread too." if solution.problem.options.is_robust else "It was made for one stiffness."
    )
    return (
        f"The same profiles on softer and stiffer parts, each against its own target: with stiffness within 10 % the "
        f"steadied motion is {length(spread)} off at the most{ringing}. {made}"
    )


def _compared_table(tried: Evidence) -> Markup:
    heads = ("way", "off at the most", "RMS", "late in pauses", "acceleration [rad/s²]", "")
    rows = [
        element(
            "tr",
            element("th", one.name, scope="row"),
            *(
                element("td", cell)
                for cell in (length(one.peak), length(one.rms), _hold(one.hold), rounded(one.acceleration), one.note)
            ),
            class_="ours" if one.name == "steadied" else None,
        )
        for one in tried.compared
    ]
    top = element("tr", *(element("th", head, scope="col") for head in heads))
    table = element("table", element("thead", top), element("tbody", *rows), class_="joints plain")
    return element("div", table, class_="scroll")


def _counted(motors: int) -> str:
    return "1 motor" if motors == 1 else f"{motors} motors"


def _hold(metres: float) -> str:
    return "-" if np.isnan(metres) else length(metres)


def _notes(solution: Solution, tried: Evidence) -> Markup:
    problem, options = solution.problem, solution.problem.options
    system = problem.scenarios[0].system
    models = ", ".join(one.variation.name for one in problem.scenarios)
    steps, check = (rounded(1000.0 * one) for one in (problem.step_s, options.check_step_s))
    notes = [
        f"The model: {system.unknown_count} unknown coordinates, {_counted(len(problem.basis.names))}, "
        f"{system.row_count} rows that keep loops closed. Models that counted: {models}.",
        f"Profiles are cubic splines with {problem.basis.count} control points a motor; the simulation that was "
        f"optimized has steps of {steps} ms (BDF2), that of the check {check} ms (generalized-alpha). Both models "
        f"bring the tracked bodies within {length(tried.validation.moved)} of each other.",
        f"The target is the static equilibrium at every moment of the artist's clip. Weights: deviation of profiles "
        f"{rounded(options.deviation_weight)}, acceleration {rounded(options.acceleration_weight)}; no motor "
        f"accelerates more than {rounded(options.acceleration_factor)} times the artist's peak.",
        f"{solution.outcome.reason[:1].upper()}{solution.outcome.reason[1:]}. Made by animato {__version__}.",
    ]
    return notes_section(notes)
