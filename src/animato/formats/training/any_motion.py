"""CSV and .npz of any kind: what artists and estimators of poses write, and what training tools do."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.errors import OptionError
from animato.formats.files import read_bytes_whole, read_text_whole
from animato.formats.tables import load_npz_motion, member_names, motion_of_table, read_table
from animato.formats.training.bones_seed import clip_from_bones, is_bones_table
from animato.formats.training.robot_npz import clip_of_robot, robot_arrays
from animato.motion import Motion


def load_any_csv(path: str | Path, *, kind: str | None = None, rate_hz: float | None = None) -> Motion:
    """Reads a table with a header.

    Args:
        path: The file.
        kind: "clip", "stroke" or "markers"; what its comments and columns say where not given.
        rate_hz: Frames a second, for a table without times; 120 for one of BONES-SEED where not given.
    """
    table = read_table(read_text_whole(path), path)
    if kind in (None, "clip") and is_bones_table(table):
        with np.errstate(all="ignore"):  # absurd numbers may overflow before they are refused
            return clip_from_bones(table, rate_hz)
    return motion_of_table(table, kind=kind, rate_hz=rate_hz)


def load_any_npz(path: str | Path, *, up_axis: str = "auto", rate_hz: float | None = None) -> Motion:
    """Reads an .npz: any motion that animato wrote, joints of a body model, or a robot's motion that names its joints.

    Args:
        path: The file.
        up_axis: For joints of a body model: "y", "z", or "auto" to guess it from how far they reach.
        rate_hz: For joints of a body model and robots: frames a second, where the file does not say.
    """
    data = read_bytes_whole(path)
    names = member_names(data, path)
    if "kind" in names or not robot_arrays(names):
        return load_npz_motion(path, up_axis=up_axis, rate_hz=rate_hz)
    if up_axis != "auto":
        raise OptionError(f"'{path}' holds the motion of a robot, where z is up; leave `up_axis` away.")
    with np.errstate(all="ignore"):
        return clip_of_robot(data, path, None, rate_hz=rate_hz)
