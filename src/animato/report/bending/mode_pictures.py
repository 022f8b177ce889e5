"""How a character vibrates: each mode drawn at both ends of its swing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.findings import rounded
from animato.mechanics.simulation.posing import Performance, perform
from animato.mechanics.simulation.system import System
from animato.mechanics.simulation.vibration import Modes
from animato.report.bending.overlays import picture_element
from animato.report.kit import Markup, element
from animato.view import Ghost, render_overlays
from animato.view.raster import Camera, Look, framing
from animato.view.scene import build_scene, outline_points

_SWING = 0.1  # of the character's size: how far the picture of a mode swings to each side
_ENDS = ((0.0, 0.45, 0.7), (0.84, 0.37, 0.0))


def mode_cards(system: System, modes: Modes, *, size: int = 340, words: Sequence[str] = ()) -> Markup:
    """A picture a mode, with its frequency and damping.

    Args:
        system: What vibrates.
        modes: How.
        size: Of each picture [pixels].
        words: More about each mode, such as how much of it is excited.
    """
    cards = []
    for number in range(modes.count):
        if not np.isfinite(modes.frequencies_hz[number]):
            continue
        swing = _amplitude(system, modes, number)
        z = modes.pose + swing * np.array([[0.0], [1.0], [-1.0]]) * modes.shapes[number]
        rest, there, back = (perform(system, np.zeros(1), one[None]) for one in z)
        ghosts = [Ghost(there, _ENDS[0], 0.6), Ghost(back, _ENDS[1], 0.6)]
        look = Look(supersampling=2, labels=False)
        camera = _camera(system, (rest, there, back))
        (image,) = render_overlays(
            system.character, rest, ghosts, [0.0], width=size, height=size, camera=camera, look=look
        )
        title = f"{rounded(float(modes.frequencies_hz[number]))} Hz"
        damped = f"damping {rounded(100.0 * float(modes.damping_ratios[number]), 2)} % of critical"
        more = f" {words[number]}" if words else ""
        cards.append(
            element(
                "figure",
                picture_element(image, f"Mode {number + 1} at {title}, both ends of its swing"),
                element("figcaption", element("b", f"{number + 1}: {title}"), f"{damped}.{more}"),
                class_="pose",
            )
        )
    return element("div", *cards, class_="poses")


def _camera(system: System, shown: Sequence[Performance]) -> Camera:
    """From in front and aside, so that no way to swing is hidden."""
    scene = build_scene(system.character, shown[0].rods)
    points = np.vstack([outline_points(scene, one.poses) for one in shown])
    return framing(points, elevation=float(np.radians(24.0)), aspect=1.0, margin=0.06)


def _amplitude(system: System, modes: Modes, number: int) -> float:
    """So that what moves most is seen to move, as a share of the character's size."""
    tiny = 1e-4
    shape = modes.shapes[number] / max(float(np.abs(modes.shapes[number]).max()), 1e-300)
    rest, moved = (perform(system, np.zeros(1), (modes.pose + share * shape)[None]) for share in (0.0, tiny))
    size = float(np.linalg.norm(np.ptp(rest.poses.positions[0], axis=0)))
    travel = float(np.linalg.norm(moved.poses.positions - rest.poses.positions, axis=2).max()) / tiny
    scale = _SWING * size / max(travel, 1e-12)
    return scale / max(float(np.abs(modes.shapes[number]).max()), 1e-300)
