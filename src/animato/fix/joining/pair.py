"""Two clips brought to one frame rate, one set of names and one place on the floor."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.character import Character, Joint, JointType, Limits
from animato.errors import MotionError, unknown_name
from animato.fix.joining.channels import Channel, Kind, channels_of, resting
from animato.fix.joining.clip_end import ClipEnd
from animato.fix.joining.plan import Way
from animato.fix.joining.turns import heading
from animato.motion import Clip
from animato.spatial import quaternions

USUAL_STEP_S = 0.02
"""Time between frames where neither clip has two of them [s]."""

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
        notes: What was done to the second, in plain sentences.
    """

    character: Character
    before: Clip
    after: Clip
    step_s: float
    carry_on: bool
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

    def ends(self, frames: int) -> tuple[ClipEnd, ClipEnd]:
        """The end of the first clip and the start of the second, which stands where a transition of so long ends."""
        last = ClipEnd(self.before, last=True, limits=self.limits)
        first = ClipEnd(self.after, last=False, limits=self.limits)
        if not self.carry_on:
            return last, first
        return last, ClipEnd(_placed(last, first, frames * self.step_s), last=False, limits=self.limits)

    def channels(self, frames: int) -> list[Channel]:
        """What the transition moves."""
        return channels_of(self.character, *self.ends(frames), self.step_s)

    def joined(self, way: Way) -> Clip:
        """The first clip, the transition, and the second clip with what it does not name held."""
        last, first = self.ends(way.frames)
        channels = channels_of(self.character, last, first, self.step_s)
        moved = {
            channel.names or (channel.kind,): channel.values(tracks)
            for channel, tracks in zip(channels, way.tracks, strict=True)
        }
        groups = [(joint, names) for joint in self.character.free_joints for names in _groups(joint) if names in moved]
        columns = [_column_blocks(joint, names, self.before, first.clip, moved[names]) for joint, names in groups]
        start = float(self.before.times[-1])
        inner = start + self.step_s * np.arange(1, way.frames)
        own = first.clip.times - first.clip.times[0]
        times = np.concatenate([self.before.times, inner, start + self.step_s * way.frames + own])
        place, turn = None, None
        if (Kind.PLACE,) in moved:
            place = _joined_rows(
                self.before.base_positions, moved[(Kind.PLACE,)], first.clip.base_positions, self.before, first.clip
            )
            turn = _joined_rows(
                self.before.base_quaternions_wxyz,
                moved[(Kind.TURN,)],
                first.clip.base_quaternions_wxyz,
                self.before,
                first.clip,
            )
            turn = quaternions.continuous(turn)
        positions = np.hstack(columns) if columns else np.zeros((len(times), 0))
        known = tuple(name for _, names in groups for name in names)
        return Clip(times, known, positions, place, turn, _source(self.before, self.after))


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
            f"The clips have no coordinate in common: {_called(before, 'the first')} names "
            f"{', '.join(before.names[:6])}; {_called(after, 'the second')} names {', '.join(after.names[:6])}. "
            "Clips that are to follow one another move the same joints."
        )
    step = _step(before) or _step(after) or USUAL_STEP_S
    after, notes = _at_rate(after, step)
    after, wound = _short_way(character, before, after)
    carry = bases if carry_on is None else carry_on and bases
    return Pair(character, before, after, step, carry, (*notes, *wound))


def _refuse_strange(character: Character, clip: Clip) -> None:
    for name in clip.names:
        if name not in character.coordinate_names:
            raise unknown_name("coordinate", name, character.coordinate_names, character.name)
    if clip.has_base and not character.floats:
        raise MotionError(f"{_called(clip, 'The clip')} moves the base, but {character.name} is held in the world.")
    for joint in character.free_joints:
        named = [name for name in joint.coordinate_names if name in clip.names]
        if joint.type is JointType.SPHERICAL and len(named) not in (0, 4):
            raise MotionError(
                f"Ball joint '{joint.name}' is four numbers, {', '.join(joint.coordinate_names)}; "
                f"{_called(clip, 'the clip')} has only {', '.join(named)}."
            )


def _called(clip: Clip, otherwise: str) -> str:
    return f"'{clip.source}'" if clip.source else otherwise


def _source(before: Clip, after: Clip) -> str:
    return ", then ".join(one for one in (before.source, after.source) if one)


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
    told = f"{_called(clip, 'A clip')} was brought to {1.0 / step_s:.4g} frames a second"
    if rest > 1e-6:
        told += f"; its last {1e3 * rest:.1f} ms, less than a frame, are left out"
    return clip.resampled(np.minimum(times, clip.times[-1])), (f"{told}.",)


def _short_way(character: Character, before: Clip, after: Clip) -> tuple[Clip, tuple[str, ...]]:
    """The second clip without the whole turns that a joint without a range would have to unwind."""
    positions, told = np.array(after.positions), []
    for joint in character.free_joints:
        turning = {JointType.REVOLUTE: (0,), JointType.UNIVERSAL: (0, 1), JointType.CYLINDRICAL: (1,)}
        for index in turning.get(joint.type, ()):
            name = joint.coordinate_names[index]
            if name not in before.names or name not in after.names or np.isfinite(joint.limits[index].range).any():
                continue
            column = after.column(name)
            turns = round((before.positions[-1, before.column(name)] - positions[0, column]) / (2.0 * np.pi))
            if turns:
                positions[:, column] += 2.0 * np.pi * turns
                told.append(f"{name} has no range; what follows is {turns:+d} whole turns on, so that it unwinds none.")
    return (replace(after, positions=positions), tuple(told)) if told else (after, ())


def _placed(last: ClipEnd, first: ClipEnd, seconds: float) -> Clip:
    """The second clip turned about the vertical and moved on the floor to where the first leads.

    That is where its base ends, and as much farther as the mean of both speeds takes it during the transition. Heights
    stay.
    """
    clip = first.clip
    assert clip.base_positions is not None and clip.base_quaternions_wxyz is not None  # for the type checker
    one, other = last.base_taylor(), first.base_taylor()
    spin = 0.5 * (_yaw_rate(one) + _yaw_rate(other))
    up = np.array((0.0, 0.0, 1.0))
    turn = quaternions.quaternion_about(up, np.array(heading(one[0, 3:]) + spin * seconds - heading(other[0, 3:])))
    speed = 0.5 * (one[1, :3] + quaternions.rotate(turn, other[1, :3]))
    goal = one[0, :2] + seconds * speed[:2]
    places = quaternions.rotate(turn, clip.base_positions - other[0, :3])
    places += np.array((goal[0], goal[1], other[0, 2]))
    return replace(
        clip,
        base_positions=places,
        base_quaternions_wxyz=quaternions.multiply(turn, clip.base_quaternions_wxyz),
    )


def _yaw_rate(taylor: np.ndarray) -> float:
    """Turning about the vertical [rad/s], from quaternion and rate in columns 3 to 7."""
    q, rate = taylor[0, 3:], taylor[1, 3:]
    return float(2.0 * quaternions.multiply(rate, quaternions.conjugate(q))[3] / (q @ q))


def _groups(joint: Joint) -> list[tuple[str, ...]]:
    """Coordinates that a channel takes together."""
    names = joint.coordinate_names
    return [names] if joint.type is JointType.SPHERICAL else [(name,) for name in names]


def _column_blocks(joint: Joint, names: tuple[str, ...], before: Clip, after: Clip, moved: np.ndarray) -> np.ndarray:
    """Columns of one channel over the whole joined clip, [frame, name]."""
    first = _own(before, names)
    if first is None:
        still = dict(zip(joint.coordinate_names, resting(joint), strict=True))
        first = np.tile([still[name] for name in names], (before.frame_count, 1))
    second = _own(after, names)
    if second is None:
        second = np.tile(moved[-1], (after.frame_count, 1))
    if joint.type is JointType.SPHERICAL:  # opposite quaternions are one turn; the spline needs near ones
        moved = quaternions.continuous(np.vstack([first[-1:], moved]))[1:]
        second = second * (-1.0 if second[0] @ moved[-1] < 0.0 else 1.0)
    return np.vstack([first, moved[1:-1], second])


def _own(clip: Clip, names: tuple[str, ...]) -> np.ndarray | None:
    return clip.positions[:, [clip.column(name) for name in names]] if names[0] in clip.names else None


def _joined_rows(
    first: np.ndarray | None, moved: np.ndarray, second: np.ndarray | None, before: Clip, after: Clip
) -> np.ndarray:
    """Rows of the base; held where a clip does not move it."""
    first = np.tile(moved[0], (before.frame_count, 1)) if first is None else first
    second = np.tile(moved[-1], (after.frame_count, 1)) if second is None else second
    return np.vstack([first, moved[1:-1], second])
