"""From where the robot stands into a clip, and from its end to rest."""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.fix.joining.bridging import Bridge, bridge
from animato.fix.joining.joined import Joined, Transition
from animato.fix.joining.stances import Stance, stance_clip
from animato.fix.joining.tracks import ClipEnd
from animato.motion import Clip

_STILL = (1e-6, 1e-4)  # speed and acceleration, in SI, below which a clip rests at its end

_SAME = 1e-5  # [rad or m] of a posture: files of motions and characters have few digits


def soft_start(
    character: Character,
    clip: Clip,
    posture: Stance | None = None,
    *,
    gap_s: float | None = None,
    quick: bool = False,
) -> Joined:
    """Leads from rest into a clip; the clip's own frames stay as they are and come later.

    Args:
        character: Who performs.
        clip: What it should do.
        posture: Where it stands: the name of a posture of the character, a file, coordinates, a `Posture` or a frame of
            the clip. What it does not name is as in the clip's first frame. Where not given, the clip's first pose,
            with a run-up where the clip begins in motion.
        gap_s: How long the start takes [s]; where not given, as short as is natural.
        quick: As short as the robot's limits allow.

    Returns:
        The clip with its start, from time 0 on.

    Raises:
        TransitionError: There is no such start inside the limits.
    """
    if posture is None and _rests(clip, last=False):
        return Joined(character, clip, ())
    stand = stance_clip(character, 0 if posture is None else posture, clip, frame=0)
    if posture is not None and gap_s is None and _same(stand, clip, 0) and _rests(clip, last=False):
        return Joined(character, clip, ())
    return single(character, bridge(character, stand, clip, gap_s=gap_s, quick=quick, carry_on=False))


def soft_stop(
    character: Character,
    clip: Clip,
    posture: Stance | None = None,
    *,
    gap_s: float | None = None,
    quick: bool = False,
) -> Joined:
    """Leads from the end of a clip to rest.

    Args:
        character: Who performs.
        clip: What it does.
        posture: Where it should rest, as for `soft_start`; where not given, wherever it comes to rest calmly.
        gap_s: How long the stop takes [s]; where not given, as short as is natural.
        quick: As short as the robot's limits allow.

    Raises:
        TransitionError: There is no such stop inside the limits.
    """
    if posture is None and _rests(clip, last=True):
        return Joined(character, clip, ())
    last = clip.frame_count - 1
    stand = Clip(np.zeros(1), (), np.zeros((1, 0)))
    if posture is not None:
        stand = stance_clip(character, posture, clip, frame=last)
        if gap_s is None and _same(stand, clip, last) and _rests(clip, last=True):
            return Joined(character, clip, ())
    return single(character, bridge(character, clip, stand, gap_s=gap_s, quick=quick, carry_on=False))


def single(character: Character, made: Bridge) -> Joined:
    """The result of one transition."""
    return Joined(character, made.joined, (transition_of(made),), made.notes)


def transition_of(made: Bridge) -> Transition:
    """Where it is, and when."""
    times = made.joined.times
    return Transition(
        made.first_frame,
        made.last_frame,
        float(times[made.first_frame]),
        float(times[made.last_frame]),
        made.decides,
    )


def _rests(clip: Clip, *, last: bool) -> bool:
    """Whether nothing moves at an end of a clip."""
    end = ClipEnd(clip, last=last, limits={})
    rates = [end.taylor(clip.names)[1:3]]
    if clip.has_base:
        rates.append(end.base_taylor()[1:3])
    return all(bool(np.all(np.abs(one[n]) <= _STILL[n])) for one in rates for n in (0, 1))


def _same(stand: Clip, clip: Clip, frame: int) -> bool:
    """Whether a posture is that of a frame."""
    if set(stand.names) != set(clip.names):
        return False
    return bool(np.allclose(stand.selected(clip.names).positions[0], clip.positions[frame], rtol=0.0, atol=_SAME))
