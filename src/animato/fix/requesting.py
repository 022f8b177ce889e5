"""What shaping is asked for, from a problem and the clip in the robot's time."""

from __future__ import annotations

import numpy as np

from animato.fix.problem import Problem
from animato.fix.shape import Mechanics, MechanicsAt, Moving, Request, TreeMechanics, moving_of
from animato.mechanics.tree import states_of_clip
from animato.motion import Clip

_POSTURE = 0.02  # of a point's weight: what an angle counts that moves no point, times its lever


def request_of(problem: Problem, clip: Clip, pace: np.ndarray) -> Request:
    """The request.

    Args:
        problem: What is asked for.
        clip: The artist's motion in the robot's time.
        pace: The artist's time of each of its frames [s], [frame].
    """
    character = problem.character
    moving = _free_columns(problem, moving_of(character, clip.names))
    levers = dict(zip(problem.clip.names, problem.levers, strict=True))
    weights = np.tile([point.weight for point in problem.points], (clip.frame_count, 1))
    angles = np.tile([_POSTURE * levers[name] ** 2 for name in moving.names], (clip.frame_count, 1))
    _accentuate(problem, pace, moving, weights, angles)
    size = float(max(problem.levers, default=1.0))
    return Request(
        clip, moving, _maker(problem, clip, moving), weights, angles, _held(problem, clip, pace, moving), size
    )


def _maker(problem: Problem, clip: Clip, moving: Moving) -> MechanicsAt:
    character = problem.character
    points = tuple((point.body, np.array(point.place)) for point in problem.points)

    def made(times: np.ndarray) -> Mechanics:
        states = states_of_clip(character, clip, times)
        return TreeMechanics(character, states, moving, points, torque=problem.options.torque)

    return made


def _free_columns(problem: Problem, moving: Moving) -> Moving:
    """Without coordinates that are protected all the time, and without limits that do not count."""
    whole = {one.name for one in problem.protected if one.name is not None and not np.isfinite(one.start_s)}
    joints = {name: joint.name for joint in problem.character.joints for name in joint.coordinate_names}
    keep = [n for n, name in enumerate(moving.names) if name not in whole and joints.get(name) not in whole]
    chosen = moving.chosen(np.array(keep, dtype=np.int64))
    if not problem.options.jerk:
        chosen.lower["jerk"][:], chosen.upper["jerk"][:] = -np.inf, np.inf
    return chosen


def _accentuate(problem: Problem, pace: np.ndarray, moving: Moving, weights: np.ndarray, angles: np.ndarray) -> None:
    names = [point.name for point in problem.points]
    for accent in problem.accents:
        when = (pace >= accent.start_s) & (pace <= accent.end_s)
        if accent.name is None:
            weights[when] *= accent.weight
            angles[when] *= accent.weight
            continue
        for n, name in enumerate(names):
            if name in (accent.name, f"where {accent.name} points"):
                weights[when, n] *= accent.weight
        for n, name in enumerate(moving.names):
            if name == accent.name:
                angles[when, n] *= accent.weight / _POSTURE  # a joint that is named counts as a point does


def _held(problem: Problem, clip: Clip, pace: np.ndarray, moving: Moving) -> np.ndarray:
    """Control points that decide what is protected, [frame, column]."""
    knots, count = clip.spline.knots, clip.frame_count
    held = np.zeros((count, len(moving)), dtype=bool)
    joints = {name: joint.name for joint in problem.character.joints for name in joint.coordinate_names}
    for one in problem.protected:
        inside = np.flatnonzero((pace >= one.start_s) & (pace <= one.end_s))
        if not len(inside):
            continue
        begin, end = clip.times[inside[0]], clip.times[inside[-1]]
        touched = (knots[:count] < end) & (knots[4:] > begin)
        columns = [n for n, name in enumerate(moving.names) if one.name in (None, name, joints.get(name))]
        held[np.ix_(touched, columns)] = True
    return held
