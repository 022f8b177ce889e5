"""The motion from the end of one clip to the start of another."""

from __future__ import annotations

import math
from dataclasses import dataclass

from animato.character import Character
from animato.errors import OptionError
from animato.fix.joining.assembly import joined_clip
from animato.fix.joining.holding import refuse_broken_end
from animato.fix.joining.lengths import TIPS, shortest, worst_of
from animato.fix.joining.pair import Pair, build_pair, called
from animato.fix.joining.tracks import Setting, Way, patient, way_in
from animato.fix.joining.transition_error import TransitionError
from animato.motion import Clip


@dataclass(frozen=True, eq=False)
class Bridge:
    """A transition with what it joins.

    Attributes:
        joined: The first clip, the transition, the second clip.
        first_frame: The last frame of the first clip.
        last_frame: The first frame of the second.
        decides: The coordinate or joint for which it takes as long as it does; empty where the duration was asked for.
        notes: What was done, in plain sentences.
    """

    joined: Clip
    first_frame: int
    last_frame: int
    decides: str
    notes: tuple[str, ...]

    @property
    def clip(self) -> Clip:
        """The transition alone, both ends included."""
        return self.joined.part(slice(self.first_frame, self.last_frame + 1))


def bridge(
    character: Character,
    before: Clip,
    after: Clip,
    *,
    gap_s: float | None = None,
    quick: bool = False,
    carry_on: bool | None = None,
) -> Bridge:
    """Leads from the end of a clip to the start of another, without a jump of position, speed or acceleration.

    Args:
        character: Who performs.
        before: The first clip.
        after: The second; it is brought to the frame rate of the first.
        gap_s: How long the transition takes [s], to the nearest frame; where not given, as short as is natural.
        quick: As short as the robot's limits allow, even where that is livelier than the clips are.
        carry_on: Whether the second clip is moved on the floor to where the first ends; where not given, if both move
            the base.

    Raises:
        TransitionError: No such motion is inside the limits; says which joint, and what would.
        MotionError: The clips do not belong to the character, or not together.
        OptionError: The duration is no length of time.
    """
    if gap_s is not None and not (math.isfinite(gap_s) and gap_s > 0.0):
        raise OptionError(f"`gap_s` is the length of a transition in seconds, above 0; given {gap_s}.")
    pair = build_pair(character, before, after, carry_on=carry_on)
    refuse_broken_end(character, pair.last, called(before, "The first clip"))
    refuse_broken_end(character, pair.first, called(after, "The second clip"), pair.last)
    setting = Setting(pair.step_s, before.frame_count, pair.after.frame_count, quick)
    if gap_s is not None:
        return _in_time(pair, setting, gap_s)
    found = shortest(pair, setting)
    return _bridge(pair, found.way, found.decides, found.notes)


def _in_time(pair: Pair, setting: Setting, gap_s: float) -> Bridge:
    """The transition of an asked duration."""
    frames = max(1, round(gap_s / setting.step_s))
    for eager in patient(setting):
        way = way_in(frames, pair.channels(frames), eager)
        if isinstance(way, Way) and worst_of(pair, way, fine=True, upright=False).holds:
            tips = not worst_of(pair, way, fine=False, upright=True).holds
            return _bridge(pair, way, "", (TIPS,) if tips else ())
    hurried = Setting(setting.step_s, setting.frames_before, setting.frames_after, quick=True)
    least = shortest(pair, hurried, upright=False)
    if least.way.frames > frames:
        raise TransitionError(
            f"A transition of {gap_s:g} s is too short: the shortest inside the limits takes "
            f"{least.way.frames * pair.step_s:.3g} s, because of {least.decides}. "
            "Give a longer `gap_s`, or leave it out."
        )
    raise TransitionError(
        f"A transition of {gap_s:g} s does not keep the limits; the shortest that does takes "
        f"{least.way.frames * pair.step_s:.3g} s. Give another `gap_s`, or leave it out."
    )


def _bridge(pair: Pair, way: Way, decides: str, notes: tuple[str, ...]) -> Bridge:
    first = pair.before.frame_count - 1
    return Bridge(joined_clip(pair, way), first, first + way.frames, decides, (*pair.notes, *notes))
