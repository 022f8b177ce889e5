"""What has changed, where and by how much, as an animator tells it: "left hand, 2.1 to 2.6 s: 6 mm"."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.fix import Solution
from animato.spatial import quaternions
from animato.view.scene import pose_bodies

_LEAST_M = 5e-5  # what changes less is as it was, for people
_LEAST_RAD = np.radians(0.05)
_LEAST_GAZE_RAD = np.radians(0.5)
_SEEN = 0.03  # of the largest change of any point: what is less is not told of
_SHARE = 0.1  # of a point's largest change: where it is told of
_PLACES = 3  # of one thing that are told of one by one
_PAUSE_S = 0.3  # changes that are nearer in time than this are one


@dataclass(frozen=True)
class Change:
    """One stretch of time in which something is not where the artist has it.

    Attributes:
        name: Of a point, an end-point that looks elsewhere, or a joint.
        kind: "point" [m], "gaze" [rad] or "joint" [rad or m].
        start_s, end_s: Of the fixed clip's time [s].
        most: The largest change in there [m or rad].
        time_s: When that is [s].
        angular: Whether it is an angle.
        places: Stretches that are told of as one.
    """

    name: str
    kind: str
    start_s: float
    end_s: float
    most: float
    time_s: float
    angular: bool
    places: int = 1


def gathered(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """The same with one for whatever has changed in many places, the largest first."""
    found: list[Change] = []
    for name in dict.fromkeys(one.name for one in changes):
        own = [one for one in changes if one.name == name]
        if len(own) <= _PLACES:
            found += own
            continue
        most = max(own, key=lambda one: one.most)
        begin, end = min(one.start_s for one in own), max(one.end_s for one in own)
        found.append(replace(most, start_s=begin, end_s=end, places=len(own)))
    return tuple(sorted(found, key=lambda one: -one.most))


def point_changes(solution: Solution) -> tuple[Change, ...]:
    """Of the points that people look at, the largest first."""
    deviation = solution.deviation
    found: list[Change] = []
    for n, name in enumerate(deviation.points):
        least = max(_LEAST_M, _SEEN * float(deviation.metres.max(initial=0.0)))
        found += _changes(name, "point", deviation.times, deviation.metres[:, n], least, angular=False)
    return tuple(sorted(found, key=lambda one: -one.most))


def gaze_changes(solution: Solution) -> tuple[Change, ...]:
    """Of where end-points look, the largest first."""
    character, told = solution.problem.character, set(solution.deviation.points)
    ends = [point for point in character.end_points if point.name in told]
    if not ends or not solution.changed:
        return ()
    times = solution.clip.times
    now, asked = (pose_bodies(character, clip, times) for clip in (solution.clip, solution.artist))
    found: list[Change] = []
    for point in ends:
        forward = point.frame.transform.rotation @ np.array(point.forward)
        body = now.names.index(point.body)
        one, other = (
            quaternions.rotate(poses.quaternions_wxyz[:, body], np.broadcast_to(forward, (len(times), 3)))
            for poses in (now, asked)
        )
        angles = 2.0 * np.arcsin(np.clip(0.5 * np.linalg.norm(one - other, axis=1), 0.0, 1.0))
        found += _changes(point.name, "gaze", times, angles, float(_LEAST_GAZE_RAD), angular=True)
    return tuple(sorted(found, key=lambda one: -one.most))


def joint_changes(solution: Solution) -> tuple[Change, ...]:
    """Of joints, the largest first: one for each that has changed."""
    deviation = solution.deviation
    sliding = {axis.name for axis in solution.before.axes if not axis.angular}
    found = []
    for n, name in enumerate(deviation.coordinates):
        angular = name not in sliding
        values = np.abs(deviation.angles[:, n])
        parts = _changes(
            name, "joint", deviation.times, values, _LEAST_M if not angular else float(_LEAST_RAD), angular
        )
        found += sorted(parts, key=lambda one: -one.most)[:1]
    return tuple(sorted(found, key=lambda one: -one.most))


def largest_elsewhere(solution: Solution, changes: tuple[Change, ...]) -> float:
    """How far any told point is off outside of the stretches that are told of [m]."""
    deviation = solution.deviation
    rest = np.array(deviation.metres)
    for one in changes:
        inside = (deviation.times >= one.start_s) & (deviation.times <= one.end_s)
        rest[inside, deviation.points.index(one.name)] = 0.0
    return float(rest.max(initial=0.0))


def _changes(name: str, kind: str, times: np.ndarray, values: np.ndarray, least: float, angular: bool) -> list[Change]:
    """Stretches in which values are above the least, and above a share of their largest."""
    over = np.flatnonzero(values > max(least, _SHARE * float(values.max(initial=0.0))))
    if not len(over):
        return []
    breaks = np.flatnonzero(np.diff(times[over]) > _PAUSE_S)
    firsts, lasts = over[np.append(0, breaks + 1)], over[np.append(breaks, len(over) - 1)]
    found = []
    for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
        worst = first + int(np.argmax(values[first : last + 1]))
        spot = float(times[first]), float(times[last]), float(values[worst]), float(times[worst])
        found.append(Change(name, kind, *spot, angular))
    return found
