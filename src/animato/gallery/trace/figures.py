"""Figures 4 and 5 and Table I of Luo and Hauser (2012), with our arm and our flourish: theirs are not published."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.formats import load_character
from animato.gallery.trace.coupled import BETAS, METHOD_NAMES, flourish_runs
from animato.gallery.trace.page import Chart, Table
from animato.outcome import Progress
from animato.report.kit import Axes, Markup, chart_file, element, key
from animato.trace import Method, Options, Sketch, Solution, build, load_strokes, solve
from animato.trace.path import curvature_step, knot_density, stroke_noise

TABLE_ALPHAS = (0.0, 1e-12, 1e-10, 1e-8)
METHODS: tuple[tuple[Method, str], ...] = tuple(METHOD_NAMES.items())
_WIDTH, _KNOTS, _EPSILON = 1120, 12, 0.3


@dataclass(frozen=True, eq=False)
class MethodRun:
    """One way of solving the flourish, with one weight of the timing.

    Attributes:
        beta: The weight.
        method: D, C or ID.
        solution: What came out.
    """

    beta: float
    method: str
    solution: Solution


def trace_figures(style: str, *, methods: int = 3, progress: Progress | None = None) -> tuple[list[Chart], Table]:
    """Figures 4 and 5, and Table I.

    Args:
        style: Style sheet of the charts.
        methods: How many of D, C and ID; the last one takes a minute.
        progress: Told of every step.
    """
    sketch = load_strokes("flourish", load_character("planar_arm"))
    knots = Chart(
        "Figure 4",
        "Selection of knots: the cumulated curvature along the stroke, divided evenly.",
        draw_knots(sketch, style),
    )
    methods_chart = Chart(
        "Figure 5",
        "Path and timing after one another (D), at once (C), and in turn (ID), for three weights of the timing.",
        draw_methods(method_runs(methods, progress), style),
    )
    return [knots, methods_chart], smoothing_table(progress)


def draw_knots(sketch: Sketch, style: str) -> Markup:
    """Figure 4: the cumulated curvature along the stroke, divided evenly; where it is, are the knots."""
    s, density = knot_density(sketch, epsilon=_EPSILON, step=curvature_step(sketch, stroke_noise(sketch)))
    total = np.concatenate([[0.0], np.cumsum(0.5 * (density[1:] + density[:-1]) * np.diff(s))])
    axes = Axes(64, 40, 1036, 320, (0.0, 1.0), (0.0, 1.02 * float(total[-1])))
    levels = np.linspace(0.0, total[-1], _KNOTS + 1)[1:-1]
    knots = np.interp(levels, total, s)
    parts = [axes.frame(title="cumulated curvature, sum of equation 6", up_ticks=4)]
    for level, knot in zip(levels, knots, strict=True):
        x, y = float(axes.x(knot)), float(axes.y(level))
        parts.append(element("path", class_="decided", d=f"M64,{y:.1f}H{x:.1f}V360"))
        parts.append(element("circle", class_="start", cx=f"{x:.1f}", cy="360", r=3))
    parts.append(axes.inside(axes.line(s, total, "c1")))
    parts.append(element("text", "s; circles: knots", x="1100", y="392", text_anchor="end"))
    return chart_file(element("g", *parts), style, "Selection of knots by cumulated curvature", _WIDTH, 404)


def smoothing_table(progress: Progress | None = None) -> Table:
    """Table I: what the smoothing weight alpha does to the deviation and to the shortest duration."""
    arm = load_character("planar_arm")
    sketch = load_strokes("flourish", arm)
    rows = []
    for alpha in TABLE_ALPHAS:
        options = Options(alpha=alpha, beta=0.0, gamma=1.0, tempo_lock=False, control_point_count=40)
        one = solve(build(arm, sketch, options), progress=progress)
        rows.append((f"{alpha:g}", f"{float(one.deviations.mean()):.4f}", f"{one.scaling.duration:.2f}"))
    heads = ("alpha", "geometric deviation, mean [m]", "execution time [s]")
    return Table("Table I: effects of the smoothing weight", heads, tuple(rows))


def method_runs(methods: int = 3, progress: Progress | None = None) -> tuple[MethodRun, ...]:
    """What Figure 5 compares: the first few of D, C and ID, over three values of beta."""
    chosen = METHODS[:methods]
    runs: list[MethodRun] = []
    for beta in (BETAS[0], *BETAS):  # the first twice, since times of a first run are those of compiling
        found = flourish_runs(beta, [method for method, _ in chosen], progress)
        runs += [MethodRun(beta, name, one) for (_, name), one in zip(chosen, found, strict=True)]
    return tuple(runs[methods:])


def draw_methods(runs: tuple[MethodRun, ...], style: str) -> Markup:
    """Figure 5: geometric objective, temporal objective, execution time and computation time, by beta and method."""
    panels = (
        ("geometric objective [10⁻³ m²]", [1000.0 * one.solution.path_fit.deviation for one in runs], False),
        ("temporal objective [10⁻³ s²]", [1000.0 * one.solution.scaling.timing_error for one in runs], False),
        ("execution time [s]", [one.solution.scaling.duration for one in runs], False),
        ("computation time [s], log", [one.solution.seconds for one in runs], True),
    )
    names = list(dict.fromkeys(one.method for one in runs))
    parts: list[Markup] = [key([(name, f"c{index}") for index, name in enumerate(names)], 64, 22)]
    for index, (title, values, logarithmic) in enumerate(panels):
        parts += _panel(64 + 270 * index, title, np.array(values), runs, names, logarithmic=logarithmic)
    return chart_file(element("g", *parts), style, "Decoupled, coupled and iterative decoupled", _WIDTH, 300)


def _panel(
    left: float, title: str, values: np.ndarray, runs: tuple[MethodRun, ...], names: list[str], *, logarithmic: bool
) -> list[Markup]:
    betas = list(dict.fromkeys(one.beta for one in runs))
    least = float(values.min()) / 3.0 if logarithmic else 0.0
    heights = np.log(values / least) if logarithmic else values
    tall = 190.0 * heights / max(float(heights.max()), 1e-300)
    width = 210.0 / (len(betas) * (len(names) + 1))
    parts: list[Markup] = [
        element("text", title, class_="title", x=left, y=50),
        element("path", class_="axis", d=f"M{left:.1f},265h215"),
    ]
    for run, value, height in zip(runs, values, tall, strict=True):
        x = left + width * (betas.index(run.beta) * (len(names) + 1) + names.index(run.method) + 0.5)
        colour = f"c{names.index(run.method)}"
        bar = f"M{x:.1f},265v-{max(float(height), 0.5):.1f}"
        parts.append(
            element("path", class_=f"line {colour}", style=f"stroke-linecap:butt;stroke-width:{0.8 * width:.1f}", d=bar)
        )
        label = {"x": f"{x:.1f}", "y": f"{260 - height:.1f}", "text_anchor": "middle", "style": "font-size:9px"}
        parts.append(element("text", f"{value:.0f}" if value >= 9.95 else f"{value:.2g}", **label))
    for index, beta in enumerate(betas):
        x = left + width * (index * (len(names) + 1) + 0.5 * len(names))
        parts.append(element("text", f"beta {beta:g}", x=f"{x:.1f}", y=282, text_anchor="middle"))
    return parts
