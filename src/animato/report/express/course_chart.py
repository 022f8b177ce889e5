"""Joint angles and errors of chains that face over time, with their changes of branch marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.report.kit import Axes, Markup, chart_file, element, key, peak_keeping, time_cursor

WIDTH = 1120
_LEFT, _PLOT, _ROW, _MAX_POINTS = 58, 1046, 400, 450


@dataclass(frozen=True, eq=False)
class Course:
    """What one chain did.

    Attributes:
        title: For people.
        joints: Names, [n].
        times: [s], [frame].
        positions: [rad or m], [frame, n]; all are drawn as angles.
        errors: What is to be small, [frame].
        error_title: What that is.
        error_unit: Behind its numbers.
        changing: Whether a change of branch was under way, [frame].
    """

    title: str
    joints: tuple[str, ...]
    times: np.ndarray
    positions: np.ndarray
    errors: np.ndarray
    error_title: str
    error_unit: str
    changing: np.ndarray


def draw_courses(courses: Sequence[Course], style: str, title: str, *, player: str = "") -> Markup:
    """For each course its joint angles over time and, below, its error.

    Args:
        courses: Of any chains.
        style: Style sheet of the charts.
        title: Of the picture.
        player: Identifier of the player whose time is shown; "" for a picture that stands alone.
    """
    parts = [_course(course, 26 + row * _ROW, player) for row, course in enumerate(courses)]
    return chart_file(element("g", *parts), style, title, WIDTH, 10 + _ROW * len(courses))


def _course(course: Course, top: float, player: str) -> Markup:
    span = (float(course.times[0]), float(course.times[-1]))
    degrees = np.degrees(course.positions)
    largest = 1.08 * max(90.0, float(np.abs(degrees).max()))
    angles = Axes(_LEFT, top + 44, _PLOT, 180, span, (-largest, largest))
    errors = Axes(_LEFT, top + 280, _PLOT, 66, span, (0.0, max(0.01, 1.1 * float(course.errors.max()))))
    names = [(name.replace("_", " "), f"c{n % 8}") for n, name in enumerate(course.joints)]
    curves = (_curve(course.times, degrees[:, n], angles, f"c{n % 8}") for n in range(len(course.joints)))
    return element(
        "g",
        element("text", course.title, class_="head", x=_LEFT, y=top),
        key(names, _LEFT + 120, angles.top - 9),
        angles.inside(*_branch_marks(course, angles)),
        angles.frame(title="joint angles", across_unit=" s", up_unit="°", up_ticks=4),
        angles.inside(*curves),
        errors.inside(*_branch_marks(course, errors)),
        errors.frame(title=course.error_title, across_unit=" s", up_unit=course.error_unit),
        errors.inside(_curve(course.times, course.errors, errors, "c3")),
        time_cursor(player, angles, errors.top + errors.height - angles.top) if player else None,
    )


def _curve(times: np.ndarray, values: np.ndarray, axes: Axes, class_: str) -> Markup:
    chosen = peak_keeping(values, _MAX_POINTS)
    return axes.line(times[chosen], values[chosen], class_)


def _branch_marks(course: Course, axes: Axes) -> list[Markup]:
    """Bands where a change of branch was under way, and a line where each began."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], course.changing, [False]]).astype(np.int8)))
    last = len(course.times) - 1
    bands, lines = [], []
    for first, after in edges.reshape(-1, 2):
        x0, x1 = (float(axes.x(course.times[min(n, last)])) for n in (first, after))
        size = {"width": f"{max(x1 - x0, 1.5):.1f}", "height": f"{axes.height:.1f}"}
        bands.append(element("rect", class_="band", x=f"{x0:.1f}", y=f"{axes.top:.1f}", **size))
        lines.append(element("path", class_="decided", d=f"M{x0:.1f},{axes.top:.1f}v{axes.height:.1f}"))
    return [*bands, *lines]
