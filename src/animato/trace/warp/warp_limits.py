"""Limits along a warp: used shares, and how they change with the first three derivatives of t."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.trace.timing import AxisLimits
from animato.trace.warp.motion_warp import Rates

KINDS = ("velocity", "acceleration", "torque", "jerk")


class Quantity(NamedTuple):
    """Something of every degree of freedom at places, and its derivatives by t', t'' and the third.

    Attributes:
        value: [m, n].
        slopes: [m, n, 3].
    """

    value: np.ndarray
    slopes: np.ndarray


class WarpShares(NamedTuple):
    """Used shares of limits at places, signed by direction: each is to stay below 1.

    Attributes:
        kinds: Of each column, an index of KINDS, [k].
        values: [m, k].
        slopes: By the derivatives of t, [m, k, 3].
    """

    kinds: np.ndarray
    values: np.ndarray
    slopes: np.ndarray

    def largest(self) -> dict[str, float]:
        """The largest share of each kind that has limits."""
        return {KINDS[kind]: float(self.values[:, self.kinds == kind].max()) for kind in np.unique(self.kinds)}


def velocities(rates: Rates, warp: np.ndarray) -> Quantity:
    """V = q' / t', with derivatives of q by r."""
    y = warp[:, :1]
    return _quantity(rates.dq / y, -rates.dq / y**2)


def accelerations(rates: Rates, warp: np.ndarray) -> Quantity:
    """A = q'' / t'^2 - q' t'' / t'^3."""
    y, two = warp[:, :1], warp[:, 1:2]
    dq, ddq = rates.dq, rates.ddq
    return _quantity(ddq / y**2 - dq * two / y**3, -2.0 * ddq / y**3 + 3.0 * dq * two / y**4, -dq / y**3)


def jerks(rates: Rates, warp: np.ndarray) -> Quantity:
    """The derivative of a: q3 / t'^3 - (3 q'' t'' + q' t3) / t'^4 + 3 q' t''^2 / t'^5, q3 and t3 being third ones."""
    y, two, three = warp[:, :1], warp[:, 1:2], warp[:, 2:]
    dq, ddq, dddq = rates.dq, rates.ddq, rates.dddq
    mixed = 3.0 * ddq * two + dq * three
    return _quantity(
        dddq / y**3 - mixed / y**4 + 3.0 * dq * two**2 / y**5,
        -3.0 * dddq / y**4 + 4.0 * mixed / y**5 - 15.0 * dq * two**2 / y**6,
        -3.0 * ddq / y**4 + 6.0 * dq * two / y**5,
        -dq / y**4,
    )


def torques(rates: Rates, limits: AxisLimits, warp: np.ndarray) -> Quantity:
    """What motors give: the dynamics change as accelerations do; drag goes with the speed, friction with its sign."""
    y, two = warp[:, :1], warp[:, 1:2]
    drag = limits.damping * rates.dq
    still = rates.held + limits.friction * np.sign(rates.dq)
    return _quantity(
        rates.dynamic / y**2 - rates.inertia * two / y**3 + still + drag / y,
        -2.0 * rates.dynamic / y**3 + 3.0 * rates.inertia * two / y**4 - drag / y**2,
        -rates.inertia / y**3,
    )


def warp_shares(rates: Rates, limits: AxisLimits, warp: np.ndarray, kinds: tuple[str, ...]) -> WarpShares:
    """All limits of some kinds, both directions, at all places.

    Args:
        rates: Of the motion over r.
        limits: Of the degrees of freedom.
        warp: The first three derivatives of t, [m, 3].
        kinds: Those that hold.
    """
    found: list[tuple[int, Quantity, np.ndarray]] = []
    velocity = velocities(rates, warp)
    for kind, quantity, bounds in (
        ("velocity", velocity, (limits.up[0], limits.down[0])),
        ("acceleration", accelerations(rates, warp), (limits.up[1], limits.down[1])),
        ("jerk", jerks(rates, warp), (limits.jerk, limits.jerk)),
    ):
        if kind in kinds:
            signed = zip((1.0, -1.0), bounds, strict=True)
            found += [(KINDS.index(kind), _times(sign, quantity), bound) for sign, bound in signed]
    if "torque" in kinds:
        torque, number = torques(rates, limits, warp), KINDS.index("torque")
        for sign, bound in ((1.0, rates.most), (-1.0, rates.least)):
            one = _times(sign, torque)
            found.append((number, one, bound))
            for k in range(limits.lines.shape[1]):
                line, fall = limits.lines[:, k, 0], limits.lines[:, k, 1]
                if np.any(np.isfinite(line)):
                    found.append((number, _while_driving(rates, one, velocity, sign, fall), line))
    return _packed(found, len(rates.dq))


def _quantity(value: np.ndarray, *slopes: np.ndarray) -> Quantity:
    parts = np.zeros((*value.shape, 3))
    for k, slope in enumerate(slopes):
        parts[:, :, k] = slope
    return Quantity(value, parts)


def _times(sign: float, quantity: Quantity) -> Quantity:
    return Quantity(sign * quantity.value, sign * quantity.slopes)


def _while_driving(rates: Rates, torque: Quantity, velocity: Quantity, sign: float, fall: np.ndarray) -> Quantity:
    """The torque, and what the motor lacks at its speed, where it drives in this direction; elsewhere 0."""
    drives = sign * rates.dq > 0.0
    value = torque.value + fall * sign * velocity.value
    slopes = torque.slopes + fall[:, None] * sign * velocity.slopes
    return Quantity(np.where(drives, value, 0.0), np.where(drives[:, :, None], slopes, 0.0))


def _packed(found: list[tuple[int, Quantity, np.ndarray]], count: int) -> WarpShares:
    """Side by side, without what has no limit."""
    kinds, values, slopes = [np.zeros(0, dtype=int)], [np.zeros((count, 0))], [np.zeros((count, 0, 3))]
    for kind, quantity, bound in found:
        columns = np.any(np.isfinite(np.atleast_2d(bound)), axis=0)
        scale = 1.0 / np.atleast_2d(bound)[:, columns]  # 0 in poses without a limit
        kinds.append(np.full(int(columns.sum()), kind))
        values.append(quantity.value[:, columns] * scale)
        slopes.append(quantity.slopes[:, columns] * scale[:, :, None])
    return WarpShares(np.concatenate(kinds), np.concatenate(values, axis=1), np.concatenate(slopes, axis=1))
