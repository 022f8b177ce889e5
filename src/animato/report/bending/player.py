"""Figures that move on a page: all motions of a character overlaid, to be played, scrubbed and turned around.

What is sent is small: a few points of each shape's outline, poses of bodies and centre lines of rods as 16-bit numbers.
A script of ours puts them on a canvas; it needs no library and no network.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from animato.character import Bar, Character, Rod
from animato.mechanics.simulation.posing import Performance
from animato.report.bending.figures import Figure
from animato.report.kit import Markup, element, package_text, packed, script_data, shape_outline
from animato.view.scene import set_stage

_MOST_BYTES = 600_000
_FRAMES_A_SECOND = 40.0
_LINE_POINTS = 12
_STILL = 1e-5  # [m]: what moves less in all figures is sent once


def player(character: Character, figures: Sequence[Figure], bodies: Sequence[str]) -> Markup:
    """The player with its controls, its data and its script.

    Args:
        character: Who moves.
        figures: From the lowest layer to the highest; the last one is drawn in the character's own colours.
        bodies: Names of the tracked bodies, whose points leave trails.
    """
    data = player_data(character, figures, bodies)
    boxes = [
        element(
            "label",
            element("input", type="checkbox", checked=True, data_figure=n),
            element("span", class_=f"chip chip-{one.kind}"),
            one.name,
        )
        for n, one in enumerate(figures)
    ]
    speeds = [
        element("option", words, value=value, selected=value == "1")
        for value, words in (("1", "real time"), ("0.5", "half as fast"), ("0.2", "a fifth"))
    ]
    controls = element(
        "div",
        element("button", "▶", type="button", class_="play", aria_label="play or pause"),
        element("input", type="range", min=0, max=1000, value=0, class_="scrub", aria_label="time"),
        element("output", "0.00 s", class_="clock"),
        element("select", *speeds, class_="speed", aria_label="speed"),
        class_="player-controls",
    )
    return element(
        "div",
        element("canvas", class_="player-canvas", width=1120, height=640, role="img", aria_label=_WORDS),
        controls,
        element("div", *boxes, element("span", "Drag to turn, scroll to come closer.", class_="hint-text")),
        script_data("player-data", data),
        element("script", package_text("bending_player.js")),
        class_="player",
        id="player",
        data_time=f"{_worst_moment(figures):.3f}",
    )


_WORDS = "All motions overlaid; the buttons below play them"


def _worst_moment(figures: Sequence[Figure]) -> float:
    """When any figure is farthest from the first one [s]: there is most to be seen."""
    first = figures[0].points
    off = [np.linalg.norm(one.points - first[: len(one.points)], axis=2).max(axis=1) for one in figures[1:]]
    if not off or not first.size:
        return float(figures[0].performance.times[0])
    worst = max(off, key=lambda one: float(one.max()))
    return float(figures[0].performance.times[int(np.argmax(worst))])


def player_data(character: Character, figures: Sequence[Figure], bodies: Sequence[str]) -> dict[str, Any]:
    """What the script draws, as plain numbers and packed arrays."""
    last = figures[-1].performance
    stage = set_stage(character, last, ghost=figures[0].performance, width=1120, height=640)
    count = len(character.bodies)
    times = _frame_times(last, count, len(figures), len(bodies))
    poses = [one.performance.poses_at(times) for one in figures]
    first = poses[0].positions[:1, :count]
    moving = np.zeros(count, dtype=bool)
    for one in poses:
        moving |= np.abs(one.positions[:, :count] - first).max(axis=(0, 2)) > _STILL
        turn = one.quaternions_wxyz[:, :count] - poses[0].quaternions_wxyz[:1, :count]
        moving |= np.abs(turn).max(axis=(0, 2)) > 1e-4
    order = np.flatnonzero(moving)
    reach = max(float(np.abs(one.positions).max()) for one in poses)
    return {
        "times": [round(float(times[0]), 6), round(float(times[-1]), 6), len(times)],
        "reach": reach,
        "camera": {
            "eye": list(stage.camera.eye),
            "target": list(stage.camera.target),
            "fov": stage.camera.field_of_view,
        },
        "floor": stage.ground.height,
        "size": stage.scene.size,
        "moving": order.tolist(),
        "still": _still_poses(poses[0].positions[0], poses[0].quaternions_wxyz[0], ~moving, count),
        "shapes": [
            shape_outline(part) for part in stage.scene.parts if part.bend is None and len(part.triangles.vertices)
        ],
        "rods": [_rod(character, name) for name in last.rods],
        "bodies": [body.replace("_", " ") for body in bodies],
        "figures": [
            {
                "name": figure.name,
                "kind": figure.kind,
                "poses": packed(_pose_rows(one.positions[:, order], one.quaternions_wxyz[:, order], reach)),
                "lines": packed(_lines(figure.performance, times) / reach),
                "points": packed(_points(figure, times) / reach),
            }
            for figure, one in zip(figures, poses, strict=True)
        ],
    }


def _frame_times(performance: Performance, bodies: int, figures: int, tracked: int) -> np.ndarray:
    """Moments that are sent: as many a second as is smooth, unless the page would grow too large."""
    a_frame = 2 * figures * (7 * bodies + 3 * _LINE_POINTS * len(performance.rods) + 3 * tracked)
    most = max(2, int(0.75 * _MOST_BYTES / a_frame))
    count = min(most, round(performance.duration * _FRAMES_A_SECOND) + 1)
    return np.linspace(performance.times[0], performance.times[-1], max(2, count))


def _pose_rows(positions: np.ndarray, turns_wxyz: np.ndarray, reach: float) -> np.ndarray:
    return np.concatenate([positions / reach, turns_wxyz], axis=2)


def _still_poses(positions: np.ndarray, turns: np.ndarray, still: np.ndarray, count: int) -> dict[str, list[float]]:
    return {str(n): [round(float(value), 5) for value in (*positions[n], *turns[n])] for n in range(count) if still[n]}


def _rod(character: Character, name: str) -> dict[str, Any]:
    part = next(one for one in character.flexible_parts if one.name == name)
    shape = part.geometry
    radius = (
        shape.radius
        if isinstance(shape, Rod)
        else 0.5 * min(shape.width, shape.height)
        if isinstance(shape, Bar)
        else 0.002
    )
    return {"radius": radius, "points": _LINE_POINTS}


def _lines(performance: Performance, times: np.ndarray) -> np.ndarray:
    """Centre lines of all rods, each as many points evenly along it, [time, points of all rods, 3]."""
    if not performance.rods:
        return np.zeros((len(times), 0, 3))
    poses, found = performance.poses_at(times), []
    for links in performance.rods.values():
        index = [link.index for link in links]
        stations = np.array([link.station for link in links])
        middles = poses.positions[:, index]
        ends = []
        for which, away in ((0, -0.5 * links[0].length), (-1, 0.5 * links[-1].length)):
            w, x, y, z = np.moveaxis(poses.quaternions_wxyz[:, index[which]], 1, 0)
            along = np.stack([2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)], axis=1)
            ends.append(middles[:, which] + away * along)
        line = np.concatenate([ends[0][:, None], middles, ends[1][:, None]], axis=1)
        place = np.concatenate(
            [[stations[0] - 0.5 * links[0].length], stations, [stations[-1] + 0.5 * links[-1].length]]
        )
        wanted = np.linspace(place[0], place[-1], _LINE_POINTS)
        first = np.clip(np.searchsorted(place, wanted, side="right") - 1, 0, len(place) - 2)
        share = ((wanted - place[first]) / (place[first + 1] - place[first]))[None, :, None]
        found.append((1.0 - share) * line[:, first] + share * line[:, first + 1])
    return np.concatenate(found, axis=1)


def _points(figure: Figure, times: np.ndarray) -> np.ndarray:
    flat = figure.points.reshape(len(figure.points), -1)
    columns = [np.interp(times, figure.performance.times, column) for column in flat.T]
    return np.stack(columns, axis=1).reshape(len(times), -1, 3)
