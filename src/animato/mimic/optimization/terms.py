"""Everything that is asked of a motion, as numbers for the kernels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.mechanics.tree import ContactPoints, Tree

USUAL_HEIGHT = 0.773
"""Of the pelvis of a robot that stands, for which the weights were found [m]."""


@dataclass(frozen=True)
class Weights:
    """How much each term counts. The objective is in metres of landmarks, summed over landmarks and knots.

    Attributes:
        size: Of the robot, 1 for a pelvis that stands `USUAL_HEIGHT` high; see `for_size`.
        soft_m: Errors of landmarks smaller than this count as squares, larger ones as they are [m].
        path: Of the squared distance of the pelvis from the person's scaled path [1/m].
        posture: Of squared angles from the standing posture.
        idle: Of the same, of joints that move no landmark.
        pin: Of squared angles from poses that are pinned.
        spread: Of squared forces in weights: spreads the load.
        load: Of the squared difference of all vertical forces from the weight, in weights: landings are soft.
        wrench: Stiffness of the wrench that nothing gives, in metres of the ZMP [1/m]; this and what follows are
            stiffnesses of rows, see `animato.solvers.augmented`.
        torque, speed: Of torques and velocities, as shares of their limits.
        range: Of angles [1/rad].
        lean: Of distances of the load from edges of the soles, see `leaning` [1/m].
        height: Of heights of what is on the floor or must not be below it [1/m].
        skate: Of displacements of what is planted, from knot to knot [1/m].
        hands: Of the gap between hands that are together [1/m].
        near: Of distances of bodies [1/m].
        torque_price: What a torque above its limit costs at most, for each limit more.
        sole_margin_m: Rim of the soles that the load stays away from while it goes from foot to foot [m].
        hands_price: What hands that are together cost where they cannot keep their distance, for each metre.
        lean_price: What a load costs that stands too far to one side, for each metre.
        near_price: What bodies cost that are nearer than they may, for each metre.
        swing_price: What feet cost that swing lower than they should, for each metre.
    """

    size: float = 1.0
    soft_m: float = 5e-3
    path: float = 0.02
    posture: float = 1e-4
    idle: float = 0.3
    pin: float = 1e3
    spread: float = 1.0
    load: float = 0.1
    wrench: float = 1e4
    torque: float = 1e3
    speed: float = 1e2
    range: float = 1e3
    lean: float = 2e3
    height: float = 3e4
    skate: float = 3e4
    hands: float = 3e3
    near: float = 1e4
    torque_price: float = 30.0
    hands_price: float = 4.0
    lean_price: float = 30.0
    near_price: float = 200.0
    swing_price: float = 60.0
    sole_margin_m: float = 2e-3

    def for_size(self, size: float) -> Weights:
        """The same for a robot of another size: all lengths count in its own."""
        squares = ("path", "wrench", "lean", "height", "skate", "hands", "near")
        lines = ("hands_price", "lean_price", "near_price", "swing_price")
        changed = {name: getattr(self, name) / size**2 for name in squares}
        changed |= {name: getattr(self, name) / size for name in lines}
        return replace(self, size=size, soft_m=size * self.soft_m, **changed)


@dataclass(frozen=True, eq=False)
class TorqueRows:
    """Rows of torque, each a combination of the torque and the speed of one column that stays within 1.

    Attributes:
        dof: Column of velocity, [row].
        by_torque: 1 / limit, [row].
        by_speed: 1 / speed at which the motor has nothing left to give, 0 where only torque counts, [row].
    """

    dof: np.ndarray
    by_torque: np.ndarray
    by_speed: np.ndarray


@dataclass(frozen=True, eq=False)
class NearRows:
    """Pairs of points of bodies that are to stay apart.

    A point is a combination of four points of its body: origin and tips of the three axes.

    Attributes:
        frame: Knot of each row, rising, [row].
        bodies: Index of both bodies among `PackedPoints.bodies`, [row, 2].
        local: Points on these bodies [m], [row, 2, 3].
        normal: From the second to the first, in the world, [row, 3].
        least: Distance to keep [m], [row].
    """

    frame: np.ndarray
    bodies: np.ndarray
    local: np.ndarray
    normal: np.ndarray
    least: np.ndarray

    @staticmethod
    def none() -> NearRows:
        """No pairs."""
        whole = np.zeros(0, dtype=np.int64)
        return NearRows(whole, whole.reshape(0, 2), np.zeros((0, 2, 3)), np.zeros((0, 3)), np.zeros(0))


@dataclass(frozen=True, eq=False)
class PackedPoints:
    """All points of the robot that terms look at, in this order: pelvis, landmarks, corners, frames of bodies.

    Attributes:
        points: As the kernels take them.
        bodies: Index of each point's body among the tree's bodies, [point].
        local: On that body [m], [point, 3].
        landmarks: Number of landmarks without the pelvis.
        corners: Number of points that may touch.
        frames: Names of the bodies of which four points each stand last.
    """

    points: ContactPoints
    bodies: np.ndarray
    local: np.ndarray
    landmarks: int
    corners: int
    frames: tuple[str, ...]

    @property
    def first_corner(self) -> int:
        """Index of the first corner."""
        return 1 + self.landmarks

    @property
    def first_frame(self) -> int:
        """Index of the first body frame's first point."""
        return 1 + self.landmarks + self.corners


@dataclass(frozen=True, eq=False)
class Terms:
    """What is asked for, at knots t of a uniform step.

    Attributes:
        tree: The packed robot.
        packed: Points that are looked at.
        step: Between knots [s].
        weights: Of the terms.
        targets: Of landmarks relative to the pelvis [m], [t, landmark, 3].
        emphasis: Weight of each landmark at each knot, [t, landmark].
        path: Where the pelvis should roughly be [m], [t, 3].
        hands: Indices of both wrists among the landmarks.
        hand_gap: Distance that they keep [m], NaN where they are not together, [t].
        planted: Corners that stay where they are, [t, corner].
        pushing: Those of them that carry, [t, corner].
        standing: Those that whoever looks at frames sees standing still, [t, corner].
        floored: Corners that are on their surface, [t, corner].
        heights: Of the surface under each corner [m], [corner].
        clearance: Height above it that corners in the air have at least [m], [t, corner].
        posture: Coordinates to stay near, [t, coordinate].
        posture_weights: How much, [t, coordinate]: little to the stand, much to poses that are pinned.
        mesh: L^T L of the interaction mesh over pelvis and landmarks, [t, 1 + landmark, 1 + landmark]; None without it.
        mesh_places: Where the mesh has these, scaled [m], [t, 1 + landmark, 3].
        acceleration: Weight of squared accelerations, [t, dof].
        lower, upper: Bounds of coordinates, [coordinate].
        speeds: Limits of velocities, infinite where there is none, [coordinate].
        torques: Rows of torque.
        near: Bodies that are to stay apart.
        generators: Edges of the friction cone in the world, [edge, 3].
        dynamics: Whether forces carry the robot; kinematics alone otherwise.
    """

    tree: Tree
    packed: PackedPoints
    step: float
    weights: Weights
    targets: np.ndarray
    emphasis: np.ndarray
    path: np.ndarray
    hands: tuple[int, int]
    hand_gap: np.ndarray
    planted: np.ndarray
    pushing: np.ndarray
    standing: np.ndarray
    floored: np.ndarray
    heights: np.ndarray
    clearance: np.ndarray
    posture: np.ndarray
    posture_weights: np.ndarray
    mesh: np.ndarray | None
    mesh_places: np.ndarray
    acceleration: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    speeds: np.ndarray
    torques: TorqueRows
    near: NearRows
    generators: np.ndarray
    dynamics: bool = True

    def from_knot(self, first: int) -> Terms:
        """The same from a knot on; of near bodies none, since they are of all knots."""
        return replace(
            self,
            targets=self.targets[first:],
            emphasis=self.emphasis[first:],
            path=self.path[first:],
            hand_gap=self.hand_gap[first:],
            planted=self.planted[first:],
            pushing=self.pushing[first:],
            standing=self.standing[first:],
            floored=self.floored[first:],
            clearance=self.clearance[first:],
            posture=self.posture[first:],
            posture_weights=self.posture_weights[first:],
            mesh=None if self.mesh is None else self.mesh[first:],
            mesh_places=self.mesh_places[first:],
            acceleration=self.acceleration[first:],
            near=NearRows.none(),
        )

    @property
    def knot_count(self) -> int:
        """Number of knots."""
        return len(self.targets)

    @property
    def dof_count(self) -> int:
        """Of root and joints."""
        return self.acceleration.shape[1]

    @property
    def force_count(self) -> int:
        """Unknown forces of a knot."""
        return self.packed.corners * len(self.generators)
