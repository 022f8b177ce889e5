"""From a target to set-points: says which orientation it means from where the eye is, and has it followed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from animato.errors import MotionError
from animato.express.chain import Chain
from animato.express.follower import Follower, FollowerBuilder
from animato.express.gaze import RELAXATION, facing_direction, least_roll, tip_angle, tip_pose
from animato.express.targets import Target
from animato.spatial import quaternions

_SETTLING_S = 0.1  # in which the idea of where the eye is comes after it; faster would make the target shake
_WARM_UP = 40  # frames; a follower that plans ahead has compiled all of its parts by then
_FACING = 0.05  # [rad] within which set-points have got where they were going
_STILL = 1e-3  # [rad or m] in a frame below which they will not
_NEAREST = 1e-6  # [m] to the eye within which a point has no direction


@dataclass(frozen=True, eq=False)
class Aimed:
    """Set-points for one target.

    Attributes:
        positions: Of the chain's joints [rad or m], [n].
        target: What they are for.
        error_rad: By which angle they are off it [rad].
        changing: Whether they are on the way from one branch of solutions to another.
    """

    positions: np.ndarray
    target: Target
    error_rad: float
    changing: bool


class TargetFollower:
    """Follows targets of any kind with one chain.

    A target that leaves the roll open has a follower of its own, for which a turn about the facing axis costs nothing.
    Whoever takes over begins where the other left off.

    Args:
        chain: The joints and the end-point.
        posture: What is held [rad or m], [n].
        rate_hz: How often `update` will be called [Hz].
        build: Makes the followers.
        roll_tolerance: Turn about the facing axis that costs nothing, for all targets [rad]; where None, none for
            targets with a roll and any for those without.
    """

    def __init__(
        self,
        chain: Chain,
        posture: np.ndarray,
        rate_hz: float,
        build: FollowerBuilder,
        roll_tolerance: float | None = None,
    ) -> None:
        self.chain = chain
        self._posture = posture
        self._forward = np.array(chain.end_point.forward)
        self._share = min(RELAXATION, 1.0 / (_SETTLING_S * rate_hz))
        tolerances = (0.0, math.pi) if roll_tolerance is None else (roll_tolerance,)
        self._followers = [(tolerance, build(chain, posture, rate_hz, tolerance)) for tolerance in tolerances]
        self.reset(posture)
        self._warm_up()
        self.reset(posture)

    def reset(self, positions: np.ndarray) -> None:
        """Starts anew from joint positions [rad or m], [n]."""
        self._positions = np.array(positions, dtype=np.float64)
        self._tip, self._eye = tip_pose(self.chain, self._positions)
        self._active: Follower | None = None

    def _warm_up(self) -> None:
        """Looks around for a while: kernels compile here, not in the loop."""
        tip = tip_pose(self.chain, self._posture)[0]
        for _, follower in self._followers:
            for n in range(_WARM_UP):
                follower.update(quaternions.multiply(quaternions.quaternion_about((0.6, 0.8, 0.0), 0.02 * n), tip))
        self.update(Target(point=(1.0, 2.0, 1e3)))

    def update(self, target: Target) -> Aimed:
        """The set-points of the next frame.

        Raises:
            MotionError: The point is at the eye itself, or the follower's answer is not sound.
        """
        tolerance, follower = self._followers[-1 if target.any_roll else 0]
        wanted = self._orientation(target, self._eye)
        if target.any_roll and tolerance >= math.pi:
            upright, wanted = wanted, np.empty(4)
            least_roll(self._tip, self._forward, upright, wanted)
        if follower is not self._active:
            follower.reset(self._positions)
            self._active = follower
        followed = follower.update(wanted)
        positions = np.array(followed.positions, dtype=np.float64)
        if positions.shape != self._positions.shape or not np.isfinite(positions).all():
            raise MotionError(f"The solver gave {positions} for {len(self._positions)} joints.")
        still = np.abs(positions - self._positions).max() < _STILL
        self._positions = positions
        self._tip, eye = tip_pose(self.chain, positions)
        # An eye that is still on its way tells nothing of where it will be; a target that moves with it would mislead.
        if still or tip_angle(self.chain.end_point, self._tip, wanted, tolerance) < _FACING:
            self._eye = self._eye + self._share * (eye - self._eye)
        error = self._error(target, self._tip, eye)
        return Aimed(positions, target, error, bool(followed.changing))

    def error_of(self, positions: np.ndarray, target: Target) -> float:
        """By which angle joint positions [n] are off a target, seen from their own eye [rad]; pi at the eye itself."""
        return self._error(target, *tip_pose(self.chain, positions))

    def _error(self, target: Target, tip_wxyz: np.ndarray, eye: np.ndarray) -> float:
        tolerance = self._followers[-1 if target.any_roll else 0][0]
        try:
            wanted = self._orientation(target, eye)
        except MotionError:
            return math.pi
        return tip_angle(self.chain.end_point, tip_wxyz, wanted, tolerance)

    def _orientation(self, target: Target, eye: np.ndarray) -> np.ndarray:
        """Orientation of the end-point, wxyz, that a target asks for of an eye at [m]."""
        if target.quaternion_wxyz is not None:
            return np.array(target.quaternion_wxyz)
        direction = np.array(target.direction if target.point is None else target.point)
        if target.point is not None:
            direction = direction - eye
            if np.linalg.norm(direction) < _NEAREST:
                raise MotionError(f"The point {target.point} is at the eye itself; it has no direction to look.")
        return facing_direction(self.chain.end_point, direction, roll=target.roll_rad or 0.0)
