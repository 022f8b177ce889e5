"""The pose that is being made, on top of what the open take shows at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from animato.character import Character
from animato.motion import Clip, Posture
from animato.spatial import quaternions
from animato.studio.posing.figure import Figure
from animato.studio.posing.loop_figure import LoopFigure
from animato.studio.posing.stance import Stance
from animato.studio.posing.standing import stood_root
from animato.studio.watching import rest_clip

_AT_LIMIT = 1e-6  # [rad or m]
_MOVED = 1e-9  # [m, or of a quaternion]


def stance_at(figure: Figure, clip: Clip | None, time: float, near: Stance | None = None) -> Stance:
    """Where a clip has the figure at a time [s], inside its limits; at rest where there is no clip.

    Args:
        figure: Who.
        clip: What is shown; coordinates that it does not name rest.
        time: Brought inside the clip [s].
        near: A pose near it, where known: closed loops go on from there.
    """
    rest = rest_clip(figure.character)
    coordinates, root = rest.positions[0].copy(), _root_of(rest, 0)
    if clip is not None:
        moment = clip
        if clip.frame_count > 1:
            moment = clip.resampled([float(np.clip(time, clip.times[0], clip.times[-1]))])
        for column, name in enumerate(moment.names):
            coordinates[figure.character.coordinate_names.index(name)] = moment.positions[0, column]
        root = root if _root_of(moment, 0) is None else _root_of(moment, 0)
    return figure.stance(coordinates, root, near)


def stance_of_posture(figure: Figure, posture: Posture, here: Stance) -> Stance:
    """A posture; coordinates that it does not name stay, and what floats goes on standing where it stands here."""
    coordinates = here.coordinates.copy()
    for name, value in zip(posture.names, posture.positions, strict=True):
        coordinates[figure.character.coordinate_names.index(name)] = value
    return on_its_feet(figure, figure.stance(coordinates, here.root, here), here)


def on_its_feet(figure: Figure, stance: Stance, here: Stance) -> Stance:
    """A pose that stands where another one does."""
    return replace(stance, root=stood_root(figure, stance, here))


def whole(figure: Figure, stance: Stance) -> Stance:
    """With the coordinates of joints that only follow."""
    return figure.whole(stance) if isinstance(figure, LoopFigure) else stance


def arrays_of(figure: Figure, stance: Stance) -> dict[str, np.ndarray]:
    """The arrays of the message `pose`."""
    count = len(figure.character.bodies)
    places, turns = figure.bodies(stance)
    return {"poses": np.hstack([places[:count], turns[:count]]), "coordinates": stance.coordinates}


def at_limits(figure: Figure, stance: Stance) -> list[str]:
    """Names of coordinates that are at a limit."""
    q = stance.coordinates
    there = (q <= figure.lower + _AT_LIMIT) | (q >= figure.upper - _AT_LIMIT)
    return [name for name, at in zip(figure.character.coordinate_names, there, strict=True) if at]


def fields_of_key(figure: Figure, stance: Stance, clip: Clip | None) -> Mapping[str, Any]:
    """Pose and, where the figure floats and was moved or the clip moves it, its root, as plain values."""
    fields: dict[str, Any] = {"pose": stance.coordinates.tolist()}
    if figure.root_freedoms:
        rest = _root_of(rest_clip(figure.character), 0)
        moved = rest is None or bool(np.abs(rest - stance.root).max() > _MOVED)
        if moved or (clip is not None and clip.has_base):
            fields["root"] = stance.root.tolist()
    return fields


def posture_of(character: Character, stance: Stance, name: str) -> Posture:
    """A pose as a posture that can be kept."""
    return Posture(character.coordinate_names, stance.coordinates, f"posture '{name}'")


def carried(stance: Stance, by: np.ndarray, angle: float) -> np.ndarray:
    """The root moved as a whole.

    Args:
        stance: From where.
        by: How far [m], shape [3].
        angle: How far it is turned about the vertical through it [rad].

    Returns:
        The root, shape [7].
    """
    turn = quaternions.multiply(quaternions.quaternion_about((0.0, 0.0, 1.0), np.float64(angle)), stance.root[3:])
    return np.concatenate([stance.root[:3] + by, turn])


def _root_of(clip: Clip, frame: int) -> np.ndarray | None:
    if clip.base_positions is None or clip.base_quaternions_wxyz is None:
        return None
    return np.concatenate([clip.base_positions[frame], clip.base_quaternions_wxyz[frame]])
