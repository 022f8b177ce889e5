"""Ways of the pen through the air: lift, travel, touch.

Between two lines nothing is drawn. The point leaves the board along its normal, travels above it and comes down where
the next line begins. How long that took the artist says nothing about the gesture: it is planned at twice the mean
speed of the lines, and its timing does not count.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.motion import Stroke
from animato.trace.sketch.stroke_timing import timed

LARGEST_LIFT = 0.03
"""Where no height is said [m]; a small drawing has a tenth of its size."""

AIR_HASTE = 2.0
"""Speed through the air over the mean speed of the lines."""

_FLAT = 0.1  # thickness of lines over their width up to which they have a normal
_CORNER = 8  # samples of each rounded corner


@dataclass(frozen=True, eq=False)
class PenPath:
    """Lines of one point with the ways between them.

    Attributes:
        stroke: All of it, with times.
        in_air: Whether each sample is between two lines, [sample].
    """

    stroke: Stroke
    in_air: np.ndarray


def usual_lift(points: np.ndarray) -> float:
    """How high the pen is lifted where nothing is said [m]."""
    return min(LARGEST_LIFT, 0.1 * float(np.ptp(points, axis=0).max()))


def mean_normal(points: np.ndarray) -> np.ndarray | None:
    """The way off lines in space that are nearly flat: up, or to the robot at the origin; None where they are not flat.

    Args:
        points: [m], [point, 3].
    """
    middle = points.mean(axis=0)
    _, spread, axes = np.linalg.svd(points - middle, full_matrices=False)
    if len(points) < 3 or spread[2] > _FLAT * spread[1] or spread[1] < 1e-3 * spread[0]:
        return None
    normal = axes[2]
    side = normal[2] if abs(normal[2]) > 0.5 else -float(normal @ middle)
    return np.asarray(normal if side >= 0.0 else -normal)


def joined_lines(lines: Sequence[Stroke], normal: np.ndarray | None, lift: float) -> PenPath:
    """One path through all lines, in their order.

    Args:
        lines: In space, with times; each begins at its own time 0 or later, gaps between them are forgotten.
        normal: The way to lift, a unit vector; None travels straight.
        lift: How high [m].
    """
    speeds = [line.length / _duration(line) for line in lines if line.length > 0.0]
    speed = AIR_HASTE * (float(np.mean(speeds)) if speeds else 1.0)
    points, times, pressures, in_air = [lines[0].points], [_from_zero(lines[0])], [_pressure(lines[0])], [0]
    counts = [len(lines[0].points)]
    for before, line in itertools.pairwise(lines):
        way = Stroke(_through_air(before.points[-1], line.points[0], normal, lift))
        air = timed(way, speed=speed, rate_hz=max(_rate(line), 8.0 * speed / max(way.length, 1e-9)))
        start = times[-1][-1]
        inner = np.asarray(air.times)[1:-1] + start
        points += [air.points[1:-1], line.points]
        times += [inner, start + float(np.asarray(air.times)[-1]) + _from_zero(line)]
        pressures += [np.zeros(len(inner)), _pressure(line)]
        counts += [len(inner), len(line.points)]
        in_air += [1, 0]
    pressed = all(line.pressure is not None for line in lines)
    stroke = Stroke(
        np.vstack(points), np.concatenate(times), np.concatenate(pressures) if pressed else None, lines[0].source
    )
    return PenPath(stroke, np.repeat(np.array(in_air, dtype=bool), counts))


def _through_air(start: np.ndarray, end: np.ndarray, normal: np.ndarray | None, lift: float) -> np.ndarray:
    """Straight up, across, and straight down, with round corners [m], [sample, 3]."""
    across = end - start
    distance = float(np.linalg.norm(across))
    if normal is None or lift == 0.0:
        return np.stack([start, end])
    up = lift * normal
    radius = min(0.5 * lift, distance / 3.0)
    along = radius / max(distance, 1e-12) * across
    share = np.linspace(0.0, 1.0, _CORNER)[:, None]

    def corner(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
        return np.asarray((1.0 - share) ** 2 * a + 2.0 * share * (1.0 - share) * b + share**2 * c)

    rise, fall = start + up, end + up
    lower = (lift - radius) / lift * up
    return np.vstack([start, corner(start + lower, rise, rise + along), corner(fall - along, fall, end + lower), end])


def _duration(line: Stroke) -> float:
    times = _from_zero(line)
    return max(float(times[-1]), 1e-9)


def _from_zero(line: Stroke) -> np.ndarray:
    return np.asarray(line.times) - np.asarray(line.times)[0]


def _rate(line: Stroke) -> float:
    """Samples a second of the way, as dense as the line is."""
    return float(np.clip((len(line.points) - 1) / _duration(line), 60.0, 500.0))


def _pressure(line: Stroke) -> np.ndarray:
    return np.ones(len(line.points)) if line.pressure is None else line.pressure
