"""A clip as a goal that `ros2 action send_goal` gives to joint_trajectory_controller."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np

from animato.errors import OptionError
from animato.formats.files import units_of, write_whole
from animato.stage.exporting.provenance import provenance_of
from animato.stage.exporting.ros.trajectory import trajectory_of
from animato.stage.exporting.take import Exported, Take

_LONGEST_ARGUMENT = 131_071
"""What Linux allows one argument of a command to have [bytes]."""


def write(
    path: Path,
    take: Take,
    *,
    lead_s: float | None = None,
    path_tolerance_deg: float | None = None,
    goal_tolerance_deg: float | None = None,
) -> Exported:
    """Writes YAML of control_msgs/action/FollowJointTrajectory.

    Args:
        path: The file.
        take: What is exported.
        lead_s: How long the robot has to get to the first point [s].
        path_tolerance_deg: How far joints may be off on the way [degrees; centimetres where they slide].
        goal_tolerance_deg: How far at the end.
    """
    trajectory = trajectory_of(take, lead_s=lead_s)
    about = provenance_of(take, joint_names=list(trajectory.names))
    lines = [f"# {line}" for line in json.dumps(about, indent=1).splitlines()]
    lines += ["trajectory:", f"  joint_names: {json.dumps(list(trajectory.names))}", "  points:"]
    values = (trajectory.positions, trajectory.velocities, trajectory.accelerations)
    for at, *rows in zip(trajectory.times_ns, *values, strict=True):
        seconds, rest = divmod(at, 1_000_000_000)
        positions, velocities, accelerations = (_listed(row) for row in rows)
        lines.append(
            f"  - {{positions: {positions}, velocities: {velocities}, accelerations: {accelerations}, "
            f"time_from_start: {{sec: {seconds}, nanosec: {rest}}}}}"
        )
    for key, tolerance in (("path", path_tolerance_deg), ("goal", goal_tolerance_deg)):
        if tolerance is not None:
            lines += _tolerances(take, trajectory.names, key, tolerance)
    text = "\n".join(lines) + "\n"
    left_out = [*trajectory.notes]
    if len(text.encode()) > _LONGEST_ARGUMENT:
        left_out.append(
            f"The goal has {len(text.encode())} bytes, and Linux takes {_LONGEST_ARGUMENT} as one argument; "
            f"send it from a program, or export it with a lower `rate_hz`."
        )
    if take.clip.has_base:
        left_out.append("The controller moves joints; where the base goes is not in the goal.")
    return Exported((write_whole(path, text),), tuple(left_out))


def _listed(row: np.ndarray) -> str:
    # every number with a point: YAML reads 1e-05 as words
    return "[" + ", ".join(_number(float(value)) for value in row) + "]"


def _number(value: float) -> str:
    text = repr(value)
    mantissa, letter, exponent = text.partition("e")
    if not letter:
        return text
    whole = mantissa if "." in mantissa else f"{mantissa}.0"
    return f"{whole}e{exponent if exponent[0] in '+-' else '+' + exponent}"


def _tolerances(take: Take, names: tuple[str, ...], key: str, tolerance: float) -> list[str]:
    if not (math.isfinite(tolerance) and tolerance > 0.0):
        raise OptionError(f"`{key}_tolerance_deg` is above 0; given {tolerance!r}.")
    lines = [f"{key}_tolerance:"]
    for name, unit in zip(names, units_of(names, take.character), strict=True):
        allowed = tolerance / 100.0 if unit == "m" else math.radians(tolerance)
        lines.append(f"- {{name: {json.dumps(name)}, position: {_number(allowed)}}}")
    return lines
