"""From a file to a clip of a character: what is read is smoothed on request, and a capture becomes joint angles."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from animato.character import Character
from animato.errors import FileFormatError, MotionError, OptionError
from animato.formats import load_motion
from animato.motion import Clip, MarkerMotion, Posture, Stroke, smoothed


def load_clip(
    path: str | Path,
    character: Character | None = None,
    *,
    mapping: Mapping[str, str] | None = None,
    smooth_hz: float | None = None,
    **options: Any,
) -> Clip:
    """Reads a clip; a captured skeleton is turned into one by copying its angles.

    Args:
        path: The file.
        character: Whose clip it becomes; needed for a captured skeleton, and for a bare array (.npy).
        mapping: Bone by joint, where names do not tell; see `transfer_angles`.
        smooth_hz: Take out what shakes faster than this; see `motion.smoothing`.
        **options: As for `load_motion`.
    """
    return load_clip_and_losses(path, character, mapping=mapping, smooth_hz=smooth_hz, **options)[0]


def load_clip_and_losses(
    path: str | Path,
    character: Character | None = None,
    *,
    mapping: Mapping[str, str] | None = None,
    smooth_hz: float | None = None,
    **options: Any,
) -> tuple[Clip, tuple[str, ...]]:
    """Like `load_clip`, with what the file held and the clip does not, in words."""
    clip, losses = _clip_and_losses(path, character, mapping, options)
    if smooth_hz is None:
        rough = "the capture's noise was not smoothed and counts as acceleration; --smooth-hz 6 would take it out"
        return clip, (*losses, rough) if losses else losses
    smooth = smoothed(clip, smooth_hz)
    off = float(np.abs(smooth.positions - clip.positions).max(initial=0.0))
    return smooth, (*losses, f"smoothing at {smooth_hz:g} Hz moved joints by up to {off:.3g} (rad or m)")


def _clip_and_losses(
    path: str | Path, character: Character | None, mapping: Mapping[str, str] | None, options: dict[str, Any]
) -> tuple[Clip, tuple[str, ...]]:
    if Path(path).suffix.lower() == ".npy":
        return _bare_clip(path, character, options), ()
    motion = load_motion(path, **options)
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
    return transfer.clip, transfer.losses


def _bare_clip(path: str | Path, character: Character | None, options: dict[str, Any]) -> Clip:
    from animato.formats.tables import load_npy_clip

    for name in options:
        if name != "rate_hz":
            raise OptionError(f"Option '{name}' does not exist for .npy files; options: rate_hz.")
    return load_npy_clip(path, character, **options)
