"""Files of training tools to damage: motion of a floating robot, with names and without."""

from __future__ import annotations

import io
import json

import numpy as np

from animato.formats import load_character
from animato.formats.training import bones_csv_text, robot_csv_text, robot_order, training_qpos
from animato.loading import load_clip
from animato.mechanics.tree import forward_kinematics

ROBOT = "pico"


def robot_files() -> list[tuple[str, str, bytes, dict[str, bytes]]]:
    """Reader, name, content and what lies beside it, of each file."""
    pico = load_character(ROBOT)
    clip = load_clip("pico_hello")
    clip = clip.selected(pico.coordinate_names).resampled(clip.times[0] + np.arange(6) / 50.0)
    qpos, names = training_qpos(clip, pico, 50.0), robot_order(pico).joint_names
    poses = forward_kinematics(pico, clip)
    table = robot_csv_text(qpos, "xyzw").encode()
    about = {"frames": len(qpos), "joint_names": list(names), "rate_hz": 50, "quaternion_order": "xyzw"}
    return [
        ("robot", "walk.csv", table, {}),
        ("robot_about", "walk.csv.about.json", json.dumps(about, indent=1).encode(), {"walk.csv": table}),
        ("motion", "bones.csv", bones_csv_text(pico, clip, names).encode(), {}),
        ("motion", "named.npz", _npz(qpos=qpos, joints=np.array(names), fps=np.array(50.0)), {}),
        ("robot", "bare.npz", _npz(qpos=qpos.astype(np.float32)), {}),
        (
            "robot",
            "tracked.npz",
            _npz(
                fps=np.array([50]),
                joint_pos=qpos[:, 7:].astype(np.float32),
                body_pos_w=poses.positions.astype(np.float32),
                body_quat_w=poses.quaternions_wxyz.astype(np.float32),
            ),
            {},
        ),
        ("robot", "roots.npz", _npz(root_pos=qpos[:, :3], root_rot=qpos[:, [4, 5, 6, 3]], dof_pos=qpos[:, 7:]), {}),
    ]


def _npz(**arrays: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()
