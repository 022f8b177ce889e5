"""What a transition moves: coordinates, ball joints and the base, each as tracks that can be eased one by one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from animato.character import Character, Joint, JointType
from animato.fix.joining.tracks.bounds import bounds_of_followers, liveliness, natural_bounds, stated_bounds
from animato.fix.joining.tracks.clip_end import ClipEnd
from animato.fix.joining.tracks.easing import TAU_S
from animato.fix.joining.tracks.track import TrackBounds, TrackState
from animato.fix.joining.tracks.turns import turn_states, turned_by
from animato.spatial import quaternions


class Kind(StrEnum):
    """What a channel is."""

    NUMBER = "number"
    BALL = "ball joint"
    PLACE = "place of the base"
    TURN = "turn of the base"


@dataclass(frozen=True, eq=False)
class Channel:
    """One coordinate, ball joint, or half of the base.

    Attributes:
        kind: What it is.
        names: Its coordinates; of the base none.
        label: For people.
        begin, end: Of each of its tracks: where the transition begins and ends.
        stated: The robot's own bounds of each track.
        natural: Those from the clips, of each track.
        free_end: Whether the second clip does not say where it is, so that it only comes to rest.
        reference: Of turns: the quaternion that rotation vectors are from, [4].
    """

    kind: Kind
    names: tuple[str, ...]
    label: str
    begin: tuple[TrackState, ...]
    end: tuple[TrackState, ...]
    stated: tuple[TrackBounds, ...]
    natural: tuple[TrackBounds, ...]
    free_end: bool = False
    reference: np.ndarray | None = None

    def values(self, tracks: np.ndarray) -> np.ndarray:
        """What a clip holds of tracks [frame, track]: numbers as they are, turns as quaternions [frame, 4]."""
        return tracks if self.reference is None else turned_by(self.reference, tracks)


def channels_of(character: Character, before: ClipEnd, after: ClipEnd, step_s: float) -> list[Channel]:
    """All that moves in the transition from one clip to another.

    What the first clip does not name has rested at neutral; what the second does not name comes to rest and stays.

    Args:
        character: Whose clips they are.
        before: The end of the first.
        after: The start of the second.
        step_s: Time between frames [s].
    """
    found = []
    for joint in character.free_joints:
        if joint.type is JointType.SPHERICAL:
            if joint.coordinate_names[0] in (*before.clip.names, *after.clip.names):
                found.append(_ball(joint, before, after, step_s))
            continue
        for index, name in enumerate(joint.coordinate_names):
            if name in (*before.clip.names, *after.clip.names):
                found.append(_number(character, joint, index, name, before, after))
    if before.clip.has_base or after.clip.has_base:
        found += _base(before, after, step_s)
    return found


def resting(joint: Joint) -> tuple[float, ...]:
    """Where a joint is while no clip names it: neutral, or as near as its range lets it."""
    if joint.type is JointType.SPHERICAL:
        return joint.neutral
    ranges = [limits.range for limits in joint.limits]
    return tuple(min(max(one, low), high) for one, (low, high) in zip(joint.neutral, ranges, strict=True))


def _number(character: Character, joint: Joint, index: int, name: str, before: ClipEnd, after: ClipEnd) -> Channel:
    stated = stated_bounds(joint.limits[index]).within(bounds_of_followers(character, joint.name))
    free = name not in after.clip.names
    begin = before.state(name) if name in before.clip.names else TrackState(resting(joint)[index], 0.0, 0.0)
    end = _coming_to_rest(begin, stated) if free else after.state(name)
    lively = liveliness([one.magnitudes((name,)) for one in (before, after) if name in one.clip.names])
    natural = natural_bounds(lively, begin, end)
    return Channel(Kind.NUMBER, (name,), name, (begin,), (end,), (stated,), (natural,), free)


def _coming_to_rest(begin: TrackState, stated: TrackBounds) -> TrackState:
    """Where a track would like to stop: a little farther on, inside its range."""
    place = min(max(begin.position + TAU_S * begin.velocity, stated.lower), stated.upper)
    return TrackState(place, 0.0, 0.0)


def _ball(joint: Joint, before: ClipEnd, after: ClipEnd, step_s: float) -> Channel:
    names = joint.coordinate_names
    first, second = (one.taylor(names) if names[0] in one.clip.names else None for one in (before, after))
    limits = joint.limits[0]
    stated = TrackBounds(
        velocity=limits.velocity or math.inf, acceleration=limits.acceleration or math.inf, jerk=limits.jerk or math.inf
    )
    # With a range the vectors are from neutral: the straight way between two of them stays in the ball of that range.
    upper = limits.range[1]
    ends = (_still(joint.neutral) if first is None else first, second)
    lively = liveliness([2.0 * one.magnitudes(names) for one in (before, after) if names[0] in one.clip.names])
    reference = np.array(joint.neutral) if upper < math.pi else None
    return _turning(Kind.BALL, names, joint.name, ends, stated, lively, reference, step_s)


def _base(before: ClipEnd, after: ClipEnd, step_s: float) -> list[Channel]:
    first = before.base_taylor() if before.clip.has_base else None
    second = after.base_taylor() if after.clip.has_base else None
    if first is None:  # it stood where the second clip begins
        assert second is not None  # or there would be no base to move
        first = _still(second[0])
    sides = [one for one in (before, after) if one.clip.has_base]
    begin = tuple(TrackState(*(float(one) for one in first[:3, k])) for k in range(3))
    free = TrackBounds()
    end = tuple(
        _coming_to_rest(begin[k], free) if second is None else TrackState(*(float(one) for one in second[:3, k]))
        for k in range(3)
    )
    lively = liveliness([one.base_magnitudes(slice(0, 3)) for one in sides])
    natural = tuple(natural_bounds(lively, *pair) for pair in zip(begin, end, strict=True))
    place = Channel(Kind.PLACE, (), "the base", begin, end, (free,) * 3, natural, second is None)
    ends = (first[:, 3:], None if second is None else second[:, 3:])
    lively = liveliness([2.0 * one.base_magnitudes(slice(3, 7)) for one in sides])
    return [place, _turning(Kind.TURN, (), "the base", ends, free, lively, None, step_s)]


def _turning(
    kind: Kind,
    names: tuple[str, ...],
    label: str,
    ends: tuple[np.ndarray, np.ndarray | None],
    stated: TrackBounds,
    lively: np.ndarray,
    reference: np.ndarray | None,
    step_s: float,
) -> Channel:
    """A ball joint or the turn of the base; without a reference vectors are from where it begins, the short way."""
    first, second = ends
    reference = quaternions.normalized(first[0]) if reference is None else reference
    begin = turn_states(reference, first, step_s)
    free = second is None
    end = (
        tuple(_coming_to_rest(one, TrackBounds()) for one in begin)
        if second is None
        else turn_states(reference, second, step_s)
    )
    natural = tuple(natural_bounds(lively, *pair) for pair in zip(begin, end, strict=True))
    return Channel(kind, names, label, begin, end, (stated,) * 3, natural, free, reference)


def _still(values: tuple[float, ...] | np.ndarray) -> np.ndarray:
    """Values without derivatives, [4, value]."""
    taylor = np.zeros((4, len(values)))
    taylor[0] = values
    return taylor
