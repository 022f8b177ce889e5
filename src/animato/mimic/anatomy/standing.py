"""A posture in which a robot stands: upright, soles flat, knees a little bent, arms down."""

from __future__ import annotations

import numpy as np
from scipy.optimize import least_squares

from animato.character import Character
from animato.mimic.anatomy.anatomy import BodyPoint, Foot
from animato.mimic.anatomy.posed_robot import CENTRE_OF_MASS, PosedRobot
from animato.mimic.anatomy.soles import sole_axes

_STANDING = ("stand", "standing", "home", "default", "keyframe", "key", "initial", "neutral", "half_sitting", "rest")
_STRETCH = 0.97  # share of the leg's length at which hip and ankle are apart, which bends the knee by 28 degrees
_FIRST_BEND = 0.4  # [rad] of the knees to begin with
_STEP = 1e-6  # [rad or m] of differences
_WEIGHTS = {
    "level": 20.0,
    "balance": 3.0,
    "below": 0.3,
    "straight": 0.5,
    "lane": 1.0,
    "stretch": 3.0,
    "upper_arm": 0.5,
    "forearm": 0.3,
    "rest": 0.02,
    "trunk": 1.0,
}
"""Of what is wanted of the posture; all in metres of a leg of one metre, `rest` and `trunk` in radians."""
_UPPER_ARM = (0.0, 0.25, -1.0)
_FOREARM = (0.3, 0.05, -1.0)
"""Ways of hanging arms on the left side: forward, outward, up."""


def standing(
    character: Character,
    points: tuple[BodyPoint, ...],
    feet: tuple[Foot, ...],
    axes: np.ndarray,
    trunk: tuple[str, ...] = (),
) -> tuple[tuple[float, ...], tuple[float, ...], str]:
    """Finds the posture.

    A posture of the character is taken where its name says that it stands, its soles are level and
    its knees bent; else one is sought by least squares within the joints' ranges.

    Args:
        character: A floating tree character.
        points: Its landmarks.
        feet: Its soles.
        axes: Rows are forward, left and up in the root's frame, [3, 3].
        trunk: Names of the joints of waist and neck, which stay as they are at rest where they can.

    Returns:
        Coordinates [coordinate], the root's x, y, z [m] and qw, qx, qy, qz, and a sentence.
    """
    robot = PosedRobot(character, {point.landmark: point for point in points}, feet, axes)
    for name in _STANDING:
        found = next((one for one in character.postures if one.name.lower().startswith(name)), None)
        if found is None:
            continue
        stated = dict(zip(robot.names, robot.neutral.tolist(), strict=True)) | dict(found.values)
        posture = np.array([stated[one] for one in robot.names])
        if robot.stands(posture) and robot.bends(posture):
            return tuple(posture.tolist()), robot.root(posture), f"It stands as in its posture '{found.name}'."
    posture = _sought(robot, trunk)
    told = "A standing posture was sought: soles level, knees a little bent, arms down."
    if not robot.stands(posture):
        told = "No posture with both soles level was found within the joints' ranges; the nearest one is taken."
    return tuple(posture.tolist()), robot.root(posture), told


def _sought(robot: PosedRobot, trunk: tuple[str, ...]) -> np.ndarray:
    """The posture by least squares, [coordinate]."""
    lower, upper = robot.ranges
    free = np.flatnonzero(upper > lower)
    rest = np.clip(robot.neutral, lower, upper)
    held = {name for joint in trunk for name in robot.character.joint(joint).coordinate_names}
    pull = np.array([_WEIGHTS["trunk" if name in held else "rest"] for name in robot.names])[free]

    def whole(x: np.ndarray) -> np.ndarray:
        postures = np.tile(rest, (len(x), 1))
        postures[:, free] = x
        return postures

    def rows(x: np.ndarray) -> np.ndarray:
        return np.hstack([_wanted(robot, whole(x)), pull * (x - rest[free])])

    def jacobian(x: np.ndarray) -> np.ndarray:
        steps = _STEP * np.eye(len(x))
        both = rows(np.concatenate([x + steps, x - steps]))
        return np.asarray((both[: len(x)] - both[len(x) :]).T / (2.0 * _STEP))

    bent = _bent(robot, rest)
    lower, upper = _bending_forward(robot, bent)
    inside = np.minimum(1e-3, 0.25 * (upper - lower)[free])
    start = np.clip(bent[free], lower[free] + inside, upper[free] - inside)
    found = least_squares(
        lambda x: rows(x[None])[0], start, jacobian, (lower[free], upper[free]), ftol=1e-10, max_nfev=100
    )
    return np.asarray(whole(found.x[None])[0])


def _bent(robot: PosedRobot, rest: np.ndarray) -> np.ndarray:
    """The rest posture with knees bent a little from straight, shins to the back."""
    bent = rest.copy()
    for side, (angles, lengths) in robot.knee_scans.items():
        column = robot.column(f"{side}_knee")
        if column is None:
            continue
        tries = np.tile(rest, (2, 1))
        tries[:, column] = angles[int(np.argmax(lengths))] + np.array((-_FIRST_BEND, _FIRST_BEND))
        bent[column] = tries[int(np.argmin(robot.places(tries, f"{side}_ankle")[:, 0])), column]
    return bent


def _bending_forward(robot: PosedRobot, bent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ranges [coordinate] in which knees bend no other way than in a posture with bent ones."""
    lower, upper = (one.copy() for one in robot.ranges)
    for side, (angles, lengths) in robot.knee_scans.items():
        column = robot.column(f"{side}_knee")
        straight = angles[int(np.argmax(lengths))]
        if column is not None and bent[column] > straight and upper[column] > straight:
            lower[column] = straight
        elif column is not None and bent[column] < straight and lower[column] < straight:
            upper[column] = straight
    return lower, upper


def _wanted(robot: PosedRobot, postures: np.ndarray) -> np.ndarray:
    """Residuals of many postures, as shares of a leg's length, [posture, residual]."""
    poses = robot.poses(postures)
    at = {name: poses[point.body].apply(point.position) for name, point in robot.points.items()}
    soles = robot.corners(poses)
    heights = np.concatenate([sole[..., 2] for sole in soles], axis=1)
    rows = [_WEIGHTS["level"] * (heights - heights.mean(1, keepdims=True))]
    middle = np.mean([sole[..., 0].mean(1) for sole in soles], axis=0)
    rows.append(_WEIGHTS["balance"] * (poses[CENTRE_OF_MASS].position[:, 0] - middle)[:, None])
    for foot, sole in zip(robot.feet, soles, strict=True):
        forward = sole_axes(robot.character, foot.sole, robot.axes)[0]
        hip = at[f"{foot.side}_hip"]
        rows.append(_WEIGHTS["straight"] * robot.leg * (poses[foot.sole.body].rotation @ forward)[:, 1:2])
        rows.append(_WEIGHTS["below"] * (sole[..., 0].mean(1) - hip[:, 0])[:, None])
        rows.append(_WEIGHTS["lane"] * (sole[..., 1].mean(1) - robot.lanes[foot.side])[:, None])
        if foot.side in robot.longest:
            apart = np.linalg.norm(at[f"{foot.side}_ankle"] - hip, axis=1)
            rows.append(_WEIGHTS["stretch"] * (apart - _STRETCH * robot.longest[foot.side])[:, None])
        rows += _arm_rows(at, foot.side)
    return np.concatenate(rows, axis=1) / robot.leg


def _arm_rows(at: dict[str, np.ndarray], side: str) -> list[np.ndarray]:
    """Upper arms hang a little outward, forearms a little forward."""
    out = np.array((1.0, 1.0 if side == "left" else -1.0, 1.0))
    rows = []
    for weight, first, second, way in (
        ("upper_arm", f"{side}_shoulder", f"{side}_elbow", _UPPER_ARM),
        ("forearm", f"{side}_elbow", f"{side}_wrist", _FOREARM),
    ):
        if first in at and second in at:
            span = at[second] - at[first]
            length = np.linalg.norm(span, axis=1, keepdims=True)
            rows.append(_WEIGHTS[weight] * (span - length * out * way / np.linalg.norm(way)))
    return rows
