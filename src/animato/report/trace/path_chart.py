"""The drawn and the performed path side by side, coloured by speed."""

from __future__ import annotations

import itertools

import numpy as np

from animato.report.kit import Markup, chart_file, element, path, round_ticks, tick_text, time_walker
from animato.report.trace.curves import TraceCurves
from animato.view.raster import speed_colour

WIDTH = 1120
_MARGIN, _GAP, _TOP, _LEGEND = 26, 28, 40, 46
_HIGHEST = 470
_COLOURS = 24  # neighbours of one colour are drawn in one go
_WALKER_PLACES = 240  # of a line at which its dot is known


def draw_trace_paths(curves: TraceCurves, points: tuple[str, ...], style: str, *, player: str = "") -> Markup:
    """Two panels at one scale: what was drawn, and what the robot does over a shadow of the drawing.

    Args:
        curves: Both motions.
        points: Names of the points.
        style: Style sheet of the charts.
        player: Identifier of the player whose time is marked; "" where there is none.
    """
    right, up = view_axes(curves.drawn)
    both = np.stack([curves.drawn, curves.performed])
    flat = np.stack([both @ right, -(both @ up)], axis=-1)  # y goes down in a picture
    low, high = flat.min(axis=(0, 1, 2)), flat.max(axis=(0, 1, 2))
    panel = (WIDTH - 2 * _MARGIN - _GAP) / 2.0
    size = np.maximum(high - low, 1e-6)
    scale = float(min((panel - 30) / size[0], _HIGHEST / size[1]))
    height = scale * size[1] + 30
    pixels = (flat - low) * scale + [(panel - scale * size[0]) / 2.0, 15]
    drawn, performed = pixels[0] + [_MARGIN, _TOP], pixels[1] + [_MARGIN + panel + _GAP, _TOP]
    shadow = pixels[0] + [_MARGIN + panel + _GAP, _TOP]
    parts = [
        element("text", "drawn", class_="head", x=_MARGIN, y=24),
        element("text", "performed, over the drawing", class_="head", x=_MARGIN + panel + _GAP, y=24),
    ]
    fastest = max(curves.fastest, 1e-9)
    for index, point in enumerate(points):
        parts += _lines(drawn[:, index], curves.drawn_speeds[:, index] / fastest, curves.down)
        parts += [element("path", class_="line shadow", d=path(*shadow[part, index].T)) for part in runs(curves.down)]
        parts += _lines(performed[:, index], curves.performed_speeds[:, index] / fastest, curves.down)
        parts += [_start(drawn[0, index]), _start(performed[0, index])]
        if len(points) > 1:
            parts.append(_name(drawn[:, index], point))
    if player:
        known = np.linspace(0, len(curves.s) - 1, _WALKER_PLACES).round().astype(int)
        lines = [line[known, n] for line in (drawn, performed) for n in range(len(points))]
        parts += [time_walker(player, line[:, 0], line[:, 1], curves.times[known]) for line in lines]
    odd = (np.stack([curves.left_out @ right, -(curves.left_out @ up)], axis=-1) - low) * scale
    corner = np.array([(panel - scale * size[0]) / 2.0, 15.0])
    inside = np.clip(odd + corner, 4.0, [panel - 4.0, height - 4.0])
    # one that is far away stands at the edge, or the drawing would be a dot
    parts += [_cross(place) for place in inside + np.array([_MARGIN, _TOP])]
    total = int(_TOP + height + _LEGEND)
    parts += [speed_legend(fastest, total - 22), *_signs(curves, total - 22)]
    return chart_file(element("g", *parts), style, "The drawn and the performed path, coloured by speed", WIDTH, total)


def runs(flags: np.ndarray) -> list[slice]:
    """Where neighbours are all set, as parts of the list."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
    return [slice(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _lines(places: np.ndarray, shares: np.ndarray, down: np.ndarray) -> list[Markup]:
    """Lines coloured by speed where the pen is down, dashed ways where it is in the air."""
    parts = []
    for part in runs(~down):
        way = places[max(part.start - 1, 0) : part.stop + 1]
        parts.append(element("path", class_="line air", d=path(*way.T)))
    for part in runs(down):
        if part.stop - part.start == 1:
            parts.append(
                element(
                    "circle", class_="dot", cx=f"{places[part.start, 0]:.1f}", cy=f"{places[part.start, 1]:.1f}", r=3
                )
            )
        else:
            parts += coloured_line(places[part], shares[part.start : part.stop - 1])
    return parts


def _cross(place: np.ndarray) -> Markup:
    return element("path", class_="line odd", d=f"M{place[0] - 5:.1f},{place[1] - 5:.1f}l10,10m0,-10l-10,10")


def _signs(curves: TraceCurves, y: float) -> list[Markup]:
    """What dashes and crosses mean, where there are some."""
    left = _MARGIN + 400.0
    parts: list[Markup] = []
    if curves.air:
        parts.append(element("path", class_="line air", d=f"M{left:.1f},{y - 7:.1f}h26"))
        parts.append(element("text", "pen in the air", x=f"{left + 34:.1f}", y=f"{y - 3:.1f}"))
        left += 150.0
    if len(curves.left_out):
        parts.append(_cross(np.array([left, y - 7.0])))
        parts.append(element("text", "samples left out", x=f"{left + 14:.1f}", y=f"{y - 3:.1f}"))
    return parts


def view_axes(places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The ways that are right and up in a picture of paths [..., 3]: their widest plane, seen from the robot's side.

    Up is as far up in the world as that plane allows. A robot stands at the origin; whoever writes looks at the board
    from there. Where the origin lies in the plane itself, x goes to the right.
    """
    flat = places.reshape(-1, 3)
    middle = flat.mean(axis=0)
    normal = np.linalg.svd(flat - middle, full_matrices=False)[2][-1]
    if abs(normal[2]) > 0.95:  # a table: seen from above, away from the robot is up
        up = np.array([1.0, 0.0, 0.0]) - normal[0] * normal
        normal = normal * np.sign(normal[2])
    else:
        up = np.array([0.0, 0.0, 1.0]) - normal[2] * normal
        away = float(normal @ middle)
        span = float(np.linalg.norm(np.ptp(flat, axis=0)))
        # the normal points to who looks: back to the robot, else so that x goes to the right
        towards = -away if abs(away) > 0.05 * span else -float(normal[1])
        normal = normal if towards >= 0.0 else -normal
    up = up / np.linalg.norm(up)
    return np.cross(up, normal), up


def coloured_line(places: np.ndarray, shares: np.ndarray) -> list[Markup]:
    """A line in pieces of one colour each; where it crosses itself the fastest lies on top."""
    levels = np.minimum((np.clip(shares, 0.0, 1.0) * _COLOURS).astype(int), _COLOURS - 1)
    breaks = np.concatenate([[0], np.flatnonzero(np.diff(levels)) + 1, [len(levels)]])
    return [
        element(
            "path", class_="stroke", stroke=_hex((levels[first] + 0.5) / _COLOURS), d=path(*places[first : last + 1].T)
        )
        for first, last in sorted(itertools.pairwise(breaks), key=lambda piece: levels[piece[0]])
    ]


def _hex(share: float) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in speed_colour(share))


def _start(place: np.ndarray) -> Markup:
    return element("circle", class_="start", cx=f"{place[0]:.1f}", cy=f"{place[1]:.1f}", r=5)


def _name(places: np.ndarray, point: str) -> Markup:
    """The point's name, beside its line where there is most room: at its highest place."""
    top = places[int(np.argmin(places[:, 1]))]
    return element(
        "text", point.replace("_", " "), class_="name", x=f"{top[0]:.1f}", y=f"{top[1] - 9:.1f}", text_anchor="middle"
    )


def speed_legend(fastest: float, y: float) -> Markup:
    """Slow to fast, with numbers."""
    width, left = 260.0, float(_MARGIN)
    cell = width / _COLOURS
    ramp = [
        element(
            "rect",
            x=f"{left + k * cell:.1f}",
            y=y - 12,
            width=f"{cell + 0.6:.1f}",
            height=10,
            fill=_hex((k + 0.5) / _COLOURS),
        )
        for k in range(_COLOURS)
    ]
    ticks = round_ticks(0.0, fastest, 4)
    labels = [
        element(
            "text",
            tick_text(value, ticks) + (" m/s" if value == ticks[-1] else ""),
            x=f"{left + width * value / fastest:.1f}",
            y=y + 13,
            text_anchor="middle",
        )
        for value in ticks
    ]
    ring = element("circle", class_="start", cx=f"{left + width + 60:.1f}", cy=y - 7, r=5)
    words = element("text", "start", x=f"{left + width + 72:.1f}", y=y - 3)
    return element("g", *ramp, *labels, ring, words)
