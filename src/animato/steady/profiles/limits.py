"""What motors can do, as bounds on control points of a profile and its derivatives, and on torque."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import block_diag, csr_array, vstack

from animato.character import Character, Limits
from animato.mechanics.limits import coordinate_axes
from animato.steady.profiles.spline import ProfileBasis

KINDS = ("position", "velocity", "acceleration", "jerk")


@dataclass(frozen=True, eq=False)
class ProfileLimits:
    """Rows A x between lower and upper, each in units of its own limit.

    Attributes:
        matrix: A, [row, unknown].
        lower, upper: [row].
        kinds: Of each row, an index into KINDS, [row].
        motors: Of each row, [row].
    """

    matrix: csr_array
    lower: np.ndarray
    upper: np.ndarray
    kinds: np.ndarray
    motors: np.ndarray

    def worst_share(self, x: np.ndarray) -> float:
        """The largest used share of any limit; 1 is the limit itself."""
        if not len(self.lower):
            return 0.0
        middle, half = 0.5 * (self.lower + self.upper), 0.5 * (self.upper - self.lower)
        return float(np.max(np.abs(self.matrix @ x - middle) / half))


@dataclass(frozen=True, eq=False)
class TorqueLimits:
    """What each motor gives at each speed: at most its stall torque, and while it drives less the faster it goes.

    Attributes:
        stall: [N m], infinite where not limited, [motor].
        slope: Of the torque lost with speed [N m s/rad], [motor].
    """

    stall: np.ndarray
    slope: np.ndarray

    @property
    def any(self) -> bool:
        """Whether a motor's torque is limited at all."""
        return bool(np.isfinite(self.stall).any())


def motor_limits(character: Character, names: tuple[str, ...]) -> tuple[Limits, ...]:
    """Limits of the motors' coordinates."""
    return tuple(axis.limits for axis in coordinate_axes(character, names))


def profile_limits(
    basis: ProfileBasis, limits: tuple[Limits, ...], start: np.ndarray, *, acceleration: float, margin: float
) -> ProfileLimits:
    """Bounds on all control points.

    Args:
        basis: Of the profiles.
        limits: Of each motor.
        start: Unknowns of the artist's profile, [size].
        acceleration: No motor may accelerate more [rad/s^2]; infinite where there is no such wish.
        margin: Share of each limit that is left unused.
    """
    points = basis.control_points(start)
    matrices = {kind: basis.difference_matrix(n) for n, kind in enumerate(KINDS)}
    rows: list[csr_array] = []
    lower: list[np.ndarray] = []
    upper: list[np.ndarray] = []
    kinds: list[np.ndarray] = []
    motors: list[np.ndarray] = []
    for motor, one in enumerate(limits):
        blocks = []
        for number, kind in enumerate(KINDS):
            low, high = _bounds(one, kind, acceleration)
            if kind == "position":  # where the artist begins is not blamed on us
                low, high = min(low, points[0, motor]), max(high, points[0, motor])
            if not (np.isfinite(low) or np.isfinite(high)):
                continue
            if not (np.isfinite(low) and np.isfinite(high)):
                far = 100.0
                low, high = (low, low + far) if np.isfinite(low) else (high - far, high)
            middle, half = 0.5 * (low + high), 0.5 * (high - low) * (1.0 - margin)
            half = max(half, 1e-9)
            block = matrices[kind] / half
            blocks.append(block)
            lower.append(np.full(block.shape[0], middle / half - 1.0))
            upper.append(np.full(block.shape[0], middle / half + 1.0))
            kinds.append(np.full(block.shape[0], number))
            motors.append(np.full(block.shape[0], motor))
        rows.append(csr_array(vstack(blocks)) if blocks else csr_array((0, basis.count)))
    return ProfileLimits(
        csr_array(block_diag(rows, format="csr")),
        np.concatenate(lower or [np.zeros(0)]),
        np.concatenate(upper or [np.zeros(0)]),
        np.concatenate(kinds or [np.zeros(0, dtype=int)]),
        np.concatenate(motors or [np.zeros(0, dtype=int)]),
    )


def torque_limits(limits: tuple[Limits, ...]) -> TorqueLimits:
    """Torque against speed of each motor, as a line."""
    stall, slope = np.full(len(limits), np.inf), np.zeros(len(limits))
    for n, one in enumerate(limits):
        if one.curve is not None:
            top = float(one.curve.torques[0])
            stall[n] = top if one.torque is None else min(top, one.torque)
            slope[n] = (top - float(one.curve.torques[-1])) / float(one.curve.speeds[-1])
        elif one.torque is not None:
            stall[n] = one.torque
    return TorqueLimits(stall, slope)


def _bounds(limits: Limits, kind: str, acceleration: float) -> tuple[float, float]:
    if kind == "position":
        return limits.range
    bound = getattr(limits, kind)
    bound = np.inf if bound is None else float(bound)
    if kind == "acceleration":
        bound = min(bound, acceleration)
    return -bound, bound
