"""What is sent to scripts that draw moving figures: outlines of shapes in a few points, numbers in 16 bits."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from animato.view.scene import Part

_DIRECTIONS = 60


def packed(values: np.ndarray) -> str:
    """Numbers from -1 to 1 as 16 bits each, little-endian."""
    whole = np.clip(np.rint(32767.0 * values), -32767, 32767).astype("<i2")
    return base64.b64encode(np.ascontiguousarray(whole).tobytes()).decode("ascii")


def shape_outline(part: Part) -> dict[str, Any]:
    """The few vertices that reach farthest in many directions: their hull is the shape's outline from anywhere."""
    far = np.unique(np.argmax(part.triangles.vertices @ _even_directions().T, axis=0))
    colour = "#" + "".join(f"{round(255 * value):02x}" for value in part.colour)
    points = part.triangles.vertices[far]
    return {
        "body": part.body,
        "colour": colour,
        "opacity": part.opacity,
        "points": [round(float(value), 4) for value in points.ravel()],
    }


def _even_directions() -> np.ndarray:
    """Unit vectors spread evenly over the sphere (a Fibonacci spiral), [direction, 3]."""
    height = 1.0 - (2.0 * np.arange(_DIRECTIONS) + 1.0) / _DIRECTIONS
    around = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(_DIRECTIONS)
    ring = np.sqrt(1.0 - height**2)
    return np.column_stack([ring * np.cos(around), ring * np.sin(around), height])
