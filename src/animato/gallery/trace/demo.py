"""The demos of trace: hello, hammer, golf and planar, and the paper's own figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from animato.errors import unknown_name
from animato.formats import save_motion
from animato.formats.files import write_whole
from animato.gallery.trace.charts import draw_path_strip, draw_profiles, draw_trends
from animato.gallery.trace.coupled import coupled_tables
from animato.gallery.trace.figures import trace_figures
from animato.gallery.trace.film import PLAYER, trend_player
from animato.gallery.trace.live import live_hello
from animato.gallery.trace.page import Chart, Table, demo_page
from animato.gallery.trace.runs import TrendRun, golf_run, hammer_run, hello_run, likeness, planar_run
from animato.outcome import Iteration, Progress
from animato.report.kit import Markup, package_text
from animato.report.trace import better_by, build_trace_curves, draw_trace_paths, draw_trace_speeds, trace_text
from animato.trace import Solution

TRACE_DEMOS = ("hello", "hammer", "golf", "planar", "paper")


def make_trace_demo(
    name: str, folder: str | Path, *, capture: str | Path | None = None, progress: Progress | None = None
) -> list[str]:
    """Fills a folder with one of the demos: pages that need nothing else, pictures as files, and the clip.

    Args:
        name: One of `TRACE_DEMOS`.
        folder: Where the files go.
        capture: For golf: a capture of a swing instead of the shipped one.
        progress: Told what is being worked on.

    Returns:
        Sentences for the person who waits.
    """
    makers: dict[str, Callable[[], list[str]]] = {
        "hello": lambda: _hello(Path(folder), progress),
        "hammer": lambda: _hammer(Path(folder), progress),
        "golf": lambda: _golf(Path(folder), capture, progress),
        "planar": lambda: _planar(Path(folder), progress),
        "paper": lambda: _paper(Path(folder), progress),
    }
    if name not in makers:
        raise unknown_name("demo", name, TRACE_DEMOS, "trace")
    return makers[name]()


def _say(progress: Progress | None, stage: str) -> None:
    if progress is not None:
        progress(Iteration(stage=stage))


def chart_style() -> str:
    """The style sheet of all charts of trace."""
    return package_text("charts.css") + package_text("trace_charts.css")


def trend_measures(run: TrendRun) -> dict[str, np.ndarray]:
    """What a weight changes, by words for it, each [k]."""
    traces = run.traces
    durations = np.array([one.scaling.duration for one in traces])
    if run.weight == "alpha":
        off = np.array([1000.0 * one.deviations.mean() for one in traces])
        return {"mean distance from the drawing [mm]": off, "shortest duration [s]": durations}
    error = np.array([100.0 * one.timing_error / one.scaling.duration for one in traces])
    alike = np.array([likeness(one, run.shown) for one in traces])
    return {
        "rhythm off by [% of the duration]": error,
        "likeness of the speed profiles": alike,
        "duration [s]": durations,
    }


def _hello(place: Path, progress: Progress | None) -> list[str]:
    solution = hello_run(progress)
    _say(progress, "drawing it live")
    live, live_chart = live_hello(chart_style())
    _say(progress, "writing the page")
    curves, style = build_trace_curves(solution), chart_style()
    points = solution.problem.sketch.points
    pictures = {
        "paths": draw_trace_paths(curves, points, style),
        "speeds": draw_trace_speeds(curves, points, style),
        "live": live_chart,
    }
    _save(place, solution, pictures)
    page = solution.save_page(place / "hello.html")
    return [*trace_text(solution), live, f"The page: {page}", *_places(place, solution, pictures)]


def _hammer(place: Path, progress: Progress | None) -> list[str]:
    run = hammer_run(progress)
    words = (
        "Three strikes: down ever faster, up slowly, turned around at once at the anvil. No motor does that. The more "
        "the timing counts against the duration (beta), the nearer the speed profile comes to the drawn one; the "
        "robot takes its time for it."
    )
    return _trend_demo(place, progress, "hammer", "A hammer strikes", words, run, {"profiles": draw_profiles})


def _golf(place: Path, capture: str | Path | None, progress: Progress | None) -> list[str]:
    run = golf_run(capture, progress)
    words = (
        "Both hands, head and pelvis of a torso with 29 joints follow a golf swing at once. The tempo is free: with "
        "little weight on the timing (beta) the robot swings as fast as its motors allow. The more it counts, the "
        "slower and the truer the swing."
    )
    return _trend_demo(
        place, progress, "golf", "A golf swing with four points", words, run, {"profiles": draw_profiles}
    )


def _planar(place: Path, progress: Progress | None) -> list[str]:
    run = planar_run(progress)
    words = (
        "A flourish with corners, by an arm of four links that moves as fast as its motors allow. More smoothing "
        "(alpha) takes the path farther from the drawing, rounds its corners and makes it quicker."
    )
    tables = coupled_tables(progress=progress)
    return _trend_demo(
        place, progress, "planar", "Smooth or close", words, run, {"paths": draw_path_strip}, tables=tables
    )


def _paper(place: Path, progress: Progress | None) -> list[str]:
    style = chart_style()
    charts, table = trace_figures(style, progress=progress)
    _say(progress, "writing the page")
    words = (
        "Figures 4 and 5 and Table I of Luo and Hauser (2012), with an arm and a stroke of our own: theirs are not "
        "published, so that trends can be compared and values cannot."
    )
    for name, chart in zip(("knots", "methods"), charts, strict=True):
        write_whole(place / f"{name}.svg", chart.picture + "\n")
    write_whole(place / "paper.html", demo_page("The paper's evaluation", words, charts, [table]))
    return [f"The page: {place / 'paper.html'}", f"The pictures: {place}"]


def _trend_demo(
    place: Path,
    progress: Progress | None,
    name: str,
    title: str,
    words: str,
    run: TrendRun,
    draw: dict[str, Callable[[TrendRun, str], Markup]],
    *,
    tables: Sequence[Table] = (),
) -> list[str]:
    _say(progress, "drawing")
    style, measures = chart_style(), trend_measures(run)
    pictures = {one: maker(run, style) for one, maker in draw.items()} | {"trends": draw_trends(run, measures, style)}
    player = trend_player(run)
    truest = run.traces[-1] if run.weight == "beta" else run.traces[0]
    _save(place, truest, pictures)
    details = truest.save_page(place / f"{name}-details.html")
    timed = pictures
    if player is not None and "profiles" in pictures:  # on the page it has the player's time, as a file it has none
        timed = pictures | {"profiles": draw_profiles(run, style, player=PLAYER)}
    charts = [Chart(_TITLES[one], _CAPTIONS[one], picture) for one, picture in timed.items()]
    page = demo_page(title, words, charts, [_table(run, measures), *tables], player=player)
    file = write_whole(place / f"{name}.html", page)
    sentences = [
        f"{label}: " + ", ".join(f"{what} {numbers[index]:.3g}" for what, numbers in measures.items())
        for index, label in enumerate(run.labels)
    ]
    return [
        *sentences,
        f"The page: {file}",
        f"The one nearest to the drawing in detail: {details}",
        *_places(place, truest, pictures),
    ]


_TITLES = {"profiles": "Speed along the path", "paths": "Paths", "trends": "What the weight changes"}
_CAPTIONS = {
    "profiles": "Speed over its mean along the path, so that shapes can be compared. Black is the hand that drew.",
    "paths": "The grey band is the drawing; blue is slow, red is fast, on one scale.",
    "trends": "From one value of the weight to the next, on the same drawing.",
}


def _table(run: TrendRun, measures: dict[str, np.ndarray]) -> Table:
    shares = [max(one.scaling.worst_shares.values()) for one in run.traces]
    gaps = [better_by(one.scaling.gap) for one in run.traces]
    heads = (run.weight, *measures, "largest share of a limit", "could be better by")
    rows = [
        (f"{value:g}", *(f"{numbers[k]:.3g}" for numbers in measures.values()), f"{shares[k]:.3f}", gaps[k])
        for k, value in enumerate(run.values)
    ]
    return Table("In numbers", heads, tuple(rows))


def _save(place: Path, solution: Solution, pictures: dict[str, Markup]) -> None:
    for name, picture in pictures.items():
        write_whole(place / f"{name}.svg", picture + "\n")
    save_motion(place / f"{solution.problem.name}.npz", solution.clip, solution.problem.character)


def _places(place: Path, solution: Solution, pictures: dict[str, Markup]) -> list[str]:
    files = ", ".join(str(place / f"{name}.svg") for name in pictures)
    return [f"The clip: {place / f'{solution.problem.name}.npz'}", f"Pictures: {files}"]
