"""Rows of a base and joints as a clip of a character."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from animato.character import Character, JointRole
from animato.errors import FileFormatError, MotionError
from animato.motion import Clip
from animato.spatial import quaternions

_ROUNDED = 0.02  # quaternions that were rounded are put right up to this much
_RESTS = 1e-9  # [m or 1] by which a base that does not move may differ from frame to frame


def unit_turns(turns: np.ndarray, path: str | Path, lines: np.ndarray | None = None) -> np.ndarray:
    """Quaternions of unit length, in whichever order; those that were rounded to a few digits are put right.

    Raises:
        FileFormatError: They are none.
    """
    with np.errstate(all="ignore"):
        lengths = np.linalg.norm(turns, axis=1)
        off = np.abs(lengths - 1.0)
    if not off.max(initial=0.0) <= _ROUNDED:
        row = int(np.argmax(~(off <= _ROUNDED)))
        raise FileFormatError(
            path,
            f"the quaternion of the base has the length {lengths[row]:.4g} in frame {row}, not 1; the motion of a "
            "floating robot is x, y, z, a quaternion, and the joints.",
            None if lines is None else int(lines[row]),
        )
    return np.where(off[:, None] > 1e-6, quaternions.normalized(turns), turns)


def clip_of_rows(
    path: str | Path,
    character: Character | None,
    names: Sequence[str],
    rows: np.ndarray,
    rate_hz: float,
    notes: Sequence[str],
    *,
    base: bool = True,
) -> Clip:
    """A clip.

    Args:
        path: Of the file it is from.
        character: Whose motion it is, where that is known: joints that follow another one or are set once are then left
            out, and the base of one that is held where it rests.
        names: Of the joints.
        rows: Base x, y, z [m], quaternion w, x, y, z, joints [rad or m], shape [frame, 7 + joint].
        rate_hz: Frames a second.
        notes: What was taken for granted.
        base: Whether the base is part of the motion.
    """
    kept = list(range(len(names)))
    if character is not None:
        set_once = [one.name for one in character.joints if one.role is JointRole.CONFIGURABLE and one.name in names]
        if set_once:
            notes = [*notes, f"joints that are set once left out: {', '.join(set_once[:5])}"]
        followers = {joint.name for joint in character.joints if joint.coupling is not None}
        kept = [n for n, name in enumerate(names) if name not in followers and name not in set_once]
        still = np.ptp(rows[:, :7], axis=0).max(initial=0.0) < _RESTS
        base = base and (character.floats or not still)
    said = f" ({'; '.join(notes)})" if notes else ""
    try:
        return Clip(
            np.arange(len(rows)) / rate_hz,
            tuple(names[n] for n in kept),
            rows[:, 7:][:, kept],
            rows[:, :3] if base else None,
            rows[:, 3:7] if base else None,
            Path(path).name + said,
        )
    except MotionError as error:
        raise FileFormatError(path, str(error)) from None
