"""From a problem to a motion that can be performed."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from animato.fix.apart import Watch, watch_of
from animato.fix.deviation import Deviation
from animato.fix.judging import Judged, judged
from animato.fix.loops import with_passive_columns
from animato.fix.pace import local_pace
from animato.fix.problem import Problem
from animato.fix.requesting import requests_of, started_at
from animato.fix.shape import ROOT, Broken, Motion, Request, SequenceOptions, ShapedClip, broken_in, shaped_clip
from animato.fix.soft_ends import with_soft_ends
from animato.fix.solution import Solution
from animato.fix.verdict import holds, verdict_of
from animato.motion import Clip
from animato.outcome import Iteration, Progress, announcer
from animato.spatial import quaternions
from animato.spatial.basis import ORDER

_FINE = 16  # points for each step from frame to frame at which a clip that seems to hold its limits is looked at
_HEADROOM = 2.0  # times the artist's tempo: how much quicker free places may be where a duration is asked for


def solve(problem: Problem, *, start: Clip | None = None, progress: Progress | None = None) -> Solution:
    """The smallest visible change after which every limit holds.

    Args:
        problem: What is asked for.
        start: A motion near the answer with the frames of the artist's, such as an earlier solution's clip; counts
            where time does not give way.
        progress: Told of every step.
    """
    begin, history = time.perf_counter(), list[Iteration]()

    def note(step: Iteration) -> None:
        history.append(step)
        if progress is not None:
            progress(step)

    artist, pace, notes = _in_robot_time(problem, note)
    announcer(note)("check")
    before = judged(problem, artist, oversampling=1)  # only where to begin
    watch, left_out = _watch(problem, artist, pace)
    begun = start if artist is problem.clip else None
    for request, shaped, clip in _attempts(problem, artist, pace, before, watch, begun, note):  # noqa: B007 - last counts
        announcer(note)("check")
        holding = holds(judged(problem, clip, oversampling=4 if shaped.outcome.usable else _FINE), clip, watch)
        if holding:
            break
    outcome = verdict_of(problem, shaped, clip, pace, watch, holding=holding)
    return with_soft_ends(
        Solution(
            problem,
            outcome,
            clip,
            artist,
            pace,
            _deviation(problem, request, shaped, clip),
            tuple(_times(clip, span.begin, span.end) for span in shaped.spans),
            shaped.gap,
            tuple(history),
            time.perf_counter() - begin,
            (*problem.notes, *notes, *left_out),
        )
    )


def _watch(problem: Problem, artist: Clip, pace: np.ndarray) -> tuple[Watch | None, tuple[str, ...]]:
    """Bodies that stay apart, and what is left out of that."""
    if not problem.options.collisions:
        return None, ()
    size = float(max(problem.levers, default=1.0))
    clearance = problem.options.clearance_m
    return watch_of(problem.character, artist, pace, protected=problem.protected, clearance_m=clearance, size=size)


def _attempts(
    problem: Problem,
    artist: Clip,
    pace: np.ndarray,
    before: Judged,
    watch: Watch | None,
    start: Clip | None,
    note: Progress,
) -> Iterator[tuple[Request, ShapedClip, Clip]]:
    """Motions in which more and more may change, each within the limits as its own request sees them."""
    for asked in requests_of(problem, artist, pace, before, watch):
        request = asked if start is None else started_at(asked, start)
        broken = broken_in(request)
        if before.holds and broken.controls.any() and holds(judged(problem, artist, oversampling=_FINE), artist, watch):
            broken = Broken(np.zeros_like(broken.controls), frozenset())  # bounds between frames have room to spare
        shaped = shaped_clip(request, broken, SequenceOptions(price=_price(request)), note)
        clip = with_controls(artist, request, shaped)
        yield request, shaped, with_passive_columns(problem.character, clip) if shaped.spans else clip


def _price(request: Request) -> float:
    """Of a share beyond a limit: what it costs to be off by the character's size at one frame."""
    return float(request.size**2)


def _in_robot_time(problem: Problem, note: Progress) -> tuple[Clip, np.ndarray, tuple[str, ...]]:
    """The artist's motion in the robot's time, the artist's time of each frame, and notes."""
    options, clip = problem.options, problem.clip
    if options.time == 0.0 and options.duration_s is None:
        return clip, clip.times, ()
    announcer(note)("pace")
    headroom = 1.0 if options.duration_s is None else _HEADROOM
    pace = local_pace(problem.character, clip, headroom=headroom).blended(options.time)
    if options.duration_s is not None:
        pace = pace.fitted(options.duration_s)
    performed = pace.performed(clip)
    return performed, pace.artist_at(performed.times), pace.notes


def with_controls(clip: Clip, request: Request, shaped: ShapedClip) -> Clip:
    """The clip with other control points; what these do not change is the same to the last bit."""
    positions = np.array(clip.positions)
    first = request.moving.root
    columns = np.array([clip.names.index(name) for name in request.moving.names[first:]], dtype=np.int64)
    frames = request.space.at(clip.times)
    changed = shaped.control_points != request.reference
    differs = np.zeros((clip.frame_count, len(request.moving)), dtype=bool)
    for k in range(ORDER):
        differs |= changed[frames.first + k] & (frames.values[:, k, None] != 0.0)
    rows = np.flatnonzero(differs.any(axis=1))
    values, differs = frames.chosen(rows).of(shaped.control_points), differs[rows]
    own = positions[np.ix_(rows, columns)]
    positions[np.ix_(rows, columns)] = np.where(differs[:, first:], values[:, first:], own)
    places, turns = clip.base_positions, clip.base_quaternions_wxyz
    if first and places is not None and turns is not None:
        places, turns = np.array(places), np.array(turns)
        at, moved = rows[differs[:, :first].any(axis=1)], values[differs[:, :first].any(axis=1)]
        places[at] += moved[:, :3]
        by = quaternions.quaternion_from_rotation_vector(moved[:, 3:ROOT])
        turns[at] = quaternions.multiply(turns[at], by)
    return Clip(clip.times, clip.names, positions, places, turns, clip.source)


def _times(clip: Clip, begin: int, end: int) -> tuple[float, float]:
    """From the first to the last frame that control points begin to end may change, two beside them included."""
    return float(clip.times[max(0, begin - 2)]), float(clip.times[min(end + 1, clip.frame_count - 1)])


def _deviation(problem: Problem, request: Request, shaped: ShapedClip, clip: Clip) -> Deviation:
    told = [n for n, point in enumerate(problem.points) if point.told]
    metres = np.zeros((clip.frame_count, len(told)))
    for span in shaped.spans:
        low, high = max(0, span.begin - 4), min(clip.frame_count, span.end + 4)
        part = slice(low, high)
        times = clip.times[part]
        mechanics = request.mechanics_at(times)
        stencils = [request.space.at(times, order) for order in range(3)]
        places = [
            mechanics.places(Motion(slice(0, len(times)), *(one.of(controls) for one in stencils)))[:, told]
            for controls in (request.reference, shaped.control_points)
        ]
        metres[part] = np.linalg.norm(places[1] - places[0], axis=2)
    frames = request.space.at(clip.times)
    angles = frames.of(shaped.control_points - request.reference)
    return Deviation(clip.times, problem.told_points, metres, request.moving.names, angles)
