"""A posture, however it is said: a name, joint positions, points in space, a frame of a motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Character
from animato.errors import MotionError, unknown_name
from animato.express.facing import checked_posture
from animato.express.postures.joint_points import fit_points
from animato.express.postures.played_clip import clip_of_motion
from animato.formats import READ_SUFFIXES, load_motion
from animato.mechanics.tree import Chain
from animato.motion import CapturedMotion, Motion, Posture


@dataclass(frozen=True)
class MotionFrame:
    """One moment of a motion, as a posture.

    Attributes:
        motion: A clip, a captured skeleton (BVH, GLB), or the file or name of one.
        time_s: The moment, from its first frame; after its end the last frame [s].
        bones: Of a captured skeleton: which bend as the chain is to, from the root towards the tip; from the root to
            the head where not given.
    """

    motion: Motion | str | Path
    time_s: float = 0.0
    bones: tuple[str, ...] = ()


SomePosture = Posture | MotionFrame | str | Mapping[str, float] | ArrayLike
"""A posture; a moment of a motion; a name (or FILE, or FILE@SECONDS); joint positions by name or in order [rad or m];
or points of the chain's joints and its end-point [m], [n + 1, 3]."""


def posture_of(
    character: Character, chain: Chain, said: SomePosture, *, onto: Posture | None = None, files: bool = True
) -> Posture:
    """A posture of the whole character, however it is said.

    Args:
        character: Whose posture.
        chain: The joints that positions without names and points are of.
        said: The posture; positions in order are of the chain's joints, or of all coordinates.
        onto: What coordinates keep that are not said; neutral where not given, and for postures by name.
        files: Whether a name may be that of a file.

    Raises:
        UnknownNameError: There is no such posture, coordinate or bone.
        MotionError: It is no posture, or outside the limits of the chain.
        FileFormatError: A file cannot be read.
    """
    if isinstance(said, str) and said in [one.name for one in character.postures]:
        posture = Posture.named(character, said)
    elif isinstance(said, str):
        posture = _of_file(character, chain, said, onto, files)
    elif isinstance(said, MotionFrame):
        posture = _of_frame(character, chain, said, onto)
    elif isinstance(said, Posture):
        posture = _laid(character, dict(zip(said.names, said.positions.tolist(), strict=True)), onto, said.source)
    elif isinstance(said, Mapping):
        posture = _laid(character, said, onto, "joint positions")
    else:
        posture = _of_numbers(character, chain, said, onto)
    checked_posture(chain, posture)
    return posture


def posture_positions(
    character: Character, chain: Chain, said: SomePosture, *, onto: Posture | None = None
) -> np.ndarray:
    """The same for the chain alone [rad or m], [n]; arguments as for `posture_of`."""
    return checked_posture(chain, posture_of(character, chain, said, onto=onto))


def _of_file(character: Character, chain: Chain, name: str, onto: Posture | None, files: bool) -> Posture:
    """A moment of a file: FILE or FILE@SECONDS."""
    file, at, moment = name.rpartition("@")
    seconds = _seconds(moment) if at else None
    path = name if seconds is None else file
    if not files or Path(path).suffix.lower() not in READ_SUFFIXES:
        raise unknown_name("posture", name[:80], [one.name for one in character.postures], character.name)
    return _of_frame(character, chain, MotionFrame(path, seconds or 0.0), onto)


def _seconds(word: str) -> float | None:
    """A time from 0 on [s]; None where a word is none."""
    try:
        seconds = float(word)
    except ValueError:
        return None
    return seconds if 0.0 <= seconds < np.inf else None


def _of_frame(character: Character, chain: Chain, frame: MotionFrame, onto: Posture | None) -> Posture:
    """One moment of a motion; what is outside the limits is brought to them, as where a clip runs underneath."""
    motion = load_motion(frame.motion) if isinstance(frame.motion, str | Path) else frame.motion
    if not (np.isfinite(frame.time_s) and frame.time_s >= 0.0):
        raise MotionError(f"`time_s` of a motion's frame must be 0 or more [s], not {frame.time_s}.")
    if isinstance(motion, CapturedMotion):
        nearest = int(np.argmin(np.abs(motion.times - motion.times[0] - frame.time_s)))
        motion = _single(motion, nearest)
    clip = clip_of_motion(character, chain, motion, frame.bones)
    row = clip.spline(np.array([min(clip.times[0] + frame.time_s, clip.times[-1])]))[0]
    values = dict(zip(clip.names, row.tolist(), strict=True))
    for name, low, high in zip(chain.names, chain.arrays.lower, chain.arrays.upper, strict=True):
        if name in values:
            values[name] = float(np.clip(values[name], low, high))
    return _laid(character, values, onto, f"{frame.time_s:g} s of {clip.source or 'a clip'}")


def _single(capture: CapturedMotion, frame: int) -> CapturedMotion:
    """One frame of a captured skeleton."""
    moved = capture.translations
    return replace(
        capture,
        times=capture.times[frame : frame + 1],
        rotations_wxyz=capture.rotations_wxyz[frame : frame + 1],
        translations=None if moved is None else moved[frame : frame + 1],
    )


def _of_numbers(character: Character, chain: Chain, said: ArrayLike, onto: Posture | None) -> Posture:
    """Joint positions in order, or points in space."""
    names, count = chain.names, len(chain.names)
    try:
        values = np.array(said, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        values = np.empty(0)
    if values.shape == (count + 1, 3):
        near = None if onto is None else np.array([onto.value(name) for name in names])
        fitted = fit_points(chain, values, near).positions
        return _laid(character, dict(zip(names, fitted.tolist(), strict=True)), onto, "points in space")
    if values.shape == (count,):
        return _laid(character, dict(zip(names, values.tolist(), strict=True)), onto, "joint positions")
    if values.shape == (len(character.coordinate_names),):
        return Posture(character.coordinate_names, values, "joint positions")
    raise MotionError(
        f"A posture of '{character.name}' is a name, joint positions by name, {count} in order ({', '.join(names)}), "
        f"or {count + 1} points [x, y, z] of its joints and '{chain.end_point.name}'; not {said!r:.60}."
    )


def _laid(character: Character, values: Mapping[str, float], onto: Posture | None, source: str) -> Posture:
    """Values by name, and for all other coordinates what they are kept at."""
    for name, value in values.items():
        if name not in character.coordinate_names:
            raise unknown_name("coordinate", str(name)[:80], character.coordinate_names, character.name)
        if isinstance(value, bool | str) or not np.isfinite(value):
            raise MotionError(f"'{name}' of a posture must be a finite number, not {value!r:.60}.")
    rest = onto if onto is not None else _neutral(character)
    kept = dict(zip(rest.names, rest.positions.tolist(), strict=True))
    positions = [float(values.get(name, kept.get(name, 0.0))) for name in character.coordinate_names]
    return Posture(character.coordinate_names, np.array(positions), source)


def _neutral(character: Character) -> Posture:
    """All coordinates where they are at rest."""
    values = [value for joint in character.free_joints for value in joint.neutral]
    return Posture(character.coordinate_names, np.array(values))
