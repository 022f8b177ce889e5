"""Clips one after another as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from animato.character import Character
from animato.errors import OptionError
from animato.fix.joining.bridging import bridge
from animato.fix.joining.joined import Joined, Transition
from animato.fix.joining.pair import called
from animato.fix.joining.soft_ends import soft_start, soft_stop, transition_of
from animato.fix.joining.stances import Stance
from animato.loading import as_character, as_clip
from animato.loading.preparing import prepared
from animato.motion import Clip
from animato.outcome import Iteration, Progress

REST = "rest"
"""Said of a start or an end: the pose that the clip has there, at rest."""


def join(
    character: Character | str | Path,
    clips: Sequence[Clip | str | Path],
    *,
    gap_s: float | None = None,
    quick: bool = False,
    carry_on: bool | None = None,
    start: Stance | None = None,
    end: Stance | None = None,
    progress: Progress | None = None,
) -> Joined:
    """Joins clips without a jump of position, speed or acceleration, inside every limit.

    Each clip is whole in the result, its frames as they are; between two of them there is a transition that all
    joints begin and end together.

    Args:
        character: Who performs; or the name or file of a character.
        clips: In order, at least one; or their names or files. All come to the frame rate of the first. Reference
            poses at their ends, from which the motion leaps, are left out as `check` does it.
        gap_s: How long each transition takes [s], to the nearest frame; where not given, as short as is natural.
        quick: Transitions as short as the robot's limits allow, even where that is livelier than the clips are.
        carry_on: Whether each clip is moved on the floor and turned to where the one before it ends; where not given,
            for clips that move the base.
        start: Where the robot stands before the first clip: a posture of the character, a file or coordinates; "rest"
            for the clip's own first pose. Where not given, it begins as the clip does.
        end: Where it rests after the last clip; "rest" where it comes to rest by itself.
        progress: Told which clip is being worked on.

    Raises:
        TransitionError: Some transition cannot be inside the limits; says which joint, and what would help.
        MotionError: The clips do not belong to the character, or not together.
        OptionError: There is no clip, or an option has no meaning.
    """
    if isinstance(clips, str | Path | Clip):
        raise OptionError("`clips` is a list of clips, in order; a single one was given.")
    if not clips:
        raise OptionError("`clips` is empty; give at least one clip, and two to join.")
    model = as_character(character)
    ready = [prepared(model, _named(as_clip(clip, model), clip)) for clip in clips]
    motions = [one.clip for one in ready]
    if len(motions) == 1 and start is None and end is None:
        raise OptionError("One clip alone has nothing to be joined with. Give another, or `start` or `end`.")
    say = progress or (lambda _: None)
    whole, transitions = motions[0], list[Transition]()
    notes = [f"{called(one.clip, 'A clip')}: {told}" for one in ready for told in (*one.remarks, one.doubt) if told]
    for number, motion in enumerate(motions[1:], start=1):
        say(Iteration(stage=f"joining {motion.source or 'clips'}", number=number, total=len(motions) - 1))
        made = bridge(model, whole, motion, gap_s=gap_s, quick=quick, carry_on=carry_on)
        whole, notes = made.joined, [*notes, *made.notes]
        transitions.append(transition_of(made))
    result = Joined(model, whole, tuple(transitions), tuple(notes), whole.source)
    if end is not None:
        result = _then(result, soft_stop(model, result.clip, None if end == REST else end, quick=quick))
    if start is not None:
        result = _begun(result, soft_start(model, result.clip, None if start == REST else start, quick=quick))
    return result


def _named(clip: Clip, given: Clip | str | Path) -> Clip:
    """A clip that is called after its file."""
    return clip if isinstance(given, Clip) else replace(clip, source=Path(given).stem)


def _then(result: Joined, stopped: Joined) -> Joined:
    """A result with a stop behind it."""
    transitions, notes = (*result.transitions, *stopped.transitions), (*result.notes, *stopped.notes)
    return replace(result, clip=stopped.clip, transitions=transitions, notes=notes)


def _begun(result: Joined, started: Joined) -> Joined:
    """A result with a start before it, by which all that follows is later."""
    if not started.transitions:
        return result
    frames = started.transitions[0].last_frame
    later = tuple(
        replace(
            one,
            first_frame=one.first_frame + frames,
            last_frame=one.last_frame + frames,
            start_s=float(started.clip.times[one.first_frame + frames]),
            end_s=float(started.clip.times[one.last_frame + frames]),
        )
        for one in result.transitions
    )
    transitions, notes = (*started.transitions, *later), (*started.notes, *result.notes)
    return replace(result, clip=started.clip, transitions=transitions, notes=notes)
