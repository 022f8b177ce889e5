"""A clip as it is to be judged: without what is in the file and is no part of the motion."""

from __future__ import annotations

from dataclasses import dataclass

from animato.character import Character
from animato.loading.preparing.degrees import looks_like_degrees
from animato.loading.preparing.reference_poses import motion_frames
from animato.loading.preparing.whole_turns import without_whole_turns
from animato.motion import Clip


@dataclass(frozen=True, eq=False)
class Prepared:
    """A clip that was made ready.

    Attributes:
        clip: What is left; its times are those of the file.
        first_frame: Frame of the file that is its first.
        left_out: Frames left out at the beginning and at the end.
        remarks: What was done, in words.
        doubt: What may be wrong with the whole clip, in a sentence; "" where nothing is.
    """

    clip: Clip
    first_frame: int = 0
    left_out: tuple[int, int] = (0, 0)
    remarks: tuple[str, ...] = ()
    doubt: str = ""


def prepared(character: Character, clip: Clip, *, keep_reference_pose: bool = False) -> Prepared:
    """Leaves out reference poses and whole turns, and notices degrees.

    Args:
        character: Who should perform.
        clip: What should be performed.
        keep_reference_pose: Whether all frames stay, whatever leaps.
    """
    steady, remarks = without_whole_turns(character, clip)
    doubt = (looks_like_degrees(character, steady) and looks_like_degrees(character, clip)) or ""
    if doubt:
        steady, remarks = clip, ()  # turns are told apart from degrees by whether they help
    frames = slice(0, clip.frame_count) if keep_reference_pose or doubt else motion_frames(steady)
    left_out = frames.start, clip.frame_count - frames.stop
    return Prepared(
        steady if frames == slice(0, clip.frame_count) else steady.part(frames),
        frames.start,
        left_out,
        (*_told(left_out), *remarks),
        doubt,
    )


def _told(left_out: tuple[int, int]) -> tuple[str, ...]:
    return tuple(
        f"the {which} {'frame is' if count == 1 else f'{count} frames are'} left out: {what} from which the motion "
        "leaps, as a T-pose is; `keep_reference_pose` checks it too"
        for count, which, what in zip(left_out, ("first", "last"), ("a pose in front", "a pose behind"), strict=True)
        if count
    )
