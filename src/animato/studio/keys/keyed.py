"""A take of keys, on top of a motion or on nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from animato.character import Character
from animato.errors import MotionError, OptionError
from animato.motion import Clip, Posture
from animato.studio.document import Keep, Read
from animato.studio.keys.curve import keyed_rows
from animato.studio.keys.ease import Ease
from animato.studio.keys.key import Key
from animato.studio.keys.rows import clip_of, normalized_turns, rows_of, turns_in

BLANK_RATE_HZ = 50.0
"""Frames a second of a take that begins with nothing."""

REACH_S = 1.0
"""How far the first and the last key reach into a motion that goes on."""

_LONGEST_S = 3600.0


@dataclass(frozen=True, eq=False)
class Keyed:
    """Keys on top of a motion, or on one pose that is held.

    The motion is the base plus an offset, which at a key is what the key's pose has beyond the base, and goes from key
    to key by their eases. Outside all keys it is held where the base is blank; else it fades within `reach`.

    Attributes:
        base: What it began with; keys stand at its frames.
        keys: In the order of time, at most one a frame.
        blank: Whether the base is one pose that is held.
        reach: How long the offset takes from nothing to the first key and from the last one to nothing [s].
    """

    base: Clip
    keys: tuple[Key, ...] = ()
    blank: bool = False
    reach: float = REACH_S
    kind: ClassVar[str] = "keyed"
    frames: np.ndarray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        by_frame = {int(self.frame_at(key.time)): key for key in self.keys}  # of two at one frame the later one counts
        channels = rows_of(self.base).shape[1]
        for key in self.keys:
            if len(key.row) != channels:
                raise MotionError(
                    f"The key at {key.time:.3f} s has {len(key.row)} numbers; the take has {channels}: "
                    "its coordinates and, where it moves, its root."
                )
        frames = sorted(by_frame)
        object.__setattr__(self, "frames", np.array(frames, dtype=np.int64))
        at = [(frame, float(self.base.times[frame])) for frame in frames]
        object.__setattr__(self, "keys", tuple(_at_time(by_frame[frame], time) for frame, time in at))

    # --- How it begins ------------------------------------------------------------------------------------------------
    @classmethod
    def of(cls, clip: Clip) -> Keyed:
        """A clip that can be edited; without keys it is the clip itself."""
        return cls(clip)

    @classmethod
    def hold(
        cls, character: Character, duration: float, posture: Posture | None = None, rate_hz: float = BLANK_RATE_HZ
    ) -> Keyed:
        """A pose that is held: the beginning of an animation by keys.

        Args:
            character: Who.
            duration: [s].
            posture: Which pose; rest where not given.
            rate_hz: Frames a second.

        Raises:
            OptionError: The duration cannot be.
        """
        times = frame_times(duration, rate_hz)
        rest = [value for joint in character.free_joints for value in joint.neutral]
        values = dict(zip(character.coordinate_names, rest, strict=True))
        if posture is not None:
            values |= dict(zip(posture.names, posture.positions, strict=True))
        pose = np.array([values[name] for name in character.coordinate_names])
        return cls(Clip(times, character.coordinate_names, np.tile(pose, (len(times), 1)), source="keys"), blank=True)

    # --- What it is ---------------------------------------------------------------------------------------------------
    @cached_property
    def clip(self) -> Clip:
        """The motion; loops of the character are not closed yet, see `keyed_motion`."""
        if not self.keys:
            return self.base
        base, times = rows_of(self.base), self.base.times
        turns = self.turns
        frames, poses = list(self.frames), [key.row for key in self.keys]
        eases = [key.ease for key in self.keys]
        if not self.blank:
            first, last = self._fades()
            if first < frames[0]:
                frames, poses, eases = [first, *frames], [base[first], *poses], [Ease.SMOOTH, *eases]
            if last > frames[-1]:
                frames, poses, eases = [*frames, last], [*poses, base[last]], [*eases, Ease.SMOOTH]
        whole = normalized_turns(np.array(poses), turns)
        rows = keyed_rows(base, times, np.array(frames), whole, eases, turns)
        if not self.blank:  # the base beyond the fades is kept to the bit
            outside = np.r_[0 : frames[0], frames[-1] + 1 : len(times)]
            rows[outside] = np.where(_signs(rows[outside], base[outside], turns), base[outside], rows[outside])
        return clip_of(rows, self.base)

    @property
    def turns(self) -> list[list[int]]:
        """Columns of each quaternion in a key's row."""
        return turns_in(self.base.names, with_root=self.base.has_base)

    def frame_at(self, time: float) -> int:
        """The frame next to a time [s]."""
        times = self.base.times
        after = int(np.clip(np.searchsorted(times, time), 1, max(1, len(times) - 1)))
        if len(times) == 1:
            return 0
        return after - 1 if time - times[after - 1] <= times[after] - time else after

    def key_here(self, time: float, ease: Ease = Ease.THROUGH) -> Key:
        """A key that changes nothing by itself: the motion as it is at the frame next to a time [s]."""
        frame = self.frame_at(time)
        row = rows_of(self.clip)[frame]
        count = len(self.base.names)
        return Key(float(self.base.times[frame]), row[:count], row[count:] if len(row) > count else None, ease)

    def with_keys(self, keys: Sequence[Key]) -> Keyed:
        """With these keys and no others."""
        return replace(self, keys=tuple(keys))

    def _fades(self) -> tuple[int, int]:
        """Frames at which the offset is still and again nothing."""
        times = self.base.times
        begin, end = self.keys[0].time - self.reach, self.keys[-1].time + self.reach
        return int(np.searchsorted(times, begin)), int(np.searchsorted(times, end, side="right")) - 1

    # --- Files and pages ----------------------------------------------------------------------------------------------
    def for_file(self, keep: Keep) -> dict[str, Any]:
        """Plain values; the base is kept as a clip."""
        keys = [
            {
                "time": key.time,
                "ease": key.ease.value,
                "pose": key.pose.tolist(),
                **({} if key.root is None else {"root": key.root.tolist()}),
            }
            for key in self.keys
        ]
        base = keep(self.base, "base")
        return {"kind": self.kind, "base": base, "blank": self.blank, "reach": self.reach, "keys": keys}

    @classmethod
    def from_file(cls, values: Mapping[str, Any], read: Read) -> Keyed:
        """Back from `for_file`.

        Raises:
            MotionError: Something in it is no key.
        """
        base = read(str(values.get("base", "")))
        try:
            keys = [
                Key(float(one["time"]), one["pose"], one.get("root"), Ease(one.get("ease", Ease.THROUGH)))
                for one in values.get("keys", ())
            ]
            reach = float(values.get("reach", REACH_S))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise MotionError(
                f"A take's `keys` are a list of `time` [s], `pose` (numbers), `root` where it moves and `ease` "
                f"({', '.join(Ease)}); given something else: {error}."
            ) from None
        return cls(base, tuple(keys), bool(values.get("blank", False)), reach)

    def for_page(self) -> dict[str, Any]:
        """Keys and frames."""
        times = self.base.times
        return {
            "keys": [{"time": key.time, "ease": key.ease.value} for key in self.keys],
            "blank": self.blank,
            "reach": self.reach,
            "begin": float(times[0]),
            "end": float(times[-1]),
            "frames": len(times),
        }


def frame_times(duration: float, rate_hz: float = BLANK_RATE_HZ) -> np.ndarray:
    """Times of frames from 0 on [s], at least two.

    Raises:
        OptionError: The duration cannot be.
    """
    if not 0.0 < duration <= _LONGEST_S:
        raise OptionError(f"A take's `duration` is from one frame to {_LONGEST_S:g} s; given {duration:g}.")
    return np.arange(max(1, round(duration * rate_hz)) + 1) / rate_hz


def _at_time(key: Key, time: float) -> Key:
    return key if key.time == time else replace(key, time=time)


def _signs(rows: np.ndarray, base: np.ndarray, turns: Sequence[Sequence[int]]) -> np.ndarray:
    """Where the base can be put as it is: not in quaternions that have gone on with the other sign."""
    same = np.ones(rows.shape, dtype=bool)
    for columns in turns:
        same[:, columns] = np.sum(rows[:, columns] * base[:, columns], axis=1, keepdims=True) > 0.0
    return same
