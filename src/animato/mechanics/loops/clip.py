"""Clips of characters with closed loops: what motors do moves everything else."""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.errors import MotionError
from animato.mechanics.loops.assembly import build_mechanism
from animato.mechanics.loops.constraints import joint_coordinates
from animato.mechanics.loops.kinematics import loop_kinematics
from animato.mechanics.loops.motion import LoopMotion
from animato.motion import Clip


def clip_with_loops(character: Character, clip: Clip) -> Clip:
    """The clip with all passive coordinates filled in, so that every loop is closed.

    Args:
        character: Its actuated joints are followed; those the clip does not name rest.
        clip: Passive coordinates in it are replaced.

    Returns:
        Positions of all coordinates of the character, in its order, at the clip's frames.

    Raises:
        MechanismError: The character cannot be assembled, moves freely, or cannot follow.
    """
    return clip_of_motion(character, loop_motion(character, clip), clip)


def loop_motion(character: Character, clip: Clip) -> LoopMotion:
    """States of all bodies at the frames of a clip; a character that floats is held at its rest."""
    mechanism = build_mechanism(character)
    controls = np.tile(mechanism.controls, (clip.frame_count, 1))
    for n, name in enumerate(mechanism.control_names):
        if name in clip.names:
            controls[:, n] = clip.positions[:, clip.column(name)]
            continue
        # A motor on the following side of a gear leads in the mechanism; the clip states the other side.
        gear = next((joint.coupling for joint in character.joints if joint.name == name), None)
        if gear is not None and gear.leader in clip.names:
            controls[:, n] = gear.ratio * clip.positions[:, clip.column(gear.leader)] + gear.offset
    return loop_kinematics(mechanism, controls)


def clip_of_motion(character: Character, motion: LoopMotion, clip: Clip) -> Clip:
    """The coordinates of a mechanism's motion as a clip, with the times and the base of another.

    Args:
        character: Whose coordinates.
        motion: As many steps as the clip has frames.
        clip: Gives times, base and name.
    """
    if len(motion.states) != clip.frame_count:
        raise MotionError(f"The motion has {len(motion.states)} steps and the clip {clip.frame_count} frames.")
    found = joint_coordinates(motion.mechanism, motion.states)
    positions = found.columns(character.coordinate_names).copy()
    # Motors turn as far as they are told, also beyond half a turn, where an angle read off bodies starts over.
    for n, name in enumerate(motion.mechanism.control_names):
        if name in character.coordinate_names:
            positions[:, character.coordinate_names.index(name)] = motion.controls[:, n]
    return Clip(
        clip.times,
        character.coordinate_names,
        positions,
        clip.base_positions,
        clip.base_quaternions_wxyz,
        clip.source,
    )
