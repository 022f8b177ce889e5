"""Posing of characters whose joints form a tree."""

from __future__ import annotations

import numpy as np

from animato.character import Character, Frame, JointType
from animato.mechanics.tree import States, forward_kinematics, frame_jacobians, packed_tree
from animato.spatial import quaternions
from animato.studio.posing.figure import root_away, root_moved, soles_of, turn_between
from animato.studio.posing.ranges import ball_limits, ranges_of
from animato.studio.posing.stance import Stance


class TreeFigure:
    """A `Figure` of a tree: freedoms are its coordinates, three a spherical joint, after six of a free root."""

    def __init__(self, character: Character) -> None:
        """Packs it.

        Raises:
            CharacterError: Its joints form closed loops.
        """
        self.character = character
        self.soles = soles_of(character)
        self._tree = packed_tree(character)
        self.lower, self.upper = ranges_of(character)
        self._turns = ball_limits(character)
        self.root_freedoms = 6 if self._tree.has_free_root else 0
        rest = self._tree.root_rest
        self.rest_root = np.concatenate([rest.position, rest.quaternion_wxyz])
        self.driven = character.coordinate_names
        count = len(self._tree.dof_names)
        self.lengths = np.zeros(count, dtype=bool)
        self.lengths[: self.root_freedoms // 2] = True
        self._plain: list[tuple[int, int]] = []  # coordinate, freedom
        self._balls: list[tuple[int, int]] = []
        coordinate, freedom = 0, self.root_freedoms
        for joint in character.free_joints:
            if joint.type is JointType.SPHERICAL:
                self._balls.append((coordinate, freedom))
                coordinate, freedom = coordinate + 4, freedom + 3
                continue
            for name in joint.coordinate_names:
                slides = joint.type in (JointType.PRISMATIC, JointType.CARTESIAN) or name.endswith(".slide")
                self.lengths[freedom] = slides
                self._plain.append((coordinate, freedom))
                coordinate, freedom = coordinate + 1, freedom + 1
        self._columns = np.array([one for one, _ in self._plain], dtype=np.int64)
        self._freedoms = np.array([one for _, one in self._plain], dtype=np.int64)
        places, _ = self.bodies(self.stance(self._tree.neutral))
        self.size = max(float(np.linalg.norm(np.ptp(places, axis=0))), 1e-3)

    def stance(self, coordinates: np.ndarray, root: np.ndarray | None = None, near: Stance | None = None) -> Stance:
        """As `Figure` says."""
        q = np.clip(np.asarray(coordinates, dtype=np.float64), self.lower, self.upper)
        for first, _ in self._balls:
            q[first : first + 4] = self._inside(first, q[first : first + 4])
        return Stance(
            q, self.rest_root if root is None or not self.root_freedoms else np.asarray(root, dtype=np.float64)
        )

    def bodies(self, stance: Stance) -> tuple[np.ndarray, np.ndarray]:
        """As `Figure` says."""
        poses = forward_kinematics(self.character, self._states(stance))
        return poses.positions[0], poses.quaternions_wxyz[0]

    def jacobian(self, stance: Stance, body: int, local: np.ndarray) -> np.ndarray:
        """As `Figure` says."""
        name = self._tree.body_names[body]
        frame = Frame((float(local[0]), float(local[1]), float(local[2])))
        found: np.ndarray = frame_jacobians(self.character, self._states(stance), name, frame)[0]
        return found

    def room(self, stance: Stance) -> tuple[np.ndarray, np.ndarray]:
        """As `Figure` says; a spherical joint is brought inside its limit by `moved`."""
        back, forth = np.full(len(self.lengths), -np.inf), np.full(len(self.lengths), np.inf)
        q = stance.coordinates[self._columns]
        back[self._freedoms] = self.lower[self._columns] - q
        forth[self._freedoms] = self.upper[self._columns] - q
        return back, forth

    def moved(self, stance: Stance, step: np.ndarray) -> Stance | None:
        """As `Figure` says."""
        q = stance.coordinates.copy()
        q[self._columns] = np.clip(
            q[self._columns] + step[self._freedoms], self.lower[self._columns], self.upper[self._columns]
        )
        for first, freedom in self._balls:
            turn = quaternions.quaternion_from_rotation_vector(step[freedom : freedom + 3])
            turned = quaternions.multiply(q[first : first + 4], turn)
            if turned @ q[first : first + 4] < 0.0:
                turned = -turned
            q[first : first + 4] = self._inside(first, turned)
        return Stance(q, root_moved(stance.root, step) if self.root_freedoms else stance.root)

    def away(self, stance: Stance, other: Stance) -> np.ndarray:
        """As `Figure` says."""
        found = np.zeros(len(self.lengths))
        found[self._freedoms] = stance.coordinates[self._columns] - other.coordinates[self._columns]
        for first, freedom in self._balls:
            here = slice(first, first + 4)
            found[freedom : freedom + 3] = turn_between(other.coordinates[here], stance.coordinates[here])
        if self.root_freedoms:
            found[:6] = root_away(stance.root, other.root)
        return found

    def rides_on_root(self, body: int) -> bool:
        """As `Figure` says."""
        return bool(self._tree.arrays.body_step[body] == 0)

    def _states(self, stance: Stance) -> States:
        nothing = np.zeros((1, len(self.lengths)))
        return States(np.zeros(1), stance.coordinates[None], nothing, nothing, stance.root[None])

    def _inside(self, first: int, turn: np.ndarray) -> np.ndarray:
        """A quaternion of unit length whose turn is at most that of its joint, wxyz."""
        turn = quaternions.normalized(turn)
        most = self._turns.get(first, np.inf)
        vector = quaternions.rotation_vector_from_quaternion(turn)
        angle = float(np.linalg.norm(vector))
        if angle <= most:
            return turn
        back = quaternions.quaternion_from_rotation_vector(vector * (most / angle) * (1.0 - 1e-12))
        return back if back @ turn >= 0.0 else -back
