"""From a file to a clip of a character: what is read is smoothed on request, and a capture becomes joint angles."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Unpack, cast

import numpy as np

from animato.character import Character
from animato.errors import FileFormatError, MotionError, OptionError
from animato.formats import ClipReading, MotionReading, load_motion
from animato.formats.training import is_robot_file, load_robot_clip
from animato.loading.characters import as_character
from animato.loading.mapping_hint import mapping_hint
from animato.loading.preparing import motion_frames
from animato.motion import Clip, MarkerMotion, Posture, Stroke, smoothed

NOT_SAID = "the file does not say everything"
"""How a sentence begins about what was taken for granted, which is no loss."""


def load_clip(path: str | Path, character: Character | str | Path | None = None, **how: Unpack[ClipReading]) -> Clip:
    """Reads a clip; a captured skeleton is turned into one by copying its angles.

    Args:
        path: The file, or the name of a clip that comes with animato.
        character: Whose clip it becomes, or its name or file; needed for a captured skeleton, a bare array, and a
            robot's motion in numbers without names.
        **how: What the file does not say about itself, `mapping`, `smooth_hz`, `quaternion_order` and `joint_order`;
            see `ClipReading`.
    """
    return load_clip_and_losses(path, character, **how)[0]


def load_clip_and_losses(
    path: str | Path, character: Character | str | Path | None = None, **how: Unpack[ClipReading]
) -> tuple[Clip, tuple[str, ...]]:
    """Like `load_clip`, with what the file held and the clip does not, and what was taken for granted, in words."""
    model = None if character is None else as_character(character)
    mapping, smooth_hz = how.pop("mapping", None), how.pop("smooth_hz", None)
    if is_robot_file(path):
        clip, losses = _robot_clip(path, model, how), cast(tuple[str, ...], ())
        taken = _taken(path, clip, "`rate_hz`, `quaternion_order` or `joint_order`")
    else:
        for name in ("quaternion_order", "joint_order"):
            if name in how:
                raise OptionError(f"`{name}` is for the motion of a robot in numbers, which '{path}' is not.")
        clip, losses = _clip_and_losses(path, model, mapping, cast(MotionReading, how))
        taken = _taken(path, clip, "`rate_hz`")
    if smooth_hz is None:
        rough = "the capture's noise was not smoothed and counts as acceleration; `smooth_hz=6` would take it out"
        return clip, (*taken, *losses, rough) if losses else taken
    smooth = _smoothed_motion(clip, smooth_hz)
    off = float(np.abs(smooth.positions - clip.positions).max(initial=0.0))
    return smooth, (*taken, *losses, f"smoothing at {smooth_hz:g} Hz moved joints by up to {off:.3g} (rad or m)")


def _taken(path: str | Path, clip: Clip, options: str) -> tuple[str, ...]:
    """What the reader of a robot's motion took for granted, which stands in brackets behind the file's name."""
    name, bracket, said = clip.source.partition(" (")
    if not bracket or name != Path(path).name or not said.endswith(")"):
        return ()
    return (f"{NOT_SAID}: {said[:-1]}; where that is not so, say {options}",)


def _smoothed_motion(clip: Clip, frequency_hz: float) -> Clip:
    """Smooths a clip without its reference poses, which stay as they are: their leap would shake the motion."""
    frames = motion_frames(clip)
    if frames == slice(0, clip.frame_count):
        return smoothed(clip, frequency_hz)
    base, turn = clip.base_positions, clip.base_quaternions_wxyz
    calm = smoothed(clip.part(frames), frequency_hz)

    def joined(all_frames: np.ndarray, some: np.ndarray | None) -> np.ndarray:
        whole = np.array(all_frames)
        whole[frames] = some
        return whole

    return Clip(
        clip.times,
        clip.names,
        joined(clip.positions, calm.positions),
        None if base is None else joined(base, calm.base_positions),
        None if turn is None else joined(turn, calm.base_quaternions_wxyz),
        calm.source,
    )


def as_clip(clip: Clip | str | Path, character: Character) -> Clip:
    """A clip that is given, or whose file or name is."""
    if isinstance(clip, str | Path):
        return load_clip(clip, character)
    if isinstance(clip, Clip):
        return clip
    raise MotionError(
        f"`clip` must be a Clip, or the name or file of one; given {clip!r:.60}. A capture becomes a clip of a "
        "character by load_clip(path, character)."
    )


def _clip_and_losses(
    path: str | Path, character: Character | None, mapping: Mapping[str, str] | None, how: MotionReading
) -> tuple[Clip, tuple[str, ...]]:
    if Path(path).suffix.lower() == ".npy":
        return _bare_clip(path, character, how), ()
    motion = load_motion(path, **how)
    if isinstance(motion, Clip):
        return motion, ()
    if isinstance(motion, Posture):
        return Clip(np.zeros(1), motion.names, motion.positions[None], source=motion.source), ()
    if isinstance(motion, MarkerMotion | Stroke):
        what = "marker trajectories" if isinstance(motion, MarkerMotion) else "a stroke"
        raise FileFormatError(path, f"this holds {what}, which no character can play as they are.")
    if character is None:
        raise MotionError(f"{path} holds a captured skeleton; say for which character its clip is wanted.")
    from animato.motion.transfer import transfer_angles

    transfer = transfer_angles(motion, character, mapping=mapping)
    joints = [joint.name for joint in character.free_joints]
    hint = mapping_hint(joints, motion.names, (joint for joint, _ in transfer.bones))
    return transfer.clip, (*hint, *transfer.losses)


def _robot_clip(path: str | Path, character: Character | None, how: ClipReading) -> Clip:
    allowed = ("rate_hz", "quaternion_order", "joint_order")
    for name in how:
        if name not in allowed:
            choice = ", ".join(f"`{one}`" for one in allowed)
            raise OptionError(f"`{name}` does not exist for the motion of a robot in numbers; options: {choice}.")
    return load_robot_clip(
        path,
        character,
        rate_hz=how.get("rate_hz"),
        quaternion_order=how.get("quaternion_order"),
        joint_order=how.get("joint_order"),
    )


def _bare_clip(path: str | Path, character: Character | None, how: MotionReading) -> Clip:
    from animato.formats.tables import load_npy_clip

    for name in how:
        if name != "rate_hz":
            raise OptionError(f"`{name}` does not exist for .npy files; options: `rate_hz`.")
    return load_npy_clip(path, character, rate_hz=how.get("rate_hz"))
