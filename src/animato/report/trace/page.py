"""The page of trace: drawn and performed side by side, and what was given up. It needs nothing else."""

from __future__ import annotations

from pathlib import Path

from animato.findings import percent, rounded, seconds
from animato.formats.files import write_whole
from animato.mechanics.limits import LimitUsage
from animato.report.kit import (
    PLAYER_STYLE,
    Markup,
    element,
    notes_section,
    package_text,
    player_script,
    section,
    sentence_list,
    strip_legend,
    verdict_header,
    whole_page,
)
from animato.report.trace.curves import build_trace_curves
from animato.report.trace.film import PLAYER, clip_usage, film_section
from animato.report.trace.limits import limit_strip
from animato.report.trace.path_chart import draw_trace_paths
from animato.report.trace.speed_chart import draw_lateness, draw_trace_speeds
from animato.report.trace.words import (
    better_by,
    duration,
    given_up,
    holding_limits,
    length,
    line_times,
    remarks,
    stalled_words,
    usage_over_time,
    verdict_words,
)
from animato.trace import Solution
from animato.trace.timing import shares_between
from animato.version import __version__


def trace_page(solution: Solution, *, pictures: bool = True) -> str:
    """The whole page as HTML.

    Args:
        solution: A drawing as a robot performs it.
        pictures: Whether to show the robot.
    """
    film = film_section(solution) if pictures else None
    player = PLAYER if film is not None else ""
    curves = build_trace_curves(solution)
    usage = usage_over_time(solution)
    style = package_text("charts.css") + package_text("trace_charts.css")
    title = f"{solution.problem.name}, performed by {solution.problem.character.name}"
    points = solution.problem.sketch.points
    body = element(
        "main",
        _header(solution, usage, title),
        film,
        _lists(solution, usage),
        section("Drawn and performed", _PATHS, draw_trace_paths(curves, points, style, player=player)),
        section(
            "Speed along the path",
            _SPEEDS,
            draw_trace_speeds(curves, points, style, player=player),
            draw_lateness(curves, style, player=player),
        ),
        _limits(clip_usage(solution), player),
        _notes(solution),
        player_script() if player else None,
    )
    return whole_page(title, body, styles=(PLAYER_STYLE,) if player else ())


def save_page(path: str | Path, solution: Solution, *, pictures: bool = True) -> Path:
    """Writes the page to a file, whole or not at all."""
    return write_whole(path, trace_page(solution, pictures=pictures))


_PATHS = "Blue is slow, red is fast, on one scale for both. The grey band under the performed line is the drawing."
_SPEEDS = (
    "The black line is the hand that drew, the coloured line is the robot, both at the same place of the path: where "
    "they run together the gesture keeps its timing."
)
_LIMITS = "Every joint of the clip over time; the darker, the nearer one of its limits. "


def _header(solution: Solution, usage: LimitUsage, title: str) -> Markup:
    outcome = solution.outcome
    answer = "Performed" if outcome.usable else "Not to be used"
    if solution.path_fit.out_of_reach:
        answer = "Not all of it is in reach"
    doubts = [] if outcome.solved else stalled_words(solution) or [outcome.reason]
    verdicts = [verdict_words(solution, usage), *remarks(solution), *doubts]
    state = "fits" if outcome.usable else "over"
    return verdict_header("trace", title, state, answer, verdicts, _facts(solution))


def _finest_shares(solution: Solution) -> dict[str, float]:
    """Largest used share of each kind of limit between grid points, limits that the user set included."""
    options = solution.problem.options
    return shares_between(
        solution.problem.character,
        solution.path,
        solution.scaling,
        with_torque=options.torque,
        bounds=options.bounds,
    )


def _facts(solution: Solution) -> list[tuple[str, str]]:
    scaling, off = solution.scaling, solution.deviations
    finest = _finest_shares(solution)
    return [
        ("Drawn", f"{length(_drawn_length(solution))} in {duration(line_times(solution)[0])}"),
        ("Performed in", seconds(scaling.duration)),
        ("Off the line", f"{length(float(off.mean()))}, at most {length(float(off.max()))}"),
        ("Off the rhythm", duration(solution.timing_error)),
        ("Worst limit", percent(max(finest.values(), default=0.0))),
        ("Could be better by", better_by(scaling.gap)),
    ]


def _drawn_length(solution: Solution) -> float:
    """Of what is drawn [m]; ways through the air do not count."""
    sketch = solution.problem.sketch
    return sketch.length * (1.0 - sum(touches - leaves for leaves, touches in sketch.air))


def _lists(solution: Solution, usage: LimitUsage) -> Markup:
    lost, held = given_up(solution, usage), holding_limits(usage)
    return element(
        "section",
        sentence_list(
            "What was given up", lost or ["Nothing that could be seen: line, rhythm and tempo are as drawn."], "near"
        ),
        sentence_list(
            "What held it back", held[:8] or ["No limit: every joint has room left at every moment."], "help"
        ),
        class_="lists",
    )


def _limits(usage: LimitUsage, player: str) -> Markup:
    return element(
        "section",
        element("h2", "How much of each limit is used"),
        element("p", _LIMITS, strip_legend(beyond=False), class_="lead"),
        limit_strip(usage, player),
    )


def _notes(solution: Solution) -> Markup:
    options, scaling, fit = solution.problem.options, solution.scaling, solution.path_fit
    wishes = [
        f"alpha {rounded(fit.problem.alpha)}",
        f"beta {rounded(options.beta)}",
        f"gamma {rounded(options.gamma)}",
        f"{options.timing} timing",
        f"{options.method} method",
        "tempo locked" if options.tempo_lock else "tempo free",
    ]
    if options.duration_s is not None:
        wishes.append(f"{seconds(options.duration_s)} wanted")
    finest = _finest_shares(solution)
    if options.bounds:
        wishes.append(f"bounds: {'; '.join(options.bounds)}")
    if options.effort > 0.0:
        wishes.append(f"effort {rounded(options.effort)}")
    if options.avoid:
        wishes.append(f"clear of {'; '.join(options.avoid)} by {length(options.clearance_m)}")
    if options.keep:
        wishes.append(f"kept together: {'; '.join(options.keep)}")
    shares = ", ".join(f"{kind} {100.0 * share:.2f} %" for kind, share in finest.items())
    between = ", ".join(f"{kind} {100.0 * share:.1f} %" for kind, share in solution.settled.peaks.items())
    frames = (
        f"The clip has {solution.clip.frame_count} frames. Drives and players join frames by curves that cannot switch "
        f"accelerations at once; so that these hold the limits too ({between}), the clip takes "
        f"{seconds(solution.clip.duration)}, {100.0 * (solution.settled.slowed - 1.0):.1f} % longer than the "
        "timing above."
    )
    notes = [
        f"Asked for: {', '.join(wishes)}.",
        f"The path is a cubic spline of {fit.path.control_point_count} control points; jitter of the drawing "
        f"{length(fit.problem.noise)}. The timing has {len(scaling.s) - 1} segments. {scaling.outcome.reason}",
        f"Largest share of each limit on a grid a hundred times finer, by inverse dynamics: {shares}.",
        frames,
        "Off the rhythm: root mean square over the path of the time between robot and drawing, the drawing stretched "
        "to the robot's duration where timing is relative.",
        f"Source of the stroke: {solution.problem.sketch.source or 'not stated'}. Made by animato {__version__}.",
    ]
    return notes_section(notes)
