"""A T-pose in front of a motion, which is no part of it."""

from __future__ import annotations

import numpy as np

from animato.mimic.person.found import Found
from animato.mimic.person.person import SIDES

_ARM_SPREAD = 0.8  # share of the arms' length that the wrists are away from the shoulders, sideways
_JUMP_M = 0.1  # way of some landmark from the first frame to the second
_JUMP_RATIO = 5.0  # and how many times the way from the second to the third


def begins_with_t_pose(found: Found) -> bool:
    """Whether the first frame is a pose with spread arms from which the motion jumps.

    Args:
        found: Landmarks in metres.
    """
    names = [f"{side}_{place}" for side in SIDES for place in ("shoulder", "elbow", "wrist")]
    if not set(names) <= set(found.positions) or len(found.positions["pelvis"]) < 4:
        return False
    ways = [np.linalg.norm(np.diff(points[:3], axis=0), axis=-1) for points in found.positions.values()]
    jump, after = np.max(ways, axis=0)
    if jump < _JUMP_M or jump < _JUMP_RATIO * after:
        return False
    first = {name: found.positions[name][0] for name in names}
    across = first["left_shoulder"] - first["right_shoulder"]
    across = across / max(float(np.linalg.norm(across)), 1e-9)
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        shoulder, elbow, wrist = (first[f"{side}_{place}"] for place in ("shoulder", "elbow", "wrist"))
        arm = np.linalg.norm(elbow - shoulder) + np.linalg.norm(wrist - elbow)
        if sign * (wrist - shoulder) @ across < _ARM_SPREAD * arm:
            return False
    return True
