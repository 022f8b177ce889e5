"""Postures of a floating robot over frames: steps along their degrees of freedom, and rates by finite differences.

A step d [dof] moves the root along its own axes, turns it about them by exp, and adds to the joints. With
f = log(q_t^-1 q_{t+1}) and b = log(q_t^-1 q_{t-1}) of neighbouring frames h apart, velocity and acceleration are

    v_t = (f - b) / (2 h),    a_t = (f + b) / h^2

and zero in the first and the last frame, where the robot is taken to rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.tree import States
from animato.spatial import quaternions


@dataclass(frozen=True, eq=False)
class Postures:
    """A robot without spherical joints in some frames.

    Attributes:
        q: Coordinates [rad or m], [frame, coordinate].
        root: x, y, z [m] and qw, qx, qy, qz of the root body, [frame, 7].
    """

    q: np.ndarray
    root: np.ndarray

    def __len__(self) -> int:
        return len(self.q)

    def moved(self, steps: np.ndarray) -> Postures:
        """After steps [frame, dof]."""
        turn, root = self.root[:, 3:], np.empty_like(self.root)
        root[:, :3] = self.root[:, :3] + quaternions.rotate(turn, steps[:, :3])
        turned = quaternions.multiply(turn, quaternions.quaternion_from_rotation_vector(steps[:, 3:6]))
        root[:, 3:] = quaternions.normalized(turned)
        return Postures(self.q + steps[:, 6:], root)

    def part(self, chosen: np.ndarray | slice) -> Postures:
        """Some of the frames."""
        return Postures(self.q[chosen], self.root[chosen])

    def replaced(self, frames: np.ndarray, other: Postures) -> Postures:
        """With other postures in some frames."""
        q, root = self.q.copy(), self.root.copy()
        q[frames], root[frames] = other.q, other.root
        return Postures(q, root)

    def still(self) -> States:
        """States at rest, for kinematics."""
        nothing = np.zeros((len(self), 6 + self.q.shape[1]))
        return States(np.arange(float(len(self))), self.q, nothing, nothing, self.root)


def steps_between(start: Postures, end: Postures) -> np.ndarray:
    """The steps that lead from some postures to others, [frame, dof]."""
    back = quaternions.conjugate(start.root[:, 3:])
    shift = quaternions.rotate(back, end.root[:, :3] - start.root[:, :3])
    turn = quaternions.rotation_vector_from_quaternion(quaternions.multiply(back, end.root[:, 3:]))
    return np.concatenate([shift, turn, end.q - start.q], axis=1)


@dataclass(frozen=True, eq=False)
class Rates:
    """Velocities and accelerations of frames, and how steps of three frames change them.

    Attributes:
        v: [rad/s or m/s], [frame, dof].
        a: [rad/s^2 or m/s^2], [frame, dof].
        v_by: By steps of the frame before, the frame itself and the one after, [frame, 3, dof, dof].
        a_by: The same of accelerations.
    """

    v: np.ndarray
    a: np.ndarray
    v_by: np.ndarray
    a_by: np.ndarray


def rates_of(postures: Postures, h: float) -> Rates:
    """Rates by finite differences, with exact derivatives.

    Args:
        postures: At least three frames.
        h: Time between frames [s].
    """
    count, dofs = len(postures), 6 + postures.q.shape[1]
    here, before, after = (postures.part(part) for part in (slice(1, -1), slice(0, -2), slice(2, None)))
    f, b = steps_between(here, after), steps_between(here, before)
    v, a = np.zeros((count, dofs)), np.zeros((count, dofs))
    v[1:-1], a[1:-1] = (f - b) / (2.0 * h), (f + b) / h**2
    v_by, a_by = np.zeros((count, 3, dofs, dofs)), np.zeros((count, 3, dofs, dofs))
    f_here, f_after = _by_steps(here, after, f)
    b_here, b_before = _by_steps(here, before, b)
    for slot, first, second in ((0, 0.0, b_before), (1, f_here, b_here), (2, f_after, 0.0)):
        v_by[1:-1, slot] = (first - second) / (2.0 * h)
        a_by[1:-1, slot] = (first + second) / h**2
    return Rates(v, a, v_by, a_by)


def states_with(postures: Postures, rates: Rates, times: np.ndarray) -> States:
    """Postures and rates as the kernels of dynamics take them."""
    return States(times, postures.q, rates.v, rates.a, postures.root)


def _by_steps(start: Postures, end: Postures, d: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How d = log(start^-1 end) changes with steps of the start and of the end, [frame, dof, dof] each."""
    count, dofs = d.shape
    by_start, by_end = (np.tile(sign * np.eye(dofs), (count, 1, 1)) for sign in (-1.0, 1.0))
    between = quaternions.matrix_from_quaternion(
        quaternions.multiply(quaternions.conjugate(start.root[:, 3:]), end.root[:, 3:])
    )
    by_start[:, :3, 3:6] = cross_matrices(d[:, :3])
    by_end[:, :3, :3] = between
    left = _inverse_left_jacobians(d[:, 3:6])
    by_start[:, 3:6, 3:6], by_end[:, 3:6, 3:6] = -left, left.transpose(0, 2, 1)
    return by_start, by_end


def cross_matrices(vectors: np.ndarray) -> np.ndarray:
    """Matrices K with K u = v x u, [..., 3, 3], of vectors v [..., 3]."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    zero = np.zeros_like(x)
    rows = [[zero, -z, y], [z, zero, -x], [-y, x, zero]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _inverse_left_jacobians(turns: np.ndarray) -> np.ndarray:
    """How log(exp(e) exp(w)) changes with e at 0, [frame, 3, 3]; its transpose is that of log(exp(w) exp(e))."""
    angle = np.linalg.norm(turns, axis=1)
    K = cross_matrices(turns)
    small = angle < 1e-3
    half = 0.5 * np.where(small, 1.0, angle)
    exact = (1.0 - half / np.tan(half)) / np.where(small, 1.0, angle) ** 2
    factor = np.where(small, 1.0 / 12.0 + angle**2 / 720.0, exact)
    return np.asarray(np.eye(3) - 0.5 * K + factor[:, None, None] * (K @ K))
