"""Joints that nothing but a spring holds, as the leaf springs of a leg."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.character import Character, JointRole
from animato.errors import MechanismError
from animato.formats.mjcf.model import MjcfModel

_AT_REST = 1e-3  # [rad or m] between a spring's own rest and the reference pose


def with_springs_held(character: Character, model: MjcfModel, joint_names: dict[int, str]) -> Character:
    """The character, its sprung joints set where they rest, if its motors could not move it otherwise.

    A closed mechanism with springs in it moves although all motors stand still. Where every spring is
    relaxed in the reference pose, that pose is where the springs hold it, and setting their joints
    leaves to the motors what is theirs. The description names them.

    Args:
        character: With its loops, counted from the reference pose.
        model: The compiled model.
        joint_names: By their number.
    """
    arrays = model.arrays
    stiffness = np.asarray(arrays.jnt_stiffness).reshape(arrays.njnt, -1)[:, 0]
    sprung = []
    for number, name in joint_names.items():
        start = int(arrays.jnt_qposadr[number])
        joint = next((one for one in character.free_joints if one.name == name), None)
        if joint is None or joint.role is not JointRole.PASSIVE or len(joint.coordinate_names) != 1:
            continue
        if stiffness[number] > 0.0 and abs(arrays.qpos_spring[start] - arrays.qpos0[start]) < _AT_REST:
            sprung.append(name)
    if not sprung:
        return character
    if not _moves_freely(character):
        return character
    joints = tuple(
        replace(joint, role=JointRole.CONFIGURABLE) if joint.name in sprung else joint for joint in character.joints
    )
    postures = tuple(
        replace(one, values=tuple(pair for pair in one.values if pair[0] not in sprung)) for one in character.postures
    )
    words = f"Springs hold {', '.join(sprung)} at rest"
    description = ". ".join(part for part in (character.description, words) if part)
    held = replace(character, joints=joints, postures=postures, description=description)
    return character if _moves_freely(held) else held


def _moves_freely(character: Character) -> bool:
    from animato.mechanics.loops.assembly import build_mechanism  # only springs in loops need it

    try:
        return bool(build_mechanism(character, require_actuated=False).free_bodies)
    except MechanismError:  # it cannot be assembled: whoever asks for the mechanism is told so
        return False
