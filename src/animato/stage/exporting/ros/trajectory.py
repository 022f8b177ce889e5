"""A clip as ROS 2's joint_trajectory_controller wants it: from rest to rest, with time to get to the first point."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from animato.character import Character, JointType
from animato.character.structure import topology_of
from animato.errors import AnimatoError, OptionError
from animato.motion import Clip
from animato.stage.exporting.take import Take

_SHORTEST_LEAD_S = 2.0
_QUINTIC_PEAK = 1.875
"""The controller goes to the first point along a quintic; its fastest is this many times its mean speed."""


@dataclass(frozen=True)
class Trajectory:
    """Points that the controller's joints go through.

    Attributes:
        names: Coordinates that motors drive.
        times_ns: Since the goal is taken [ns], whole, rising, shape [point].
        positions: [rad or m], shape [point, coordinate].
        velocities: [rad/s or m/s]; exactly 0 at the last point, or the controller refuses the goal.
        accelerations: [rad/s^2 or m/s^2]; with these the controller's quintics are the clip's own cubic spline.
        notes: What was done to the clip for it, in sentences.
    """

    names: tuple[str, ...]
    times_ns: tuple[int, ...]
    positions: np.ndarray
    velocities: np.ndarray
    accelerations: np.ndarray
    notes: tuple[str, ...] = ()


class RestError(OptionError):
    """There is no trajectory: nothing is driven, or a clip in motion for which no soft start or stop was found."""


def single_axes(character: Character) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Coordinates that ROS 2 can name as joints, and joints that turn like balls, which it cannot."""
    balls = tuple(joint.name for joint in character.free_joints if joint.type is JointType.SPHERICAL)
    kept = [joint for joint in character.free_joints if joint.type is not JointType.SPHERICAL]
    return tuple(name for joint in kept for name in joint.coordinate_names), balls


def trajectory_of(take: Take, *, lead_s: float | None = None) -> Trajectory:
    """The motors' part of a take, with a soft start and stop where it does not begin or end at rest.

    Args:
        take: What is exported.
        lead_s: How long the robot has to get to the first point [s]; where not given, long enough from anywhere in
            its range.

    Raises:
        OptionError: The lead is none.
        RestError: Nothing is driven, or there is no start or stop inside the limits.
    """
    named, _ = single_axes(take.character)
    names = tuple(name for name in take.character.actuated_coordinate_names if name in named)
    if not names:
        raise RestError(f"No motor drives a joint of '{take.character.name}' that ROS 2 can name.")
    clip, notes = _from_rest_to_rest(take.character, take.clip.selected(names))
    lead = _lead(take.character, clip) if lead_s is None else lead_s
    if not (math.isfinite(lead) and 0.0 < lead < 1e6):
        raise OptionError(f"`lead_s` is above 0 and below a million seconds; given {lead_s!r}.")
    notes.append(f"The trajectory gives the robot {lead:.3g} s to get to its first point.")
    velocities = np.array(clip.velocity())
    velocities[-1] = 0.0  # the rest of what counts as resting
    times = tuple(round((lead + float(one - clip.times[0])) * 1e9) for one in clip.times)
    return Trajectory(names, times, np.array(clip.positions), velocities, np.array(clip.acceleration()), tuple(notes))


def _from_rest_to_rest(character: Character, clip: Clip) -> tuple[Clip, list[str]]:
    """The clip between rests; the base stays out of it, for no controller of joints moves it."""
    driven = Clip(clip.times, clip.names, clip.positions, source=clip.source)
    if driven.frame_count < 2:
        return driven, []
    try:
        return _softened(character, driven)
    except AnimatoError as error:
        first = error
    # Torques depend on where the base is and what it stands on, and many files only guess their limits. The controller
    # knows of ranges and speeds.
    try:
        soft, notes = _softened(_without_torques(character), driven)
    except AnimatoError as error:
        raise RestError(
            f"joint_trajectory_controller wants a motion from rest to rest; this clip begins or ends in motion, and no "
            f"soft start or stop was found for it. {error}"
        ) from None
    return soft, [*notes, f"Torques were not kept at the beginning and the end of the trajectory: {first}"]


def _softened(character: Character, clip: Clip) -> tuple[Clip, list[str]]:
    """The clip with a soft start and stop where it has none, and what was done."""
    from animato.fix.joining import soft_start, soft_stop  # only clips that are cut off in motion need it

    # motors of a loop cannot come to rest just anywhere: all must be told where, so it is where the clip ends
    is_tree = topology_of(character).is_tree
    driven, notes = clip, []
    for word in ("beginning", "end"):
        if word == "beginning":
            soft = soft_start(character, driven).clip
        else:
            soft = soft_stop(character, driven, None if is_tree else driven.frame_count - 1).clip
        added = soft.duration - driven.duration
        if added > 0.0:
            notes.append(
                f"The clip is in motion at its {word}; the trajectory has {added:.3g} s more there, so that it is "
                f"at rest, inside the joints' limits."
            )
        driven = soft.selected(clip.names)
    return Clip(driven.times, driven.names, driven.positions, source=clip.source), notes


def _without_torques(character: Character) -> Character:
    """The character with its ranges and speeds only; what an actuator adds to them is kept, but for its torque."""
    joints = tuple(
        replace(
            joint,
            stated_limits=tuple(replace(one, torque=None, curve=None) for one in joint.limits),
            actuator=None,
        )
        for joint in character.joints
    )
    return replace(character, joints=joints)


def _lead(character: Character, clip: Clip) -> float:
    """Time enough from anywhere in the joints' ranges to the first frame [s]."""
    lead = _SHORTEST_LEAD_S
    limits = {
        name: one
        for joint in character.free_joints
        if joint.type is not JointType.SPHERICAL
        for name, one in zip(joint.coordinate_names, joint.limits, strict=True)
    }
    for name, first in zip(clip.names, clip.positions[0], strict=True):
        limit = limits[name]
        if not limit.velocity:
            continue
        ends = [end for end in (limit.lower, limit.upper) if end is not None] or [first - np.pi, first + np.pi]
        lead = max(lead, _QUINTIC_PEAK * max(abs(first - end) for end in ends) / limit.velocity)
    return float(lead)
