"""Files with the motion of a floating robot, whichever of the layouts they have."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.character import Character
from animato.formats.files import is_file, read_bytes_whole
from animato.formats.tables import member_names
from animato.formats.training.robot_csv import is_bare_csv, load_robot_csv
from animato.formats.training.robot_npz import clip_of_robot, robot_arrays
from animato.formats.training.robot_order import JointOrder
from animato.motion import Clip


def is_robot_file(path: str | Path) -> bool:
    """Whether a file is a CSV of bare numbers, or an .npz with the arrays of a training tool."""
    suffix = Path(path).suffix.lower()
    if suffix not in (".csv", ".tsv", ".npz") or not is_file(Path(path)):
        return False
    if suffix != ".npz":
        return is_bare_csv(path)
    names = member_names(read_bytes_whole(path), path)
    return "kind" not in names and bool(robot_arrays(names))


def load_robot_clip(
    path: str | Path,
    character: Character | None,
    *,
    rate_hz: float | None = None,
    quaternion_order: str | None = None,
    joint_order: JointOrder | None = None,
) -> Clip:
    """Reads such a file.

    Args:
        path: The file.
        character: Whose motion it is; needed where the file does not name the joints.
        rate_hz: Frames a second, where the file does not say.
        quaternion_order: "wxyz" or "xyzw", where the file does not tell.
        joint_order: How the joints are counted, where the file does not name them.
    """
    with np.errstate(all="ignore"):  # absurd numbers may overflow before they are refused
        if Path(path).suffix.lower() == ".npz":
            return clip_of_robot(
                read_bytes_whole(path),
                path,
                character,
                rate_hz=rate_hz,
                quaternion_order=quaternion_order,
                joint_order=joint_order,
            )
        return load_robot_csv(
            path, character, rate_hz=rate_hz, quaternion_order=quaternion_order, joint_order=joint_order
        )
