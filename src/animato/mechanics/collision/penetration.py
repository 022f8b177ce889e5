"""How deep the bodies of a character sink into one another along a motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.described import Described
from animato.mechanics.collision.measuring import Motion, near_pairs
from animato.mechanics.collision.model import APART, CollisionModel
from animato.mechanics.tree import BodyPoses, forward_kinematics

ALLOWED_DEPTH = 0.005
"""Depth [m] up to which hulls may overlap, because a hull is larger than its body."""


@dataclass(frozen=True, eq=False, repr=False)
class PenetrationReport(Described):
    """Overlaps of a motion.

    Attributes:
        times: [s], [frame].
        depths: Of the deepest pair of each frame [m], 0 where none overlap, [frame].
        pairs: Names of that pair, None where none overlap; one a frame.
        allowed: Depth that is not counted [m].
        pair_count: Pairs that were watched; with 0 the character has no shapes to measure by.
        unread: Bodies with meshes that could not be read.
    """

    times: np.ndarray
    depths: np.ndarray
    pairs: tuple[tuple[str, str] | None, ...]
    allowed: float
    pair_count: int
    unread: tuple[str, ...] = ()

    @property
    def depth_mm(self) -> float:
        """The deepest overlap [mm]; 0 without one, NaN where nothing could be measured."""
        return 1000.0 * float(np.max(self.depths, initial=0.0)) if self.pair_count else np.nan

    @property
    def frame(self) -> int | None:
        """The frame of the deepest overlap, None without one."""
        worst = int(np.argmax(self.depths)) if len(self.depths) else 0
        return worst if len(self.depths) and self.depths[worst] > 0.0 else None

    @property
    def pair(self) -> tuple[str, str] | None:
        """The bodies of the deepest overlap, None without one."""
        return None if self.frame is None else self.pairs[self.frame]

    @property
    def frames(self) -> np.ndarray:
        """Frames with an overlap deeper than allowed."""
        return np.flatnonzero(self.depths > self.allowed)

    @property
    def frames_percent(self) -> float:
        """Their share of all frames [%]; NaN where nothing could be measured."""
        return 100.0 * len(self.frames) / max(len(self.depths), 1) if self.pair_count else np.nan

    def facts(self) -> dict[str, str]:
        """At a glance."""
        if not self.pair_count:
            return {"overlap": "not measured, the character has no collision shapes that can be read"}
        if self.frame is None or self.pair is None:
            return {"overlap": "none", "pairs watched": str(self.pair_count)}
        return {
            "deepest": f"{self.depth_mm:.1f} mm",
            "between": " and ".join(self.pair),
            "at": f"{self.times[self.frame]:.3f} s",
            f"deeper than {1000.0 * self.allowed:g} mm": f"{self.frames_percent:.1f} % of frames",
        }


def deepest(
    character: Character, motion: Motion, *, allowed_m: float = ALLOWED_DEPTH, apart: int = APART
) -> PenetrationReport:
    """Measures how deep convex hulls of bodies overlap.

    Args:
        character: A tree character.
        motion: Poses of its bodies, states, or a clip at its own frames.
        allowed_m: Depth [m] that is not counted.
        apart: Joints between two bodies up to which they are not watched.
    """
    model = CollisionModel.of(character, apart=apart)
    poses = motion if isinstance(motion, BodyPoses) else forward_kinematics(character, motion)
    found = near_pairs(model, poses, 0.0, most=1)
    depths = np.zeros(len(poses.times))
    depths[found.frames] = -found.distances
    names: list[tuple[str, str] | None] = [None] * len(depths)
    for frame, pair in zip(found.frames.tolist(), found.pairs.tolist(), strict=True):
        names[frame] = model.pair_names(pair)
    return PenetrationReport(poses.times, depths, tuple(names), allowed_m, len(model.pairs), model.unread)
