"""The soles on the floor from above, with the path of the ZMP among them."""

from __future__ import annotations

import numpy as np

from animato.mechanics.contact import convex_hull
from animato.report.kit import Axes, Markup, chart_file, element, key, path
from animato.report.mimic.charts import chart_style
from animato.report.mimic.shown import RIM, Shown, stretches

_WIDTH, _MOST_HEIGHT, _LEFT, _TOP = 1120, 460, 64, 44
_MARK_S = 0.5  # a dot on the path of the ZMP every half second


def draw_footprints(shown: Shown) -> Markup:
    """Soles where they stand, the ZMP and the centre of mass from above, to scale."""
    seen = shown.corners[..., :2][shown.planted]
    zmp = shown.solution.zmp
    cloud = np.vstack([seen, zmp[np.isfinite(zmp).all(axis=1)], shown.centre[:, :2]])
    low, high = cloud.min(axis=0), cloud.max(axis=0)
    room = 0.08 * float((high - low).max())
    low, high = low - room, high + room
    # what is longer runs across the page: x to the right and y up, or turned by a quarter
    turn = bool((high - low)[1] > (high - low)[0])
    if turn:
        low, high = np.array([-high[1], low[0]]), np.array([-low[1], high[0]])
    wide, tall = 100.0 * (high - low)
    scale = min((_WIDTH - _LEFT - 30) / wide, _MOST_HEIGHT / tall)
    across = (100.0 * float(low[0]), 100.0 * float(high[0]))
    axes = Axes(_LEFT, _TOP, scale * wide, scale * tall, across, (100.0 * float(low[1]), 100.0 * float(high[1])))
    parts: list[Markup] = [
        key(
            [("ZMP, a dot every half second", "zmp"), ("centre of mass", "mass"), ("outside the soles", "outside")],
            _LEFT,
            20,
        ),
        axes.frame(across_unit=" cm", up_ticks=max(2, int(scale * tall / 80))),
        *_soles(shown, axes, turn),
        *_lines(axes, _turned(100.0 * shown.centre[:, :2], turn), "mass"),
        *_lines(axes, _turned(100.0 * zmp, turn), "zmp"),
        *_lines(axes, _turned(100.0 * np.where((shown.inside < -RIM)[:, None], zmp, np.nan), turn), "outside"),
        *_dots(shown, axes, turn),
    ]
    title = "Soles on the floor and the path of the ZMP, from above"
    return chart_file(element("g", *parts), chart_style(), title, _WIDTH, int(_TOP + scale * tall + 32))


def _turned(points: np.ndarray, turn: bool) -> np.ndarray:
    return np.column_stack([-points[:, 1], points[:, 0]]) if turn else points


def _soles(shown: Shown, axes: Axes, turn: bool) -> list[Markup]:
    """The sole of every stance, where it is in the middle of it."""
    parts, start = [], 0
    owners: dict[str, list[int]] = {}
    for part in shown.solution.problem.plan.parts:
        owners.setdefault(part.name.rpartition(" ")[0] or part.name, []).extend(range(start, start + len(part.points)))
        start += len(part.points)
    for owner, corners in owners.items():
        side = "right" if owner.startswith("right") else "left"
        for a, b in stretches(np.any(shown.planted[:, corners], axis=1)):
            hull = _turned(100.0 * convex_hull(shown.corners[(a + b) // 2, corners, :2]), turn)
            outline = path(axes.x(hull[:, 0]), axes.y(hull[:, 1])) + "Z"
            parts.append(element("path", class_=f"sole-{side}", d=outline))
    return parts


def _lines(axes: Axes, points: np.ndarray, class_: str) -> list[Markup]:
    lines = []
    for a, b in stretches(np.isfinite(points).all(axis=1)):
        if b - a > 1:
            lines.append(axes.line(points[a:b, 0], points[a:b, 1], class_))
    return lines


def _dots(shown: Shown, axes: Axes, turn: bool) -> list[Markup]:
    points, dots = _turned(100.0 * shown.solution.zmp, turn), []
    for moment in np.arange(shown.times[0], shown.times[-1] + 1e-9, _MARK_S):
        at = int(np.argmin(np.abs(shown.times - moment)))
        if np.isfinite(points[at]).all():
            place = {"cx": f"{float(axes.x(points[at, 0])):.1f}", "cy": f"{float(axes.y(points[at, 1])):.1f}"}
            place["data_time"] = f"{shown.times[at]:.4f}"
            dots.append(element("circle", element("title", f"{moment:.1f} s"), class_="zmp-dot", r=4, **place))
    return dots
