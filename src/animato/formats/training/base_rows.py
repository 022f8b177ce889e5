"""Where the base of a robot is, for files that always say it."""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.character.structure import rest_poses, rigidified, topology_of
from animato.motion import Clip
from animato.spatial import quaternions


def base_rows(character: Character, clip: Clip) -> np.ndarray:
    """x, y, z [m] and quaternion w, x, y, z without jumps, shape [frame, 7].

    A clip that does not say where the base is has it at rest: where the ground holds it, or at the origin.
    """
    if clip.base_positions is not None and clip.base_quaternions_wxyz is not None:
        return np.hstack([clip.base_positions, quaternions.continuous(clip.base_quaternions_wxyz)])
    root = topology_of(rigidified(character)).links[0].body
    rest = rest_poses(character)[root]
    return np.tile(np.concatenate([rest.position, rest.quaternion_wxyz]), (clip.frame_count, 1))
