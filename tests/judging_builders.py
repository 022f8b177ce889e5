"""Motions of robots that are judged in tests."""

from __future__ import annotations

import numpy as np

from animato.motion import Clip
from animato.spatial import quaternions


def moved(clip: Clip, *, up: float = 0.0, by: np.ndarray | None = None, turn: np.ndarray | None = None) -> Clip:
    """The clip with its base lifted, shifted [frame, 3], or turned about the world's axes by a rotation vector."""
    assert clip.base_positions is not None and clip.base_quaternions_wxyz is not None
    places = clip.base_positions + np.array((0.0, 0.0, up)) + (0.0 if by is None else by)
    turns = clip.base_quaternions_wxyz
    if turn is not None:
        extra = quaternions.quaternion_from_rotation_vector(turn)
        places, turns = quaternions.rotate(extra, places), quaternions.multiply(extra, turns)
    return Clip(clip.times, clip.names, clip.positions, places, turns)
