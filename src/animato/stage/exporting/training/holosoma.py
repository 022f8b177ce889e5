"""The .npz files of holosoma: what its retargeting writes, and what its training reads."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np

from animato.errors import OptionError
from animato.formats.training import RobotOrder, robot_order
from animato.stage.exporting.take import Exported, Take
from animato.stage.exporting.training.body_motion import BodyMotion, body_motion
from animato.stage.exporting.training.joint_motion import (
    base_note,
    base_rates,
    joint_rates,
    qpos_rows,
    refuse_balls,
)
from animato.stage.exporting.training.opened_take import joint_notes, opened_take
from animato.stage.exporting.training.tracking import body_arrays, tracking_about, write_arrays

_LAYOUTS = ("retargeted", "training")


def write(path: Path, take: Take, *, layout: Literal["retargeted", "training"]) -> Exported:
    """Writes `qpos` in MuJoCo's order, or that with velocities and bodies.

    Args:
        path: The file.
        take: What is exported.
        layout: "retargeted" has `qpos` and `fps`; "training" has `joint_pos` and `joint_vel`, which begin with the
            base, and bodies, which begin with MuJoCo's world.

    Raises:
        OptionError: The character has joints of several axes, and the layout has bodies.
    """
    if layout not in _LAYOUTS:
        raise OptionError(f"`layout` is one of {', '.join(_LAYOUTS)}; given {layout!r}.")
    order = robot_order(take.character, "depth_first", "all")
    left_out = (*base_note(take), *joint_notes(take))
    qpos = qpos_rows(take, order.joint_names)
    about = tracking_about(take, order, "depth_first", "centre of mass")
    if layout == "retargeted":
        about = {key: value for key, value in about.items() if not key.startswith("body_")}
        order = RobotOrder(order.joint_names, ())
        written = write_arrays(path, take, order, {"qpos": qpos}, about, rate_listed=False)
        return Exported((written,), left_out)
    refuse_balls(take, order.joint_names, "The layout")
    shown = opened_take(take)
    motion = body_motion(shown, order.body_names, "centre of mass", melted=False)
    about["body_names"] = ["world", *order.body_names]
    about["joint_vel"] = "linear of the base along the world's axes, angular about the base's own, joints"
    arrays = {
        "joint_pos": qpos,
        "joint_vel": np.hstack([base_rates(shown), joint_rates(shown, order.joint_names)]),
        **body_arrays(_with_world(motion)),
    }
    with_world = RobotOrder(order.joint_names, ("world", *order.body_names))
    return Exported((write_arrays(path, take, with_world, arrays, about),), left_out)


def _with_world(motion: BodyMotion) -> BodyMotion:
    """The same bodies behind the world, which is at the origin and still."""
    count = len(motion.positions)
    still = np.zeros((count, 1, 3))
    straight = np.tile((1.0, 0.0, 0.0, 0.0), (count, 1, 1))
    return BodyMotion(
        np.concatenate([still, motion.positions], axis=1),
        np.concatenate([straight, motion.quaternions_wxyz], axis=1),
        np.concatenate([still, motion.linear], axis=1),
        np.concatenate([still, motion.angular], axis=1),
    )
