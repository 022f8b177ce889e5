"""The body of a made-up person: bones of an adult of 1.75 m, and how its mass is spread."""

from __future__ import annotations

import numpy as np

THIGH_M, SHIN_M, ANKLE_M = 0.43, 0.43, 0.08
"""Lengths, and how high the ankle is above the floor."""

UPPER_ARM_M, FOREARM_M = 0.29, 0.26

HIP_M, BELOW_M = 0.09, 0.05
"""Of a hip from the root: to its side, and down."""

HEEL = (-0.05, 0.0, -ANKLE_M)
BALL = (0.13, 0.0, -ANKLE_M + 0.035)
TOE_TIP = (0.07, 0.0, -0.02)
"""The heel's and the ball's places from the ankle, the tip's from the ball [m], with the foot flat.

The joint of the toes is 3.5 cm above the floor, as it is in captures, where the floor is told by it.
"""

_MIDDLE = (
    ("Hips", "", (0.0, 0.0, 0.0)),
    ("Spine", "Hips", (0.0, 0.0, 0.10)),
    ("Spine1", "Spine", (0.0, 0.0, 0.16)),
    ("Neck", "Spine1", (0.0, 0.0, 0.24)),
    ("Head", "Neck", (0.02, 0.0, 0.09)),
    ("Head.end", "Head", (0.0, 0.0, 0.17)),
)
_ARM = (  # of the left; y is mirrored on the right
    ("Shoulder", "Spine1", (0.0, 0.03, 0.20)),
    ("Arm", "Shoulder", (0.0, 0.15, -0.02)),
    ("ForeArm", "Arm", (0.0, UPPER_ARM_M, 0.0)),
    ("Hand", "ForeArm", (0.0, FOREARM_M, 0.0)),
    ("Hand.end", "Hand", (0.0, 0.17, 0.0)),
)
_LEG = (
    ("UpLeg", "Hips", (0.0, HIP_M, -BELOW_M)),
    ("Leg", "UpLeg", (0.0, 0.0, -THIGH_M)),
    ("Foot", "Leg", (0.0, 0.0, -SHIN_M)),
    ("ToeBase", "Foot", BALL),
    ("ToeBase.end", "ToeBase", TOE_TIP),
)


def _bones() -> tuple[tuple[str, str, tuple[float, float, float]], ...]:
    """Name, parent and offset [m] of each bone in a T-pose that faces x, in the order of a BVH."""
    sides = [
        (f"{side}{name}", parent if parent in ("Hips", "Spine1") else f"{side}{parent}", (x, sign * y, z))
        for limb in (_ARM, _LEG)
        for side, sign in (("Left", 1.0), ("Right", -1.0))
        for name, parent, (x, y, z) in limb
    ]
    return (*_MIDDLE, *sides)


BONES = _bones()
NAMES = tuple(name for name, _, _ in BONES)
PARENTS = np.array([NAMES.index(parent) if parent else -1 for _, parent, _ in BONES])
OFFSETS = np.array([offset for _, _, offset in BONES])

_MASSES = (  # share of the whole, from joint, to joint, share of the way between them; Winter's table of segments
    (0.497, "Hips", "Neck", 0.5),
    (0.081, "Neck", "Head.end", 0.6),
    *(
        (share, f"{side}{first}", f"{side}{second}", along)
        for side in ("Left", "Right")
        for share, first, second, along in (
            (0.028, "Arm", "ForeArm", 0.436),
            (0.016, "ForeArm", "Hand", 0.43),
            (0.006, "Hand", "Hand.end", 0.5),
            (0.100, "UpLeg", "Leg", 0.433),
            (0.0465, "Leg", "Foot", 0.433),
            (0.0145, "Foot", "ToeBase", 0.5),
        )
    ),
)


def centre_of_mass(positions: np.ndarray) -> np.ndarray:
    """Of the whole person.

    Args:
        positions: Of all joints [m], shape [frame, bone, 3].

    Returns:
        [m], shape [frame, 3].
    """
    total = sum(share for share, _, _, _ in _MASSES)
    found = np.zeros((len(positions), 3))
    for share, first, second, along in _MASSES:
        start, end = positions[:, NAMES.index(first)], positions[:, NAMES.index(second)]
        found += share / total * ((1.0 - along) * start + along * end)
    return found
