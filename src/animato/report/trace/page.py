"""The page of trace: drawn and performed side by side, and what was given up. It needs nothing else."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

import animato
from animato.findings import percent, rounded, seconds, unbroken
from animato.formats.files import write_whole
from animato.mechanics.limits import LimitUsage
from animato.report.kit import Markup, data_address, element, package_text, whole_page
from animato.report.trace.curves import TraceCurves, build_trace_curves
from animato.report.trace.limits import limit_strip, strip_legend
from animato.report.trace.path_chart import draw_trace_paths
from animato.report.trace.speed_chart import draw_lateness, draw_trace_speeds
from animato.report.trace.words import duration, given_up, holding_limits, length, usage_over_time, verdict_words
from animato.trace import Traced
from animato.trace.timing import shares_between


def trace_page(traced: Traced, *, pictures: bool = True) -> str:
    """The whole page as HTML.

    Args:
        traced: A drawing as a robot performs it.
        pictures: Whether to draw the robot.
    """
    curves = build_trace_curves(traced)
    usage = usage_over_time(traced)
    style = package_text("charts.css") + package_text("trace_charts.css")
    title = f"{traced.name}, performed by {traced.character.name}"
    body = element(
        "main",
        _header(traced, usage, title),
        _lists(traced, usage),
        _section("Drawn and performed", _PATHS, draw_trace_paths(curves, traced.sketch.points, style)),
        _picture(traced) if pictures else None,
        _section("Speed along the path", _SPEEDS, *_timing_charts(curves, traced, style)),
        _limits(usage),
        _notes(traced),
    )
    return whole_page(title, body)


def save_trace_page(path: str | Path, traced: Traced, *, pictures: bool = True) -> Path:
    """Writes the page to a file, whole or not at all."""
    return write_whole(path, trace_page(traced, pictures=pictures))


_PATHS = "Blue is slow, red is fast, on one scale for both. The grey band under the performed line is the drawing."
_SPEEDS = (
    "The black line is the hand that drew, the coloured line is the robot, both at the same place of the path: where "
    "they run together the gesture keeps its timing."
)
_LIMITS = "Every joint over time; the darker, the nearer one of its limits. Nothing goes beyond, at no moment. "


def _section(title: str, words: str, *content: Markup) -> Markup:
    cards = (element("div", one, class_="card", style="margin-bottom:16px") for one in content)
    return element("section", element("h2", title), element("p", words, class_="lead"), *cards)


def _timing_charts(curves: TraceCurves, traced: Traced, style: str) -> list[Markup]:
    return [draw_trace_speeds(curves, traced.sketch.points, style), draw_lateness(curves, style)]


def _header(traced: Traced, usage: LimitUsage, title: str) -> Markup:
    complete = not traced.path_fit.out_of_reach
    state, mark, answer = ("fits", "✓", "Performed") if complete else ("over", "!", "Not all of it is in reach")
    return element(
        "header",
        element("p", "animato trace", class_="eyebrow"),
        element("h1", title),
        element(
            "div",
            element("p", element("span", mark, class_="mark", aria_hidden="true"), answer, class_="answer"),
            element("p", unbroken(verdict_words(traced, usage)), class_="verdict"),
            class_=f"verdict-box {state}",
        ),
        element("dl", *_facts(traced), class_="facts"),
    )


def _facts(traced: Traced) -> list[Markup]:
    scaling, off = traced.scaling, traced.deviations
    finest = shares_between(traced.character, traced.path, scaling, with_torque=traced.options.torque)
    gap = scaling.gap
    facts = [
        ("Drawn", f"{length(traced.sketch.length)} in {seconds(traced.drawn_duration)}"),
        ("Performed in", seconds(scaling.duration)),
        ("Off the line", f"{length(float(off.mean()))}, at most {length(float(off.max()))}"),
        ("Off the rhythm", duration(traced.timing_error)),
        ("Worst limit", percent(max(finest.values(), default=0.0))),
        ("Could be better by", "not asked" if np.isnan(gap) else f"at most {rounded(max(100.0 * gap, 0.01), 2)} %"),
    ]
    return [element("div", element("dt", name), element("dd", unbroken(value))) for name, value in facts]


def _lists(traced: Traced, usage: LimitUsage) -> Markup:
    lost, held = given_up(traced, usage), holding_limits(usage)
    return element(
        "section",
        _list(
            "What was given up", lost or ["Nothing that could be seen: line, rhythm and tempo are as drawn."], "near"
        ),
        _list("What held it back", held[:8] or ["No limit: every joint has room left at every moment."], "help"),
        class_="lists",
    )


def _list(heading: str, sentences: list[str], kind: str) -> Markup:
    items = (element("li", unbroken(sentence)) for sentence in sentences)
    return element("div", element("h2", heading), element("ul", *items), class_=f"list {kind}")


def _limits(usage: LimitUsage) -> Markup:
    return element(
        "section",
        element("h2", "How much of each limit is used"),
        element("p", _LIMITS, strip_legend(), class_="lead"),
        limit_strip(usage),
    )


def _picture(traced: Traced) -> Markup:
    from PIL import Image

    from animato.view import render_strobe

    image = render_strobe(traced.character, traced.clip, width=1120, height=630, trails=traced.sketch.points)
    stream = io.BytesIO()
    Image.fromarray(image).save(stream, "PNG", optimize=True)
    shown = element(
        "img",
        src=data_address(stream.getvalue(), "image/png"),
        alt=f"{traced.character.name} while it performs {traced.name}",
        style="width:100%;display:block;border-radius:8px",
    )
    return _section("The robot at work", "Later poses are more solid; the line is the path of the point.", shown)


def _notes(traced: Traced) -> Markup:
    options, scaling, fit = traced.options, traced.scaling, traced.path_fit
    wishes = [
        f"alpha {rounded(fit.alpha)}",
        f"beta {rounded(options.beta)}",
        f"gamma {rounded(options.gamma)}",
        f"{options.timing} timing",
        "tempo locked" if options.tempo_lock else "tempo free",
    ]
    if options.duration_s is not None:
        wishes.append(f"{seconds(options.duration_s)} wanted")
    finest = shares_between(traced.character, traced.path, scaling, with_torque=options.torque)
    shares = ", ".join(f"{kind} {100.0 * share:.2f} %" for kind, share in finest.items())
    between = ", ".join(f"{kind} {100.0 * share:.1f} %" for kind, share in traced.settled.peaks.items())
    frames = (
        f"The clip has {traced.clip.frame_count} frames. Drives and players join frames by curves that cannot switch "
        f"accelerations at once; so that these hold the limits too ({between}), the clip takes "
        f"{seconds(traced.clip.duration)}, {100.0 * (traced.settled.slowed - 1.0):.1f} % longer than the timing above."
    )
    notes = [
        f"Asked for: {', '.join(wishes)}.",
        f"The path is a cubic spline of {fit.path.control_point_count} control points; jitter of the drawing "
        f"{length(fit.noise)}. The timing has {len(scaling.s) - 1} segments. {scaling.outcome.reason}",
        f"Largest share of each limit on a grid a hundred times finer, by inverse dynamics: {shares}.",
        frames,
        "Off the rhythm: root mean square over the path of the time between robot and drawing, the drawing stretched "
        "to the robot's duration where timing is relative.",
        f"Source of the stroke: {traced.sketch.source or 'not stated'}. Made by animato {animato.__version__}.",
    ]
    items = (element("li", note) for note in notes)
    return element("section", element("h2", "Notes"), element("ul", *items), class_="notes")
