"""A fixed motion that begins and ends at rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.fix.joining import TransitionError, soft_start, soft_stop
from animato.fix.solution import Solution
from animato.motion import Clip
from animato.outcome import Outcome, Status

AS_THE_CLIP = "clip"
AT_REST = "rest"


def with_soft_ends(solution: Solution) -> Solution:
    """Puts a soft start before a solution and a soft stop after it, as its options ask; frames of its own stay.

    Where no such start or stop exists inside the limits, the outcome says so.
    """
    options, clip = solution.problem.options, solution.clip
    if options.start == options.end == AS_THE_CLIP or not solution.outcome.usable:
        return solution
    character, longer = solution.problem.character, clip
    notes: list[str] = []
    try:
        if options.start != AS_THE_CLIP:
            made = soft_start(character, longer, _stance(options.start))
            longer, notes = made.clip, [*notes, *made.notes]
        before = longer.frame_count - clip.frame_count
        if options.end != AS_THE_CLIP:
            made = soft_stop(character, longer, _stance(options.end))
            longer, notes = made.clip, [*notes, *made.notes]
    except TransitionError as problem:
        reason = f"The motion itself holds every limit, but there is no soft start or stop for it: {problem}"
        return replace(solution, outcome=Outcome(Status.INFEASIBLE, reason, solution.outcome.iterations))
    return _lengthened(solution, longer, before, tuple(notes))


def _stance(word: str) -> str | None:
    return None if word == AT_REST else word


def _lengthened(solution: Solution, longer: Clip, before: int, notes: tuple[str, ...]) -> Solution:
    """The solution with frames before and after its own, in which nothing differs from what was asked for."""
    own, count = slice(before, before + solution.clip.frame_count), longer.frame_count
    ordered = longer.selected(solution.clip.names)
    artist = solution.artist
    positions = np.array(ordered.positions)
    positions[own] = artist.positions
    places, turns = ordered.base_positions, ordered.base_quaternions_wxyz
    if places is not None and turns is not None and artist.base_positions is not None:
        places, turns = np.array(places), np.array(turns)
        places[own], turns[own] = artist.base_positions, artist.base_quaternions_wxyz
    shift = float(longer.times[before] - solution.clip.times[0])
    after = count - own.stop
    deviation = solution.deviation
    widened = replace(
        deviation,
        times=longer.times,
        metres=np.pad(deviation.metres, ((before, after), (0, 0))),
        angles=np.pad(deviation.angles, ((before, after), (0, 0))),
    )
    return replace(
        solution,
        clip=ordered,
        artist=Clip(longer.times, artist.names, positions, places, turns, artist.source),
        pace=np.pad(solution.pace, (before, after), mode="edge"),
        deviation=widened,
        stretches=tuple((start + shift, end + shift) for start, end in solution.stretches),
        notes=(*solution.notes, *notes),
    )
