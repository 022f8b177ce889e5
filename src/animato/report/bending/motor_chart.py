"""What each motor does: position, speed, acceleration and torque side by side, with its limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.character import Character, JointType, Limits
from animato.findings import percent
from animato.report.bending.curves import WIDTH, Course, chart_style, thinned
from animato.report.kit import Axes, Markup, chart_file, element, key, time_cursor

_LEFT, _PANEL, _GAP = 44, 225, 51
_MOST_POINTS = 260


@dataclass(frozen=True)
class _Kind:
    """A column of the chart: what it shows and in which unit."""

    name: str
    unit: str
    factor: float


_ANGULAR = (
    _Kind("position", "deg", 180.0 / np.pi),
    _Kind("velocity", "deg/s", 180.0 / np.pi),
    _Kind("acceleration", "rad/s²", 1.0),
    _Kind("torque", "N m", 1.0),
)
_LINEAR = (
    _Kind("position", "mm", 1000.0),
    _Kind("velocity", "mm/s", 1000.0),
    _Kind("acceleration", "m/s²", 1.0),
    _Kind("torque", "N", 1.0),
)
_WORDS = {"position": "position", "velocity": "speed", "acceleration": "acceleration", "torque": "torque"}


def draw_motors(
    times: np.ndarray,
    names: Sequence[str],
    limits: Sequence[Limits],
    angular: Sequence[bool],
    courses: Sequence[Course],
    *,
    player: str = "",
) -> Markup:
    """A row a motor.

    Args:
        times: [s], [time].
        names: Of the motors.
        limits: Of each.
        angular: Whether each turns.
        courses: What they do, later ones drawn over earlier ones.
        player: Identifier of the player whose time it shares; "" where there is none.
    """
    parts: list[Markup] = [key([(one.name, one.kind) for one in courses], _LEFT, 18)]
    top, height = 56, 120 if len(names) <= 2 else 62
    span = (float(times[0]), float(times[-1]))
    for motor, name in enumerate(names):
        parts.append(element("text", name.replace("_", " "), class_="head", x=_LEFT, y=top - 9))
        for column, kind in enumerate(_ANGULAR if angular[motor] else _LINEAR):
            lines = [kind.factor * getattr(one, kind.name)[:, motor] for one in courses]
            bounds = [kind.factor * one for one in _bounds(limits[motor], kind.name)]
            place = (_LEFT + column * (_PANEL + _GAP), top + 12, _PANEL, height)
            axes = Axes(*place, span, _room(lines, kind))
            parts += _panel(axes, kind, times, lines, [one.kind for one in courses], bounds, first=motor == 0)
            parts += [time_cursor(player, axes)] if player else []
        top += height + 68
    title = "Position, speed, acceleration and torque of each motor"
    return chart_file(element("g", *parts), chart_style(), title, WIDTH, top - 34)


_SLIDING = {JointType.PRISMATIC: (0,), JointType.CYLINDRICAL: (0,), JointType.CARTESIAN: (0, 1, 2)}


def turning_motors(character: Character, names: Sequence[str]) -> list[bool]:
    """Whether each motor turns; the others slide."""
    slide = {
        name
        for joint in character.joints
        for n, name in enumerate(joint.coordinate_names)
        if n in _SLIDING.get(joint.type, ())
    }
    return [name not in slide for name in names]


def _room(lines: Sequence[np.ndarray], kind: _Kind) -> tuple[float, float]:
    """Lowest and highest value of a panel, with some room; all but positions show zero."""
    low, high = min(float(one.min()) for one in lines), max(float(one.max()) for one in lines)
    if kind.name != "position":
        low, high = min(low, 0.0), max(high, 0.0)
    room = max(0.08 * (high - low), 1e-6)
    return low - room, high + room


def _panel(
    axes: Axes,
    kind: _Kind,
    times: np.ndarray,
    lines: Sequence[np.ndarray],
    classes: Sequence[str],
    bounds: list[float],
    *,
    first: bool,
) -> list[Markup]:
    """One motor's curves of one kind, and its limits where they are near."""
    low, high = axes.up
    limits = [
        element("path", class_="limit", d=f"M{axes.left:.1f},{float(axes.y(one)):.1f}h{axes.width}")
        for one in bounds
        if low <= one <= high
    ]
    curves = [
        thinned(axes, times, values, f"{class_} fine", _MOST_POINTS)
        for class_, values in zip(classes, lines, strict=True)
    ]
    title = f"{_WORDS[kind.name]} [{kind.unit}]"
    return [
        axes.frame(title="", across_unit=" s" if first else "", up_ticks=2),
        element("text", title, class_="small", x=f"{axes.left:.1f}", y=f"{axes.top - 5:.1f}"),
        *_share(axes.left + axes.width, axes.top - 5, lines[-1], bounds),
        *limits,
        axes.inside(*curves),
    ]


def _share(right: float, y: float, values: np.ndarray, bounds: list[float]) -> list[Markup]:
    """How much of its limit the last course uses."""
    finite = [one for one in bounds if np.isfinite(one)]
    if not finite:
        return []
    low, high = min(bounds), max(bounds)
    if not (np.isfinite(low) and np.isfinite(high)) or high <= low:
        return []
    share = float(np.max(np.abs(values - 0.5 * (low + high)))) / (0.5 * (high - low))
    class_ = "share over" if share > 1.0 + 1e-6 else "share"
    return [element("text", f"{percent(share)} of its limit", class_=class_, x=f"{right:.1f}", y=f"{y:.1f}")]


def _bounds(limits: Limits, kind: str) -> list[float]:
    if kind == "position":
        return [float(one) for one in limits.range]
    if kind == "torque":
        stall = limits.torque if limits.curve is None else float(limits.curve.torques[0])
        stall = stall if limits.torque is None or stall is None else min(stall, limits.torque)
        return [] if stall is None else [-float(stall), float(stall)]
    bound = getattr(limits, kind)
    return [] if bound is None else [-float(bound), float(bound)]
