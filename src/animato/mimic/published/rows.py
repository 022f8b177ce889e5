"""Rows of the second step: ZMP in its square (eqs. 7, 8), velocities and torques within limits (eq. 10).

Ranges of joints are kept by the fit itself. Second derivatives are left out: the objective is a convex quadratic, and
what the rows bend is small beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mimic.published.dynamics import MarkerDynamics, Robot, by_markers, three_frames


@dataclass(frozen=True, eq=False)
class MarkerRows:
    """What rows of markers have in common: which unknowns they see, and the robot there.

    Attributes:
        dynamics: Of the robot.
        shape: Frames and markers.
    """

    dynamics: MarkerDynamics
    shape: tuple[int, int]

    @property
    def columns(self) -> np.ndarray:
        """Markers of three frames, [frame, 9 marker]."""
        index = np.arange(3 * self.shape[0] * self.shape[1]).reshape(self.shape[0], -1)
        return index[three_frames(self.shape[0])].reshape(self.shape[0], -1)

    def robot(self, x: np.ndarray) -> Robot:
        """The robot at markers as a block gets them, [frame, 9 marker]."""
        frames, markers = self.shape
        each = x.reshape(frames, 3, markers, 3)
        own = np.array([0, *[1] * (frames - 2), 2])  # where three frames hold the row's own
        return self.dynamics.at(each[np.arange(frames), own])

    def settled(self, x: np.ndarray) -> Robot:
        """The same where derivatives are asked for, which is where the solver stands: later fits begin there."""
        robot = self.robot(x)
        self.dynamics.settle(robot)
        return robot

    def curvatures(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray | None:
        """Left out."""
        return None


@dataclass(frozen=True, eq=False)
class ZmpRows(MarkerRows):
    """Distance of the ZMP from the middle of the feet along x and y, in halves of the square's side.

    Attributes:
        half: Of the square's side [m].
    """

    half: float

    def values(self, x: np.ndarray) -> np.ndarray:
        """Rows, [frame, 2]; within -1 and 1."""
        robot = self.robot(x)
        return np.asarray((robot.zmp.values - robot.centre) / self.half)

    def jacobians(self, x: np.ndarray) -> np.ndarray:
        """[frame, 2, 9 marker]."""
        robot = self.settled(x)
        zmp = robot.zmp
        return by_markers(robot, zmp.by_q - robot.centre_by, zmp.by_v, zmp.by_a) / self.half


@dataclass(frozen=True, eq=False)
class VelocityRows(MarkerRows):
    """Velocities over their limits.

    Attributes:
        dofs: Which.
        most: Limits [rad/s or m/s], [joint].
    """

    dofs: np.ndarray
    most: np.ndarray

    def values(self, x: np.ndarray) -> np.ndarray:
        """Rows, [frame, joint]; within -1 and 1."""
        return np.asarray(self.robot(x).rates.v[:, self.dofs] / self.most)

    def jacobians(self, x: np.ndarray) -> np.ndarray:
        """[frame, joint, 9 marker]."""
        robot = self.settled(x)
        dofs = robot.tau.shape[1]
        one = np.broadcast_to(np.eye(dofs)[self.dofs] / self.most[:, None], (self.shape[0], len(self.dofs), dofs))
        return by_markers(robot, np.zeros_like(one), one, np.zeros_like(one))


@dataclass(frozen=True, eq=False)
class TorqueRows(MarkerRows):
    """Torques over their limits, for joints above the waist: floor forces do not reach them, so eq. 9 is whole there.

    Attributes:
        dofs: Which.
        most: Limits [N m or N], [joint].
    """

    dofs: np.ndarray
    most: np.ndarray

    def values(self, x: np.ndarray) -> np.ndarray:
        """Rows, [frame, joint]; within -1 and 1."""
        return np.asarray(self.robot(x).tau[:, self.dofs] / self.most)

    def jacobians(self, x: np.ndarray) -> np.ndarray:
        """[frame, joint, 9 marker]."""
        robot = self.settled(x)
        return by_markers(robot, *(each[:, self.dofs] / self.most[:, None] for each in robot.tau_by))
