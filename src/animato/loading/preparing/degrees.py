"""Angles that were written in degrees and read as radians."""

from __future__ import annotations

import numpy as np

from animato.character import Character, JointType
from animato.motion import Clip

_FEWEST = 0.5  # of the angles that move: so many must be far out as radians ...
_FITS = 0.8  # ... and so many fit as degrees
_FAR = 3.0  # times its half range, or half turns where it has none, from the middle of the range
_SLACK = 1.25  # an animator's degrees may leave the range a little


def looks_like_degrees(character: Character, clip: Clip) -> str | None:
    """What to do about angles that look like degrees, in words; None where they do not.

    They do where at least half of those that move go far beyond their range, by three times or more and by more than a
    turn, and most of all would fit if they were degrees. Nothing is converted: a winch may well turn 90 rad.

    Args:
        character: Whose ranges hold.
        clip: Of it.
    """
    far = fit = count = 0
    largest = 0.0
    for name, low, high in _angles(character):
        if name not in clip.names:
            continue
        values = clip.positions[:, clip.column(name)]
        if np.abs(values).max() < 1e-9:
            continue
        count += 1
        middle, half = 0.5 * (low + high), 0.5 * (high - low)
        off = float(np.abs(values - middle).max())
        far += off > max(_FAR * half, 2.0 * np.pi)
        fit += float(np.abs(np.radians(values) - middle).max()) <= _SLACK * half
        largest = max(largest, float(np.abs(values).max()))
    if not count or far < _FEWEST * count or fit < _FITS * count:
        return None
    return (
        f"The angles look like degrees: they go up to {largest:.4g}, which as radians are {largest / (2 * np.pi):.0f} "
        "turns, and would fit the ranges as degrees. They were read as radians, because the file states no unit. In a "
        "CSV write '[deg]' behind the names of the columns, as in 'elbow [deg]'; in an array multiply by pi / 180"
    )


def _angles(character: Character) -> list[tuple[str, float, float]]:
    """Each coordinate that turns, with its range [rad]; half a turn to both sides where it has none."""
    found = []
    for joint in character.free_joints:
        if joint.type in (JointType.REVOLUTE, JointType.UNIVERSAL):
            for name, limits in zip(joint.coordinate_names, joint.limits, strict=True):
                low, high = limits.range
                wide = np.isfinite(low) and np.isfinite(high) and high > low
                found.append((name, low, high) if wide else (name, -np.pi, np.pi))
    return found
