"""Where every body is at every frame of a clip: what a page plays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.motion import Clip
from animato.spatial import quaternions
from animato.studio.watching.rest import has_loops, rest_clip, with_closed_loops
from animato.view.scene import pose_bodies

MOST_POSES = 400_000
"""Poses of bodies in one message, some 12 MB; of a longer clip every second, third ... frame is shown."""

_AT_ONCE = 60_000  # poses that take less than some 15 ms


@dataclass(frozen=True, eq=False)
class Moving:
    """A motion as pages play it.

    Attributes:
        times: [s], shape [frame].
        positions: Of all bodies in the world [m], shape [frame, body, 3].
        quaternions_wxyz: Of all bodies, without leaps of sign, shape [frame, body, 4].
        coordinates: All of the character's [rad or m], shape [frame, coordinate].
    """

    times: np.ndarray
    positions: np.ndarray
    quaternions_wxyz: np.ndarray
    coordinates: np.ndarray

    def arrays(self) -> dict[str, np.ndarray]:
        """By their names in messages."""
        return {
            "times": self.times,
            "positions": self.positions,
            "quaternions": self.quaternions_wxyz,
            "coordinates": self.coordinates,
        }


def is_at_once(character: Character, clip: Clip) -> bool:
    """Whether `moving` takes less than some 15 ms."""
    return not has_loops(character) and clip.frame_count * len(character.bodies) <= _AT_ONCE


def moving(character: Character, clip: Clip) -> Moving:
    """Poses of all bodies at the clip's frames.

    Args:
        character: Any character.
        clip: Of it; coordinates that it does not name rest, or follow where loops are closed. A character that floats
            stands at its rest where the clip does not say where it is.

    Raises:
        UnknownNameError: The clip is of another character.
    """
    every = -(-clip.frame_count * len(character.bodies) // MOST_POSES)
    shown = clip.part(slice(None, None, every)) if every > 1 else clip
    rest = rest_clip(character)
    if character.floats and not shown.has_base and rest.base_positions is not None:
        places = np.tile(rest.base_positions, (shown.frame_count, 1))
        turns = np.tile(np.asarray(rest.base_quaternions_wxyz), (shown.frame_count, 1))
        shown = Clip(shown.times, shown.names, shown.positions, places, turns, shown.source)
    whole = with_closed_loops(character, shown)
    poses = pose_bodies(character, whole)
    count = len(character.bodies)  # links of rods stand behind them
    turns = quaternions.continuous(poses.quaternions_wxyz[:, :count])
    coordinates = np.repeat(rest.positions, shown.frame_count, axis=0)
    columns = [character.coordinate_names.index(name) for name in whole.names]
    coordinates[:, columns] = whole.positions
    return Moving(shown.times, poses.positions[:, :count], turns, coordinates)
