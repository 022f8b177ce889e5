"""Stick figures that wave and step, under whatever names a test gives their joints."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from animato.motion import CapturedMotion, MarkerMotion
from animato.spatial import quaternions

JOINTS: dict[str, tuple[str, tuple[float, float, float]]] = {
    "pelvis": ("", (0.0, 0.0, 0.95)),
    "left_hip": ("pelvis", (0.0, 0.09, -0.05)),
    "left_knee": ("left_hip", (0.0, 0.0, -0.42)),
    "left_ankle": ("left_knee", (0.0, 0.0, -0.40)),
    "left_toe": ("left_ankle", (0.13, 0.0, -0.045)),
    "right_hip": ("pelvis", (0.0, -0.09, -0.05)),
    "right_knee": ("right_hip", (0.0, 0.0, -0.42)),
    "right_ankle": ("right_knee", (0.0, 0.0, -0.40)),
    "right_toe": ("right_ankle", (0.13, 0.0, -0.045)),
    "chest": ("pelvis", (0.0, 0.0, 0.30)),
    "neck": ("chest", (0.0, 0.0, 0.22)),
    "head": ("neck", (0.0, 0.0, 0.20)),
    "left_shoulder": ("chest", (0.0, 0.19, 0.15)),
    "left_elbow": ("left_shoulder", (0.0, 0.02, -0.29)),
    "left_wrist": ("left_elbow", (0.0, 0.0, -0.25)),
    "left_hand": ("left_wrist", (0.0, 0.0, -0.08)),
    "right_shoulder": ("chest", (0.0, -0.19, 0.15)),
    "right_elbow": ("right_shoulder", (0.0, -0.02, -0.29)),
    "right_wrist": ("right_elbow", (0.0, 0.0, -0.25)),
    "right_hand": ("right_wrist", (0.0, 0.0, -0.08)),
}
"""Parent, and offset from it [m]; z up, facing x, toes 3.5 cm above the floor."""

_SWINGS = {"left_shoulder": -1.2, "left_elbow": -0.5, "right_hip": -0.6, "right_knee": 1.2, "right_ankle": -0.6}


def stick_figure(
    names: Mapping[str, str] | None = None, *, frames: int = 40, rate_hz: float = 60.0, unit: float = 1.0
) -> CapturedMotion:
    """A person of about 1.7 m that lifts an arm and a leg.

    Args:
        names: What joints are called, of those that are to have another name; an empty one takes the joint away with
            all that hangs on it.
        frames: How many.
        rate_hz: Of the frames.
        unit: By which all lengths are divided, such as 0.01 for a figure in centimetres.
    """
    given = names or {}
    gone = {joint for joint in JOINTS if given.get(joint, joint) == ""}
    kept: list[str] = []
    for joint, (parent, _) in JOINTS.items():
        if parent in gone or joint in gone:
            gone.add(joint)
        else:
            kept.append(joint)
    parents = np.array([kept.index(JOINTS[joint][0]) if JOINTS[joint][0] else -1 for joint in kept])
    offsets = np.array([JOINTS[joint][1] for joint in kept]) / unit
    phase = np.linspace(0.0, np.pi, frames)
    turns = np.zeros((frames, len(kept), 4))
    turns[..., 0] = 1.0
    about_y = np.array((0.0, 1.0, 0.0))
    for joint, angle in _SWINGS.items():
        if joint in kept:
            turns[:, kept.index(joint)] = quaternions.quaternion_about(about_y, angle * np.sin(phase))
    called = tuple(given.get(joint, joint) for joint in kept)
    return CapturedMotion(np.arange(frames) / rate_hz, called, parents, offsets, turns, source="figure")


def points_of(figure: CapturedMotion, names: Mapping[str, str] | None = None) -> MarkerMotion:
    """The joints of a figure as markers.

    Args:
        figure: A stick figure.
        names: Markers by the joint at which they are; all joints by their own names where not given.
    """
    positions, _ = figure.world_poses()
    chosen = {name: name for name in figure.names} if names is None else names
    columns = [figure.names.index(joint) for joint in chosen]
    return MarkerMotion(figure.times, tuple(chosen.values()), positions[:, columns], "markers")
