"""The .npz that BeyondMimic and mjlab track, each in the order of its simulator.

| | BeyondMimic | mjlab |
|---|---|---|
| simulator | Isaac, PhysX | MuJoCo |
| joints and bodies | breadth first | depth first |
| bodies | without those that are fixed to another | all |
| `body_lin_vel_w` | of the centre of mass | of the origin |
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any, Literal

import numpy as np

from animato.errors import OptionError
from animato.formats.files import write_whole
from animato.formats.training import BodyChoice, JointOrder, RobotOrder, joint_columns, robot_order
from animato.stage.exporting.provenance import provenance_of
from animato.stage.exporting.take import Exported, Take
from animato.stage.exporting.training.body_motion import BodyMotion, MeasuredAt, body_motion
from animato.stage.exporting.training.joint_motion import base_note, base_word, joint_rates, refuse_balls
from animato.stage.exporting.training.opened_take import joint_notes, opened_take

_SIMULATORS: dict[str, tuple[JointOrder, BodyChoice, MeasuredAt]] = {
    "isaac": ("breadth_first", "moving", "centre of mass"),
    "mujoco": ("depth_first", "all", "origin"),
}


def write(
    path: Path,
    take: Take,
    *,
    simulator: Literal["isaac", "mujoco"],
    joint_order: JointOrder | None = None,
    bodies: BodyChoice | None = None,
) -> Exported:
    """Writes joints and bodies with their velocities; names and all else that the layout lacks are arrays beside them.

    Args:
        path: The file.
        take: What is exported.
        simulator: Whose conventions it follows.
        joint_order: How joints and bodies are counted; as the simulator does where not given.
        bodies: Which bodies there are; as the simulator has them where not given.

    Raises:
        OptionError: The character has joints of several axes.
    """
    if simulator not in _SIMULATORS:
        raise OptionError(f"`simulator` is one of {', '.join(_SIMULATORS)}; given {simulator!r}.")
    usual_order, usual_bodies, measured_at = _SIMULATORS[simulator]
    order = robot_order(take.character, joint_order or usual_order, bodies or usual_bodies)
    refuse_balls(take, order.joint_names, "The layout")
    shown = opened_take(take)
    motion = body_motion(shown, order.body_names, measured_at, melted=(bodies or usual_bodies) == "moving")
    about = tracking_about(take, order, joint_order or usual_order, measured_at)
    arrays = {
        "joint_pos": joint_columns(take.character, take.clip, order.joint_names),
        "joint_vel": joint_rates(shown, order.joint_names),
        **body_arrays(motion),
    }
    return Exported((write_arrays(path, take, order, arrays, about),), (*base_note(take), *joint_notes(take)))


def body_arrays(motion: BodyMotion) -> dict[str, np.ndarray]:
    """Bodies by the names that trackers read."""
    return {
        "body_pos_w": motion.positions,
        "body_quat_w": motion.quaternions_wxyz,
        "body_lin_vel_w": motion.linear,
        "body_ang_vel_w": motion.angular,
    }


def tracking_about(take: Take, order: RobotOrder, counted: str, measured_at: MeasuredAt) -> dict[str, Any]:
    """What the file says of itself."""
    return provenance_of(
        take,
        joint_names=list(order.joint_names),
        body_names=list(order.body_names),
        joint_order=counted,
        body_order=counted,
        body_lin_vel_w=f"of the {measured_at}, along the world's axes",
        body_ang_vel_w="about the world's axes",
        base=base_word(take),
    )


def write_arrays(
    path: Path,
    take: Take,
    order: RobotOrder,
    arrays: dict[str, np.ndarray],
    about: dict[str, Any],
    *,
    rate_listed: bool = True,
) -> Path:
    """Writes an .npz with these arrays, the rate, the names, and what it says of itself as JSON in `about`.

    The rate is a list of one number, as trackers write it, or the number itself.
    """
    rate = int(take.rate_hz) if float(take.rate_hz).is_integer() else float(take.rate_hz)
    buffer = io.BytesIO()
    np.savez(
        buffer,
        allow_pickle=False,
        fps=np.array([rate] if rate_listed else rate),
        **arrays,
        joint_names=np.array(order.joint_names, dtype=np.str_),
        body_names=np.array(order.body_names, dtype=np.str_),
        about=np.array(json.dumps(about)),
    )
    return write_whole(path, buffer.getvalue())
