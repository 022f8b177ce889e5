"""Editing what a design does: run it, take the trajectories of points, change them, ask for the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Character
from animato.design.terms import TrackingTarget
from animato.errors import MotionError
from animato.mechanics.loops import LoopMotion, loop_kinematics
from animato.mechanics.loops.assembly import build_mechanism
from animato.spatial import quaternions


@dataclass(frozen=True, eq=False)
class PointTrajectory:
    """What a point of a body does.

    Attributes:
        name: What people call it.
        body: Name of the body.
        point: On the body [m], shape [3].
        positions: In the world [m], shape [step, 3].
        orientations_wxyz: Of the body in the world, shape [step, 4].
    """

    name: str
    body: str
    point: np.ndarray
    positions: np.ndarray
    orientations_wxyz: np.ndarray

    def with_handles(
        self, steps: Sequence[int], offsets: ArrayLike, tangents: ArrayLike | None = None, *, closed: bool = False
    ) -> PointTrajectory:
        """Pulls the path at handles; between them it gives way like a spatial cubic Hermite spline.

        What the path does in between is kept, since the spline is that of the displacement.

        Args:
            steps: Where the handles are, rising.
            offsets: How far each is pulled [m], shape [handle, 3].
            tangents: Change of the path's slope at each handle [m per step], shape [handle, 3]; where not given,
                that of a smooth curve through the offsets (Catmull-Rom).
            closed: Whether the motion repeats, so that the last handle leads back to the first.
        """
        moved = self.positions + hermite_offsets(len(self.positions), steps, offsets, tangents, closed=closed)
        return replace(self, positions=moved)

    def transformed(
        self, matrix: ArrayLike | None = None, shift: ArrayLike = (0.0, 0.0, 0.0), *, about: ArrayLike | None = None
    ) -> PointTrajectory:
        """Applies an affine map x -> M (x - c) + c + shift to the path.

        Args:
            matrix: M, shape [3, 3]; the identity where not given.
            shift: [m], shape [3].
            about: c [m], shape [3]; the middle of the path where not given.
        """
        M = np.eye(3) if matrix is None else np.asarray(matrix, dtype=np.float64)
        if M.shape != (3, 3) or not np.all(np.isfinite(M)):
            raise MotionError(f"An affine map needs a matrix of shape [3, 3], not {list(M.shape)}.")
        centre = self.positions.mean(axis=0) if about is None else np.asarray(about, dtype=np.float64)
        return replace(self, positions=(self.positions - centre) @ M.T + centre + np.asarray(shift, dtype=np.float64))

    def turned(self, rotation_vector: ArrayLike) -> PointTrajectory:
        """Turns the body's orientation by a rotation vector in the world [rad], shape [3] or [step, 3]."""
        turn = quaternions.quaternion_from_rotation_vector(np.asarray(rotation_vector, dtype=np.float64))
        return replace(self, orientations_wxyz=quaternions.multiply(turn, self.orientations_wxyz))

    def amplified(self, gains: ArrayLike) -> PointTrajectory:
        """Makes the swing of the orientation larger or smaller, about its mean.

        Args:
            gains: Factors on the turn about the world's x, y, z; 1 keeps, 0 stills.
        """
        mean = mean_orientation(self.orientations_wxyz)
        swing = quaternions.rotation_vector_from_quaternion(
            quaternions.multiply(self.orientations_wxyz, quaternions.conjugate(mean))
        )
        turn = quaternions.quaternion_from_rotation_vector(swing * np.asarray(gains, dtype=np.float64))
        return replace(self, orientations_wxyz=quaternions.multiply(turn, mean))

    def target(
        self, *, position_weight: ArrayLike | None = None, orientation_weight: ArrayLike | None = None
    ) -> TrackingTarget:
        """Asks for what is here.

        Args:
            position_weight: A number, one an axis, or three a step [1/m^2]; None asks for turns only.
            orientation_weight: A number, or one a step; None asks for positions only.
        """
        weights = np.asarray(0.0 if position_weight is None else position_weight, dtype=np.float64)
        return TrackingTarget(
            self.body,
            self.point,
            None if position_weight is None else self.positions,
            None if orientation_weight is None else self.orientations_wxyz,
            np.full(3, float(weights)) if weights.ndim == 0 else weights,
            0.0 if orientation_weight is None else np.asarray(orientation_weight, dtype=np.float64),
            self.name,
        )


def run_design(
    character: Character, controls: ArrayLike, points: Mapping[str, tuple[str, ArrayLike]] | None = None
) -> dict[str, PointTrajectory]:
    """Runs a character as it is configured and takes the trajectories of points of interest.

    Args:
        character: With its design.
        controls: Of the actuators [rad, m or quaternion parts], shape [step, control].
        points: By name, a body and a point on it [m]; the character's markers where not given, or all bodies
            where it has none.

    Raises:
        MechanismError: The character cannot be assembled or cannot follow its controls.
    """
    mechanism = build_mechanism(character)
    motion = loop_kinematics(mechanism, controls)
    if points is None:
        points = {marker.name: (marker.body, marker.position) for marker in character.markers}
        points = points or {body.name: (body.name, np.zeros(3)) for body in character.bodies}
    return {name: _trajectory(motion, name, body, point) for name, (body, point) in points.items()}


def _trajectory(motion: LoopMotion, name: str, body: str, point: ArrayLike) -> PointTrajectory:
    place = np.asarray(point, dtype=np.float64)
    turns = quaternions.continuous(quaternions.normalized(motion.quaternions_wxyz(body)))
    return PointTrajectory(name, body, place, motion.positions(body) + quaternions.rotate(turns, place), turns)


def hermite_offsets(
    step_count: int,
    steps: Sequence[float],
    offsets: ArrayLike,
    tangents: ArrayLike | None = None,
    *,
    closed: bool = False,
) -> np.ndarray:
    """A spatial cubic Hermite spline through offsets at handles, shape [step, 3].

    Before the first handle and after the last it is constant, unless it is closed.

    Args:
        step_count: How many steps.
        steps: Of the handles, rising.
        offsets: Shape [handle, 3].
        tangents: Per step, shape [handle, 3]; Catmull-Rom where not given.
        closed: Whether the last handle leads on to the first, a period later.
    """
    at, pulled = np.asarray(steps, dtype=np.float64), np.asarray(offsets, dtype=np.float64)
    if at.ndim != 1 or pulled.shape != (len(at), 3) or not len(at) or np.any(np.diff(at) <= 0.0):
        raise MotionError(
            f"Handles need rising steps and one offset of three numbers each, not {list(at)} and the shape "
            f"{list(pulled.shape)}."
        )
    if at[0] < 0 or at[-1] >= step_count:
        raise MotionError(f"Handles must be at steps from 0 to {step_count - 1}, not {list(at)}.")
    slopes = None if tangents is None else np.asarray(tangents, dtype=np.float64)
    if closed:
        at = np.concatenate([at[-1:] - step_count, at, at[:1] + step_count])
        pulled = np.concatenate([pulled[-1:], pulled, pulled[:1]])
        slopes = None if slopes is None else np.concatenate([slopes[-1:], slopes, slopes[:1]])
    if len(at) == 1:
        return np.tile(pulled, (step_count, 1))
    if slopes is None:
        slopes = _smooth_slopes(at, pulled, closed=closed, period=step_count)
    return _hermite(at, pulled, slopes, np.arange(step_count, dtype=np.float64))


def flat_bump(step_count: int, at: float, width: float) -> np.ndarray:
    """1 at one step, 0 at a distance and beyond it, flat at all three, shape [step].

    Args:
        step_count: How many steps.
        at: Where it is 1 [steps].
        width: How far it reaches to each side [steps], above 0.
    """
    t = np.clip(1.0 - np.abs(np.arange(step_count) - at) / width, 0.0, 1.0)
    return np.asarray(t * t * (3.0 - 2.0 * t))


def _smooth_slopes(at: np.ndarray, values: np.ndarray, *, closed: bool, period: int) -> np.ndarray:
    """Catmull-Rom: from the handle before to the one after; flat at open ends."""
    slopes = np.zeros_like(values)
    slopes[1:-1] = (values[2:] - values[:-2]) / (at[2:] - at[:-2])[:, None]
    if closed:
        slopes[0], slopes[-1] = slopes[-2], slopes[1]
    return slopes


def _hermite(at: np.ndarray, values: np.ndarray, slopes: np.ndarray, where: np.ndarray) -> np.ndarray:
    piece = np.clip(np.searchsorted(at, where, side="right") - 1, 0, len(at) - 2)
    width = at[piece + 1] - at[piece]
    t = np.clip((where - at[piece]) / width, 0.0, 1.0)[:, None]
    a, b = values[piece], values[piece + 1]
    m, n = slopes[piece] * width[:, None], slopes[piece + 1] * width[:, None]
    return np.asarray(
        (2 * t**3 - 3 * t**2 + 1) * a + (t**3 - 2 * t**2 + t) * m + (3 * t**2 - 2 * t**3) * b + (t**3 - t**2) * n
    )


def mean_orientation(turns: np.ndarray) -> np.ndarray:
    """The orientation with the smallest sum of squared matrix distances, wxyz: an eigenvector, shape [4]."""
    _, vectors = np.linalg.eigh(turns.T @ turns)
    return np.asarray(vectors[:, -1])
