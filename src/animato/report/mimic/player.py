"""Person and robot that move side by side on a page, to be played, scrubbed and turned around.

What is sent is small: landmarks, a few points of each shape's outline and poses of bodies as 16-bit numbers. A script
of ours puts them on a canvas; it needs no library and no network.
"""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from animato.mechanics.contact import convex_hull
from animato.report.kit import Markup, element, package_text, packed, script_data, shape_outline
from animato.report.mimic.holding import holders
from animato.report.mimic.shown import Shown
from animato.report.mimic.sticks import bones_of, edges_of
from animato.report.mimic.words import capture_name
from animato.spatial import quaternions
from animato.view.scene import build_scene

_MOST_BYTES = 500_000
_SWITCHES = (
    ("floor", "soles and ZMP"),
    ("wanted", "the person over the robot"),
    ("markers", "markers"),
    ("mesh", "mesh"),
)


def player(shown: Shown) -> Markup:
    """The player with its controls, its data and its script."""
    boxes = [
        element("label", element("input", type="checkbox", checked=name != "mesh", data_layer=name), words)
        for name, words in _SWITCHES
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
    words = "The person on the left, the robot on the right; the buttons below play them"
    return element(
        "div",
        element("canvas", class_="player-canvas", width=1120, height=600, role="img", aria_label=words),
        controls,
        element("div", *boxes, element("span", "Drag to turn, scroll to come closer.", class_="hint-text")),
        script_data("player-data", player_data(shown)),
        element("script", package_text("mimic_player.js")),
        class_="player",
        id="player",
        data_time=f"{shown.times[int(np.argmax(shown.after.mean(axis=1)))]:.3f}",
    )


def player_data(shown: Shown) -> dict[str, Any]:
    """What the script draws, as plain numbers and packed arrays."""
    chosen = _frames(shown)
    character = shown.solution.problem.character
    bodies = len(character.bodies)
    positions, turns = shown.poses.positions[chosen, :bodies], shown.poses.quaternions_wxyz[chosen, :bodies]
    robot, person = shown.robot[chosen], shown.person[chosen]
    zmp = shown.solution.zmp[chosen]
    reach = 1.01 * float(max(np.abs(one).max() for one in (positions, robot, person, np.nan_to_num(zmp))))
    tall = float(np.ptp(np.vstack([positions[0], robot[0], person[0]])[:, 2]))
    poses = np.concatenate([positions / reach, quaternions.continuous(turns)], axis=2)
    pairs, present = _mesh(person)
    parts, held = build_scene(character).parts, holders(shown)
    return {
        "times": [round(float(shown.times[at]), 6) for at in chosen],
        "reach": reach,
        "tall": tall,
        "middle": 0.5 * tall,
        "bones": [list(bone) for bone in bones_of(shown.names)],
        "landmarks": len(shown.names),
        "edges": pairs.tolist(),
        "present": base64.b64encode(np.packbits(present, axis=1).tobytes()).decode("ascii"),
        "stride": -(-len(pairs) // 8),
        "robot_name": character.name,
        "capture_name": capture_name(shown.solution),
        "bodies": bodies,
        "shapes": [shape_outline(part) for part in parts if part.bend is None and len(part.triangles.vertices)],
        "poses": packed(poses),
        "person": packed(person / reach),
        "robot": packed(robot / reach),
        "errors": [round(1e3 * float(value), 1) for value in shown.after[chosen].mean(axis=1)],
        "inside": [round(1e3 * float(value), 1) if np.isfinite(value) else None for value in shown.inside[chosen]],
        "zmp": [[round(float(x), 5), round(float(y), 5)] if np.isfinite(x) else None for x, y in zmp],
        "support": [_outline(shown, at) for at in chosen],
        "held": [held[at] for at in chosen],
    }


def _outline(shown: Shown, knot: int) -> list[list[float]]:
    """Corners of the hull of what stands on the floor [m]."""
    standing = shown.corners[knot, shown.planted[knot], :2]
    return np.round(convex_hull(standing), 5).tolist() if len(standing) else []


def _frames(shown: Shown) -> np.ndarray:
    """Knots that are sent: all, unless the page would grow too large."""
    a_frame = 2 * (7 * shown.poses.positions.shape[1] + 6 * len(shown.names)) + 24
    most = max(2, int(0.75 * _MOST_BYTES / a_frame))
    return np.unique(np.linspace(0, len(shown.times) - 1, min(most, len(shown.times))).astype(np.int64))


def _mesh(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All edges that the mesh has in any frame, [edge, 2], and in which it has them, [frame, edge]."""
    each = [edges_of(frame) for frame in points]
    pairs = np.unique(np.concatenate(each), axis=0)
    keys = pairs @ [1000, 1]
    return pairs, np.stack([np.isin(keys, frame @ [1000, 1]) for frame in each])
