"""Whole turns in angles: where a file counts past 180 degrees, jumps there, or is off by turns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.character import Character, JointType
from animato.motion import Clip

_TURN = 2.0 * np.pi
_JUMP_LEFT = 1.0  # [rad] that a joint may move from frame to frame beside a jump of a whole turn
_BEYOND = 1e-6  # [rad] beyond the range that are rounding


def without_whole_turns(character: Character, clip: Clip) -> tuple[Clip, tuple[str, ...]]:
    """The same poses with each angle in the range of its joint, as far as whole turns bring it there.

    Jumps of a whole turn from one frame to the next are taken out; then the whole of an angle is moved by the turns
    that bring it nearest into its range. Joints without a range keep their turns, as they may wind.

    Args:
        character: Whose ranges hold.
        clip: Of it; columns that it does not know are left alone.

    Returns:
        The clip, the one that was given where nothing was to do, and what was done in words.
    """
    ranges = _ranges(character)
    positions, jumped, moved = np.array(clip.positions), [], []
    for column, name in enumerate(clip.names):
        if name not in ranges:
            continue
        values = positions[:, column]
        steady = _without_jumps(values)
        if not np.array_equal(steady, values):
            jumped.append(name)
        turns = _turns_into(steady, *ranges[name])
        if turns:
            moved.append(f"{name} by {turns:+d}")
        positions[:, column] = steady + turns * _TURN
    if not jumped and not moved:
        return clip, ()
    told = []
    if jumped:
        told.append(f"jumps of a whole turn between frames were taken out: {_few(jumped)}")
    if moved:
        told.append(f"angles were moved by whole turns into their range: {_few(moved)}")
    return replace(clip, positions=positions), tuple(told)


def _ranges(character: Character) -> dict[str, tuple[float, float]]:
    """Lower and upper end [rad] by coordinate that turns, infinite where it has none."""
    kinds = (JointType.REVOLUTE, JointType.UNIVERSAL)
    return {
        name: limits.range
        for joint in character.free_joints
        if joint.type in kinds
        for name, limits in zip(joint.coordinate_names, joint.limits, strict=True)
    }


def _without_jumps(values: np.ndarray) -> np.ndarray:
    """The values [rad] without steps of about a whole turn."""
    steps = np.diff(values)
    turns = np.round(steps / _TURN)
    turns[np.abs(steps - turns * _TURN) > _JUMP_LEFT] = 0.0
    return values - np.concatenate([[0.0], np.cumsum(turns)]) * _TURN if turns.any() else values


def _turns_into(values: np.ndarray, low: float, high: float) -> int:
    """The whole turns to add, as few as can be, that leave least beyond a range."""
    if not (np.isfinite(low) and np.isfinite(high)):
        return 0
    first, last = float(values.min()), float(values.max())

    def beyond(turns: int) -> float:
        return max(low - first - turns * _TURN, 0.0) + max(last + turns * _TURN - high, 0.0)

    if beyond(0) <= _BEYOND:
        return 0
    middle = round((0.5 * (low + high) - 0.5 * (first + last)) / _TURN)
    best = min((middle - 1, middle, middle + 1), key=lambda turns: (round(beyond(turns), 9), abs(turns)))
    return best if beyond(best) < beyond(0) - _BEYOND else 0


def _few(names: list[str]) -> str:
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
