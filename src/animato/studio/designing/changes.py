"""What a design changes about a robot, in words for whoever builds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.character import Character, Joint, JointRole, JointType
from animato.findings import pretty_names
from animato.spatial import quaternions

_LEAST_M, _LEAST_RAD = 5e-5, 1e-3  # what nobody could build


@dataclass(frozen=True)
class Change:
    """What is built otherwise at one joint.

    Attributes:
        joint: The configurable joint.
        label: What people call what changes.
        words: What changes, such as "6.0 mm longer".
        share: How much of what is allowed that takes, 1 at the bound; 0 where there is none.
    """

    joint: str
    label: str
    words: str
    share: float

    def for_page(self) -> dict[str, Any]:
        """Plain values."""
        return {"joint": self.joint, "label": self.label, "words": self.words, "share": round(self.share, 3)}


def changes_of(
    character: Character, names: tuple[str, ...], before: np.ndarray, after: np.ndarray
) -> tuple[Change, ...]:
    """What is built otherwise, joint by joint; joints that stay as they are are left out.

    Args:
        character: With configurable joints.
        names: Of the numbers of the design.
        before: [rad, m or quaternion parts], shape [design].
        after: The same.
    """
    column = {name: n for n, name in enumerate(names)}
    joints = [joint for joint in character.joints if joint.role is JointRole.CONFIGURABLE and joint.coordinate_names]
    labels = pretty_names([joint.name for joint in joints])
    found = []
    for joint in joints:
        here = [column[name] for name in joint.coordinate_names]
        words = _words(joint, before[here], after[here])
        if words:
            found.append(Change(joint.name, labels[joint.name], words, _share(joint, after[here])))
    return tuple(found)


def _words(joint: Joint, before: np.ndarray, after: np.ndarray) -> str:
    if joint.type is JointType.SPHERICAL:
        angle = float(quaternions.angle_between(before, after))
        return f"turned by {np.degrees(angle):.1f}°" if angle > _LEAST_RAD else ""
    change = after - before
    if joint.type is JointType.PRISMATIC:
        way = "longer" if change[0] > 0.0 else "shorter"
        moved = "further along" if change[0] > 0.0 else "further back"
        said = way if "length" in joint.name else moved
        return f"{1e3 * abs(change[0]):.1f} mm {said}" if abs(change[0]) > _LEAST_M else ""
    size = float(np.linalg.norm(change))
    if joint.type is JointType.CARTESIAN:
        return f"moved by {1e3 * size:.1f} mm" if size > _LEAST_M else ""
    verb = "tilted" if joint.type is JointType.UNIVERSAL else "turned"
    return f"{verb} by {np.degrees(size):.1f}°" if size > _LEAST_RAD else ""


def _share(joint: Joint, after: np.ndarray) -> float:
    if joint.type is JointType.SPHERICAL:
        most = joint.limits[0].upper
        angle = float(quaternions.angle_between(after, np.array([1.0, 0.0, 0.0, 0.0])))
        return 0.0 if most is None or not np.isfinite(most) or most <= 0.0 else angle / float(most)
    shares = [0.0]
    for value, limit in zip(after, joint.limits, strict=True):
        for bound, sign in ((limit.upper, 1.0), (limit.lower, -1.0)):
            if bound is not None and np.isfinite(bound) and sign * bound > 0.0:
                shares.append(float(value / bound))
    return max(shares)
