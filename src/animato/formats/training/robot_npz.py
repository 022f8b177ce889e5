"""Motion of floating robots in .npz files of training tools.

| arrays | written by | joints are in the order of |
|---|---|---|
| `qpos` | holosoma's retargeting, animato | MuJoCo |
| `joint_pos`, `body_pos_w`, `body_quat_w` | BeyondMimic | Isaac (breadth first) |
| the same | mjlab; holosoma's training, whose `joint_pos` begins with the base | MuJoCo (depth first) |
| `root_pos`, `root_rot`, `dof_pos` | GMR's layout, with the quaternion x, y, z, w | MuJoCo |

Names of joints are read where the file has them (`joint_names`, `joints`, `dof_names`). Where it has none they are the
character's, and where bodies are in it, the order is the one that puts the character's bodies where they are.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

import numpy as np

from animato.character import Character
from animato.errors import FileFormatError, MotionError, OptionError
from animato.formats.files import shortened
from animato.formats.tables import RATE_ARRAYS, Members, member_names, read_members, stated_rate
from animato.formats.training.fitting_order import fitting_order
from animato.formats.training.quaternion_order import as_wxyz, checked_order, doubts_of_order
from animato.formats.training.robot_clip import clip_of_rows, unit_turns
from animato.formats.training.robot_order import JointOrder, names_of_columns
from animato.motion import Clip

TRACKING_HZ = 50.0
QPOS_HZ = 30.0

_TRACKING = ("joint_pos", "body_pos_w", "body_quat_w")
_ROOT = ("root_pos", "root_rot", "dof_pos")
_NAMES = ("joint_names", "joints", "dof_names")
_ALL = ("qpos", *_TRACKING, *_ROOT, *_NAMES, "body_names", "about", *RATE_ARRAYS)
_OBJECT = 7  # columns of a thing that is carried, behind those of the joints


def robot_arrays(names: Collection[str]) -> tuple[str, ...]:
    """Which of the layouts an .npz with arrays of these names has: the names that tell; none where it has none."""
    for layout in (_TRACKING, ("qpos",), _ROOT):
        if set(layout) <= set(names):
            return layout
    return ()


def clip_of_robot(
    data: bytes,
    path: str | Path,
    character: Character | None,
    *,
    rate_hz: float | None = None,
    quaternion_order: str | None = None,
    joint_order: JointOrder | None = None,
) -> Clip:
    """The clip in such a file; its source says what was taken for granted.

    Args:
        data: Content of the file.
        path: Names it in errors.
        character: Whose motion it is; needed where the file names no joints.
        rate_hz: Frames a second, where the file does not say or says something else; 50 for files with bodies and 30
            for the others where nobody says.
        quaternion_order: Of the base, where it is not the one of the layout.
        joint_order: Of the columns, where the file names none.

    Raises:
        FileFormatError: The arrays do not belong together, or not to that character.
        MotionError: The character is needed and not stated.
    """
    if rate_hz is not None and not (np.isfinite(rate_hz) and rate_hz > 0.0):
        raise OptionError(f"`rate_hz` must be greater than 0, given {rate_hz}.")
    order = checked_order(quaternion_order)
    layout = robot_arrays(member_names(data, path))
    members = read_members(data, path, only=_ALL)
    _check_shapes(members, layout, path)
    notes: list[str] = []
    base, joints = _split(members, layout, path, notes)
    usual = order or ("xyzw" if layout == _ROOT else "wxyz")
    turns = unit_turns(base[:, 3:7], path)
    base[:, 3:7] = as_wxyz(turns, usual)
    names = _stated_names(members, joints.shape[1])
    if names is None:
        names = _names_by_character(members, layout, path, character, base, joints, joint_order, notes)
    if joints.shape[1] > len(names):
        notes.append("the last 7 columns, of a thing that moves, left out")
    rate = rate_hz or stated_rate(members, path)
    if rate is None:
        rate = TRACKING_HZ if layout == _TRACKING else QPOS_HZ
        notes.append(f"{rate:g} frames a second taken")
    rows = np.hstack([base, joints[:, : len(names)]])
    if layout != _TRACKING and "about" not in members:  # else bodies, or animato, say where the robot is
        raw = np.hstack([base[:, :3], turns, rows[:, 7:]])
        notes += doubts_of_order(character, names, raw, usual)
    return clip_of_rows(path, character, names, rows, rate, notes, base=not _base_rests(members))


def _base_rests(members: Members) -> bool:
    """Whether animato wrote the base only because the layout wants one."""
    about = members.get("about")
    try:
        said = json.loads(str(about)) if about is not None and about.dtype.kind == "U" else None
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and said.get("base") == "at rest"


def _check_shapes(members: Members, layout: tuple[str, ...], path: str | Path) -> None:
    tails = {"body_pos_w": 3, "body_quat_w": 4, "root_pos": 3, "root_rot": 4}
    frames = {len(members[name]) for name in layout if members[name].ndim}
    for name in layout:
        array, tail = members[name], tails.get(name)
        dimensions = 3 if name.startswith("body") else 2
        if array.ndim != dimensions or 0 in array.shape[:1] or (tail is not None and array.shape[-1] != tail):
            raise FileFormatError(path, f"the array '{name}' must not have the shape {list(array.shape)}.")
        if array.dtype.kind != "f" or not np.all(np.isfinite(array)):
            raise FileFormatError(path, f"the array '{name}' must hold finite numbers only.")
    if len(frames) != 1:
        raise FileFormatError(path, f"the arrays {', '.join(layout)} must have as many frames each.")


def _split(
    members: Members, layout: tuple[str, ...], path: str | Path, notes: list[str]
) -> tuple[np.ndarray, np.ndarray]:
    """Base x, y, z and quaternion as they stand there, and the columns of joints."""
    if layout == _ROOT:
        return np.hstack([members["root_pos"], members["root_rot"]]), members["dof_pos"]
    if layout == _TRACKING:
        bodies = members["body_pos_w"].shape[1]
        root = 1 if _begins_with_world(members) else 0
        if not bodies > root or members["body_quat_w"].shape[1] != bodies:
            raise FileFormatError(path, "'body_pos_w' and 'body_quat_w' must have as many bodies, at least the root.")
        base = np.hstack([members["body_pos_w"][:, root], members["body_quat_w"][:, root]])
        joints = members["joint_pos"]
        whole = joints.shape[1] >= 7 and np.allclose(joints[:, :3], base[:, :3], rtol=0.0, atol=1e-5)
        return base, joints[:, 7:] if whole else joints
    qpos = members["qpos"]
    if qpos.shape[1] < 7:
        raise FileFormatError(path, f"'qpos' of a floating robot has at least 7 columns, not {qpos.shape[1]}.")
    lengths = [np.abs(np.linalg.norm(qpos[:, here], axis=1) - 1.0).max() for here in (slice(3, 7), slice(0, 4))]
    if lengths[0] > 0.02 >= lengths[1]:  # OmniRetarget's files
        notes.append("the quaternion stands before the place")
        return np.hstack([qpos[:, 4:7], qpos[:, :4]]), qpos[:, 7:]
    return np.array(qpos[:, :7]), qpos[:, 7:]


def _begins_with_world(members: Members) -> bool:
    """Whether the first body is MuJoCo's world, which never moves."""
    names = members.get("body_names")
    if names is not None and names.dtype.kind == "U" and names.ndim == 1 and len(names):
        return str(names[0]) == "world"
    first, turn = members["body_pos_w"][:, :1], members["body_quat_w"][:, :1]
    return bool(members["body_pos_w"].shape[1] > 1 and not first.any() and np.all(turn == (1.0, 0.0, 0.0, 0.0)))


def _stated_names(members: Members, count: int) -> tuple[str, ...] | None:
    for array in _NAMES:
        stated = members.get(array)
        if stated is not None and stated.dtype.kind == "U" and stated.shape in ((count,), (count - _OBJECT,)):
            return tuple(stated.tolist())
    return None


def _names_by_character(
    members: Members,
    layout: tuple[str, ...],
    path: str | Path,
    character: Character | None,
    base: np.ndarray,
    joints: np.ndarray,
    order: JointOrder | None,
    notes: list[str],
) -> tuple[str, ...]:
    if character is None:
        raise MotionError(f"{path} does not name its joints; say for which character its clip is wanted.")
    if order is None and layout == _TRACKING:
        order = fitting_order(path, character, base, joints, members["body_pos_w"][:, _begins_with_world(members) :])
        notes.append(f"joints taken {order.replace('_', ' ')}")
    chosen: JointOrder = order or "depth_first"
    for count in (joints.shape[1], joints.shape[1] - _OBJECT if layout == ("qpos",) else -1):
        names = names_of_columns(character, count, chosen)
        if names is not None:
            return names
    there = character.coordinate_names
    raise FileFormatError(
        path,
        f"it has {joints.shape[1]} joints and does not name them; '{character.name}' has {len(there)} coordinates "
        f"({shortened(', '.join(there))}). Give the character whose motion it is.",
    )
