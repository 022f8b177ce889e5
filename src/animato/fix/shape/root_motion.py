"""A root that is moved away from its reference, with its velocities, and how these change.

With p and R the reference's place and turn, the root is at p + d and has the turn R E, E = exp([h]x) for a rotation
vector h. In its own axes, and with J the right Jacobian of the exponential map,

    w = E^T w_ref + J h'
    w' = E^T w_ref' - (J h') x E^T w_ref + J h'' + J' h'.

A change of both by dd and dh turns the root by f = J dh about its own axes; there

    v changes by (R E)^T dd' + v x f,      w by f' + w x f,      w' by f'' + w' x f + w x f',

and the acceleration as the velocity does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.tree import States
from animato.spatial import quaternions


@dataclass(frozen=True, eq=False)
class RootMotion:
    """Where the root is and how it moves.

    Attributes:
        pose: x, y, z [m] and qw, qx, qy, qz, [moment, 7].
        velocity, acceleration: Along its own axes, linear and angular, [moment, 6].
        turned: Its rotation, [moment, 3, 3].
        spread: J, [moment, 3, 3].
    """

    pose: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray
    turned: np.ndarray
    spread: np.ndarray

    def by_deviation(self, columns: np.ndarray) -> np.ndarray:
        """Rows by (d, h), [moment, 6, row], of rows by place and turn along the root's own axes, [moment, 6, row]."""
        return np.concatenate(
            [np.matmul(self.turned, columns[:, :3]), np.matmul(self.spread.transpose(0, 2, 1), columns[:, 3:])], axis=1
        )

    def lifted(self, by_q: np.ndarray, by_v: np.ndarray, by_a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Derivatives by (d, h), by their rates and by the rates of these, [moment, row, 6] each.

        Args:
            by_q: By place and turn along the root's own axes, [moment, row, 6].
            by_v: By its velocity, [moment, row, 6].
            by_a: By its acceleration, [moment, row, 6].
        """
        back, spread = self.turned.transpose(0, 2, 1), self.spread
        v, w = (crossing(one) for one in (self.velocity[:, :3], self.velocity[:, 3:]))
        a, b = (crossing(one) for one in (self.acceleration[:, :3], self.acceleration[:, 3:]))
        turn = by_q[:, :, 3:] + np.matmul(by_v[:, :, :3], v) + np.matmul(by_v[:, :, 3:], w)
        turn += np.matmul(by_a[:, :, :3], a) + np.matmul(by_a[:, :, 3:], b)
        turn_rate = by_v[:, :, 3:] + np.matmul(by_a[:, :, 3:], w)
        places = [np.matmul(one[:, :, :3], back) for one in (by_q, by_v, by_a)]
        turns = [np.matmul(one, spread) for one in (turn, turn_rate, by_a[:, :, 3:])]
        first, second, third = (np.concatenate(pair, axis=2) for pair in zip(places, turns, strict=True))
        return first, second, third


def crossing(vectors: np.ndarray) -> np.ndarray:
    """[v]x with [v]x u = v x u, [moment, 3, 3], of vectors [moment, 3]."""
    out = np.zeros((len(vectors), 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        out[:, i, j], out[:, j, i] = -vectors[:, k], vectors[:, k]
    return out


def moved_root(reference: States, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> RootMotion:
    """The root of a reference that is moved by (d, h) with its rates, [moment, 6] each."""
    turn_ref = reference.root[:, 3:]
    world_v = quaternions.rotate(turn_ref, reference.velocities[:, :3]) + v[:, :3]
    world_a = quaternions.rotate(turn_ref, reference.accelerations[:, :3]) + a[:, :3]
    by = quaternions.quaternion_from_rotation_vector(q[:, 3:])
    turn = quaternions.multiply(turn_ref, by)
    back, unturned = quaternions.conjugate(turn), quaternions.conjugate(by)
    spread, spread_rate = _right_jacobian(q[:, 3:], v[:, 3:])
    rate = np.matmul(spread, v[:, 3:, None])[..., 0]
    bend = np.matmul(spread, a[:, 3:, None])[..., 0] + np.matmul(spread_rate, v[:, 3:, None])[..., 0]
    spin = quaternions.rotate(unturned, reference.velocities[:, 3:6])
    spin_rate = quaternions.rotate(unturned, reference.accelerations[:, 3:6]) - np.cross(rate, spin)
    pose = np.concatenate([reference.root[:, :3] + q[:, :3], turn], axis=1)
    velocity = np.concatenate([quaternions.rotate(back, world_v), spin + rate], axis=1)
    acceleration = np.concatenate([quaternions.rotate(back, world_a), spin_rate + bend], axis=1)
    return RootMotion(pose, velocity, acceleration, quaternions.matrix_from_quaternion(turn), spread)


def _right_jacobian(h: np.ndarray, rate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """J = 1 - b [h]x + c [h]x^2 with b = (1 - cos x) / x^2, c = (x - sin x) / x^3, x = |h|; and its rate."""
    x2 = np.sum(h * h, axis=1)
    small = x2 < 1e-4
    safe = np.where(small, 1.0, x2)
    x = np.sqrt(safe)
    b = np.where(small, 0.5 - x2 / 24.0, (1.0 - np.cos(x)) / safe)
    c = np.where(small, 1.0 / 6.0 - x2 / 120.0, (x - np.sin(x)) / (safe * x))
    grow = np.sum(h * rate, axis=1)  # of x^2, halved
    b_rate = grow * np.where(small, -1.0 / 12.0, (np.sin(x) / x - 2.0 * b) / safe)
    c_rate = grow * np.where(small, -1.0 / 60.0, (b - 3.0 * c) / safe)
    cross, cross_rate = crossing(h), crossing(rate)
    square = np.matmul(cross, cross)
    square_rate = np.matmul(cross_rate, cross) + np.matmul(cross, cross_rate)
    jacobian = np.eye(3) - b[:, None, None] * cross + c[:, None, None] * square
    changing = -b[:, None, None] * cross_rate - b_rate[:, None, None] * cross
    changing += c[:, None, None] * square_rate + c_rate[:, None, None] * square
    return jacobian, changing
