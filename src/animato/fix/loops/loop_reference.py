"""A clip on a character with closed loops: where its passive joints are, frame by frame."""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.character.structure import rigidified
from animato.errors import MechanismError
from animato.mechanics.simulation import Linkage, build_linkage, build_system, held_at_root, motor_frames
from animato.motion import Clip
from animato.spatial import cubic_spline


class LoopReference:
    """The artist's motion of a linkage.

    Attributes:
        character: Held where it stands, and rigid.
        linkage: That follows its motors, with the points that are seen.
        poses: Of all joints at the clip's frames, [frame, n]; where loops cannot close, they are open by the least.
    """

    def __init__(self, character: Character, clip: Clip, points: tuple[tuple[str, np.ndarray], ...]) -> None:
        """Follows the clip from its first frame to its last.

        Args:
            character: Who moves.
            clip: What its motors should do; passive columns are not read.
            points: (body, place on it [m]) of what is seen.

        Raises:
            MechanismError: The loops have more motors than freedoms.
        """
        held = held_at_root(character) if character.floats else character
        self.character = rigidified(held)
        self.times = clip.times
        system = build_system(self.character)
        frames = motor_frames(system, clip)
        self.linkage: Linkage = build_linkage(system, frames[0], points)
        self.spline = cubic_spline.interpolate(clip.times, frames)
        self.poses, gaps = self.linkage.followed(frames)
        if self.linkage.contradicts(self.poses[int(np.argmin(gaps))]):
            raise MechanismError(
                f"The loops of '{character.name}' have more motors than they leave free: a change of one motor alone "
                "would break them, so that it cannot be fixed. Make the motors that are too many passive."
            )

    def at(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Poses of all joints [k, n], and velocities and accelerations of the motors [k, n_p], at times [s], [k]."""
        near = np.clip(np.searchsorted(self.times, times), 1, len(self.times) - 1)
        near -= times - self.times[near - 1] < self.times[near] - times
        poses, _ = self.linkage.followed(self.spline(times), self.poses[near])
        return poses, self.spline(times, derivative=1), self.spline(times, derivative=2)
