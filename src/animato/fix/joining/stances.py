"""Postures from which a motion begins or in which it ends, as people give them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from animato.character import Character, JointType
from animato.errors import MotionError, OptionError, unknown_name
from animato.loading import load_clip
from animato.motion import Clip, Posture

Stance = Posture | Clip | str | Path | Mapping[str, float] | int
"""A posture; a clip of one frame; the name of a posture of the character, or a file; coordinates; or a frame."""


def stance_clip(character: Character, stance: Stance, clip: Clip, *, frame: int) -> Clip:
    """A clip of one frame.

    Args:
        character: Whose posture it is.
        stance: As people give it; coordinates that it does not name are those of the clip's frame.
        clip: The clip that is to begin or end there.
        frame: Its frame beside the posture.

    Raises:
        OptionError: There is no such posture, file or frame.
    """
    if isinstance(stance, str) and stance in {one.name for one in character.postures}:
        stance = Posture.named(character, stance)
    if isinstance(stance, str | Path):
        stance = _from_file(character, stance)
    if isinstance(stance, int):
        if not -clip.frame_count <= stance < clip.frame_count:
            raise OptionError(f"The clip has frames 0 to {clip.frame_count - 1}; given {stance}.")
        return _completed(character, dict(zip(clip.names, clip.positions[stance].tolist(), strict=True)), clip, stance)
    if isinstance(stance, Clip):
        if stance.frame_count != 1:
            raise MotionError(f"A posture is one frame; the clip that is given for it has {stance.frame_count}.")
        if stance.has_base:
            return stance
        return _completed(character, dict(zip(stance.names, stance.positions[0].tolist(), strict=True)), clip, frame)
    if isinstance(stance, Posture):
        return _completed(character, dict(zip(stance.names, stance.positions.tolist(), strict=True)), clip, frame)
    return _completed(character, dict(stance), clip, frame)


def _from_file(character: Character, stance: str | Path) -> Clip:
    if not Path(stance).suffix:
        names = ", ".join(one.name for one in character.postures) or "none"
        raise OptionError(f"{character.name} has no posture '{stance}', and it is no file. Its postures: {names}.")
    clip = load_clip(stance, character)
    if clip.frame_count != 1:
        raise OptionError(f"A posture is one frame; {stance} has {clip.frame_count}.")
    return clip


def _completed(character: Character, values: dict[str, float], clip: Clip, frame: int) -> Clip:
    """A posture with what it does not name as in a frame of the clip; its feet stand where the clip's do."""
    for name in values:
        if name not in character.coordinate_names:
            raise unknown_name("coordinate", name, character.coordinate_names, character.name)
    own = dict(zip(clip.names, clip.positions[frame].tolist(), strict=True))
    for joint in character.free_joints:
        if joint.type is JointType.SPHERICAL and any(name in values for name in joint.coordinate_names):
            missing = [name for name in joint.coordinate_names if name not in values]
            if missing:
                raise MotionError(f"Ball joint '{joint.name}' is four numbers; the posture lacks {', '.join(missing)}.")
    whole = {name: values.get(name, own.get(name)) for name in character.coordinate_names}
    known = {name: value for name, value in whole.items() if value is not None}
    return Clip(np.zeros(1), tuple(known), np.array([list(known.values())]), source="a posture")
