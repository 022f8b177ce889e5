"""How far a check looked: which joints follow the clip, and which kinds of limits there were to hold them against."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character, JointRole
from animato.mechanics.limits import LIMIT_KINDS, LimitUsage
from animato.motion import Clip

KIND_WORDS = {
    "position": "range",
    "velocity": "speed",
    "acceleration": "acceleration",
    "jerk": "jerk",
    "torque": "torque",
}
_STILL = 1e-6  # [rad or m] that a joint may stray and still stand


@dataclass(frozen=True)
class Coverage:
    """What a check looked at, and what it could not.

    Attributes:
        joint_count: Joints that a clip may move; where loops are closed, those with motors.
        moving: Joints that the clip moves.
        still: Joints that it names and leaves where they are.
        unnamed: Joints that it does not name; they rest.
        limited: By kind, axes with such a limit.
        axis_count: Axes that were looked at.
        carried_by: What carries the character: "world" where it is held, "floor" where soles touch, else "root".
        balance: Whether balance was checked.
        is_tree: Whether no loops are closed.
    """

    joint_count: int
    moving: tuple[str, ...]
    still: tuple[str, ...]
    unnamed: tuple[str, ...]
    limited: dict[str, int]
    axis_count: int
    carried_by: str
    balance: bool
    is_tree: bool = True

    @property
    def checked(self) -> tuple[str, ...]:
        """Kinds of limits that some axis has."""
        return tuple(kind for kind in LIMIT_KINDS if self.limited[kind])

    @property
    def unchecked(self) -> tuple[str, ...]:
        """Kinds of limits that no axis has."""
        return tuple(kind for kind in LIMIT_KINDS if not self.limited[kind])

    @property
    def is_whole(self) -> bool:
        """Whether every axis was held against every kind of limit, as it stands in the world."""
        return self.carried_by != "root" and all(self.limited[kind] == self.axis_count for kind in LIMIT_KINDS)


def coverage_of(character: Character, clip: Clip, usage: LimitUsage, *, is_tree: bool, balance: bool) -> Coverage:
    """What a check looked at.

    Args:
        character: Who should perform.
        clip: What should be performed.
        usage: How much of each limit it uses.
        is_tree: Whether no loops are closed.
        balance: Whether balance was checked.
    """
    joints = [joint for joint in character.free_joints if is_tree or joint.role is JointRole.ACTUATED]
    spread = dict(zip(clip.names, np.ptp(clip.positions, axis=0).tolist(), strict=True))
    named = {joint.name: [spread[name] for name in joint.coordinate_names if name in spread] for joint in joints}
    still = _STILL if clip.frame_count > 1 else -1.0  # a single pose moves all that it names
    return Coverage(
        joint_count=len(joints),
        moving=tuple(name for name, ways in named.items() if ways and max(ways) > still),
        still=tuple(name for name, ways in named.items() if ways and max(ways) <= still),
        unnamed=tuple(name for name, ways in named.items() if not ways),
        limited={kind: int(np.isfinite(_last(usage.shares[kind])).sum()) for kind in LIMIT_KINDS},
        axis_count=len(usage.axes),
        carried_by="world" if not character.floats else usage.carried_by,
        balance=balance,
        is_tree=is_tree,
    )


def _last(shares: np.ndarray) -> np.ndarray:
    """One row: a limit that is there is there at all times; an infinite share is one of a limit that allows nothing."""
    return np.nan_to_num(shares[-1], nan=np.nan, posinf=1.0) if len(shares) else np.full(shares.shape[1], np.nan)
