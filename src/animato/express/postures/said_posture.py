"""A posture, however it is said: a name, joint positions, points in space, a frame of a motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

NEUTRAL = "neutral"
"""The posture that characters have who name none: every joint at zero, or as near to it as its range lets it."""


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
"""A posture; a moment of a motion; a name (or FILE, or FILE@SECONDS), also that of the neutral posture; joint positions
by name or in order [rad or m]; or points of the chain's joints and its end-point [m], [n + 1, 3]."""


def posture_of(
    character: Character,
    said: SomePosture,
    *,
    names: Sequence[str],
    chain: Chain | None,
    onto: Posture | None = None,
    files: bool = True,
) -> Posture:
    """A posture of the whole character, however it is said.

    Args:
        character: Whose posture.
        said: The posture; it may be outside the limits.
        names: The coordinates that positions in order are of; they may be of all coordinates, too.
        chain: The joints that points and bones are of; None where there is none, as in closed loops.
        onto: What coordinates keep that are not said; neutral where not given, and for postures by name.
        files: Whether a name may be that of a file.

    Raises:
        UnknownNameError: There is no such posture, coordinate or bone.
        MotionError: It is no posture.
        FileFormatError: A file cannot be read.
    """
    if isinstance(said, str) and said in [one.name for one in character.postures]:
        return Posture.named(character, said)
    if isinstance(said, str) and said == NEUTRAL:
        return _near_zero(character)
    if isinstance(said, str):
        return _of_file(character, chain, said, onto, files)
    if isinstance(said, MotionFrame):
        return _of_frame(character, chain, said, onto)
    if isinstance(said, Posture):
        return _laid(character, dict(zip(said.names, said.positions.tolist(), strict=True)), onto, said.source)
    if isinstance(said, Mapping):
        return _laid(character, said, onto, "joint positions")
    return _of_numbers(character, names, chain, said, onto)


def posture_positions(character: Character, chain: Chain, said: SomePosture) -> np.ndarray:
    """The same for one chain, inside its limits [rad or m], [n]; arguments as for `posture_of`."""
    return checked_posture(chain, posture_of(character, said, names=chain.names, chain=chain))


def _near_zero(character: Character) -> Posture:
    """All joints of one axis at zero or at the end of their range that is next to it, all others neutral."""
    names = [joint.name for joint in character.free_joints if len(joint.coordinate_names) == 1]
    values = {name: float(np.clip(0.0, *_range(character, name))) for name in names}
    return _laid(character, values, None, f"neutral posture of {character.name}")


def _of_file(character: Character, chain: Chain | None, name: str, onto: Posture | None, files: bool) -> Posture:
    """A moment of a file: FILE or FILE@SECONDS."""
    file, at, moment = name.rpartition("@")
    seconds = _seconds(moment) if at else None
    path = name if seconds is None else file
    if not files or Path(path).suffix.lower() not in READ_SUFFIXES:
        raise unknown_name("posture", name[:80], [*(one.name for one in character.postures), NEUTRAL], character.name)
    return _of_frame(character, chain, MotionFrame(path, seconds or 0.0), onto)


def _seconds(word: str) -> float | None:
    """A time from 0 on [s]; None where a word is none."""
    try:
        seconds = float(word)
    except ValueError:
        return None
    return seconds if 0.0 <= seconds < np.inf else None


def _of_frame(character: Character, chain: Chain | None, frame: MotionFrame, onto: Posture | None) -> Posture:
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
    values = {name: float(np.clip(value, *_range(character, name))) for name, value in values.items()}
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


def _of_numbers(
    character: Character, names: Sequence[str], chain: Chain | None, said: ArrayLike, onto: Posture | None
) -> Posture:
    """Joint positions in order, or points in space."""
    try:
        values = np.array(said, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        values = np.empty(0)
    if chain is not None and values.shape == (len(chain.names) + 1, 3):
        near = None if onto is None else np.array([onto.value(name) for name in chain.names])
        fitted = fit_points(chain, values, near).positions
        return _laid(character, dict(zip(chain.names, fitted.tolist(), strict=True)), onto, "points in space")
    if values.shape == (len(names),):
        return _laid(character, dict(zip(names, values.tolist(), strict=True)), onto, "joint positions")
    if values.shape == (len(character.coordinate_names),):
        return Posture(character.coordinate_names, values, "joint positions")
    points = ""
    if chain is not None:
        points = f", or {len(chain.names) + 1} points [x, y, z] of its joints and '{chain.end_point.name}'"
    raise MotionError(
        f"`posture` of '{character.name}' must be a name, joint positions by name, {len(names)} in order "
        f"({', '.join(names)}){points}; not {said!r:.60}."
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


def _range(character: Character, coordinate: str) -> tuple[float, float]:
    """Lowest and highest position of a coordinate; without bounds where it has no limits [rad or m]."""
    for joint in character.free_joints:
        for name, limits in zip(joint.coordinate_names, joint.limits, strict=False):
            if name == coordinate:
                return limits.range
    return -np.inf, np.inf
