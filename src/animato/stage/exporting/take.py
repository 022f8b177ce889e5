"""What is exported: a clip of a character with even frames, and what came of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from animato.character import Character
from animato.character.structure import topology_of
from animato.errors import OptionError
from animato.motion import Clip

_MOST_FRAMES = 10_000_000
_FARTHEST = 1e9
"""[rad or m]; beyond it turns are lost in rounding, and files of 32-bit numbers overflow in the end."""


@dataclass(frozen=True)
class Take:
    """A clip as it goes out: frames at an even rate, every coordinate of the character in the character's order.

    Attributes:
        character: Whose motion it is.
        clip: Resampled; starts at 0 s, names are `character.coordinate_names`.
        rate_hz: Frames a second.
        original: As it was given, which is what the fingerprint is of.
        name: Of the motion, for people.
        notes: What was done to the clip on the way, in sentences: it was resampled, coordinates rest at zero.
    """

    character: Character
    clip: Clip
    rate_hz: float
    original: Clip
    name: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exported:
    """What was written.

    Attributes:
        files: Whole, in the order in which a user would look at them.
        left_out: What the format cannot hold, in sentences.
    """

    files: tuple[Path, ...]
    left_out: tuple[str, ...] = ()


def take_of(character: Character, clip: Clip, *, rate_hz: float | None = None, name: str = "") -> Take:
    """A clip with even frames and all coordinates.

    Args:
        character: Whose motion it is.
        clip: Any; coordinates that it does not name rest where the character is neutral, and joints that no motor
            drives follow where loops lead them.
        rate_hz: Frames a second; the clip's own rate where not given.
        name: Of the motion; the clip's source where not given.

    Raises:
        OptionError: The rate is none, or the clip moves what the character does not have.
    """
    known = character.coordinate_names
    unknown = [one for one in clip.names if one not in known]
    if unknown:
        moved = ", ".join(unknown[:5]) + (" and others" if len(unknown) > 5 else "")
        called = f"The clip '{name or clip.source}'" if name or clip.source else "The clip"
        raise OptionError(
            f"{called} moves {moved}, which '{character.name}' does not have; it has {', '.join(known)}. Is it a clip "
            f"of another robot?"
        )
    _refuse_absurd(clip)
    even, rate, notes = _even(clip, rate_hz)
    missing = [one for one in known if one not in clip.names]
    if missing:
        even, said = _completed(character, even, missing)
        notes += said
    whole = even.selected(known)
    whole = Clip(
        np.arange(whole.frame_count) / rate,
        whole.names,
        whole.positions,
        whole.base_positions,
        whole.base_quaternions_wxyz,
        clip.source,
    )
    return Take(character, whole, rate, clip, name or clip.source or "motion", tuple(notes))


def _even(clip: Clip, rate_hz: float | None) -> tuple[Clip, float, list[str]]:
    """The clip at an even rate, that rate [Hz], and what was done for it."""
    if rate_hz is None:
        rate_hz = _own_rate(clip)
    if not (math.isfinite(rate_hz) and rate_hz > 0.0) or clip.duration * rate_hz > _MOST_FRAMES:
        raise OptionError(f"`rate_hz` is above 0 and gives at most {_MOST_FRAMES} frames; given {rate_hz!r}.")
    if _fits(clip, rate_hz):
        return clip, rate_hz, []
    count = math.floor(clip.duration * rate_hz + 1e-6) + 1
    times = np.arange(count) / rate_hz
    start = float(clip.times[0])
    resampled = clip.resampled(np.minimum(times + start, clip.times[-1]))
    notes = [f"Resampled from {clip.frame_count} frames to {count} at {rate_hz:g} frames a second."]
    lost = clip.duration - float(times[-1])
    if lost > 1e-6:
        notes.append(f"The last {lost * 1000.0:.3g} ms are shorter than a frame and left out.")
    return resampled, rate_hz, notes


def _refuse_absurd(clip: Clip) -> None:
    bases = np.zeros((clip.frame_count, 0)) if clip.base_positions is None else clip.base_positions
    far = np.hstack([np.abs(clip.positions), np.abs(bases)])
    if far.size and far.max() > _FARTHEST:
        frame, column = np.unravel_index(int(np.argmax(far)), far.shape)
        what = (*clip.names, "base.x", "base.y", "base.z")[int(column)]
        raise OptionError(
            f"'{what}' is {far[frame, column]:.3g} away from zero (rad or m) in frame {frame}; files hold motion "
            f"within {_FARTHEST:g}. Mend the clip."
        )


def _own_rate(clip: Clip) -> float:
    """Frames a second that a clip has, a whole number where its times allow it; of uneven frames, the usual one."""
    if clip.frame_count < 2:
        return 30.0
    mean = (clip.frame_count - 1) / clip.duration
    usual = 1.0 / float(np.median(np.diff(clip.times)))
    fitting = (one for one in (float(round(mean)), mean) if one > 0.0 and _fits(clip, one))
    return next(fitting, usual)


def _fits(clip: Clip, rate_hz: float) -> bool:
    """Whether frames are evenly spaced but for how files round times: what is so keeps its frames to the bit."""
    since = clip.times - clip.times[0]
    off = np.abs(since - np.arange(clip.frame_count) / rate_hz).max(initial=0.0)
    in_milliseconds = np.abs(clip.times * 1e3 - np.rint(clip.times * 1e3)).max(initial=0.0) < 1e-6
    return bool(off < min(1.001e-3 if in_milliseconds else 1.001e-6, 0.1 / rate_hz))


def _completed(character: Character, clip: Clip, missing: list[str]) -> tuple[Clip, list[str]]:
    """The clip with the coordinates that it does not state, and what is said of them."""
    driven = character.actuated_coordinate_names
    passive = [one for one in missing if one not in driven]
    notes = []
    if passive and not topology_of(character).is_tree:
        from animato.mechanics.loops import clip_with_loops  # only loops need it

        clip = clip_with_loops(character, clip)
        notes.append("Joints that no motor drives follow where the loops lead them.")
        missing = [one for one in missing if one in driven]
    if missing:
        notes.append(f"The clip does not say where these are; they rest: {', '.join(missing)}.")
    rest = {
        name: value
        for joint in character.free_joints
        for name, value in zip(joint.coordinate_names, joint.neutral, strict=True)
    }
    added = [one for one in missing if one not in clip.names]
    still = np.tile([rest[one] for one in added], (clip.frame_count, 1))
    return (
        Clip(
            clip.times,
            (*clip.names, *added),
            np.hstack([clip.positions, still]),
            clip.base_positions,
            clip.base_quaternions_wxyz,
            clip.source,
        ),
        notes,
    )
