"""Where the markers of a captured person are on HRP-4C, and what is assumed of the robot.

The mapping that comes with the capture has all offsets zero, hangs the hands' markers RMP and LMP on the knees and the
pelvis' markers RPEL and LPEL on the elbows. Here hands are on hands and the pelvis is on the pelvis; the tops of the
shoulders and the fifth lumbar vertebra are on the bodies beside which they lie. Offsets are read off the robot's
proportions: on joint axes where the marker shows an axis, else a hand's breadth over the joint, as on a person.
"""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.mechanics.tree import forward_kinematics, states_of_posture
from animato.mimic.published import MarkerPlace, MarkerSet

SOLE_M = 0.1
"""Height of the ankle over the sole: what is missing of the robot's published 1.58 m below its ankles, about."""

CENTRAL = {
    "HEADF": ("NECK_P_LINK", (0.10, 0.0, 0.12)),
    "HEADR": ("NECK_P_LINK", (0.02, -0.08, 0.10)),
    "HEADL": ("NECK_P_LINK", (0.02, 0.08, 0.10)),
    "T1": ("CHEST_Y_LINK", (-0.09, 0.0, 0.32)),
    "T7": ("CHEST_Y_LINK", (-0.12, 0.0, 0.18)),
    "L5": ("BODY", (-0.10, 0.0, 0.09)),
    "STERNUP": ("CHEST_Y_LINK", (0.06, 0.0, 0.26)),
    "STERNLOW": ("CHEST_Y_LINK", (0.09, 0.0, 0.16)),
    "SCAP": ("CHEST_Y_LINK", (-0.12, -0.10, 0.17)),
}
"""Markers in the middle, and the right shoulder blade: body, and offset along the standing robot's axes [m]."""

RIGHT = {
    "SHO": ("CHEST_Y_LINK", (-0.04, -0.16, 0.285)),
    "ELBL": ("R_ELBOW_P_LINK", (0.0, -0.032, 0.0)),
    "ELBM": ("R_ELBOW_P_LINK", (0.0, 0.032, 0.0)),
    "WRISTR": ("R_WRIST_R_LINK", (0.03, 0.0, 0.0)),
    "WRISTU": ("R_WRIST_R_LINK", (-0.03, 0.0, 0.0)),
    "MP": ("R_WRIST_R_LINK", (0.0, -0.02, -0.08)),
    "PEL": ("BODY", (0.09, -0.10, 0.05)),
    "HIP": ("R_HIP_P_LINK", (0.0, -0.06, 0.0)),
    "KNEEO": ("R_KNEE_P_LINK", (0.0, -0.055, 0.0)),
    "ANK": ("R_ANKLE_R_LINK", (0.0, 0.0, 0.0)),
    "HEEL": ("R_ANKLE_R_LINK", (-0.07, 0.0, 0.04 - SOLE_M)),
    "PINKY": ("R_ANKLE_R_LINK", (0.07, -0.05, 0.04 - SOLE_M)),
    "THUMB": ("R_ANKLE_R_LINK", (0.105, 0.03, 0.04 - SOLE_M)),
}
"""Markers of the right side, which are mirrored for the left; the soles' are 4 cm above the floor, as the person's."""

FOOT_MIDDLE = (0.03, 0.0, -SOLE_M)

REST_RAD = {"HIP_P": -0.2, "KNEE_P": 0.4, "ANKLE_P": -0.2, "ELBOW_P": -0.5}
"""Knees and elbows a little bent: what the fit is damped towards."""

TORQUE_LIMITS_NM = {
    "CHEST_P": 40.0,
    "CHEST_R": 40.0,
    "CHEST_Y": 30.0,
    **{f"{side}_SHOULDER_{axis}": 25.0 for side in "RL" for axis in "PR"},
    **{f"{side}_SHOULDER_Y": 15.0 for side in "RL"},
    **{f"{side}_ELBOW_P": 15.0 for side in "RL"},
}
"""Assumed limits of joints above the legs [N m]; the file's effort of 100 on every joint is a placeholder."""


def hrp4c_markers(robot: Character) -> MarkerSet:
    """All 35 markers on HRP-4C."""
    poses = forward_kinematics(robot, states_of_posture(robot))

    def placed(name: str, body: str, offset: tuple[float, float, float]) -> MarkerPlace:
        turn = poses.of(body).rotation[0]
        x, y, z = (float(value) for value in turn.T @ np.array(offset))
        return MarkerPlace(name, body, (x, y, z))

    places = [placed(name, body, offset) for name, (body, offset) in CENTRAL.items()]
    for name, (body, (x, y, z)) in RIGHT.items():
        places.append(placed(f"R{name}", body, (x, y, z)))
        other = body.replace("R_", "L_", 1) if body.startswith("R_") else body
        places.append(placed(f"L{name}", other, (x, -y, z)))
    right, left = (placed(f"{side} sole", f"{side}_ANKLE_R_LINK", FOOT_MIDDLE) for side in "RL")
    return MarkerSet(robot, tuple(places), (right, left))


def hrp4c_rest(markers: MarkerSet) -> np.ndarray:
    """Coordinates of standing with knees and elbows a little bent, [coordinate]."""
    tree = markers.tree
    q = tree.neutral.copy()
    for side in "RL":
        for joint, angle in REST_RAD.items():
            q[tree.coordinate_names.index(f"{side}_{joint}")] = angle
    return q
