"""What a capture did that a clip of copied angles does not, in words."""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.character.structure import topology_of
from animato.motion.captured_motion import CapturedMotion
from animato.motion.transfer.joint_groups import BoneMatch
from animato.spatial import quaternions

TOLD_ANGLE = np.radians(2.0)  # smaller losses are not worth a sentence
_TOLD_LENGTH = 0.01  # m


def general_losses(capture: CapturedMotion, character: Character, match: BoneMatch, factor: float) -> list[str]:
    """What is lost apart from the turns that single joints could not make.

    Args:
        capture: The motion.
        character: Who performs it.
        match: Which bone moves which joint.
        factor: By which the way of the root is scaled.
    """
    losses = []
    idle = [joint.name for joint in character.free_joints if joint.name not in match.bones]
    if idle:
        losses.append(f"no bone moves these joints, they stay neutral: {_few(idle)}")
    used = set(match.bones.values()) | {match.base}
    for bone in list(used):
        here = int(capture.parents[bone])
        while here >= 0:
            used.add(here)
            here = int(capture.parents[here])
    swing = quaternions.angle_between(capture.rotations_wxyz, capture.rotations_wxyz[:1]).max(axis=0)
    unused = [name for bone, name in enumerate(capture.names) if bone not in used and swing[bone] > TOLD_ANGLE]
    if unused:
        losses.append(f"what these bones did is lost, no joint follows them: {_few(unused)}")
    if character.floats:
        if abs(factor - 1.0) > 1e-3:
            losses.append(f"the way of the root is scaled by {factor:.3f}")
    else:
        positions, turns = capture.world_poses()
        way = float(np.linalg.norm(positions[:, match.base] - positions[0, match.base], axis=-1).max())
        turned = float(quaternions.angle_between(turns[:, match.base], turns[:1, match.base]).max())
        if way > _TOLD_LENGTH or turned > TOLD_ANGLE:
            losses.append(
                f"'{capture.names[match.base]}' moved up to {way:.2f} m and turned up to {np.degrees(turned):.0f} "
                f"degrees; '{character.name}' stands fixed"
            )
    if not topology_of(character).is_tree:
        losses.append(f"'{character.name}' has closed loops; the copied angles need not close them")
    if match.by_part:
        losses.append("angles were copied limb by limb: contacts, balance and what hands hold are not kept")
    return losses


def calibration_jump(capture: CapturedMotion) -> list[str]:
    """A remark where the first frame is a calibration pose that the motion then jumps away from."""
    if capture.frame_count < 4:
        return []
    turns = capture.rotations_wxyz
    steps = quaternions.angle_between(turns[:-1], turns[1:]).max(axis=1)
    if steps[0] < np.radians(10.0) or steps[0] < 3.0 * steps[1:].max():
        return []
    return [
        f"the first frame jumps by {np.degrees(steps[0]):.0f} degrees to the second, as a calibration pose does; "
        f"leave it out (first_frame=1 when reading BVH)"
    ]


def _few(names: list[str]) -> str:
    return ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
