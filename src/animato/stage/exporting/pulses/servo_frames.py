"""A take as whole numbers that servos are told, frame by frame; what they cannot be told is refused."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from animato.errors import CharacterError, OptionError
from animato.stage.exporting.take import Take
from animato.stage.lines import Slot
from animato.stage.rig import rig_of

_SPEED_SLACK = 1.01
"""Speeds between frames are means; a clip at its limit may look this much faster."""


@dataclass(frozen=True)
class ServoFrames:
    """What servos are told.

    Attributes:
        names: Coordinates, one a servo.
        slots: Their servos.
        told: Whole numbers in steps of `1 / parts` counts or microseconds, shape [frame, servo].
        neutral: Where each stands when the character is neutral, likewise, shape [servo].
        parts: Steps a count or microsecond.
        notes: What the other side will meet, in sentences.
    """

    names: tuple[str, ...]
    slots: tuple[Slot, ...]
    told: np.ndarray
    neutral: np.ndarray
    parts: int
    notes: tuple[str, ...] = ()

    def bounds(self, number: int) -> tuple[int, int]:
        """The least and the most that a servo is ever told, in these steps."""
        slot = self.slots[number]
        return math.ceil(slot.lowest * self.parts - 1e-6), math.floor(slot.highest * self.parts + 1e-6)


def servo_frames_of(take: Take, *, parts: int = 1) -> ServoFrames:
    """What the servos of a character are told in a take.

    Args:
        take: Of a character with a servo map.
        parts: Steps a count or microsecond: 4 for quarter microseconds.

    Raises:
        CharacterError: The servo map is not complete, or two servos have one number: a file has no buses.
        OptionError: A frame is out of a servo's range.
    """
    rig = rig_of(take.character)
    if not rig.names:
        raise CharacterError(f"No motor drives a joint of '{take.character.name}'; there is nothing to tell servos.")
    _check_numbers(rig.slots)
    clip = take.clip.selected(rig.names)
    zero, per_unit, lowest, highest = (
        np.array(column)
        for column in zip(
            *((one.scale.zero, one.scale.per_unit, one.lowest, one.highest) for one in rig.slots), strict=True
        )
    )
    exact = zero + per_unit * clip.positions
    _check_range(take, rig.names, rig.slots, exact)
    rest = {
        name: value
        for joint in take.character.free_joints
        for name, value in zip(joint.coordinate_names, joint.neutral, strict=True)
    }
    # rounding alone must not leave the range
    least, most = np.ceil(lowest * parts - 1e-6), np.floor(highest * parts + 1e-6)
    whole = np.clip(np.rint(exact * parts), least, most).astype(np.int64)
    neutral = zero + per_unit * np.array([rest[name] for name in rig.names])
    stand = np.clip(np.rint(neutral * parts), least, most).astype(np.int64)
    return ServoFrames(rig.names, rig.slots, whole, stand, parts, _said_of_speed(take, rig.names, rig.slots, exact))


def _check_numbers(slots: tuple[Slot, ...]) -> None:
    taken: dict[int, Slot] = {}
    for slot in slots:
        other = taken.setdefault(slot.wire.id, slot)
        if other is not slot:
            raise CharacterError(
                f"'{other.wire.coordinate}' and '{slot.wire.coordinate}' both have servo {slot.wire.id}, on buses "
                f"'{other.wire.bus}' and '{slot.wire.bus}'. Such a file knows no buses; give them different ids."
            )


def _check_range(take: Take, names: tuple[str, ...], slots: tuple[Slot, ...], exact: np.ndarray) -> None:
    for number, (name, slot) in enumerate(zip(names, slots, strict=True)):
        beyond = np.maximum(slot.lowest - exact[:, number], exact[:, number] - slot.highest)
        frame = int(np.argmax(beyond))
        if beyond[frame] > 0.5:
            count = int(np.count_nonzero(beyond > 0.5))
            raise OptionError(
                f"'{name}' leaves the range of its servo in {count} of {len(exact)} frames, most at "
                f"{take.clip.times[frame]:.3f} s: it would be told {exact[frame, number]:.0f}, and may be told "
                f"{slot.lowest:.0f} to {slot.highest:.0f}. Run fix on the clip, or calibrate the servo."
            )


def _said_of_speed(take: Take, names: tuple[str, ...], slots: tuple[Slot, ...], exact: np.ndarray) -> tuple[str, ...]:
    said = []
    for number, (name, slot) in enumerate(zip(names, slots, strict=True)):
        if slot.speed is None or len(exact) < 2:
            continue
        speeds = np.abs(np.diff(exact[:, number])) * take.rate_hz
        frame = int(np.argmax(speeds))
        if speeds[frame] > _SPEED_SLACK * slot.speed:
            said.append(
                f"'{name}' is {speeds[frame] / slot.speed:.2f} times as fast as it may be at "
                f"{take.clip.times[frame]:.3f} s; the servo will come late. Run fix on the clip."
            )
    return tuple(said)
