"""A posture in which a robot stands: upright, soles flat, knees a little bent, arms down."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import least_squares

from animato.character import Character, JointType
from animato.mechanics.tree import States, centre_of_mass, forward_kinematics, packed_tree
from animato.mimic.anatomy.anatomy import BodyPoint, Foot
from animato.mimic.anatomy.soles import sole_axes
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

_STANDING = ("stand", "standing", "home", "default", "keyframe", "key", "initial", "neutral", "half_sitting", "rest")
_LEVEL = 0.02  # of a leg's length: corners of soles that differ less in height are level
_STRETCH = 0.97  # share of the leg's length at which hip and ankle are apart, which bends the knee by 28 degrees
_BENT = 0.995  # share of the leg's length: legs that are straighter than this in a stated posture are sought anew
_SPREAD = 0.15  # of a leg's length: feet farther to the side of their hips than this at rest are spread
_FIRST_BEND = 0.4  # [rad] of the knees to begin with
_SCAN = 64  # angles of the knee at which the length of a leg is looked at
_STEP = 1e-6  # [rad or m] of differences
_WEIGHTS = {
    "level": 20.0,
    "ahead": 3.0,
    "straight": 0.5,
    "spread": 1.0,
    "stretch": 3.0,
    "upper_arm": 0.5,
    "forearm": 0.3,
    "rest": 0.02,
    "trunk": 1.0,
}
"""Of what is wanted of the posture; all in metres of a leg of one metre, `rest` and `trunk` in radians."""


def standing(
    character: Character,
    points: tuple[BodyPoint, ...],
    feet: tuple[Foot, ...],
    axes: np.ndarray,
    trunk: tuple[str, ...] = (),
) -> tuple[tuple[float, ...], tuple[float, ...], str]:
    """Finds the posture.

    A posture of the character is taken where its name says that it stands and its soles are level;
    else one is sought by least squares within the joints' ranges.

    Args:
        character: A floating tree character.
        points: Its landmarks.
        feet: Its soles.
        axes: Rows are forward, left and up in the root's frame, [3, 3].
        trunk: Names of the joints of waist and neck, which stay as they are at rest where they can.

    Returns:
        Coordinates [coordinate], the root's x, y, z [m] and qw, qx, qy, qz, and a sentence.
    """
    body = _Body(character, {point.landmark: point for point in points}, feet, axes, trunk)
    for name in _STANDING:
        found = next((one for one in character.postures if one.name.lower().startswith(name)), None)
        if found is None:
            continue
        values = dict(found.values)
        neutral = dict(zip(body.names, body.neutral, strict=True))
        posture = np.array([values.get(one, neutral[one]) for one in body.names])
        if body.stands(posture) and body.bends(posture):
            told = f"It stands as in its posture '{found.name}'."
            return tuple(posture.tolist()), body.root(posture), told
    posture = body.sought()
    told = "A standing posture was sought: soles level, knees a little bent, arms down."
    if not body.stands(posture):
        told = "No posture with both soles level was found within the joints' ranges; the nearest one is taken."
    return tuple(posture.tolist()), body.root(posture), told


@dataclass(frozen=True, eq=False)
class _Body:
    """A robot while its posture is sought; places are in forward, left, up of its root, for many postures at once."""

    character: Character
    points: dict[str, BodyPoint]
    feet: tuple[Foot, ...]
    axes: np.ndarray
    trunk: tuple[str, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        return packed_tree(self.character).coordinate_names

    @cached_property
    def neutral(self) -> np.ndarray:
        return packed_tree(self.character).neutral

    @cached_property
    def turn(self) -> np.ndarray:
        """The root's orientation in which the robot faces x, wxyz."""
        return quaternions.quaternion_from_matrix(self.axes)

    @cached_property
    def leg(self) -> float:
        """Length of the left leg [m]."""
        chain = [self._rest(f"left_{place}") for place in ("hip", "knee", "ankle") if f"left_{place}" in self.points]
        return float(sum(np.linalg.norm(a - b) for a, b in zip(chain[1:], chain[:-1], strict=True)))

    def _rest(self, landmark: str) -> np.ndarray:
        return np.asarray(self.places(self.neutral[None], landmark)[0])

    def poses(self, postures: np.ndarray) -> dict[str, RigidTransform]:
        """Of the bodies with landmarks and soles, root at the origin, facing x."""
        count, dofs = len(postures), len(packed_tree(self.character).dof_names)
        still = np.zeros((count, dofs))
        root = np.tile(np.concatenate([np.zeros(3), self.turn]), (count, 1))
        states = States(np.arange(count, dtype=np.float64), np.array(postures), still, still, root)
        poses = forward_kinematics(self.character, states)
        bodies = {point.body for point in self.points.values()} | {foot.sole.body for foot in self.feet}
        found = {name: poses.of(name) for name in bodies}
        found["centre of mass"] = RigidTransform(centre_of_mass(self.character, states))
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
        corners = np.concatenate(self.corners(self.poses(posture[None])), axis=1)[0]
        level = float(np.ptp(corners[:, 2])) < _LEVEL * self.leg
        return level and bool(corners[:, 2].max() < -0.3 * self.leg)

    def bends(self, posture: np.ndarray) -> bool:
        """Whether knees are bent a little, so that the body can go up and down."""
        for side, longest in self.longest.items():
            apart = self.places(posture[None], f"{side}_ankle") - self.places(posture[None], f"{side}_hip")
            if np.linalg.norm(apart) > _BENT * longest:
                return False
        return True

    def root(self, posture: np.ndarray) -> tuple[float, ...]:
        """The root's pose with the soles on the floor and their middle at the origin."""
        corners = np.concatenate(self.corners(self.poses(posture[None])), axis=1)[0]
        x, y = -corners[:, :2].mean(0)
        return (float(x), float(y), -float(corners[:, 2].min()), *(float(one) for one in self.turn))

    @cached_property
    def ranges(self) -> tuple[np.ndarray, np.ndarray]:
        """Of the coordinates, [coordinate] each; those of balls are held."""
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

    def sought(self) -> np.ndarray:
        """The posture by least squares."""
        lower, upper = self.ranges
        free = np.flatnonzero(upper > lower)
        rest = np.clip(self.neutral, lower, upper)

        def whole(x: np.ndarray) -> np.ndarray:
            postures = np.tile(rest, (len(x), 1))
            postures[:, free] = x
            return postures

        def residuals(x: np.ndarray) -> np.ndarray:
            return self._wanted(whole(x[None]), rest, free)[0]

        def jacobian(x: np.ndarray) -> np.ndarray:
            steps = _STEP * np.eye(len(x))
            both = self._wanted(whole(np.concatenate([x + steps, x - steps])), rest, free)
            return np.asarray((both[: len(x)] - both[len(x) :]).T / (2.0 * _STEP))

        bent = self._bent(rest)
        lower, upper = self._bending_forward(lower, upper, bent)
        inside = np.minimum(1e-3, 0.25 * (upper - lower)[free])
        start = np.clip(bent[free], lower[free] + inside, upper[free] - inside)
        found = least_squares(residuals, start, jacobian, (lower[free], upper[free]), ftol=1e-10, max_nfev=100)
        return np.asarray(whole(found.x[None])[0])

    def _bent(self, rest: np.ndarray) -> np.ndarray:
        """The rest posture with knees bent a little from straight, shins to the back."""
        bent = rest.copy()
        for side, (angles, lengths) in self._scans.items():
            column = self._column(f"{side}_knee")
            if column is None:
                continue
            tries = np.tile(rest, (2, 1))
            tries[:, column] = angles[int(np.argmax(lengths))] + np.array((-_FIRST_BEND, _FIRST_BEND))
            bent[column] = tries[int(np.argmin(self.places(tries, f"{side}_ankle")[:, 0])), column]
        return bent

    def _bending_forward(self, lower: np.ndarray, upper: np.ndarray, bent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Ranges [coordinate] in which knees bend no other way than in a posture with bent ones."""
        lower, upper = lower.copy(), upper.copy()
        for side, (angles, lengths) in self._scans.items():
            column = self._column(f"{side}_knee")
            straight = angles[int(np.argmax(lengths))]
            if column is not None and bent[column] > straight and upper[column] > straight:
                lower[column] = straight
            elif column is not None and bent[column] < straight and lower[column] < straight:
                upper[column] = straight
        return lower, upper

    def _wanted(self, postures: np.ndarray, rest: np.ndarray, free: np.ndarray) -> np.ndarray:
        """Residuals of many postures, [posture, residual]."""
        poses = self.poses(postures)
        at = {name: poses[point.body].apply(point.position) for name, point in self.points.items()}
        soles = self.corners(poses)
        heights = np.concatenate([sole[..., 2] for sole in soles], axis=1)
        rows = [_WEIGHTS["level"] * (heights - heights.mean(1, keepdims=True))]
        balance = poses["centre of mass"].position[:, 0] - np.mean([sole[..., 0].mean(1) for sole in soles], axis=0)
        rows.append(_WEIGHTS["ahead"] * balance[:, None])
        for foot, sole in zip(self.feet, soles, strict=True):
            forward = sole_axes(self.character, foot.sole, self.axes)[0]
            hip = at[f"{foot.side}_hip"]
            aside = (poses[foot.sole.body].rotation @ forward)[:, 1:2] * self.leg
            rows.append(_WEIGHTS["straight"] * aside)
            rows.append(_WEIGHTS["ahead"] * (sole[..., 0].mean(1) - hip[:, 0])[:, None] * 0.1)
            rows.append(_WEIGHTS["spread"] * (sole[..., 1].mean(1) - self.lanes[foot.side])[:, None])
            if f"{foot.side}_ankle" in at:
                ankle, long = at[f"{foot.side}_ankle"], self.longest[foot.side]
                apart = np.linalg.norm(ankle - hip, axis=1)
                rows.append(_WEIGHTS["stretch"] * (apart - _STRETCH * long)[:, None])
            rows += self._arm_rows(at, foot.side)
        rows = [row / self.leg for row in rows]
        rows.append(self.pull[free] * (postures - rest)[:, free])
        return np.concatenate(rows, axis=1)

    @cached_property
    def longest(self) -> dict[str, float]:
        """Of each side, the distance of hip and ankle on a leg as straight as its knee lets it be [m]."""
        return {side: float(lengths.max()) for side, (_, lengths) in self._scans.items()}

    @cached_property
    def _scans(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Of each side, angles of the knee [rad] and the distance of hip and ankle there [m], [angle] each."""
        found = {}
        for foot in self.feet:
            if f"{foot.side}_ankle" not in self.points:
                continue
            column = self._column(f"{foot.side}_knee")
            postures = np.tile(self.neutral, (_SCAN, 1))
            angles = np.zeros(_SCAN)
            if column is not None:
                angles = np.linspace(self.ranges[0][column], self.ranges[1][column], _SCAN)
                postures[:, column] = angles
            apart = self.places(postures, f"{foot.side}_ankle") - self.places(postures, f"{foot.side}_hip")
            found[foot.side] = angles, np.linalg.norm(apart, axis=1)
        return found

    @cached_property
    def lanes(self) -> dict[str, float]:
        """Of each side, how far to the left the sole is at rest [m]; below the hip where legs are spread then."""
        soles = self.corners(self.poses(self.neutral[None]))
        found = {}
        for foot, sole in zip(self.feet, soles, strict=True):
            here, hip = float(sole[0, :, 1].mean()), float(self._rest(f"{foot.side}_hip")[1])
            found[foot.side] = here if abs(here - hip) < _SPREAD * self.leg else hip
        return found

    @cached_property
    def pull(self) -> np.ndarray:
        """Weight of each coordinate's way from rest, [coordinate]."""
        held = {name for joint in self.trunk for name in self.character.joint(joint).coordinate_names}
        return np.array([_WEIGHTS["trunk" if name in held else "rest"] for name in self.names])

    def _column(self, landmark: str) -> int | None:
        """The coordinate of a landmark's joint, None where it has no single one of its own."""
        joint = self.points[landmark].joint
        names = self.character.joint(joint).coordinate_names if joint else ()
        return self.names.index(names[0]) if len(names) == 1 and names[0] in self.names else None

    def _arm_rows(self, at: dict[str, np.ndarray], side: str) -> list[np.ndarray]:
        """Upper arms hang a little outward, forearms a little forward."""
        if f"{side}_elbow" not in at or f"{side}_shoulder" not in at:
            return []
        out = 1.0 if side == "left" else -1.0
        rows = []
        for weight, first, second, way in (
            ("upper_arm", "shoulder", "elbow", (0.0, 0.25 * out, -1.0)),
            ("forearm", "elbow", "wrist", (0.3, 0.05 * out, -1.0)),
        ):
            span = at[f"{side}_{second}"] - at[f"{side}_{first}"]
            length = np.linalg.norm(span, axis=1, keepdims=True)
            rows.append(_WEIGHTS[weight] * (span - length * np.array(way) / np.linalg.norm(way)))
        return rows
