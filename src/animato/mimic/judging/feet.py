"""What soles do on the floor: whether they slide, sink in, float or drag."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Vector3
from animato.mechanics.tree import BodyPoses
from animato.mimic.anatomy import Anatomy
from animato.mimic.contacts import FOOT_PARTS, strict_labels, support_labels
from animato.mimic.judging.rules import Rules
from animato.mimic.person import Person


@dataclass(frozen=True, eq=False)
class FeetMotion:
    """Corners of the soles, and contacts of the person that they should keep.

    Attributes:
        points: (body, point on it [m]) of each corner of all soles, left then right.
        corners: Where they are [m], [frame, corner, 3].
        foot: Of each corner: 0 left, 1 right, [corner].
        toe: Whether a corner belongs to the toe, [corner].
        strict: Parts of the person's feet that stand still, [frame, part] as in `FOOT_PARTS`.
        support: Feet of the person that may carry, [frame, foot].
        step: Time between frames [s].
    """

    points: tuple[tuple[str, Vector3], ...]
    corners: np.ndarray
    foot: np.ndarray
    toe: np.ndarray
    strict: np.ndarray
    support: np.ndarray
    step: float

    @property
    def supporting(self) -> np.ndarray:
        """Corners of feet that may carry, [frame, corner]."""
        return np.asarray(self.support[:, self.foot])

    def touching(self, rules: Rules) -> np.ndarray:
        """Corners that touch strictly: near the floor and slow, whatever the labels, [frame, corner]."""
        near = np.abs(self.corners[..., 2]) <= rules.touch_height_m
        speeds = np.linalg.norm(np.gradient(self.corners, self.step, axis=0), axis=2)
        return np.asarray(near & (speeds < rules.touch_speed))

    def skates(self) -> np.ndarray:
        """Horizontal speeds of parts between two frames in both of which they should stand still [m/s], [case]."""
        found = []
        for column, name in enumerate(FOOT_PARTS):
            side, place = name.split()
            of_part = (self.foot == (side == "right")) & (self.toe == (place == "toe"))
            middle = self.corners[:, of_part, :2].mean(axis=1)
            still = self.strict[1:, column] & self.strict[:-1, column]
            found.append(np.linalg.norm(np.diff(middle, axis=0), axis=1)[still] / self.step)
        return np.concatenate(found)

    def penetration(self) -> float:
        """How deep the deepest corner ever is below the floor [m]."""
        return float(max(0.0, -self.corners[..., 2].min()))

    def floats(self) -> np.ndarray:
        """Heights of the lowest corners of supporting feet above the floor [m], 0 below it, [case]."""
        lowest = np.stack([self.corners[:, self.foot == foot, 2].min(axis=1) for foot in (0, 1)], axis=1)
        return np.maximum(lowest[self.support], 0.0)

    def swing_shares(self, person: Person, scale: float, rules: Rules) -> np.ndarray:
        """Clearance of each swing of a foot as a share of the person's, scaled, at most 1, [swing].

        A swing is a stretch of frames in which the person's foot does not support. Its clearance is the greatest
        height of the foot's lower part, heel or toe, above where that part stands.
        """
        shares = []
        for foot, side in enumerate(("left", "right")):
            heights = np.stack([person.landmark(f"{side}_{place}")[:, 2] for place in ("ankle", "toe")], axis=1)
            theirs = scale * (heights - np.percentile(heights, 2.0, axis=0)).min(axis=1)
            mine = [(self.foot == foot) & (self.toe == toe) for toe in (False, True)]
            ours = np.stack([self.corners[:, part, 2].mean(axis=1) for part in mine], axis=1).min(axis=1)
            for begin, end in _stretches(~self.support[:, foot]):
                wanted = theirs[begin:end].max()
                if end - begin >= rules.swing_frames and wanted >= rules.swing_m:
                    shares.append(min(1.0, max(0.0, ours[begin:end].max() / wanted)))
        return np.array(shares)


def feet_motion(anatomy: Anatomy, poses: BodyPoses, person: Person, step: float) -> FeetMotion:
    """What the soles of a robot do while the person does what it does, at the same frames.

    Args:
        anatomy: Of the robot, with two feet.
        poses: Of the robot's bodies.
        person: At the same frames.
        step: Time between frames of the robot [s].
    """
    points = tuple((foot.sole.body, corner) for foot in anatomy.feet for corner in foot.sole.corners)
    foot = [index for index, one in enumerate(anatomy.feet) for _ in one.sole.corners]
    toe = [corner in one.toe for one in anatomy.feet for corner in range(len(one.sole.corners))]
    corners = np.stack([poses.of(body).apply(point) for body, point in points], axis=1)
    labels = strict_labels(person), support_labels(person)
    return FeetMotion(points, corners, np.array(foot), np.array(toe), *labels, step)


def _stretches(marked: np.ndarray) -> list[tuple[int, int]]:
    """(first, one after the last) of each stretch of marked frames."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], marked.astype(np.int64), [0]])))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
