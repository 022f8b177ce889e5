"""Where the landmarks are on a robot, once its limbs and soles are known."""

from __future__ import annotations

import numpy as np

from animato.character.structure import rest_poses
from animato.mimic.anatomy.anatomy import BodyPoint, Foot
from animato.mimic.anatomy.limb_joints import ArmJoints, LegJoints, without_fingers
from animato.mimic.anatomy.limbs import Limbs
from animato.mimic.anatomy.outline import surface_points
from animato.mimic.anatomy.skeleton import Skeleton
from animato.mimic.anatomy.soles import sole_axes
from animato.mimic.person import LANDMARKS

TOE_BEHIND = 2.0 / 17.0
"""Of a sole's length: by how much the toe joint of a foot is behind the front edge of its sole."""
TOE_ABOVE = 1.5 / 17.0
"""Of a sole's length: by how much the toe joint is above it."""
_PELVIS_NEAR = 0.2  # of a leg's length: a root farther from the hips than this is no pelvis
_PELVIS_ABOVE = 0.1  # of a leg's length: so much higher than its hips is the pelvis of a captured person
_WRIST = 0.65  # of the way from the elbow to the hand's end, where no joint is the wrist


def arm_end(skeleton: Skeleton, side: str, chain: tuple[int, ...]) -> np.ndarray:
    """The end of a hand in the root's frame at rest [m], [3]: as a marker says, else as far as its shapes go.

    Args:
        skeleton: The parts.
        side: "left" or "right".
        chain: Parts of the arm with its fingers.
    """
    stated = _stated(skeleton, f"{side}_hand")
    if stated is not None:
        return np.asarray(rest_poses(skeleton.character)[stated.body].apply(stated.position))
    hand = without_fingers(skeleton, chain)[-1]
    return _farthest(skeleton, (hand, *_after(skeleton, hand)), skeleton.parts[hand].origin)


def leg_points(skeleton: Skeleton, leg: LegJoints, foot: Foot, axes: np.ndarray) -> list[BodyPoint]:
    """Hip, knee, ankle, heel and toe of a leg."""
    side = foot.side
    found = [_at_joint(skeleton, f"{side}_hip", leg.hip), _at_joint(skeleton, f"{side}_knee", leg.knee)]
    if leg.ankle is not None:
        found.append(_at_joint(skeleton, f"{side}_ankle", leg.ankle))
    frame = sole_axes(skeleton.character, foot.sole, axes)
    corners = np.array(foot.sole.corners) @ frame.T
    back, front = corners[:, 0].min(), corners[:, 0].max()
    length, floor = front - back, corners[:, 2].mean()
    heel = np.array([back, corners[list(foot.heel), 1].mean(), floor])
    ahead = corners[list(foot.toe), 1].mean()
    toe = np.array([front - TOE_BEHIND * length, ahead, floor + TOE_ABOVE * length])
    for place, point in (("heel", heel), ("toe", toe)):
        found.append(BodyPoint(f"{side}_{place}", foot.sole.body, _tuple(point @ frame)))
    return found


def arm_points(skeleton: Skeleton, side: str, arm: ArmJoints, end: np.ndarray) -> tuple[list[BodyPoint], str]:
    """Shoulder, elbow, wrist and hand of an arm, and a sentence where one of them is made up."""
    found = [_at_joint(skeleton, f"{side}_shoulder", arm.shoulder), _at_joint(skeleton, f"{side}_elbow", arm.elbow)]
    body = skeleton.parts[arm.hand].bodies[0]
    told = ""
    if arm.wrist is not None:
        found.append(_at_joint(skeleton, f"{side}_wrist", arm.wrist))
    else:
        elbow = skeleton.parts[arm.elbow].origin
        place = skeleton.place(arm.hand, body, elbow + _WRIST * (end - elbow))
        found.append(BodyPoint(f"{side}_wrist", body, place))
        told = f"The {side} arm has no joint of a wrist; {100 * _WRIST:.0f} % of the forearm's length is taken for it."
    found.append(
        _stated(skeleton, f"{side}_hand") or BodyPoint(f"{side}_hand", body, skeleton.place(arm.hand, body, end))
    )
    return found, told


def central_points(limbs: Limbs, arms: tuple[ArmJoints, ...]) -> tuple[list[BodyPoint], list[str]]:
    """Pelvis, chest, neck and head, as far as they are there, and sentences on them."""
    skeleton, up, notes = limbs.skeleton, limbs.up, []
    hips = np.mean([skeleton.parts[limb[0]].origin for limb in limbs.legs.limbs], axis=0)
    base = limbs.legs.base
    body = skeleton.parts[base].bodies[0]
    origin = rest_poses(skeleton.character)[body].position
    if np.linalg.norm(origin - hips) > _PELVIS_NEAR * limbs.legs.reach:
        notes.append(f"The pelvis is above the middle of the hips on '{body}', whose own origin is far from them.")
        origin = hips + _PELVIS_ABOVE * limbs.legs.reach * up
    found = [BodyPoint("pelvis", body, skeleton.place(base, body, origin))]
    if not arms or limbs.arms is None:
        return found, [*notes, "It has no arms, chest, neck and head."]
    chest = limbs.arms.base
    trunk = skeleton.parts[chest].bodies[0]
    shoulders = np.mean([skeleton.parts[arm.shoulder].origin for arm in arms], axis=0)
    neck = shoulders
    if limbs.neck:
        neck = skeleton.parts[limbs.neck[0]].origin
    waist = skeleton.parts[chest].origin if chest not in (base, 0) else origin
    found.append(BodyPoint("chest", trunk, skeleton.place(chest, trunk, (waist + neck) / 2.0)))
    if limbs.neck:
        found.append(_at_joint(skeleton, "neck", limbs.neck[0]))
    else:
        found.append(BodyPoint("neck", trunk, skeleton.place(chest, trunk, neck)))
        notes.append("It has no joint of a neck; the middle of the shoulders is taken for it.")
    head = _stated(skeleton, "head") or _head(skeleton, limbs.neck[-1] if limbs.neck else chest, neck, up)
    if head is None:
        notes.append("No head was found: nothing readable is above the neck.")
        return found, notes
    return [*found, head], notes


def ordered(points: list[BodyPoint]) -> tuple[BodyPoint, ...]:
    """In the order of `LANDMARKS`."""
    return tuple(sorted(points, key=lambda point: LANDMARKS.index(point.landmark)))


def _head(skeleton: Skeleton, index: int, neck: np.ndarray, up: np.ndarray) -> BodyPoint | None:
    """The crown: as high as anything on the head, above the neck."""
    points = _points(skeleton, (index,), up)
    height = float((points @ up).max()) - float(neck @ up)
    span = float(np.linalg.norm(np.ptp(np.array([part.origin for part in skeleton.parts]), axis=0)))
    if height < 0.03 * span:
        return None
    body = skeleton.parts[index].bodies[0]
    return BodyPoint("head", body, skeleton.place(index, body, neck + height * up))


def _at_joint(skeleton: Skeleton, landmark: str, index: int) -> BodyPoint:
    part = skeleton.parts[index]
    joint = "" if part.joint is None else part.joint.name
    return BodyPoint(landmark, part.bodies[0], skeleton.place(index, part.bodies[0], part.origin), joint)


def _stated(skeleton: Skeleton, landmark: str) -> BodyPoint | None:
    """A marker or end-point of the character that has the landmark's name."""
    for marker in skeleton.character.markers:
        if marker.name == landmark:
            return BodyPoint(landmark, marker.body, marker.position)
    for end_point in skeleton.character.end_points:
        if end_point.name == landmark:
            return BodyPoint(landmark, end_point.body, end_point.frame.position)
    return None


def _farthest(skeleton: Skeleton, indices: tuple[int, ...], start: np.ndarray) -> np.ndarray:
    """The end of parts that begin at a point: as far as any of them goes in the direction of their middle."""
    centre = _points(skeleton, indices, np.zeros(3)).mean(0)
    way = centre - start
    length = float(np.linalg.norm(way))
    if length < 1e-6:
        return start
    way = way / length
    return np.asarray(start + way * float(((_points(skeleton, indices, way) - start) @ way).max()))


def _points(skeleton: Skeleton, indices: tuple[int, ...], way: np.ndarray) -> np.ndarray:
    """Origins, mass centres and surfaces of parts, in the root's frame at rest [m], [point, 3].

    Args:
        skeleton: The parts.
        indices: Which of them.
        way: Direction in which round shapes are to be seen, [3]; zero for the middles of shapes.
    """
    poses = rest_poses(skeleton.character)
    found = []
    for name in (body for index in indices for body in skeleton.parts[index].bodies):
        pose, body = poses[name], skeleton.character.body(name)
        found.append(pose.position[None])
        if body.centre is not None:
            found.append(pose.apply(body.centre)[None])
        if way.any():
            found.append(pose.apply(surface_points(body, pose.rotation.T @ way)))
        else:
            found += [pose.apply(shape.frame.position)[None] for shape in body.shapes]
    return np.concatenate(found)


def _after(skeleton: Skeleton, index: int) -> tuple[int, ...]:
    """All parts beyond one."""
    children = skeleton.children[index]
    return (*children, *(one for child in children for one in _after(skeleton, child)))


def _tuple(point: np.ndarray) -> tuple[float, float, float]:
    x, y, z = np.round(point, 9).tolist()
    return x, y, z
