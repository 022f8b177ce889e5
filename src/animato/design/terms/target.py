"""What a point of a body should do: a path, turns, or both, with weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import MotionError
from animato.spatial import quaternions


@dataclass(frozen=True, eq=False)
class TrackingTarget:
    """Where a point of a body should be and how the body should be turned, at every time step.

    After Maloisel et al. (2023), Sec. 7. At each step it costs

        1/2 sum_i w_i (x_i - position_i)^2 + 1/2 w |R(q) - R(orientation)|^2

    with x the point in the world [m] and R the turn of the body from its own axes to the world's; for a
    turn that is off by the angle a the last norm is 8 sin(a/2)^2.

    Attributes:
        body: Name of the body.
        point: On the body, in its frame [m], shape [3].
        positions: Of the point in the world [m], shape [step, 3]; None where only turns count.
        orientations_wxyz: Of the body in the world, unit length, shape [step, 4]; None where only
            positions count.
        position_weights: For x, y, z [1/m^2], shape [3] or [step, 3].
        orientation_weight: A number, or one a step, shape [step].
        name: What people call it; the body's name where not given.
    """

    body: str
    point: np.ndarray
    positions: np.ndarray | None = None
    orientations_wxyz: np.ndarray | None = None
    position_weights: np.ndarray = (1.0, 1.0, 1.0)  # type: ignore[assignment]
    orientation_weight: np.ndarray | float = 1.0
    name: str = ""

    def __post_init__(self) -> None:
        what = f"The target of '{self.body}'"
        object.__setattr__(self, "name", self.name or self.body)
        object.__setattr__(self, "point", _numbers(self.point, f"{what}: its point", (3,)))
        if self.positions is None and self.orientations_wxyz is None:
            raise MotionError(f"{what} has neither positions nor orientations; give at least one of them.")
        if self.positions is not None:
            object.__setattr__(self, "positions", _numbers(self.positions, f"{what}: its positions", (-1, 3)))
        if self.orientations_wxyz is not None:
            turns = _numbers(self.orientations_wxyz, f"{what}: its orientations", (-1, 4))
            if np.min(np.linalg.norm(turns, axis=1), initial=1.0) < 1e-6:
                raise MotionError(f"{what} has an orientation of length zero; quaternions (w, x, y, z) are not.")
            object.__setattr__(self, "orientations_wxyz", quaternions.normalized(turns))
        steps = {len(table) for table in (self.positions, self.orientations_wxyz) if table is not None}
        if len(steps) > 1 or 0 in steps:
            raise MotionError(f"{what} must have as many orientations as positions, at least one, not {sorted(steps)}.")
        self._check_weights(what, steps.pop())

    def _check_weights(self, what: str, steps: int) -> None:
        weights = np.asarray(self.position_weights, dtype=np.float64)
        if weights.shape == (3,):
            weights = np.broadcast_to(weights, (steps, 3))
        weights = _numbers(weights, f"{what}: its position weights (three, or three a step)", (steps, 3))
        turning = np.asarray(self.orientation_weight, dtype=np.float64)
        if turning.ndim == 0:
            turning = np.broadcast_to(turning, (steps,))
        turning = _numbers(turning, f"{what}: its orientation weight (one, or one a step)", (steps,))
        if min(weights.min(), turning.min()) < 0.0:
            raise MotionError(f"{what} has a weight below 0; a weight of 0 switches a target off.")
        object.__setattr__(self, "position_weights", weights)
        object.__setattr__(self, "orientation_weight", turning)

    @property
    def step_count(self) -> int:
        """Number of time steps."""
        return len(self.position_weights)


def _numbers(given: ArrayLike, what: str, shape: tuple[int, ...]) -> np.ndarray:
    """Finite numbers of a shape, in which -1 stands for any length."""
    table = np.array(given, dtype=np.float64)
    fits = table.ndim == len(shape) and all(n in (-1, m) for n, m in zip(shape, table.shape, strict=True))
    if not fits:
        wanted = ", ".join("step" if n == -1 else str(n) for n in shape)
        raise MotionError(f"{what} must have the shape [{wanted}], not {list(table.shape)}.")
    if not np.all(np.isfinite(table)):
        raise MotionError(f"{what} must be finite numbers.")
    table.setflags(write=False)
    return table
