"""Constraints between frames that move: joints, motors and interfaces (eqs. 4 to 7), as rows of two kinds.

    SLIDE:  e1 . (p2 - p1) - s(t) = 0         a point of the second frame, seen along an axis of the first
    TURN:   (cos a(t) u1 + sin a(t) n1) . w2 = 0       axes that stay orthogonal

A frame is the world, a rigid body, or the centroid and polar-decomposed rotation of an interface. Motors say s or a.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

SLIDE, TURN = range(2)


@dataclass(frozen=True, eq=False)
class ConstraintRows:
    """All rows of a system.

    Attributes:
        names: Of the joint or part that each belongs to.
        kind: SLIDE or TURN, [row].
        frames: The two frames of each, [row, 2].
        points: p1, p2 in their frames [m], [row, 2, 3].
        axes: e1 or u1; n1; w2, each in its frame, [row, 3, 3].
        motor: Which motor says s or a; -1 for none, [row].
    """

    names: tuple[str, ...]
    kind: np.ndarray
    frames: np.ndarray
    points: np.ndarray
    axes: np.ndarray
    motor: np.ndarray

    def __len__(self) -> int:
        return len(self.names)

    def chosen(self, which: np.ndarray) -> ConstraintRows:
        """Some of the rows."""
        return ConstraintRows(
            tuple(self.names[i] for i in which),
            self.kind[which],
            self.frames[which],
            self.points[which],
            self.axes[which],
            self.motor[which],
        )


@dataclass(frozen=True, eq=False)
class PlacedRows:
    """Rows with their frames placed; leading shapes [...] are those of the states.

    Attributes:
        rows: What they are.
        origins: Of both frames of each row [m], [..., row, 2, 3].
        point: p2 in the world [m], [..., row, 3].
        first: e1, or u1 turned by the motor, in the world, [..., row, 3].
        rate: Its derivative by the motor, [..., row, 3].
        second: w2 in the world, [..., row, 3].
        values: C, [..., row].
    """

    rows: ConstraintRows
    origins: np.ndarray
    point: np.ndarray
    first: np.ndarray
    rate: np.ndarray
    second: np.ndarray
    values: np.ndarray

    def rates(self, velocity: np.ndarray, turning: np.ndarray, motor_speed: np.ndarray) -> np.ndarray:
        """dC/dt, [..., row].

        Args:
            velocity: Of the origins of all frames [m/s], [..., frame, 3].
            turning: Their angular velocities [rad/s], [..., frame, 3].
            motor_speed: [motor].
        """
        one, two = self.rows.frames.T
        speed = np.where(self.rows.motor >= 0, np.append(motor_speed, 0.0)[self.rows.motor], 0.0)
        w1, w2 = turning[..., one, :], turning[..., two, :]
        moving = velocity[..., two, :] + np.cross(w2, self.point - self.origins[..., 1, :])
        moving = moving - velocity[..., one, :] - np.cross(w1, self.point - self.origins[..., 0, :])
        slides = np.sum(self.first * moving, axis=-1) - speed
        turns = np.sum(np.cross(self.first, self.second) * (w1 - w2), axis=-1)
        turns = turns + speed * np.sum(self.rate * self.second, axis=-1)
        return np.where(self.rows.kind == SLIDE, slides, turns)

    def wrenches(self, multipliers: np.ndarray, frame_count: int) -> tuple[np.ndarray, np.ndarray]:
        """Forces [N] and moments about the origins [N m] on all frames, [..., frame, 3] each.

        Args:
            multipliers: Of the rows, [..., row].
            frame_count: Of all frames.
        """
        slides = (self.rows.kind == SLIDE)[:, None]
        push = np.where(slides, multipliers[..., None] * self.first, 0.0)
        twist = np.where(slides, 0.0, multipliers[..., None] * np.cross(self.first, self.second))
        found = []
        for side, sign in ((0, -1.0), (1, 1.0)):
            arm = self.point - self.origins[..., side, :]
            carried = np.equal.outer(np.arange(frame_count), self.rows.frames[:, side]).astype(float)
            found.append((sign * carried @ push, sign * carried @ (np.cross(arm, push) - twist)))
        forces, moments = (np.asarray(one + two) for one, two in zip(*found, strict=True))
        return forces, moments


def placed(rows: ConstraintRows, origins: np.ndarray, rotations: np.ndarray, motors: np.ndarray) -> PlacedRows:
    """Rows in the world.

    Args:
        rows: What they are.
        origins: Of all frames [m], [..., frame, 3].
        rotations: Of all frames, [..., frame, 3, 3].
        motors: s or a of all motors, [motor].
    """
    one, two = rows.frames.T
    said = np.where(rows.motor >= 0, np.append(motors, 0.0)[rows.motor], 0.0)
    angle = np.where(rows.kind == TURN, said, 0.0)
    cosine, sine = np.cos(angle)[:, None], np.sin(angle)[:, None]
    R1, R2 = rotations[..., one, :, :], rotations[..., two, :, :]
    first = np.einsum("...rpq,rq->...rp", R1, cosine * rows.axes[:, 0] + sine * rows.axes[:, 1])
    rate = np.einsum("...rpq,rq->...rp", R1, cosine * rows.axes[:, 1] - sine * rows.axes[:, 0])
    second = np.einsum("...rpq,rq->...rp", R2, rows.axes[:, 2])
    ends = np.stack((origins[..., one, :], origins[..., two, :]), axis=-2)
    start = ends[..., 0, :] + np.einsum("...rpq,rq->...rp", R1, rows.points[:, 0])
    point = ends[..., 1, :] + np.einsum("...rpq,rq->...rp", R2, rows.points[:, 1])
    values = np.where(
        rows.kind == SLIDE, np.sum(first * (point - start), axis=-1) - said, np.sum(first * second, axis=-1)
    )
    return PlacedRows(rows, ends, point, first, rate, second, values)
