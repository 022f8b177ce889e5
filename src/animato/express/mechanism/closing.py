"""Motions of actuators with all that their closed loops move."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.errors import MechanismError
from animato.express.problem import Problem
from animato.mechanics.loops import loop_kinematics
from animato.mechanics.loops.constraints import joint_coordinates
from animato.motion import Clip


def closed_clip(problem: Problem, clip: Clip) -> Clip:
    """A clip with the joints that no actuator of the problem drives where the closed loops have them.

    Args:
        problem: Of a character with closed loops; a clip of any other comes back as it is.
        clip: Its actuators are followed.
    """
    mechanism = problem.mechanism
    if mechanism is None:
        return clip
    controls = np.tile(mechanism.controls, (clip.frame_count, 1))
    for n, name in enumerate(mechanism.control_names):
        if name in clip.names:
            controls[:, n] = clip.positions[:, clip.column(name)]
    try:
        motion = loop_kinematics(mechanism, controls)
    except MechanismError:  # a filtered way may lead past where loops close; what was commanded is still the truth
        return clip
    found = joint_coordinates(mechanism, motion.states)
    positions = clip.positions.copy()
    for n, name in enumerate(clip.names):
        if name in found.names and name not in mechanism.control_names:
            positions[:, n] = found.columns((name,))[:, 0]
    return replace(clip, positions=positions)
