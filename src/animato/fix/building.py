"""From a character, a clip and options to a problem."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.character import Character
from animato.character.structure import rigidified, topology_of
from animato.errors import MotionError, OptionError, unknown_name
from animato.fix.options import Accent, Options, Protection, parsed_accents, parsed_protections
from animato.fix.problem import Problem, SeenPoint
from animato.loading import as_character, as_clip
from animato.loading.preparing import prepared
from animato.mechanics.tree import forward_kinematics, packed_tree, states_of_posture
from animato.motion import Clip

_AHEAD = 0.2  # of the character's size: how far ahead of a point stands what shows where it points
_AHEAD_WEIGHT = 0.25
_LEAST_LEVER = 0.02  # of the character's size
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
    model, wanted = as_character(character), options or Options()
    ready = prepared(model, as_clip(clip, model))
    motion, notes = _dense(ready.clip)
    size, reaches = _levers(model)
    problem = Problem(
        model,
        motion,
        wanted,
        _seen_points(model, wanted.points, size),
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


def _seen_points(character: Character, names: tuple[str, ...], size: float) -> tuple[SeenPoint, ...]:
    """Named points, or the end-points; what has a direction has a second point ahead of it."""
    found: list[SeenPoint] = []
    ends = {point.name: point for point in character.end_points}
    markers = {marker.name: marker for marker in character.markers}
    bodies = {body.name for body in rigidified(character).bodies}
    for name in names or tuple(ends) or tuple(markers) or _outermost(character):
        if name in ends:
            end = ends[name]
            place = np.array(end.frame.position)
            forward = end.frame.transform.rotation @ np.array(end.forward)
            ahead = place + _AHEAD * size * forward
            found.append(SeenPoint(name, end.body, _triple(place), 1.0))
            found.append(SeenPoint(f"where {name} points", end.body, _triple(ahead), _AHEAD_WEIGHT, told=False))
        elif name in markers:
            found.append(SeenPoint(name, markers[name].body, _triple(np.array(markers[name].position)), 1.0))
        elif name in bodies:
            found.append(SeenPoint(name, name, (0.0, 0.0, 0.0), 1.0))
        else:
            raise unknown_name("point", name, [*ends, *markers, *sorted(bodies)], character.name)
    return tuple(found)


def _triple(place: np.ndarray) -> tuple[float, float, float]:
    return float(place[0]), float(place[1]), float(place[2])


def _outermost(character: Character) -> tuple[str, ...]:
    """Bodies that carry no other."""
    parents = {joint.parent for joint in character.joints}
    return tuple(body.name for body in character.bodies if body.name not in parents)


def _levers(character: Character) -> tuple[float, dict[str, float]]:
    """The character's size [m], and by coordinate how far from its joint the farthest body behind it is [m]."""
    if not topology_of(rigidified(character)).is_tree:
        return _loop_levers(character)
    poses = forward_kinematics(character, states_of_posture(character))
    tree = packed_tree(character)
    places = poses.positions[0]
    spread = float(np.linalg.norm(np.ptp(places, axis=0)))
    for point in character.end_points:
        spread = max(spread, float(np.linalg.norm(poses.of(point.body).apply(np.array(point.frame.position))[0])))
    size = max(spread, 1e-3)
    children: dict[str, list[str]] = {}
    for joint in character.joints:
        children.setdefault(joint.parent or "", []).append(joint.child)
    reaches: dict[str, float] = {}
    for joint in character.free_joints:
        origin = poses.of(joint.child).position[0]
        behind, queue = [], [joint.child]
        while queue:
            body = queue.pop()
            behind.append(body)
            queue.extend(children.get(body, ()))
        spots = [places[tree.body_names.index(body)] for body in behind]
        spots += [
            poses.of(point.body).apply(np.array(point.frame.position))[0]
            for point in character.end_points
            if point.body in behind
        ]
        reach = max(float(np.linalg.norm(spot - origin)) for spot in spots)
        for name in joint.coordinate_names:
            reaches[name] = max(reach, _LEAST_LEVER * size)
    return size, reaches


def _loop_levers(character: Character) -> tuple[float, dict[str, float]]:
    """Of characters with closed loops every coordinate counts alike."""
    spots = [joint.frame_parent.position for joint in character.joints]
    return max(float(np.linalg.norm(np.ptp(np.array(spots), axis=0))), 0.1) if spots else 1.0, {}


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
