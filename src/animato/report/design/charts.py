"""Charts of a design: errors over time, singular values, the course of the solve."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from animato.design.optimization import Solution
from animato.report.kit import Axes, Markup, chart_file, element, joined, key, peak_keeping, time_cursor

WIDTH = 1120
_LEFT, _PLOT, _MAX_POINTS = 64, 1036, 900
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
BEFORE, AFTER = "c1", "c0"


def step_times(solution: Solution) -> np.ndarray:
    """Time of each step [s]; several motions one after the other, half a second apart."""
    times, start = [], 0.0
    for motion in solution.problem.motions:
        own = start + np.arange(motion.step_count) / motion.rate_hz
        times.append(own)
        start = float(own[-1]) + 0.5
    return np.concatenate(times)


def draw_errors(solution: Solution, style: str, *, player: str = "") -> Markup:
    """How far the targets are missed over time, before and after: places and turns.

    Args:
        solution: Initial and optimized design.
        style: Style sheet of the charts.
        player: Identifier of the player whose time is marked; "" where there is none.
    """
    before, after = solution.initial.errors, solution.optimized.errors
    kinds = [
        ("Distance from the target", " cm", 100.0, before.positions, after.positions),
        ("Turn from the target", "°", 180.0 / np.pi, before.orientations, after.orientations),
    ]
    shown = [kind for kind in kinds if np.isfinite(kind[3]).any()]
    times = step_times(solution)
    parts = [key([("initial", BEFORE), ("optimized", AFTER)], _LEFT + 330, 24)]
    parts.append(element("text", "thick: the worst target, thin: the mean of all", x=_LEFT + 560, y=24))
    top = 46
    for title, unit, factor, *tables in shown:
        worst = [factor * np.nanmax(table, axis=1) for table in tables]
        mean = [factor * np.nanmean(table, axis=1) for table in tables]
        axes = _axes(top, 190, times, 1.08 * max(float(line.max()) for line in worst))
        lines = []
        for colour, thick, thin in zip((BEFORE, AFTER), worst, mean, strict=True):
            lines += [_line(axes, times, thin, f"{colour} thin", solution), _line(axes, times, thick, colour, solution)]
        parts += [axes.frame(title=title, across_unit=" s", up_unit=unit), axes.inside(*lines)]
        parts += [time_cursor(player, axes)] if player else []
        top += 190 + 62
    return chart_file(element("g", *parts), style, "Errors over time, before and after", WIDTH, top - 22)


def draw_singular_values(solution: Solution, style: str, *, player: str = "") -> Markup:
    """Smallest singular value of the constraints along the motion, on a scale of powers of ten.

    Args:
        solution: Initial and optimized design.
        style: Style sheet of the charts.
        player: Identifier of the player whose time is marked; "" where there is none.
    """
    times = step_times(solution)
    both = [np.log10(np.maximum(one.singular_values, 1e-12)) for one in (solution.initial, solution.optimized)]
    low = float(np.floor(min(np.nanmin(one) for one in both) - 0.1))
    high = float(np.ceil(max(np.nanmax(one) for one in both) + 0.02))
    axes = replace(_axes(46, 170, times, 1.0), up=(low, max(high, low + 1.0)))
    lines = [_line(axes, times, one, colour, solution) for colour, one in zip((BEFORE, AFTER), both, strict=True)]
    parts = [
        key([("initial", BEFORE), ("optimized", AFTER)], _LEFT + 330, 24),
        axes.frame(title="Smallest singular value", across_unit=" s", up_ticks=0),
        _powers(axes),
        axes.inside(*lines),
        *([time_cursor(player, axes)] if player else []),
    ]
    return chart_file(element("g", *parts), style, "Distance from singular poses along the motion", WIDTH, 262)


def draw_history(solution: Solution, style: str) -> Markup:
    """Objective, its part of the targets and the constraints from iteration to iteration."""
    history = solution.history
    numbers = np.array([one.number for one in history], dtype=float)
    curves = [
        ("objective", "c0", [one.objective for one in history]),
        ("targets", "c2", [one.tracking for one in history]),
        ("largest constraint row", "c3", [one.violation for one in history]),
    ]
    logs = [(text, colour, np.log10(np.maximum(values, 1e-16))) for text, colour, values in curves]
    low = float(np.floor(min(line.min() for *_, line in logs)))
    high = float(np.ceil(max(line.max() for *_, line in logs)))
    axes = Axes(_LEFT, 46, _PLOT, 190, (float(numbers[0]), float(max(numbers[-1], 2.0))), (low, max(high, low + 1.0)))
    parts = [
        key([(text, colour) for text, colour, _ in logs], _LEFT + 330, 24),
        axes.frame(title="From iteration to iteration", up_ticks=0),
        _powers(axes),
        axes.inside(*(axes.line(numbers, line, colour) for _, colour, line in logs)),
    ]
    return chart_file(element("g", *parts), style, "Course of the solve", WIDTH, 282)


def _axes(top: float, height: float, times: np.ndarray, most: float) -> Axes:
    return Axes(_LEFT, top, _PLOT, height, (0.0, float(max(times[-1], 1e-3))), (0.0, max(most, 1e-6)))


def _line(axes: Axes, times: np.ndarray, values: np.ndarray, class_: str, solution: Solution) -> Markup:
    """One line a motion, thinned out where there are more samples than pixels."""
    starts = (*solution.problem.starts, len(times))
    pieces = []
    for first, end in itertools.pairwise(starts):
        here = first + peak_keeping(values[first:end], _MAX_POINTS)
        here = here[np.isfinite(values[here])]
        if len(here):
            pieces.append(axes.line(times[here], values[here], class_))
    return joined(*pieces)


def _powers(axes: Axes) -> Markup:
    """Grid lines at powers of ten, of an axis that holds logarithms."""
    low, high = (round(value) for value in axes.up)
    step = max(1, (high - low + 4) // 5)
    parts = []
    for power in range(low, high + 1, step):
        y = float(axes.y(power))
        label = "1" if power == 0 else "0.1" if power == -1 else "10" + str(power).translate(_SUPERSCRIPTS)
        parts.append(element("path", class_="grid", d=f"M{axes.left:.1f},{y:.1f}h{axes.width:.1f}"))
        parts.append(element("text", label, x=f"{axes.left - 7:.1f}", y=f"{y + 4:.1f}", text_anchor="end"))
    return element("g", *parts)
