"""What motors can give, as rows over torque and speed.

A motor gives at most its torque at rest, and on its curve less the faster it drives. Each direction has two rows,

    sign tau / stall <= 1          and          sign tau / stall + slope sign v <= level,

the second along the piece of the curve on which the motor is just now. Where a curve is one straight line, as that of
most servos, both are exact; otherwise they follow the motion from step to step.

Dry friction turns round with the motion, at a moment that no row looks at. A row takes it as full from a little before
the turn on, growing from -friction to friction while sign v goes from -e to 0, which is never less than what is felt.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from animato.character import Limits

_TURNING = 0.2  # e [rad/s or m/s]
_LEAST = 1e-3  # share of the torque at rest that the end of a curve is taken to leave, so that rows stay finite


@dataclass(frozen=True, eq=False)
class MotorRows:
    """Rows sign by_torque tau + by_speed v - level + 1 <= 1, two directions of each motor, with and without curve.

    Attributes:
        dof: Column of velocity and torque of the motor, [row].
        names: Of the motors, [row].
        sign: Direction, [row].
        stall: Torque at rest [N m or N], [row].
        curves: Speeds and torques of the row's curve; None where only the torque at rest counts. One a row.
        friction: Dry friction [N m or N], which torques hold with the sign of the velocity, [row].
    """

    dof: np.ndarray
    names: tuple[str, ...]
    sign: np.ndarray
    stall: np.ndarray
    curves: tuple[tuple[np.ndarray, np.ndarray] | None, ...]
    friction: np.ndarray

    @staticmethod
    def of(motors: Iterable[tuple[int, str, Limits]], friction: np.ndarray | None = None) -> MotorRows:
        """Of columns with these names and limits; those without a limit of torque have no rows.

        Args:
            motors: Column, name and limits of each.
            friction: Dry friction of all columns [N m or N], [dof]; none where not given.
        """
        rows: list[tuple[int, str, float, float, tuple[np.ndarray, np.ndarray] | None]] = []
        for dof, name, one in motors:
            if one.torque is None and one.curve is None:
                continue
            curve = None if one.curve is None else (np.array(one.curve.speeds), np.array(one.curve.torques))
            stall = one.torque if one.torque is not None else float(one.curve.torques[0]) if one.curve else np.inf
            if stall <= 0.0:
                continue
            for sign in (1.0, -1.0):
                rows.append((dof, name, sign, stall, None))
                if curve is not None and np.ptp(curve[1]) > 0.0:
                    rows.append((dof, name, sign, stall, curve))
        dofs = np.array([row[0] for row in rows], dtype=np.int64)
        return MotorRows(
            dofs,
            tuple(row[1] for row in rows),
            np.array([row[2] for row in rows]),
            np.array([row[3] for row in rows]),
            tuple(row[4] for row in rows),
            np.zeros(len(rows)) if friction is None else friction[dofs],
        )

    def __len__(self) -> int:
        return len(self.dof)

    def shares(self, torques: np.ndarray, speeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values of the rows, 1 at the limit, [moment, row], and their slopes by speed, [moment, row].

        Args:
            torques: [N m or N], [moment, dof].
            speeds: [rad/s or m/s], [moment, dof].
        """
        values = self.sign * torques[:, self.dof] / self.stall
        slopes = np.zeros_like(values)
        if self.friction.any():
            ahead = self.sign * speeds[:, self.dof]
            share = self.friction / self.stall
            values += share * (np.clip(1.0 + 2.0 * ahead / _TURNING, -1.0, 1.0) - np.sign(ahead))
            slopes += np.where((ahead > -_TURNING) & (ahead < 0.0), 2.0 * share / _TURNING * self.sign, 0.0)
        rows, knots, levels = self._curves
        if not len(rows):
            return values, slopes
        ahead = self.sign[rows] * speeds[:, self.dof[rows]]
        line, fall = np.empty_like(ahead), np.empty_like(ahead)
        for piece in range(knots.shape[1] - 1):  # the first also before it, where a motor brakes
            here = slice(None) if piece == 0 else ahead >= knots[:, piece]
            width = knots[:, piece + 1] - knots[:, piece]
            down = (levels[:, piece] - levels[:, piece + 1]) / np.where(width > 0.0, width, 1.0)
            line[here] = (levels[:, piece] - down * (ahead - knots[:, piece]))[here]
            fall[here] = np.broadcast_to(down, ahead.shape)[here]
        beyond = ahead > knots[:, -1]
        line = np.where(beyond, np.maximum(levels[:, -1], _LEAST), line)
        values[:, rows] += 1.0 - line
        slopes[:, rows] += np.where(beyond, 0.0, fall) * self.sign[rows]
        return values, slopes

    @cached_property
    def _curves(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows with a curve, its speeds and its torques in shares, [row], [row, point]; short ones end in one place."""
        rows = [n for n, curve in enumerate(self.curves) if curve is not None]
        longest = max((len(curve[0]) for curve in self.curves if curve is not None), default=0)
        knots, levels = np.zeros((len(rows), longest)), np.zeros((len(rows), longest))
        for n, row in enumerate(rows):
            curve = self.curves[row]
            assert curve is not None
            missing = longest - len(curve[0])
            knots[n] = np.pad(curve[0], (0, missing), mode="edge")
            levels[n] = np.pad(curve[1], (0, missing), mode="edge") / self.stall[row]
        return np.array(rows, dtype=np.int64), knots, levels
