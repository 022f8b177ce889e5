"""What an end-point is to face and where it looks, as nodes of a scene in the browser."""

from __future__ import annotations

from typing import Any

import numpy as np

from animato.character import EndPoint
from animato.express import Target
from animato.spatial import quaternions

_SIGHT, _TARGET = (232, 150, 20), (200, 20, 120)


class GazeMarks:
    """The line of sight of one end-point, and its target: a ball for a point, an arrow for a direction.

    Args:
        server: A viser server.
        end_point: Whose marks they are.
        size: Of the character [m].
    """

    def __init__(self, server: Any, end_point: EndPoint, size: float) -> None:
        name = f"/gaze/{end_point.name.replace('/', '_')}"
        self._end_point, self._size = end_point, size
        nowhere, scene = np.zeros((1, 2, 3), dtype=np.float32), server.scene
        thick = {"thickness": 0.006 * size, "thickness_units": "world"}
        self._sight = scene.add_line_segments(f"{name}/sight", nowhere, _SIGHT, **thick)
        self._ball = scene.add_icosphere(f"{name}/point", 0.022 * size, _TARGET, visible=False)
        self._arrow = scene.add_arrows(
            f"{name}/direction",
            nowhere,
            _TARGET,
            shaft_radius=0.008 * size,
            head_radius=0.024 * size,
            head_length=0.06 * size,
            visible=False,
        )

    def show(self, position: np.ndarray, turn_wxyz: np.ndarray, target: Target | None) -> None:
        """Moves the marks.

        Args:
            position: Of the body that the end-point is on [m], [3].
            turn_wxyz: Of that body, [4].
            target: What is to be faced; None where there is nothing.
        """
        eye, forward = line_of_sight(self._end_point, position, turn_wxyz)
        reach = self._size
        if target is not None and target.point is not None:
            reach = float(np.linalg.norm(np.subtract(target.point, eye)))
            self._ball.position = target.point
        self._sight.points = np.array([[eye, eye + reach * forward]], dtype=np.float32)
        wanted = None if target is None else wanted_direction(self._end_point, target)
        if wanted is not None:
            self._arrow.points = np.array([[eye, eye + 0.7 * self._size * wanted]], dtype=np.float32)
        self._ball.visible = target is not None and target.point is not None
        self._arrow.visible = wanted is not None


def line_of_sight(end_point: EndPoint, position: np.ndarray, turn_wxyz: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where an end-point is [m] and which way it looks, each [3], from the pose of its body."""
    eye = position + quaternions.rotate(turn_wxyz, np.array(end_point.frame.position)).reshape(3)
    turn = quaternions.multiply(turn_wxyz, np.array(end_point.frame.quaternion_wxyz)).reshape(4)
    return eye, quaternions.rotate(turn, np.array(end_point.forward)).reshape(3)


def wanted_direction(end_point: EndPoint, target: Target) -> np.ndarray | None:
    """The way that a direction or an orientation has the end-point look, [3]; None for a point."""
    if target.direction is not None:
        return np.array(target.direction)
    if target.quaternion_wxyz is not None:
        return quaternions.rotate(np.array(target.quaternion_wxyz), np.array(end_point.forward)).reshape(3)
    return None
