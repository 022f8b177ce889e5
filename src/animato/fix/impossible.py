"""Why no motion exists, or none was found: which joint, in which posture, by how much, and what would do.

Three things cannot be mended by any change of shape: a motor that gravity alone overloads, a moment that is protected
and itself breaks a limit, and a limit of something that may not change. What is left is a matter of time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from animato.character import SERVOS, Actuator, Character, Limits, mass_properties_of
from animato.character.structure import rigidified, topology_of
from animato.findings import (
    CAPACITY,
    BalanceFinding,
    CheckResult,
    check,
    distance,
    find_balance,
    listed,
    percent,
    rounded,
    seconds,
)
from animato.fix.options import Protection
from animato.fix.problem import Problem
from animato.mechanics.limits import LIMIT_KINDS, SHARE_TOLERANCE, LimitUsage, limit_usage
from animato.motion import Clip

GRAVITY, PROTECTED, UNMOVABLE, BALANCE, HURRY = "gravity", "protected", "unmovable", "balance", "hurry"
OVERSAMPLING = 8
"""Moments that are judged for each step from frame to frame."""

_MOST = 3  # joints that are told of
_SLOWLY = 1e4  # times slower: speeds are nothing then
_ROOM = 0.9  # of its torque that a servo may need to hold still
_SCANNED = 33  # places of a joint's range at which its weight is tried


@dataclass(frozen=True)
class Obstacle:
    """What stands in the way of a motion.

    Attributes:
        cause: GRAVITY, PROTECTED, UNMOVABLE, BALANCE or HURRY.
        axis: Name of the axis; empty where it is of no joint.
        kind: Of the limit, or "balance".
        share: Of it that is used there.
        time_s: Of the artist's clip [s]; its posture there is the one that is meant.
        reason: In a sentence.
        advice: What would do, in sentences.
    """

    cause: str
    axis: str
    kind: str
    share: float
    time_s: float
    reason: str
    advice: str


def obstacles_of(problem: Problem, clip: Clip, pace: np.ndarray | None = None) -> tuple[Obstacle, ...]:
    """What stands in the way, the gravest first; empty where every limit holds.

    Args:
        problem: What was asked for.
        clip: The motion that came nearest to the limits.
        pace: The artist's time of each of its frames [s], [frame]; in step with the artist's clip where not given.
    """
    result = check(problem.character, clip, keep_reference_pose=True, soles=(), oversampling=OVERSAMPLING)
    scaled = np.interp(clip.times, clip.times[[0, -1]], problem.clip.times[[0, -1]]) if pace is None else pace
    case = _Case(problem, clip, np.asarray(scaled), result)
    found = [_obstacle(case, axis, kind) for axis, kind in _over(problem, result.usage)]
    tips = tipping(problem, clip, result.usage)
    if tips is not None:
        found.append(_tipping(case, tips))
    order = (PROTECTED, GRAVITY, UNMOVABLE, BALANCE, HURRY)
    return tuple(sorted(found, key=lambda one: (order.index(one.cause), -one.share)))


@dataclass(frozen=True, eq=False)
class _Case:
    """What is looked into.

    Attributes:
        problem: What was asked for.
        clip: What came out.
        pace: The artist's time of its frames [s], [frame].
        result: Its check.
    """

    problem: Problem
    clip: Clip
    pace: np.ndarray
    result: CheckResult

    def artist_time(self, time: float) -> float:
        """The artist's time of a time of the clip [s]."""
        return float(np.interp(time, self.clip.times, self.pace))

    @cached_property
    def still(self) -> LimitUsage:
        """What holding each of the artist's poses takes: the clip played so slowly that nothing but weight is left."""
        asked = self.problem.clip
        slow = Clip(
            _SLOWLY * asked.times,
            asked.names,
            asked.positions,
            asked.base_positions,
            asked.base_quaternions_wxyz,
            asked.source,
        )
        return limit_usage(self.problem.character, slow, oversampling=1)


def tipping(problem: Problem, clip: Clip, usage: LimitUsage) -> BalanceFinding | None:
    """Where a motion would tip that should not; None where it keeps its balance or has none to keep."""
    if not problem.options.balance or not problem.character.soles:
        return None
    found = find_balance(problem.character, clip, usage.times)
    return found if found is not None and found.is_over else None


def _tipping(case: _Case, found: BalanceFinding) -> Obstacle:
    far, time = distance(found.outside, angular=False), case.artist_time(found.time)
    reason = f"it would tip {found.direction} at {seconds(time)}: its ZMP is {far} beyond its soles."
    advice = "Bring its weight back over its soles there." if found.falls_at_rest else _more_time(case.problem)
    return Obstacle(BALANCE, "", "balance", found.share, time, reason, advice)


def _over(problem: Problem, usage: LimitUsage) -> list[tuple[int, str]]:
    """Axes and the kind of limit that each exceeds most, the worst first."""
    worst: dict[int, tuple[float, str]] = {}
    for kind in LIMIT_KINDS:
        if not getattr(problem.options, kind, True):
            continue
        for axis in range(len(usage.axes)):
            shares = usage.shares[kind][:, axis]
            share = float(np.nanmax(shares)) if np.any(np.isfinite(shares)) else 0.0
            if share > 1.0 + SHARE_TOLERANCE and share > worst.get(axis, (0.0, ""))[0]:
                worst[axis] = share, kind
    ranked = sorted(worst, key=lambda axis: -worst[axis][0])
    return [(axis, worst[axis][1]) for axis in ranked[:_MOST]]


def _obstacle(case: _Case, axis: int, kind: str) -> Obstacle:
    usage, problem = case.result.usage, case.problem
    moment, name = int(np.nanargmax(usage.shares[kind][:, axis])), usage.axes[axis].name
    time, share = case.artist_time(float(usage.times[moment])), float(usage.shares[kind][moment, axis])
    label = case.result.labels[name]
    told = f"{label} is at {percent(share)} of its {CAPACITY[kind]} at {seconds(time)}"
    held = _protection(problem, case.result, axis, time)
    if held is not None:
        advice = f"Protect less, or change {label} there yourself: what is protected is not fixed."
        reason = f"{told}, and {_protection_words(held)} is protected."
        return Obstacle(PROTECTED, name, kind, share, time, reason, advice)
    weight = _weight(case, axis) if kind == "torque" else None
    if weight is not None:
        return weight
    if name not in case.clip.names:
        reason = f"{told}, and the clip has no curve of it that could change."
        return Obstacle(UNMOVABLE, name, kind, share, time, reason, f"Give the clip a column for {name}.")
    return Obstacle(HURRY, name, kind, share, time, f"{told}.", _more_time(problem))


def _more_time(problem: Problem) -> str:
    options = problem.options
    if options.duration_s is not None:
        return "Ask for a longer `duration_s`, or for none."
    if options.time < 1.0:
        return "Let time give way, with `time=1`."
    return "Drop protections and accents around that moment, or make the move smaller."


def _protection(problem: Problem, result: CheckResult, axis: int, time: float) -> Protection | None:
    """What is protected of an axis at a time of the artist's [s]."""
    names = {None, result.usage.axes[axis].name, result.usage.axes[axis].joint}
    return next((one for one in problem.protected if one.name in names and one.start_s <= time <= one.end_s), None)


def _protection_words(one: Protection) -> str:
    when = "" if not np.isfinite(one.start_s) else f"{one.start_s:g}-{one.end_s:g} s"
    return " at ".join(part for part in (one.name or "", when) if part)


def _weight(case: _Case, axis: int) -> Obstacle | None:
    """Where gravity alone is too much for a motor; None where it is not."""
    shares = case.still.shares["torque"][:, axis]
    worst = int(np.nanargmax(shares))
    share, torque = float(shares[worst]), abs(float(case.still.values["torque"][worst, axis]))
    if not share > 1.0 + SHARE_TOLERANCE:
        return None
    one, time = case.result.usage.axes[axis], float(case.still.times[worst]) / _SLOWLY
    label, unit = case.result.labels[one.name], "N m" if one.angular else "N"
    reason = (
        f"gravity alone is too much: {label} needs {rounded(torque)} {unit} only to hold its posture at "
        f"{seconds(time)}, and its motor gives {rounded(torque / share)} {unit}"
    )
    character = case.problem.character
    least = _least_torque(character, case.problem.clip.resampled([time]), axis, one.name, one.limits)
    if least is not None and least * share > torque * (1.0 + SHARE_TOLERANCE):
        reason += f"; no place of its range needs less than {rounded(least)} {unit}"
    advice = _stronger(character, one.joint, torque, share, angular=one.angular)
    return Obstacle(GRAVITY, one.name, "torque", share, time, f"{reason}.", advice)


def _least_torque(character: Character, pose: Clip, axis: int, name: str, limits: Limits) -> float | None:
    """The least torque that holds an axis anywhere in its range, all else as in a pose [N m or N]."""
    if name not in pose.names or limits.lower is None or limits.upper is None:
        return None
    if not topology_of(rigidified(character)).is_tree:
        return None  # another place of one joint is another pose of all
    column, found = pose.names.index(name), []
    for place in np.linspace(limits.lower, limits.upper, _SCANNED):
        positions = np.array(pose.positions)
        positions[:, column] = place
        tried = Clip(pose.times, pose.names, positions, pose.base_positions, pose.base_quaternions_wxyz, pose.source)
        found.append(abs(float(limit_usage(character, tried).values["torque"][0, axis])))
    return min(found)


def _stronger(character: Character, joint: str, torque: float, share: float, *, angular: bool) -> str:
    """A servo that would hold it, or by how much lighter it must be."""
    carried = _carried(character, joint)
    load = f"what it carries ({rounded(carried)} kg)" if carried > 0.0 else "what it carries"
    lighter = f"make {load} lighter by {rounded(100.0 * (1.0 - 1.0 / share), 2)} %"
    if not angular:
        return f"Give it a motor with more than {rounded(torque)} N, or {lighter}."
    ratio = (character.joint(joint).actuator or Actuator()).gear_ratio
    strong = [servo for servo in SERVOS.values() if _ROOM * servo.stall_torque * ratio >= torque]
    if not strong:
        none = f"No servo of the catalogue holds {rounded(torque)} N m"
        return f"{none}: give it a stronger motor, or {lighter}."
    lightest = sorted(strong, key=lambda servo: (servo.mass, servo.stall_torque))[:2]
    named = listed(
        f"{one.name} ({rounded(one.stall_torque * ratio)} N m, {rounded(1e3 * one.mass)} g)" for one in lightest
    )
    return f"Give it another servo: {named}; its own weight is not counted. Or {lighter}."


def _carried(character: Character, joint: str) -> float:
    """Mass of all that a joint carries [kg]."""
    children: dict[str, list[str]] = {}
    for one in character.joints:
        children.setdefault(one.parent or "", []).append(one.child)
    queue, seen = [character.joint(joint).child], set[str]()
    while queue:
        body = queue.pop()
        if body not in seen:
            seen.add(body)
            queue += children.get(body, [])
    return sum(mass_properties_of(character.body(name)).mass for name in seen)
