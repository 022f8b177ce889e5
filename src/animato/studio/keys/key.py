"""One key: a pose at a moment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.motion import frozen_array
from animato.studio.keys.ease import Ease


@dataclass(frozen=True, eq=False)
class Key:
    """A pose at a moment and how it is reached.

    Attributes:
        time: [s].
        pose: All coordinates of the take, in its order [rad or m; quaternion components], shape [coordinate].
        root: x, y, z [m] and qw, qx, qy, qz of the root body in the world, shape [7]; None where the take does not
            move it.
        ease: How it is reached from the key before it.
    """

    time: float
    pose: np.ndarray
    root: np.ndarray | None = None
    ease: Ease = Ease.THROUGH

    def __post_init__(self) -> None:
        object.__setattr__(self, "pose", frozen_array(self.pose, (None,), "The pose of a key"))
        if self.root is not None:
            object.__setattr__(self, "root", frozen_array(self.root, (7,), "The root of a key"))

    @property
    def row(self) -> np.ndarray:
        """Pose and root, one after the other."""
        return self.pose if self.root is None else np.concatenate([self.pose, self.root])
