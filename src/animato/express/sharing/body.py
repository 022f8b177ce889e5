"""What moves several end-points: chains that share joints, or actuators of closed loops."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from animato.express.problem import Problem
from animato.express.sharing.goals import Goals
from animato.express.sharing.shared_chains import improve, pack_chains, write_errors, write_poses


class Body(Protocol):
    """Coordinates and the end-points that they move."""

    @property
    def weights(self) -> np.ndarray:
        """Of each coordinate's way from the posture, above 0, [n]."""

    def improve(
        self,
        goals: Goals,
        pull: np.ndarray,
        lower: np.ndarray,
        upper: np.ndarray,
        steps: int,
        ease: float,
        q: np.ndarray,
    ) -> np.ndarray:
        """Moves coordinates towards goals, by priority, and with what is left towards a posture.

        Args:
            goals: Of each end-point.
            pull: The posture [rad or m], [n].
            lower: Where coordinates may be at least [rad or m], [n].
            upper: And at most, [n].
            steps: At most this many moves.
            ease: Share of the way to the posture that each of them makes, 0 to 1.
            q: Where they are, and then are [rad or m], [n].

        Returns:
            By which angle each end-point then is off its goal, 0 where it has none [rad], [K].
        """

    def errors(self, goals: Goals, q: np.ndarray) -> np.ndarray:
        """By which angle each end-point is off its goal at positions [n], 0 where it has none [rad], [K]."""

    def poses(self, q: np.ndarray) -> np.ndarray:
        """Orientation wxyz and position [m] of each end-point at positions [n], [K, 7]."""


class ChainBody:
    """The chains of a problem."""

    def __init__(self, problem: Problem) -> None:
        self._chains = pack_chains(problem)
        count, n = len(problem.chains), len(problem.names)
        self._poses, self._motions = np.empty((count, 7)), np.empty((count, n, 6))

    @property
    def weights(self) -> np.ndarray:
        """Of each coordinate's way from the posture, [n]."""
        return self._chains.weights

    def improve(
        self,
        goals: Goals,
        pull: np.ndarray,
        lower: np.ndarray,
        upper: np.ndarray,
        steps: int,
        ease: float,
        q: np.ndarray,
    ) -> np.ndarray:
        """As `Body` has it; all in one kernel."""
        errors = np.empty(len(goals.kinds))
        improve(self._chains, goals, pull, lower, upper, steps, ease, q, errors)
        return errors

    def errors(self, goals: Goals, q: np.ndarray) -> np.ndarray:
        """By which angle each end-point is off its goal at positions [n] [rad], [K]."""
        errors = np.empty(len(goals.kinds))
        write_errors(self._chains, goals, q, self._poses, self._motions, errors)
        return errors

    def poses(self, q: np.ndarray) -> np.ndarray:
        """Pose of each end-point at positions [n], [K, 7]."""
        write_poses(self._chains, q, self._poses, self._motions)
        return self._poses.copy()
