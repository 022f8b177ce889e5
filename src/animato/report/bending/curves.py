"""Curves over time of several motions, as the charts of a page take them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.report.kit import Axes, Markup, package_text, peak_keeping

WIDTH, LEFT, PLOT = 1120, 64, 1036
_MOST_POINTS = 900


@dataclass(frozen=True, eq=False)
class Curve:
    """One line in a chart.

    Attributes:
        name: In the key.
        kind: "target", "before" or "after".
        values: [time, column].
    """

    name: str
    kind: str
    values: np.ndarray


@dataclass(frozen=True, eq=False)
class Course:
    """What motors do.

    Attributes:
        kind: "target", "before" or "after".
        name: In the key.
        position, velocity, acceleration: [rad, rad/s, rad/s^2, or metres], [time, motor].
        torque: [N m or N], [time, motor].
    """

    kind: str
    name: str
    position: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray
    torque: np.ndarray


def chart_style() -> str:
    """The style sheet of charts of characters that bend."""
    return package_text("charts.css") + package_text("bending_charts.css")


def thinned(axes: Axes, x: np.ndarray, y: np.ndarray, class_: str, most: int = _MOST_POINTS) -> Markup:
    """A curve with no more points than can be seen; its peaks stay."""
    chosen = peak_keeping(y, most)
    return axes.line(x[chosen], y[chosen], class_)
