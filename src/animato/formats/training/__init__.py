"""Motion of floating robots as files of training tools, out and in."""

from animato.formats.training.any_motion import load_any_csv, load_any_npz
from animato.formats.training.base_rows import base_rows
from animato.formats.training.bones_seed import BONES_HZ, bones_csv_text, clip_from_bones
from animato.formats.training.opened import opened
from animato.formats.training.quaternion_order import QuaternionOrder
from animato.formats.training.robot_csv import TRAINING_HZ, robot_csv_text
from animato.formats.training.robot_files import is_robot_file, load_robot_clip
from animato.formats.training.robot_npz import clip_of_robot, robot_arrays
from animato.formats.training.robot_order import (
    BodyChoice,
    JointOrder,
    RobotOrder,
    joint_columns,
    robot_order,
)
from animato.formats.training.saving import save_training_csv, save_training_npz, training_qpos, training_times

__all__ = [
    "BONES_HZ",
    "TRAINING_HZ",
    "BodyChoice",
    "JointOrder",
    "QuaternionOrder",
    "RobotOrder",
    "base_rows",
    "bones_csv_text",
    "clip_from_bones",
    "clip_of_robot",
    "is_robot_file",
    "joint_columns",
    "load_any_csv",
    "load_any_npz",
    "load_robot_clip",
    "opened",
    "robot_arrays",
    "robot_csv_text",
    "robot_order",
    "save_training_csv",
    "save_training_npz",
    "training_qpos",
    "training_times",
]
