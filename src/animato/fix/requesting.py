"""What shaping is asked for, from a problem and the clip in the robot's time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from animato.character.structure import rigidified, topology_of
from animato.errors import MotionError
from animato.fix.apart import KeptApart, Watch
from animato.fix.judging import Judged
from animato.fix.loops import LoopMechanics, LoopReference, loop_moving_of
from animato.fix.problem import Problem
from animato.fix.shape import (
    Mechanics,
    MechanicsAt,
    Moving,
    Request,
    StandingMechanics,
    TreeMechanics,
    moving_of,
)
from animato.mechanics.contact import (
    LEAST_STANDING,
    corners_of,
    sole_points,
    standing_share,
)
from animato.mechanics.tree import inverse_dynamics, packed_tree, states_of_clip
from animato.motion import Clip

_POSTURE = 0.03  # of a point's weight: what an angle counts that moves no point, times its lever
_PLANTED = 1e3  # weight of a corner that stands on the floor
_GUARDED = 1e3  # of a point or a contact that is protected, as far as limits allow
_LIFTED = 0.1  # of one in the air
_PELVIS = 0.1  # of the root's place


def requests_of(
    problem: Problem, clip: Clip, pace: np.ndarray, before: Judged, watch: Watch | None = None
) -> Iterator[Request]:
    """What may be asked for, the least first: each is a larger problem, for when the one before has no answer.

    A character that stands keeps its root and its legs as long as arms, head and waist can do it alone, first without
    a look at what its legs feel, then with it. Where its legs ask for too much, or it would tip, all may change.

    Args:
        problem: What is asked for.
        clip: The artist's motion in the robot's time.
        pace: The artist's time of each of its frames [s], [frame].
        before: What the clip asks too much of.
        watch: Bodies that stay apart.
    """
    if not topology_of(rigidified(problem.character)).is_tree:
        yield _loop_request(problem, clip, pace)
        return
    moving = _free_columns(problem, moving_of(problem.character, clip.names))
    if not (problem.options.balance and stands_on_floor(problem, clip)):
        yield _request(problem, clip, pace, moving, stands=False, watch=watch)
        return
    legs = leg_names(problem)
    upper = moving.chosen(np.array([n for n, name in enumerate(moving.names) if name not in legs], dtype=np.int64))
    if len(upper) and not (before.exceeding & legs) and not before.tips:
        for stands in (False, True):
            free = frozenset[str]() if stands else legs
            yield _request(problem, clip, pace, upper, stands=stands, unloaded=free, watch=watch)
    yield _request(problem, clip, pace, moving.with_root(), stands=True, watch=watch)


def started_at(request: Request, start: Clip) -> Request:
    """The same, to be solved from another motion.

    Raises:
        MotionError: It has other frames, or does not name what may change.
    """
    names, first = request.moving.names, request.moving.root
    if not np.array_equal(start.times, request.clip.times) or not set(names[first:]) <= set(start.names):
        raise MotionError(
            f"`start` has {start.frame_count} frames of {len(start.names)} coordinates; it needs the artist's "
            f"{request.clip.frame_count} frames and names all {len(names) - first} coordinates that may change."
        )
    controls = request.reference.copy()
    controls[:, first:] = start.selected(names[first:]).spline.control_points
    return replace(request, start=controls)


def leg_names(problem: Problem) -> frozenset[str]:
    """Coordinates of joints between the root and a sole."""
    carried = {joint.child: joint for joint in problem.character.joints}
    found: set[str] = set()
    for sole in problem.character.soles:
        body = sole.body
        while body in carried:
            found.update(carried[body].coordinate_names)
            body = carried[body].parent
    return frozenset(found)


def stands_on_floor(problem: Problem, clip: Clip) -> bool:
    """Whether the floor carries the character, as `check` sees it."""
    character = problem.character
    if not (packed_tree(character).has_free_root and character.floats and character.soles and clip.has_base):
        return False
    looked = clip.times[np.unique(np.linspace(0, clip.frame_count - 1, 200).round().astype(int))]
    states = states_of_clip(character, clip, looked)
    forces, touching = inverse_dynamics(character, states), corners_of(character, states).touching
    return standing_share(character, states, forces, touching) >= LEAST_STANDING


def _request(
    problem: Problem,
    clip: Clip,
    pace: np.ndarray,
    moving: Moving,
    *,
    stands: bool,
    unloaded: frozenset[str] = frozenset(),
    watch: Watch | None = None,
    maker: MechanicsAt | None = None,
) -> Request:
    levers = dict(zip(problem.clip.names, problem.levers, strict=True))
    size = float(max(problem.levers, default=1.0))
    weights = np.tile([point.weight for point in problem.points], (clip.frame_count, 1))
    by_root = [_PELVIS] * 3 + [_PELVIS * size**2] * 3
    by_joint = [_POSTURE * levers[name] ** 2 for name in moving.names[moving.root :]]
    angles = np.tile(by_root[: moving.root] + by_joint, (clip.frame_count, 1))
    _accentuate(problem, pace, moving, weights, angles)
    points = _points(problem)
    if moving.root:
        soles = sole_points(problem.character)
        touching = corners_of(problem.character, states_of_clip(problem.character, clip)).touching
        floor = np.where(touching, _PLANTED, _LIFTED) / len(soles)
        _guard_soles(problem, pace, floor)
        weights = np.hstack([weights, floor])
        points += tuple((body, np.asarray(place, dtype=np.float64)) for body, place in soles)
    made = maker or _maker(problem, clip, moving, points, stands=stands, unloaded=unloaded, watch=watch)
    return Request(clip, moving, made, weights, angles, _held(problem, clip, pace, moving), size)


def _points(problem: Problem) -> tuple[tuple[str, np.ndarray], ...]:
    """(body, place on it [m]) of what is seen."""
    return tuple((point.body, np.array(point.place)) for point in problem.points)


def _loop_request(problem: Problem, clip: Clip, pace: np.ndarray) -> Request:
    """Of a character with closed loops: its motors may change, and passive joints follow."""
    reference = LoopReference(problem.character, clip, _points(problem))
    motors = reference.linkage.system.motor_names
    moving = _free_columns(problem, loop_moving_of(problem.character, motors, clip.names))

    def made(times: np.ndarray) -> Mechanics:
        return LoopMechanics(reference, times, moving, torque=problem.options.torque)

    return _request(problem, clip, pace, moving, stands=False, maker=made)


def _maker(
    problem: Problem,
    clip: Clip,
    moving: Moving,
    points: tuple[tuple[str, np.ndarray], ...],
    *,
    stands: bool,
    unloaded: frozenset[str],
    watch: Watch | None,
) -> MechanicsAt:
    character, torque = problem.character, problem.options.torque

    def plain(times: np.ndarray) -> TreeMechanics:
        states = states_of_clip(character, clip, times)
        if stands:
            touching = corners_of(character, states).touching
            return StandingMechanics(character, states, moving, points, touching, torque=torque)
        return TreeMechanics(character, states, moving, points, torque=torque, unloaded=unloaded)

    near = None if watch is None else watch.moved_by(moving.names)

    def made(times: np.ndarray) -> Mechanics:
        return plain(times) if near is None else KeptApart(plain(times), near)

    return made


def _free_columns(problem: Problem, moving: Moving) -> Moving:
    """Without coordinates that are protected all the time, and without limits that do not count."""
    whole = {one.name for one in problem.protected if one.name is not None and not np.isfinite(one.start_s)}
    joints = {name: joint.name for joint in problem.character.joints for name in joint.coordinate_names}
    keep = [n for n, name in enumerate(moving.names) if name not in whole and joints.get(name) not in whole]
    chosen = moving.chosen(np.array(keep, dtype=np.int64))
    if problem.options.jerk:
        return chosen
    free = np.full(len(chosen), np.inf)
    return replace(chosen, lower={**chosen.lower, "jerk": -free}, upper={**chosen.upper, "jerk": free})


def _guard_soles(problem: Problem, pace: np.ndarray, weights: np.ndarray) -> None:
    """Contacts that are protected count so much that they stay, [frame, corner]."""
    owners = [{sole.name, sole.body} for sole in problem.character.soles for _ in sole.corners]
    for one in problem.protected:
        when = (pace >= one.start_s) & (pace <= one.end_s)
        for corner, names in enumerate(owners):
            if one.name in names:
                weights[when, corner] = _GUARDED / len(owners)


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
    for one in problem.protected:
        when = (pace >= one.start_s) & (pace <= one.end_s)
        for n, name in enumerate(names):
            if one.name is not None and name in (one.name, f"where {one.name} points"):
                weights[when, n] = _GUARDED


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
        held[np.ix_(touched, np.array(columns, dtype=np.int64))] = True
    return held
