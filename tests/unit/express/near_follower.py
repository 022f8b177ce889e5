"""A small follower for tests: damped least squares from the last answer, inside the limits; it holds no posture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.express.gaze.gaze_objective import solve_gaze, tip_pose
from animato.express.options import Options
from animato.mechanics.tree.kinematics.chains import Chain
from animato.spatial import quaternions


@dataclass(frozen=True, eq=False)
class Near:
    """An answer."""

    positions: np.ndarray
    changing: bool = False
    leaps: int = 0


class NearFollower:
    """Goes to the solution that is nearest to the last one; `asked` is called once for each answer."""

    def __init__(self, chain: Chain, posture: np.ndarray, options: Options) -> None:
        self.chain, self.q, self.free_roll = chain, posture.copy(), (options.roll_tolerance_rad or 0.0) > 3.0
        self.posture = posture

    def reset(self, positions: np.ndarray | None = None) -> None:
        self.q = np.array(self.posture if positions is None else positions)

    def hold(self, posture: np.ndarray) -> None:
        pass

    def weigh(self, orientation: float | None = None, posture: float | None = None) -> None:
        pass

    def asked(self) -> None:
        pass

    def look(self, point: np.ndarray, roll: float = 0.0) -> Near:
        self.asked()
        self.q = solve_gaze(self.chain, point, self._nearest, self.q, roll=roll).positions.copy()
        return Near(self.q.copy())

    def update(self, target_wxyz: np.ndarray) -> Near:
        self.asked()
        return Near(self._nearest(target_wxyz))

    def _nearest(self, target_wxyz: np.ndarray) -> np.ndarray:
        for _ in range(60):
            e, jacobian = self._error(target_wxyz)
            if np.linalg.norm(e) < 1e-12:
                break
            damping = 1e-2 * min(1.0, float(np.linalg.norm(e))) * np.eye(3)
            free = np.ones(len(self.q), dtype=bool)
            for _ in self.q:  # joints that would leave their range stand at its end
                step = np.zeros(len(self.q))
                rows = jacobian[:, free]
                step[free] = rows.T @ np.linalg.lstsq(rows @ rows.T + damping, e, rcond=None)[0]
                q = self.q + step * min(1.0, 0.3 / max(1e-12, np.abs(step).max()))
                out = free & ((q < self.chain.arrays.lower) | (q > self.chain.arrays.upper))
                if not out.any():
                    break
                free &= ~out
            self.q = np.clip(q, self.chain.arrays.lower, self.chain.arrays.upper)
        return self.q.copy()

    def _error(self, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Turn that is left, in the world, and its slope over the joints."""
        tip = tip_pose(self.chain, self.q)[0]
        if self.free_roll:
            forward = np.array(self.chain.end_point.forward)
            left = quaternions.shortest_turn(quaternions.rotate(tip, forward), quaternions.rotate(target, forward))
        else:
            left = quaternions.multiply(target, quaternions.conjugate(tip))
        columns = []
        for i in range(len(self.q)):
            moved = self.q.copy()
            moved[i] += 1e-6
            turn = quaternions.multiply(tip_pose(self.chain, moved)[0], quaternions.conjugate(tip))
            columns.append(quaternions.rotation_vector_from_quaternion(turn) / 1e-6)
        jacobian = np.array(columns).T
        e = quaternions.rotation_vector_from_quaternion(left)
        if self.free_roll:
            facing = quaternions.rotate(target, np.array(self.chain.end_point.forward))
            across = np.eye(3) - np.outer(facing, facing)
            return across @ e, across @ jacobian
        return e, jacobian
