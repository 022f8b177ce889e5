"""Two clips brought to one frame rate, one set of names and one place on the floor."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from animato.character import Character, JointType, Limits
from animato.character.structure import rigidified, topology_of
from animato.errors import MotionError, unknown_name
from animato.fix.joining.standing import Placing, anchor_of, anchored, placing_after
from animato.fix.joining.tracks import Channel, ClipEnd, channels_of
from animato.motion import Clip

USUAL_STEP_S = 0.02
"""Time between frames where neither clip has two of them [s]."""

_LONGEST_NAME = 60
_AHEAD_S = 0.3  # how long a joint that winds is taken to go on at its speed [s]
_SAME_STEP = 1e-3  # of a step: times written with few digits are still those of a rate


@dataclass(frozen=True, eq=False)
class Pair:
    """What a transition is between.

    Attributes:
        character: Whose clips they are.
        before: The first clip.
        after: The second, at the frame rate of the first.
        step_s: Time between frames [s].
        carry_on: Whether the second is moved on the floor to where the first ends.
        anchor: Body of a sole that stands at both ends, and stays where it is; None where none does.
        notes: What was done to the second, in plain sentences.
    """

    character: Character
    before: Clip
    after: Clip
    step_s: float
    carry_on: bool
    anchor: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def limits(self) -> dict[str, Limits]:
        """By coordinate that is its own degree of freedom."""
        return {
            name: limits
            for joint in self.character.free_joints
            if joint.type is not JointType.SPHERICAL
            for name, limits in zip(joint.coordinate_names, joint.limits, strict=True)
        }

    @cached_property
    def last(self) -> ClipEnd:
        """The end of the first clip."""
        return ClipEnd(self.before, last=True, limits=self.limits)

    @cached_property
    def first(self) -> ClipEnd:
        """The start of the second clip."""
        return ClipEnd(self.after, last=False, limits=self.limits)

    @cached_property
    def _held(self) -> tuple[ClipEnd, ClipEnd]:
        """Both ends, with the base told by the foot that stands."""
        if self.anchor is None:
            return self.last, self.first
        return (
            self.last.with_base_of(anchored(self.character, self.before, self.anchor)),
            self.first.with_base_of(anchored(self.character, self.after, self.anchor)),
        )

    def placing(self, frames: int) -> Placing | None:
        """How the second clip is moved on the floor; None where it stays."""
        return placing_after(*self._held, frames * self.step_s) if self.carry_on else None

    def channels(self, frames: int) -> list[Channel]:
        """What a transition of so many frames moves; the base is that of the foot that stands, where one does."""
        last, first = self._held
        placing = self.placing(frames)
        if placing is not None:
            first = first.with_base_of(placing.applied(first.clip))
        return channels_of(self.character, last, first, self.step_s)


def build_pair(character: Character, before: Clip, after: Clip, *, carry_on: bool | None = None) -> Pair:
    """Checks that two clips belong to a character and together, and brings the second to the rate of the first.

    Args:
        character: Whose clips they are.
        before: The first.
        after: The second.
        carry_on: Whether the second is moved on the floor to where the first ends; where not given, if both move the
            base.

    Raises:
        UnknownNameError: A clip names a coordinate that the character does not have.
        MotionError: The clips have nothing in common, or name a part of a ball joint only.
    """
    for clip in (before, after):
        _refuse_strange(character, clip)
    both = set(before.names) & set(after.names)
    bases = before.has_base and after.has_base
    if before.names and after.names and not both and not bases:
        raise MotionError(
            f"The clips have no coordinate in common: {called(before, 'the first')} names "
            f"{', '.join(before.names[:6])}; {called(after, 'the second')} names {', '.join(after.names[:6])}. "
            "Clips that are to follow one another move the same joints."
        )
    before, left_out = _of_motors(character, before)
    after, more = _of_motors(character, after)
    step = _step(before) or _step(after) or USUAL_STEP_S
    after, notes = _at_rate(after, step)
    after, wound = _short_way(character, before, after)
    carry = bases if carry_on is None else carry_on and bases
    told = (*(left_out or more), *notes, *wound)
    return Pair(character, before, after, step, carry, anchor_of(character, before, after), told)


def _of_motors(character: Character, clip: Clip) -> tuple[Clip, tuple[str, ...]]:
    """A clip of a character with closed loops without its passive joints, which follow from the motors."""
    driven = [name for name in clip.names if name in character.actuated_coordinate_names]
    if len(driven) == len(clip.names) or topology_of(rigidified(character)).is_tree:
        return clip, ()
    return clip.selected(driven), ("Passive joints follow from the motors through the loops and are left out.",)


def _refuse_strange(character: Character, clip: Clip) -> None:
    for name in clip.names:
        if name not in character.coordinate_names:
            raise unknown_name("coordinate", name, character.coordinate_names, character.name)
    if clip.has_base and not character.floats:
        raise MotionError(f"{called(clip, 'The clip')} moves the base, but {character.name} is held in the world.")
    for joint in character.free_joints:
        named = [name for name in joint.coordinate_names if name in clip.names]
        if joint.type is JointType.SPHERICAL and len(named) not in (0, 4):
            raise MotionError(
                f"Ball joint '{joint.name}' is four numbers, {', '.join(joint.coordinate_names)}; "
                f"{called(clip, 'the clip')} has only {', '.join(named)}."
            )


def called(clip: Clip, otherwise: str) -> str:
    """What people call a clip: where it came from, if that is short."""
    return f"'{clip.source}'" if 0 < len(clip.source) <= _LONGEST_NAME else otherwise


def _step(clip: Clip) -> float | None:
    """Time between frames [s]; None where there is one frame."""
    return float(np.median(np.diff(clip.times))) if clip.frame_count > 1 else None


def _at_rate(clip: Clip, step_s: float) -> tuple[Clip, tuple[str, ...]]:
    """A clip with that time between frames, and what was done for it."""
    if clip.frame_count < 2 or np.all(np.abs(np.diff(clip.times) - step_s) <= _SAME_STEP * step_s):
        return clip, ()
    count = int(np.floor(clip.duration / step_s + 1e-6))
    times = clip.times[0] + step_s * np.arange(count + 1)
    rest = clip.duration - step_s * count
    told = f"{called(clip, 'A clip')} was brought to {1.0 / step_s:.4g} frames a second"
    if rest > 1e-6:
        told += f"; its last {1e3 * rest:.1f} ms, less than a frame, are left out"
    return clip.resampled(np.minimum(times, clip.times[-1])), (f"{told}.",)


def _short_way(character: Character, before: Clip, after: Clip) -> tuple[Clip, tuple[str, ...]]:
    """The second clip without the whole turns that a joint without a range would have to unwind."""
    positions, told = np.array(after.positions), []
    speeds = np.zeros(len(after.names))
    for clip, moment in ((before, before.times[-1]), (after, after.times[0])):
        known = [name for name in after.names if name in clip.names]
        speeds[[after.column(name) for name in known]] += 0.5 * clip.selected(known).velocity([moment])[0]
    for joint in character.free_joints:
        turning = {JointType.REVOLUTE: (0,), JointType.UNIVERSAL: (0, 1), JointType.CYLINDRICAL: (1,)}
        for index in turning.get(joint.type, ()):
            name = joint.coordinate_names[index]
            if name not in before.names or name not in after.names or np.isfinite(joint.limits[index].range).any():
                continue
            column = after.column(name)
            ahead = before.positions[-1, before.column(name)] + _AHEAD_S * speeds[column]
            turns = round((ahead - positions[0, column]) / (2.0 * np.pi))
            if turns:
                positions[:, column] += 2.0 * np.pi * turns
                told.append(f"{name} has no range; what follows is {turns:+d} whole turns on, so that it unwinds none.")
    return (replace(after, positions=positions), tuple(told)) if told else (after, ())
