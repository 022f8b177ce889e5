"""What happens when a clip is sent to the motors as it is.

A motor that is asked for too much goes as fast as it can and stops at its stops: it lags behind,
cuts corners and arrives late. This is what animato's verbs are there to avoid, and a clip made by
them should survive it unchanged.
"""

from __future__ import annotations

import numpy as np

from animato.character import Character, JointType
from animato.motion import Clip


def naive_playback(character: Character, clip: Clip) -> Clip:
    """Follows a clip with each motor inside its range and its top speed, and nothing else in mind.

    Args:
        character: Whose limits hold. Spherical joints are passed on as they are.
        clip: What the motors are sent.

    Returns:
        What they do, at the clip's own times.
    """
    bounds = {
        name: limits
        for joint in character.free_joints
        if joint.type is not JointType.SPHERICAL
        for name, limits in zip(joint.coordinate_names, joint.limits, strict=True)
    }
    positions = np.array(clip.positions)
    steps = np.diff(clip.times)
    for column, name in enumerate(clip.names):
        if name not in bounds:
            continue
        low, high = bounds[name].range
        wanted = np.clip(positions[:, column], low, high)
        speed = np.inf if bounds[name].velocity is None else bounds[name].velocity
        here = wanted[0]
        for frame in range(clip.frame_count):
            if frame > 0:
                reach = speed * steps[frame - 1]
                here = min(max(wanted[frame], here - reach), here + reach)
            positions[frame, column] = here
    source = f"{clip.source or 'clip'}, sent to the motors as it is"
    return Clip(clip.times, clip.names, positions, clip.base_positions, clip.base_quaternions_wxyz, source)
