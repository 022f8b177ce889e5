"""Paths from somebody else's world: scaled, turned and moved to where a character is."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.errors import MotionError, OptionError
from animato.formats.tables import PointPaths
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform


@dataclass(frozen=True)
class Placing:
    """x -> scale * Rz(turn) x + shift.

    Attributes:
        scale: Above 0.
        turn: About z [rad].
        shift: [m].
    """

    scale: float = 1.0
    turn: float = 0.0
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        numbers = (self.scale, self.turn, *self.shift)
        if len(self.shift) != 3 or not np.all(np.isfinite(numbers)):
            raise OptionError(f"`place` takes a shift of three metres and a turn about z, not {numbers}.")
        if self.scale <= 0.0:
            raise OptionError(f"`scale` must be a number above 0, not {self.scale:g}.")

    def __str__(self) -> str:
        shift = ", ".join(f"{value:.3f}" for value in self.shift)
        return f"scaled by {self.scale:.4g}, turned about z by {np.degrees(self.turn):.1f} deg, moved by ({shift}) m"

    def applied(self, paths: PointPaths) -> PointPaths:
        """The paths elsewhere."""
        turn = quaternions.quaternion_about(np.array((0.0, 0.0, 1.0)), self.turn)
        return replace(
            paths,
            positions={
                name: self.scale * quaternions.rotate(turn, rows) + np.array(self.shift)
                for name, rows in paths.positions.items()
            },
            turns_wxyz={name: quaternions.multiply(turn, rows) for name, rows in paths.turns_wxyz.items()},
        )


def fitting(paths: PointPaths, rest: dict[str, np.ndarray], scale: float | None) -> Placing:
    """The placing at which the first moment fits a character at rest.

    The scale is how much wider the character's points are spread about their middle; turn and shift are those of the
    least squares.

    Args:
        paths: Of points with the names of the character's.
        rest: Where these are at rest, by name [m].
        scale: The factor where it is known; found where it is not and there are two points at least.

    Raises:
        MotionError: At no moment are all points there.
    """
    names = [name for name in paths.positions if name in rest]
    table = np.array([paths.positions[name] for name in names])  # [point, frame, 3]
    whole = np.flatnonzero(np.isfinite(table).all(axis=(0, 2))) if names else np.zeros(0, dtype=int)
    if not len(whole):
        raise MotionError("`fit` needs a moment at which all points of the target are known, and there is none.")
    given, wanted = table[:, whole[0]], np.array([rest[name] for name in names])
    a, b = given - given.mean(axis=0), wanted - wanted.mean(axis=0)
    turn = float(np.arctan2(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), np.sum(a[:, :2] * b[:, :2])))
    about = quaternions.quaternion_about(np.array((0.0, 0.0, 1.0)), turn)
    # Sizes are compared, not poses: least squares would shrink a person whose arms are held otherwise.
    spread, wide = float(np.sum(a * a)), float(np.sum(b * b))
    factor = scale if scale is not None else float(np.sqrt(wide / spread)) if min(spread, wide) > 1e-12 else 1.0
    shift = wanted.mean(axis=0) - factor * quaternions.rotate(about, given.mean(axis=0))
    return Placing(factor, turn, tuple(shift.tolist()))


def measured_from_rest(paths: PointPaths, rest: dict[str, RigidTransform]) -> PointPaths:
    """Turns of bones as turns of a character's points: as at rest at the first moment, and from there as the bone.

    Args:
        paths: Placed.
        rest: T_world_point of the character's points at rest.
    """
    turns = {}
    for name, rows in paths.turns_wxyz.items():
        known = np.flatnonzero(np.isfinite(rows).all(axis=1))
        if len(known) and name in rest:
            back = quaternions.multiply(quaternions.conjugate(rows[known[0]]), rest[name].quaternion_wxyz)
            turns[name] = quaternions.multiply(rows, back)
    return replace(paths, turns_wxyz=turns)
