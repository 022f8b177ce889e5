"""Facing while the posture itself moves: each moment is solved from where the last one was.

The warp is what a solution adds to its posture. From one moment to the next it is carried along, and costs bring it
back: with the posture psi and c = psi + the last warp, minimize among the configurations that face the target

    weight * shape(q, psi) + a |q - psi|^2 / 2 + b |q - c|^2 / 2,   b = a settle_s / dt

The first term is the signed shape error, so that no bend is mirrored. The second decides where the first does not care,
as for joints that only twist, and lets them return; the third keeps the motion steady. Two quadratics are one:
(a + b) |q - near|^2 / 2 with near = (a psi + b c) / (a + b), up to a constant.
"""

from __future__ import annotations

import numpy as np

from animato.express.facing import Effort, ErrorWeights, Facing, Roll, build_facing_problem, solve_facing
from animato.express.warp.idle_kernel import turned_chain
from animato.mechanics.tree import Chain
from animato.spatial import quaternions

SETTLE_S = 0.2
"""Time in which a warp that is not needed any more goes away, unless told otherwise [s]."""

_RETURN = 0.1  # a, per unit of the posture's weight [1/rad^2]
_SHORTEST = 1e-3  # [s] shortest time that is taken to pass between two moments
_WORTH_A_JUMP = 0.02  # combined error by which a solution far away must be better where none near it faces
_STEADY = Effort(long=40, tolerance=1e-10)  # ends late: what one moment leaves undone the next would show as a tremor


class FacingFollower:
    """Keeps an end-point facing targets while its chain follows moving postures.

    Args:
        chain: The joints and the end-point; slides follow the posture.
        weights: Of the errors.
        settle_s: Time in which a warp that is not needed any more goes away [s].
        roll: Turn about the facing axis that costs nothing.

    Attributes:
        roll_tolerance: The same as an angle either way [rad].
    """

    def __init__(self, chain: Chain, weights: ErrorWeights, *, settle_s: float, roll: Roll = "exact") -> None:
        self.chain = chain
        zero = np.clip(np.zeros(len(chain.names)), chain.arrays.lower, chain.arrays.upper)
        self._problem = build_facing_problem(chain, zero, weights=weights, roll=roll, minimize="shape")
        self.roll_tolerance = self._problem.roll_tolerance
        self._settle, self._pull = settle_s, _RETURN * max(weights.posture, 1e-3)
        self._warp: np.ndarray | None = None

    def forget(self) -> None:
        """Begins anew: the next step does not depend on those before it."""
        self._warp = None

    def step(self, posture: np.ndarray, target_wxyz: np.ndarray, elapsed: float) -> np.ndarray:
        """Positions for the next moment.

        Args:
            posture: To hold at this moment [rad or m], [n].
            target_wxyz: Orientation of the end-point, in the frame that the chain's base is given in, [4].
            elapsed: Time since the moment before [s].

        Returns:
            [rad or m], [n], within limits.
        """
        arrays = self.chain.arrays
        psi = np.clip(posture, arrays.lower, arrays.upper)
        pull, near = self._pull, psi
        if self._warp is not None and self._settle > 0.0:
            carry = self._pull * self._settle / max(elapsed, _SHORTEST)
            carried = np.clip(psi + self._warp, arrays.lower, arrays.upper)
            pull = self._pull + carry
            near = (self._pull * psi + carry * carried) / pull
        target_wxyz = self._rolled(target_wxyz, near)
        best = solve_facing(
            self._problem.holding(psi, corners=False), target_wxyz, near, reach="local", closeness=pull, effort=_STEADY
        )
        if not best.reached or (self._warp is None and best.error.shape > 0.0):
            far = solve_facing(self._problem.holding(psi), target_wxyz, psi, closeness=self._pull, effort=_STEADY)
            worth = 0.0 if self._warp is None else _WORTH_A_JUMP
            if self._total(far, psi) < self._total(best, psi) - worth:
                best = far
        self._warp = best.positions - psi
        return best.positions

    def _rolled(self, target_wxyz: np.ndarray, near: np.ndarray) -> np.ndarray:
        """Where the roll is free, the target with the roll that the chain has near it.

        The solver begins with a roll of 0, and from near a solution it needs fewer steps.
        """
        turns = self._problem.turns
        if self.roll_tolerance < np.pi:
            return target_wxyz
        axis = turns.axis[: len(turns.columns)]
        turned = turned_chain(axis, np.ascontiguousarray(near[turns.columns]), np.empty(axis.shape))
        tip = quaternions.multiply(turned, turns.rest_wxyz)
        across = quaternions.multiply(tip, np.append(0.0, turns.forward)) @ target_wxyz
        roll = 2.0 * np.arctan2(across, tip @ target_wxyz)
        return quaternions.multiply(target_wxyz, quaternions.quaternion_about(turns.forward, -roll))

    def _total(self, one: Facing, psi: np.ndarray) -> float:
        """What is minimized wherever the chain was: the combined error and the pull a towards the posture."""
        weights, away = self._problem.weights, one.positions - psi
        error = weights.orientation * one.error.orientation + weights.posture * one.error.shape
        return error + 0.5 * self._pull * float(away @ away)
