"""From a character, a clip and options to a problem."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.character import Character
from animato.errors import MotionError, OptionError, unknown_name
from animato.findings import with_soles
from animato.fix.options import Accent, Options, Protection, parsed_accents, parsed_protections
from animato.fix.problem import Problem
from animato.fix.seeing import levers_of, seen_points
from animato.loading import as_character, as_clip
from animato.loading.preparing import prepared
from animato.motion import Clip

_LEAST_FRAMES = 8  # of a clip whose curve is optimized; shorter ones get frames between their own


def build(character: Character | str | Path, clip: Clip | str | Path, options: Options | None = None) -> Problem:
    """What is to be fixed.

    Args:
        character: Who performs; or the name or file of a character.
        clip: What the artist wants; or the name or file of a clip.
        options: What is wanted of the fix.

    Raises:
        MotionError: The clip does not belong to the character.
        OptionError: A name in the options is neither a point nor a coordinate of the character.
    """
    (model, guess), wanted = with_soles(as_character(character), None), options or Options()
    ready = prepared(model, as_clip(clip, model), keep_reference_pose=wanted.keep_reference_pose)
    motion, notes = _dense(ready.clip)
    if guess is not None and guess.soles:
        notes = (*notes, f"{model.name} states no soles; taken for soles: {guess.reason}.")
    size, reaches = levers_of(model)
    problem = Problem(
        model,
        motion,
        wanted,
        seen_points(model, wanted.points, size),
        np.array([reaches.get(name, size) for name in motion.names]),
        parsed_accents(wanted.accents),
        parsed_protections(wanted.protect),
        (*ready.remarks, *notes),
    )
    _check_names(problem)
    return problem


def _dense(clip: Clip) -> tuple[Clip, tuple[str, ...]]:
    """A clip with frames enough for a curve of its own."""
    if clip.frame_count == 1:
        raise MotionError(
            "The clip has one frame, and no motion to fix. Give at least two frames; `check` looks at single poses."
        )
    if clip.frame_count >= _LEAST_FRAMES:
        return clip, ()
    times = np.linspace(clip.times[0], clip.times[-1], _LEAST_FRAMES)
    return clip.resampled(times), (f"The clip has {clip.frame_count} frames; it was given {_LEAST_FRAMES}.",)


def _check_names(problem: Problem) -> None:
    """Raises where accents or protections name what there is not."""
    known = {*problem.clip.names, *(point.name for point in problem.points)}
    known |= {joint.name for joint in problem.character.joints} | {sole.name for sole in problem.character.soles}
    known |= {sole.body for sole in problem.character.soles}
    asked: tuple[Accent | Protection, ...] = (*problem.accents, *problem.protected)
    for one in asked:
        if one.name is not None and one.name not in known:
            raise unknown_name("joint or point", one.name, sorted(known), problem.character.name)
        if one.start_s > problem.clip.times[-1] or one.end_s < problem.clip.times[0]:
            raise OptionError(
                f"The clip runs from {problem.clip.times[0]:.4g} to {problem.clip.times[-1]:.4g} s; "
                f"{one.start_s:g}-{one.end_s:g} is outside of it."
            )
