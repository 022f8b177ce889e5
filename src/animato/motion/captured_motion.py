"""A captured or keyframed skeleton: bones with names, parents, offsets and rotations over time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.described import Described, shortened
from animato.errors import MotionError, unknown_name
from animato.motion.arrays import frozen_array, rising_times, unique_names, unit_quaternions
from animato.spatial import quaternions


@dataclass(frozen=True, eq=False, repr=False)
class CapturedMotion(Described):
    """Motion of a skeleton whose bones turn in all directions. Metres, z up.

    Attributes:
        times: Strictly rising [s], shape [frame].
        names: Bone names, parents before children.
        parents: Index of each bone's parent, -1 for a root, shape [bone].
        offsets: Of each bone's joint from its parent's, in the parent's axes at rest [m], shape [bone, 3].
        rotations_wxyz: Of each bone relative to its parent, shape [frame, bone, 4].
        translations: Of each bone's joint relative to its parent [m], shape [frame, bone, 3]; None
            where they all equal `offsets`.
        source: Where it came from, for people.
    """

    times: np.ndarray
    names: tuple[str, ...]
    parents: np.ndarray
    offsets: np.ndarray
    rotations_wxyz: np.ndarray
    translations: np.ndarray | None = None
    source: str = ""

    def __post_init__(self) -> None:
        times = rising_times(self.times, "the capture")
        names = unique_names(self.names, "the capture")
        frames, bones = len(times), len(names)
        parents = np.array(self.parents, dtype=np.int64)
        if parents.shape != (bones,) or np.any(parents >= np.arange(bones)) or np.any(parents < -1):
            raise MotionError("Each bone of a capture needs the index of a parent that stands before it, or -1.")
        parents.setflags(write=False)
        rotations = unit_quaternions(self.rotations_wxyz, (frames, bones, 4), "The rotations of the capture")
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "parents", parents)
        object.__setattr__(self, "offsets", frozen_array(self.offsets, (bones, 3), "The offsets of the capture"))
        object.__setattr__(self, "rotations_wxyz", rotations)
        if self.translations is not None:
            moved = frozen_array(self.translations, (frames, bones, 3), "The translations of the capture")
            object.__setattr__(self, "translations", moved)

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "frames": str(self.frame_count),
            "duration": f"{self.times[-1] - self.times[0]:.3f} s",
            "bones": shortened(self.names),
            "source": self.source or "unknown",
        }

    @property
    def frame_count(self) -> int:
        """Number of frames."""
        return len(self.times)

    def bone(self, name: str) -> int:
        """Index of the bone of that name."""
        if name not in self.names:
            raise unknown_name("bone", name, self.names, self.source or "the capture")
        return self.names.index(name)

    def world_poses(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions [frame, bone, 3] [m] and quaternions [frame, bone, 4] of all joints in the world."""
        local = self.translations
        if local is None:
            local = np.broadcast_to(self.offsets, (self.frame_count, *self.offsets.shape))
        positions = np.empty((self.frame_count, len(self.names), 3))
        turns = np.empty((self.frame_count, len(self.names), 4))
        for bone, parent in enumerate(self.parents):
            if parent < 0:
                positions[:, bone], turns[:, bone] = local[:, bone], self.rotations_wxyz[:, bone]
                continue
            positions[:, bone] = positions[:, parent] + quaternions.rotate(turns[:, parent], local[:, bone])
            turns[:, bone] = quaternions.multiply(turns[:, parent], self.rotations_wxyz[:, bone])
        return positions, turns
