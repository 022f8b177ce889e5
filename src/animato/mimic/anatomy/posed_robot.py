"""A robot in many postures at once: where its landmarks and soles are, while a standing posture is sought."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from animato.character import Character, JointType
from animato.mechanics.tree import States, centre_of_mass, forward_kinematics, packed_tree
from animato.mimic.anatomy.anatomy import BodyPoint, Foot
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

CENTRE_OF_MASS = "centre of mass"
_LEVEL = 0.02  # of a leg's length: corners of soles that differ less in height are level
_BENT = 0.995  # share of the leg's length: legs that are straighter than this are not bent
_SPREAD = 0.15  # of a leg's length: feet farther to the side of their hips than this at rest are spread
_SCAN = 64  # angles of the knee at which the length of a leg is looked at


@dataclass(frozen=True, eq=False)
class PosedRobot:
    """Places are in metres from the root body, x forward, y left, z up.

    Attributes:
        character: A floating tree character.
        points: Its landmarks by name.
        feet: Its soles.
        axes: Rows are forward, left and up in the root's frame, [3, 3].
    """

    character: Character
    points: dict[str, BodyPoint]
    feet: tuple[Foot, ...]
    axes: np.ndarray

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of the coordinates."""
        return packed_tree(self.character).coordinate_names

    @cached_property
    def neutral(self) -> np.ndarray:
        """Coordinates of the rest pose, [coordinate]."""
        return packed_tree(self.character).neutral

    @cached_property
    def turn(self) -> np.ndarray:
        """The root's orientation in which the robot faces x, wxyz."""
        return quaternions.quaternion_from_matrix(self.axes)

    @cached_property
    def ranges(self) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper ends of the coordinates, [coordinate] each; balls have none to go."""
        lower, upper = [], []
        for joint in self.character.free_joints:
            if joint.type is JointType.SPHERICAL:
                lower += list(joint.neutral)
                upper += list(joint.neutral)
                continue
            for limits in joint.limits:
                low, high = limits.range
                lower.append(max(low, -math.pi))
                upper.append(min(high, math.pi))
        return np.array(lower), np.array(upper)

    @cached_property
    def leg(self) -> float:
        """Length of the left leg [m]."""
        names = [f"left_{place}" for place in ("hip", "knee", "ankle") if f"left_{place}" in self.points]
        chain = [self.places(self.neutral[None], name)[0] for name in names]
        return float(sum(np.linalg.norm(a - b) for a, b in zip(chain[1:], chain[:-1], strict=True)))

    @cached_property
    def knee_scans(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Of each side, angles of the knee [rad] and the distance of hip and ankle there [m], [angle] each."""
        found = {}
        for foot in self.feet:
            if f"{foot.side}_ankle" not in self.points:
                continue
            column = self.column(f"{foot.side}_knee")
            postures = np.tile(self.neutral, (_SCAN, 1))
            angles = np.zeros(_SCAN)
            if column is not None:
                angles = np.linspace(self.ranges[0][column], self.ranges[1][column], _SCAN)
                postures[:, column] = angles
            apart = self.places(postures, f"{foot.side}_ankle") - self.places(postures, f"{foot.side}_hip")
            found[foot.side] = angles, np.linalg.norm(apart, axis=1)
        return found

    @cached_property
    def longest(self) -> dict[str, float]:
        """Of each side, the distance of hip and ankle on a leg as straight as its knee lets it be [m]."""
        return {side: float(lengths.max()) for side, (_, lengths) in self.knee_scans.items()}

    @cached_property
    def lanes(self) -> dict[str, float]:
        """Of each side, how far to the left the sole is at rest [m]; below the hip where legs are spread then."""
        soles = self.corners(self.poses(self.neutral[None]))
        found = {}
        for foot, sole in zip(self.feet, soles, strict=True):
            here = float(sole[0, :, 1].mean())
            hip = float(self.places(self.neutral[None], f"{foot.side}_hip")[0, 1])
            found[foot.side] = here if abs(here - hip) < _SPREAD * self.leg else hip
        return found

    def column(self, landmark: str) -> int | None:
        """The coordinate of a landmark's joint, None where it has no single one of its own."""
        joint = self.points[landmark].joint
        names = self.character.joint(joint).coordinate_names if joint else ()
        return self.names.index(names[0]) if len(names) == 1 and names[0] in self.names else None

    def poses(self, postures: np.ndarray) -> dict[str, RigidTransform]:
        """Of the bodies with landmarks and soles, and of the centre of mass, for postures [posture, coordinate]."""
        count = len(postures)
        still = np.zeros((count, len(packed_tree(self.character).dof_names)))
        root = np.tile(np.concatenate([np.zeros(3), self.turn]), (count, 1))
        states = States(np.arange(count, dtype=np.float64), np.array(postures), still, still, root)
        poses = forward_kinematics(self.character, states)
        bodies = {point.body for point in self.points.values()} | {foot.sole.body for foot in self.feet}
        found = {name: poses.of(name) for name in bodies}
        found[CENTRE_OF_MASS] = RigidTransform(centre_of_mass(self.character, states))
        return found

    def places(self, postures: np.ndarray, landmark: str) -> np.ndarray:
        """Of one landmark [m], [posture, 3]."""
        point = self.points[landmark]
        return np.asarray(self.poses(postures)[point.body].apply(point.position))

    def corners(self, poses: dict[str, RigidTransform]) -> list[np.ndarray]:
        """Of each sole [m], [posture, corner, 3]."""
        return [
            np.stack([poses[foot.sole.body].apply(corner) for corner in foot.sole.corners], axis=1)
            for foot in self.feet
        ]

    def stands(self, posture: np.ndarray) -> bool:
        """Whether all corners of the soles are at one height, with the body above them."""
        heights = self._all_corners(posture)[:, 2]
        return float(np.ptp(heights)) < _LEVEL * self.leg and bool(heights.max() < -0.3 * self.leg)

    def bends(self, posture: np.ndarray) -> bool:
        """Whether knees are bent a little, so that the body can go up and down."""
        for side, longest in self.longest.items():
            apart = self.places(posture[None], f"{side}_ankle") - self.places(posture[None], f"{side}_hip")
            if np.linalg.norm(apart) > _BENT * longest:
                return False
        return True

    def root(self, posture: np.ndarray) -> tuple[float, ...]:
        """The root's pose with the soles on the floor and their middle at the origin."""
        corners = self._all_corners(posture)
        x, y = -corners[:, :2].mean(0)
        return (float(x), float(y), -float(corners[:, 2].min()), *(float(one) for one in self.turn))

    def _all_corners(self, posture: np.ndarray) -> np.ndarray:
        return np.asarray(np.concatenate(self.corners(self.poses(posture[None])), axis=1)[0])
