"""The pickle of general motion retargeting (GMR).

It is written, and never read: a pickle is a program. What is in it are plain numbers, text, and numpy's arrays.
"""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np

from animato.formats.files import write_whole
from animato.formats.training import robot_order
from animato.mechanics.tree import forward_kinematics
from animato.spatial import quaternions
from animato.stage.exporting.provenance import provenance_of
from animato.stage.exporting.take import Exported, Take
from animato.stage.exporting.training.joint_motion import base_note, base_word, qpos_rows, refuse_balls
from animato.stage.exporting.training.opened_take import joint_notes, opened_take

_PROTOCOL = 4  # read by every Python since 3.4


def write(path: Path, take: Take) -> Exported:
    """Writes `fps`, `root_pos`, `root_rot` (x, y, z, w), `dof_pos`, `local_body_pos` and `link_body_list`.

    Args:
        path: The file.
        take: What is exported.

    Raises:
        OptionError: The character has joints of several axes.
    """
    order = robot_order(take.character, "depth_first", "all")
    refuse_balls(take, order.joint_names, "The layout")
    qpos = qpos_rows(take, order.joint_names)
    shown = opened_take(take)
    poses = forward_kinematics(shown.character, shown.clip)
    away = poses.positions[:, [poses.names.index(body) for body in order.body_names]] - qpos[:, None, :3]
    back = np.broadcast_to(quaternions.conjugate(qpos[:, None, 3:7]), (*away.shape[:2], 4))
    content = {
        "fps": int(take.rate_hz) if float(take.rate_hz).is_integer() else float(take.rate_hz),
        "root_pos": qpos[:, :3].copy(),
        "root_rot": qpos[:, [4, 5, 6, 3]].copy(),
        "dof_pos": qpos[:, 7:].copy(),
        "local_body_pos": quaternions.rotate(back, away),
        "link_body_list": list(order.body_names),
        "joint_names": list(order.joint_names),
        "about": provenance_of(
            take,
            joint_names=list(order.joint_names),
            body_names=list(order.body_names),
            joint_order="depth_first",
            quaternion_order="xyzw",
            base=base_word(take),
        ),
    }
    written = write_whole(path, pickle.dumps(content, protocol=_PROTOCOL))
    needs = "Its arrays are numpy's: numpy 1.26 or later reads them. animato does not read pickles; keep the clip."
    return Exported((written,), (*base_note(take), *joint_notes(take), needs))
