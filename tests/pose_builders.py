"""People made of a few numbers: how they stand, sit, kneel, lean and jump."""

from __future__ import annotations

import numpy as np

from animato.mimic.person import LANDMARKS, Person
from animato.motion import CapturedMotion

Pose = dict[str, tuple[float, float, float]]
"""Landmark of the left side or the middle -> place [m]; facing x, the left is y."""

STAND: Pose = {
    "pelvis": (0.0, 0.0, 0.95),
    "neck": (0.0, 0.0, 1.45),
    "left_hip": (0.0, 0.09, 0.92),
    "left_knee": (0.02, 0.09, 0.5),
    "left_ankle": (0.0, 0.09, 0.09),
    "left_toe": (0.15, 0.09, 0.03),
    "left_shoulder": (0.0, 0.18, 1.4),
    "left_elbow": (0.0, 0.2, 1.12),
    "left_wrist": (0.05, 0.2, 0.88),
}
SIT: Pose = STAND | {
    "pelvis": (-0.35, 0.0, 0.5),
    "neck": (-0.33, 0.0, 1.0),
    "left_hip": (-0.35, 0.09, 0.47),
    "left_knee": (0.06, 0.09, 0.5),
    "left_shoulder": (-0.33, 0.18, 0.95),
    "left_elbow": (-0.3, 0.2, 0.68),
    "left_wrist": (-0.25, 0.2, 0.44),
}
SQUAT: Pose = STAND | {
    "pelvis": (-0.1, 0.0, 0.45),
    "neck": (0.2, 0.0, 0.85),
    "left_hip": (-0.1, 0.09, 0.42),
    "left_knee": (0.25, 0.09, 0.48),
    "left_shoulder": (0.18, 0.18, 0.8),
    "left_elbow": (0.3, 0.2, 0.6),
    "left_wrist": (0.4, 0.2, 0.45),
}
KNEEL: Pose = STAND | {
    "pelvis": (0.42, 0.0, 0.5),
    "neck": (0.42, 0.0, 1.0),
    "left_hip": (0.42, 0.09, 0.47),
    "left_knee": (0.42, 0.09, 0.05),
    "left_ankle": (0.0, 0.09, 0.09),
    "left_toe": (-0.05, 0.09, 0.03),
    "left_shoulder": (0.42, 0.18, 0.95),
    "left_elbow": (0.42, 0.2, 0.68),
    "left_wrist": (0.45, 0.2, 0.44),
}
PUSH_UP: Pose = {
    "pelvis": (0.9, 0.0, 0.35),
    "neck": (1.38, 0.0, 0.5),
    "left_hip": (0.9, 0.09, 0.33),
    "left_knee": (0.48, 0.09, 0.2),
    "left_ankle": (0.05, 0.09, 0.12),
    "left_toe": (0.1, 0.09, 0.03),
    "left_shoulder": (1.35, 0.18, 0.46),
    "left_elbow": (1.3, 0.25, 0.25),
    "left_wrist": (1.35, 0.25, 0.06),
}


def both_sides(pose: Pose) -> Pose:
    """With the right side as the mirror image of the left."""
    mirrored = {
        name.replace("left", "right"): (x, -y, z) for name, (x, y, z) in pose.items() if name.startswith("left")
    }
    return {name: (pose | mirrored)[name] for name in LANDMARKS if name in pose or name in mirrored}


def person_of_poses(poses: list[Pose], seconds: float = 1.0, rate_hz: float = 30.0, jump_m: float = 0.0) -> Person:
    """Holds each pose for a time and eases to the next in half a second.

    Args:
        poses: Of the left side.
        seconds: That each is held [s].
        rate_hz: Frames a second.
        jump_m: Height of a ballistic jump in the middle of the clip [m].
    """
    full = [both_sides(pose) for pose in poses]
    names = tuple(full[0])
    points = np.array([[pose[name] for name in names] for pose in full])
    ends = np.arange(len(poses)) * (seconds + 0.5)
    times = np.arange(round((ends[-1] + seconds) * rate_hz) + 1) / rate_hz
    index = np.clip(np.searchsorted(ends, times, side="right") - 1, 0, len(poses) - 1)
    part = np.clip((times - ends[index] - seconds) / 0.5, 0.0, 1.0)
    eased = (part * part * (3.0 - 2.0 * part))[:, None, None]
    positions = points[index] + eased * (points[np.minimum(index + 1, len(poses) - 1)] - points[index])
    if jump_m > 0.0:
        half = np.sqrt(2.0 * jump_m / 9.81)
        late = times - times[len(times) // 2]
        positions[..., 2] += np.maximum(0.0, jump_m - 0.5 * 9.81 * late**2)[:, None] * (np.abs(late) < half)[:, None]
    return person_of_points(times, names, positions)


def person_of_points(times: np.ndarray, names: tuple[str, ...], positions: np.ndarray) -> Person:
    """A person of landmarks that are known."""
    still = np.tile((1.0, 0.0, 0.0, 0.0), (len(times), 1, 1))
    capture = CapturedMotion(times, ("root",), np.array([-1]), np.zeros((1, 3)), still)
    return Person(times, names, positions, tuple((name,) for name in names), capture, source="made up")


def mirrored_person(person: Person) -> Person:
    """Left and right exchanged, and y turned about."""
    swap = {"left": "right", "right": "left"}
    other = [
        "_".join([swap.get(name.split("_")[0], name.split("_")[0]), *name.split("_")[1:]]) for name in person.names
    ]
    columns = [person.names.index(name) for name in other]
    return person_of_points(person.times, person.names, person.positions[:, columns] * (1.0, -1.0, 1.0))
