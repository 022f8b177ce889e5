"""Joints of a body model over time, as estimators of poses and data sets hand them out, into a MarkerMotion.

An .npz with one array of joints [frame, joint, 3] in the order of SMPL, SMPL-H or SMPL-X, which is the same for the
first 22, and the frames a second. How many joints there are tells the model; names in the file are taken where it has
some. Which axis is up is not said, and is guessed unless given.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.errors import FileFormatError, MotionError, OptionError
from animato.formats.capture import check_up_axis, guessed_up_axis, sampled_frames, vectors_z_up
from animato.formats.files import read_bytes_whole
from animato.formats.tables.npy_archive import Members, member_names, read_members
from animato.formats.tables.npz import motion_from_npz
from animato.formats.tables.stated_rate import RATE_ARRAYS, stated_rate
from animato.motion import MarkerMotion, Motion

JOINT_ARRAYS = (
    "joints",
    "joint_positions",
    "positions",
    "keypoints3d",
    "keypoints_3d",
    "joints3d",
    "joints_3d",
    "global_joint_positions",
    "Jtr",
)
_NAME_ARRAYS = ("joint_names", "names")
_PARAMETERS = ("poses", "pose_body", "body_pose", "betas", "root_orient", "global_orient")  # a model without its joints

BODY = (
    "pelvis",
    "left_hip",
    "right_hip",
    "spine1",
    "left_knee",
    "right_knee",
    "spine2",
    "left_ankle",
    "right_ankle",
    "spine3",
    "left_foot",
    "right_foot",
    "neck",
    "left_collar",
    "right_collar",
    "head",
    "left_shoulder",
    "right_shoulder",
    "left_elbow",
    "right_elbow",
    "left_wrist",
    "right_wrist",
)
"""The joints that all models begin with."""

_FINGERS = tuple(
    f"{side}_{finger}{joint}"
    for side in ("left", "right")
    for finger in ("index", "middle", "pinky", "ring", "thumb")
    for joint in (1, 2, 3)
)
_SURFACE = (
    *("nose", "right_eye", "left_eye", "right_ear", "left_ear"),
    *(f"{side}_{place}" for side in ("left", "right") for place in ("big_toe", "small_toe", "heel")),
    *(f"{side}_{tip}_tip" for side in ("left", "right") for tip in ("thumb", "index", "middle", "ring", "pinky")),
)
MODELS: dict[str, tuple[str, ...]] = {
    "SMPL's body": BODY,
    "SMPL": (*BODY, "left_hand", "right_hand"),
    "SMPL-H": (*BODY, *_FINGERS),
    "SMPL-X": (*BODY, "jaw", "left_eyeball", "right_eyeball", *_FINGERS),
}
"""Joints of each model; points on its surface may follow, first nose to finger tips, then the face."""

_FACE = (51, 68)  # points of the face without and with its outline that follow SMPL-X


def load_npz_motion(path: str | Path, *, up_axis: str = "auto", rate_hz: float | None = None) -> Motion:
    """Reads an .npz: any motion that animato wrote, or joints of a body model.

    Args:
        path: The file.
        up_axis: For joints of a body model: "y", "z", or "auto" to guess it from how far they reach.
        rate_hz: For joints of a body model: frames a second, where the file does not say.

    Raises:
        FileFormatError: It is neither, or it is damaged.
        OptionError: An option was given that a motion of animato's does not need.
    """
    check_up_axis(up_axis)
    if rate_hz is not None and not (np.isfinite(rate_hz) and rate_hz > 0.0):
        raise OptionError(f"rate_hz must be greater than 0, given {rate_hz}.")
    data = read_bytes_whole(path)
    members = read_members(data, path, only=("kind", "format_version", *JOINT_ARRAYS, *RATE_ARRAYS, *_NAME_ARRAYS))
    found = [name for name in JOINT_ARRAYS if name in members and members[name].ndim > 2]
    if found and not {"kind", "format_version"} & set(members):
        return _joints(members, found[0], path, up_axis, rate_hz)
    if up_axis != "auto" or rate_hz is not None:
        raise OptionError(f"'{path}' holds no joints of a body model; `up_axis` and `rate_hz` are only for these.")
    if "kind" not in members:
        _refuse_parameters(member_names(data, path), path)
    return motion_from_npz(data, path)


def _refuse_parameters(names: tuple[str, ...], path: str | Path) -> None:
    """A file of a body model's parameters says nothing without the model, which may not be handed on."""
    given = [name for name in _PARAMETERS if name in names]
    if given:
        raise FileFormatError(
            path,
            f"it holds parameters of a body model ({', '.join(given)}), but no joints. Put the model's joints into it "
            f"as an array 'joints' [frame, joint, 3] with 'fps'.",
        )


def _joints(members: Members, array: str, path: str | Path, up_axis: str, rate_hz: float | None) -> MarkerMotion:
    values = members[array]
    if values.ndim == 4 and len(values) == 1:  # a batch of one
        values = values[0]
    if values.ndim != 3 or values.dtype.kind != "f" or values.shape[2] not in (3, 4) or 0 in values.shape:
        raise FileFormatError(
            path, f"the array '{array}' must be numbers of the shape [frame, joint, 3], not {list(values.shape)}."
        )
    positions = values[..., :3].copy()
    if values.shape[2] == 4:  # estimators of poses put how sure they are behind the position
        positions[values[..., 3] <= 0.0] = np.nan
    names, model = _names(members, values.shape[1], path)
    rate = _rate(members, path) if rate_hz is None else rate_hz
    notes = [f"joints of {model}"]
    if up_axis == "auto":
        up_axis = guessed_up_axis(positions[sampled_frames(len(positions))])
        notes.append(f"{up_axis} taken as up")
    try:
        times = np.arange(len(positions)) / rate
        return MarkerMotion(times, names, vectors_z_up(positions, up_axis), f"{Path(path).name} ({', '.join(notes)})")
    except MotionError as error:
        raise FileFormatError(path, str(error)) from None


def _names(members: Members, count: int, path: str | Path) -> tuple[tuple[str, ...], str]:
    """Names of so many joints, and of the model they are from."""
    for array in _NAME_ARRAYS:
        stated = members.get(array)
        if stated is not None and stated.dtype.kind == "U" and stated.shape == (count,):
            return tuple(stated.tolist()), "the file's own names"
    for model, joints in MODELS.items():
        if count in (len(joints), len(joints) + len(_SURFACE)):
            return (*joints, *_SURFACE)[:count], model
    whole = (*MODELS["SMPL-X"], *_SURFACE)
    if count - len(whole) in _FACE:
        return (*whole, *(f"face_{index}" for index in range(count - len(whole)))), "SMPL-X"
    known = ", ".join(f"{len(joints)} ({model})" for model, joints in MODELS.items())
    raise FileFormatError(
        path,
        f"{count} joints are not known; known: {known}, each with {len(_SURFACE)} points of the surface or without. "
        f"Name them in an array 'joint_names'.",
    )


def _rate(members: Members, path: str | Path) -> float:
    rate = stated_rate(members, path)
    if rate is None:
        raise FileFormatError(
            path, f"it does not say its frames a second ({', '.join(RATE_ARRAYS)}); say them with `rate_hz`."
        )
    return rate
