"""Acting: what a made-up person does with its hands, body and weight becomes motion of its bones.

Only what matters is said: where the hands and feet are, how the trunk leans, and where on the floor the weight is. Arms
and legs follow by reaching, and the hips go where the weight wants them: the centre of mass c [m] at the height h
follows the pressure p under the feet as that of a cart on a table does, c - (h / g) c'' = p.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.linalg import solve_banded

from animato.gallery.keyframes import Key, held
from animato.gallery.mimic.feet import FootMotion, Step, foot_motion
from animato.gallery.mimic.limbs import reached, turned
from animato.gallery.mimic.skeleton import (
    FOREARM_M,
    NAMES,
    OFFSETS,
    PARENTS,
    SHIN_M,
    THIGH_M,
    UPPER_ARM_M,
    centre_of_mass,
)
from animato.motion import CapturedMotion
from animato.spatial import quaternions

RATE_HZ = 60.0
"""Frames a second."""

STANDING = {
    "hips_z": 97.5,
    "hips_pitch": 3.0,
    "hips_roll": 0.0,
    "hips_yaw": 0.0,
    "spine_pitch": 0.0,
    "spine_roll": 0.0,
    "spine_yaw": 0.0,
    "head_pitch": 0.0,
    "head_roll": 0.0,
    "head_yaw": 0.0,
    "weight_x": 5.0,
    "weight_y": 0.0,
    **{
        f"{side}_{part}": value
        for side in ("left", "right")
        for part, value in (("x", 5.0), ("y", 7.0), ("z", -53.0), ("elbow", 22.0))
    },
}
"""All channels of someone who stands: cm, degrees.

Wrists are told from their shoulder in the chest's axes, y outwards; elbows point down and back at 0 and to the side at
90 degrees. The weight is the pressure under the feet, from between the ankles at the start.
"""

_GRAVITY = 9.81
_ROUNDS = 12  # in which the hips are moved until the weight is where it should be; each takes off nine tenths


def acted(
    keys: Sequence[Key], *, duration_s: float, steps: Sequence[Step] = (), source: str, rate_hz: float = RATE_HZ
) -> CapturedMotion:
    """What the keys say as a captured motion that faces x.

    Args:
        keys: By the channels of `STANDING`; each begins at its value there.
        duration_s: Of the capture.
        steps: Of the feet, in the order of time.
        source: What it is, for people.
        rate_hz: Frames a second.
    """
    times = np.arange(round(duration_s * rate_hz) + 1) / rate_hz
    asked = [Key(-1.0, STANDING), *keys]
    channels = {name: held(asked, name, times) for name in STANDING}
    feet = {side: foot_motion(side, steps, times) for side in ("left", "right")}
    weight, height = 0.01 * np.column_stack([channels["weight_x"], channels["weight_y"]]), 0.01 * channels["hips_z"]
    wanted = carried(weight, height, rate_hz)  # the hips are about as high as the centre of mass
    hips = np.column_stack([wanted, height])
    for _ in range(_ROUNDS):
        positions, turns = _posed(channels, feet, hips)
        hips[:, :2] += wanted - centre_of_mass(positions)[:, :2]
    positions, turns = _posed(channels, feet, hips)
    moves = np.broadcast_to(OFFSETS, (len(times), *OFFSETS.shape)).copy()
    moves[:, 0] = hips
    return CapturedMotion(times, NAMES, PARENTS, OFFSETS, quaternions.continuous(turns), moves, source)


def carried(pressure: np.ndarray, height: np.ndarray, rate_hz: float) -> np.ndarray:
    """The centre of mass over a given pressure: c - (h / g) c'' = p, at rest at both ends.

    Args:
        pressure: On the floor [m], shape [frame, 2].
        height: Of the centre of mass [m], shape [frame].
        rate_hz: Frames a second.

    Returns:
        [m], shape [frame, 2].
    """
    stiff = height / _GRAVITY * rate_hz**2
    bands = np.zeros((3, len(height)))
    bands[1] = 1.0 + 2.0 * stiff
    bands[0, 1:], bands[2, :-1] = -stiff[:-1], -stiff[1:]
    bands[1, 0], bands[1, -1] = 1.0 + stiff[0], 1.0 + stiff[-1]
    return np.asarray(solve_banded((1, 1), bands, pressure))


def _posed(
    channels: Mapping[str, np.ndarray], feet: Mapping[str, FootMotion], hips: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Positions of all joints [m], [frame, bone, 3], and rotations against parents, wxyz, [frame, bone, 4]."""
    count = len(hips)
    local = np.zeros((count, len(NAMES), 4))
    local[..., 0] = 1.0
    local[:, NAMES.index("Hips")] = _angles(channels, "hips", 1.0)
    for first, second, part in (("Spine", "Spine1", "spine"), ("Neck", "Head", "head")):
        local[:, NAMES.index(first)] = local[:, NAMES.index(second)] = _angles(channels, part, 0.5)
    for side in ("Left", "Right"):
        positions, world = _placed(local, hips)
        _reach_hand(channels, side, positions, world, local)
        _reach_foot(feet[side.lower()], side, positions, world, local)
    return _placed(local, hips)[0], local


def _angles(channels: Mapping[str, np.ndarray], part: str, share: float) -> np.ndarray:
    turn = [share * channels[f"{part}_{kind}"] for kind in ("yaw", "pitch", "roll")]
    return quaternions.quaternion_from_euler(np.radians(np.column_stack(turn)), "zyx")


def _placed(local: np.ndarray, hips: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    positions, world = np.zeros((*local.shape[:2], 3)), np.zeros_like(local)
    positions[:, 0], world[:, 0] = hips, local[:, 0]
    for bone, parent in enumerate(PARENTS[1:], start=1):
        positions[:, bone] = positions[:, parent] + quaternions.rotate(world[:, parent], OFFSETS[bone])
        world[:, bone] = quaternions.multiply(world[:, parent], local[:, bone])
    return positions, world


def _reach_hand(
    channels: Mapping[str, np.ndarray], side: str, positions: np.ndarray, world: np.ndarray, local: np.ndarray
) -> None:
    """Turns an arm so that its wrist is where the channels have it."""
    out, name = (1.0 if side == "Left" else -1.0), side.lower()
    x, y, z = (0.01 * channels[f"{name}_{axis}"] for axis in "xyz")
    chest, shoulder = world[:, NAMES.index("Spine1")], positions[:, NAMES.index(f"{side}Arm")]
    wrist = shoulder + quaternions.rotate(chest, np.column_stack([x, out * y, z]))
    aside = np.radians(channels[f"{name}_elbow"])
    back = np.outer(np.cos(aside), [-0.5, 0.0, -0.87])
    pole = quaternions.rotate(chest, back + np.outer(out * np.sin(aside), [0.0, 1.0, 0.0]))
    upper, fore, axis = reached(shoulder, wrist, pole, (UPPER_ARM_M, FOREARM_M), f"{name} arm")
    rest = np.array([0.0, out, 0.0]), np.array([0.0, 0.0, out])
    _set_limb(local, chest, (f"{side}Arm", f"{side}ForeArm"), (turned(upper, axis, *rest), turned(fore, axis, *rest)))


def _reach_foot(foot: FootMotion, side: str, positions: np.ndarray, world: np.ndarray, local: np.ndarray) -> None:
    """Turns a leg so that its ankle is where the foot has it."""
    hip = positions[:, NAMES.index(f"{side}UpLeg")]
    ahead = np.broadcast_to([1.0, 0.0, 0.0], hip.shape)
    thigh, shin, axis = reached(hip, foot.ankles, ahead, (THIGH_M, SHIN_M), f"{side.lower()} leg")
    rest = np.array([0.0, 0.0, -1.0]), np.array([0.0, -1.0, 0.0])
    bones = (f"{side}UpLeg", f"{side}Leg", f"{side}Foot")
    _set_limb(local, world[:, 0], bones, (turned(thigh, axis, *rest), turned(shin, axis, *rest), foot.turns))
    local[:, NAMES.index(f"{side}ToeBase")] = foot.toe_turns


def _set_limb(local: np.ndarray, base: np.ndarray, bones: Sequence[str], turns: Sequence[np.ndarray]) -> None:
    """Rotations in the world as rotations of each bone against the one before it."""
    for bone, turn in zip(bones, turns, strict=True):
        local[:, NAMES.index(bone)] = quaternions.multiply(quaternions.conjugate(base), turn)
        base = turn
