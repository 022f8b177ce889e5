"""The tempo of one window of a clip: two sweeps, easing, and a look at what the frames then do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.ndimage import maximum_filter1d, minimum_filter1d, uniform_filter1d

from animato.character import Character
from animato.fix.pace.axis_bounds import AxisBounds, axis_bounds
from animato.fix.pace.judging import (
    Judge,
    held_shares,
    largest_share,
    slowed_usage,
    torque_shares,
    usage_factors,
)
from animato.fix.pace.limit_rows import HOPELESS, SpeedRows, speed_rows
from animato.fix.pace.path_states import PathStates, PathTorque, floor_torques, path_states, resting_torques
from animato.fix.pace.sweep import sweep
from animato.fix.pace.time_map import Pace
from animato.mechanics.limits import SHARE_TOLERANCE, limit_usage
from animato.mechanics.tree import packed_tree
from animato.motion import Clip

NODES_A_FRAME = 2

_SPREAD = 2  # frames around a moment that is slowed
_SPEED_ROUNDS = 2  # of tangents to the motors' lines
_NEAR = 0.8  # share of a motor from which what it does at rest is looked at
_AT_REST = 1e3  # times slower
_EASE_STEPS = 6  # of a filter on either side
_MOST_STEPS = 40  # a node: of a tempo that is so low, easing is as coarse as need be
_LEAST_SQUARE = 1e-8
_END_FRAMES = 24  # within which the ends of a spline are seen


class PaceRules(NamedTuple):
    """What the tempo may do: see `local_pace`.

    Attributes:
        change: Largest |s''| [1/s].
        ease_s: [s].
        slowest, fastest, headroom: Tempos.
        looks: At what frames do.
    """

    change: float
    ease_s: float
    slowest: float
    fastest: float
    headroom: float
    looks: int


@dataclass(frozen=True, eq=False)
class WindowPace:
    """The answer at the nodes of a window.

    Attributes:
        b: Squared tempo, [node].
        quick: The same with the headroom as the largest tempo, [node].
        notes: What time could not do.
    """

    b: np.ndarray
    quick: np.ndarray
    notes: tuple[str, ...] = ()


def nodes_of(times: np.ndarray) -> np.ndarray:
    """The frames and places between them, [NODES_A_FRAME * (frame - 1) + 1]."""
    steps = np.arange(NODES_A_FRAME) / NODES_A_FRAME
    return np.append((times[:-1, None] + steps * np.diff(times)[:, None]).ravel(), times[-1])


def window_pace(character: Character, clip: Clip, rules: PaceRules, *, is_tree: bool) -> WindowPace:
    """Finds the tempo of a window by itself.

    Args:
        character: Whose limits hold.
        clip: The window, margins included; two frames at least.
        rules: What the tempo may do.
        is_tree: Whether the character's joints form a tree.
    """
    nodes = nodes_of(clip.times)
    if not is_tree:
        return _by_usage(character, clip, nodes, rules)
    bounds = axis_bounds(character)
    states = path_states(character, clip, nodes, torque=bounds.any_torque)
    on_floor = None if states.torque is None else floor_torques(character, clip)
    watched = np.zeros(len(nodes), dtype=bool)
    if states.torque is not None:
        share = _torque_shares(states, bounds, on_floor)
        watched = np.ones(len(nodes), dtype=bool)
        if on_floor is not None:
            watched = maximum_filter1d(share > _NEAR, 2 * NODES_A_FRAME + 1, mode="nearest")
        good = share.max(initial=0.0) <= 1.0 + SHARE_TOLERANCE
    else:
        good = True
    if good and rules.headroom <= 1.0 and _moves_within(character, clip, states, bounds):
        return _as_it_is(nodes, rules)
    if on_floor is not None:
        states = _with_floor(character, clip, on_floor, states, bounds, watched)
    judge = Judge(character, bounds, clip, nodes, states.torque, on_floor is not None)
    return _by_rows(judge, states, rules, watched)


def _torque_shares(states: PathStates, bounds: AxisBounds, on_floor: np.ndarray | None) -> np.ndarray:
    """Largest used share of a motor at each node, [node]; on the floor from frames alone."""
    assert states.torque is not None
    torque = states.torque.at_full_tempo(states.dq) if on_floor is None else _between(on_floor)
    return np.asarray(torque_shares(bounds, torque, states.dq).max(axis=1, initial=0.0))


def _as_it_is(nodes: np.ndarray, rules: PaceRules) -> WindowPace:
    same = np.full(len(nodes), min(1.0, rules.fastest) ** 2)
    return WindowPace(same, same)


def _moves_within(character: Character, clip: Clip, states: PathStates, bounds: AxisBounds) -> bool:
    """Whether speed, acceleration and jerk are within their limits between frames too.

    Frames leave open what happens at the ends of a clip: where only those are over, `limit_usage` decides.
    """
    over = np.zeros(len(states.dq), dtype=bool)
    for values, kind in ((states.peaks, "velocity"), (states.ddq, "acceleration"), (states.dddq, "jerk")):
        over |= largest_share(values, bounds, kind) > 1.0 + SHARE_TOLERANCE
    if not over.any():
        return True
    if over[_END_FRAMES * NODES_A_FRAME : -_END_FRAMES * NODES_A_FRAME].any():
        return False
    usage = limit_usage(character, clip, oversampling=NODES_A_FRAME)
    return all(usage.peak(kind) <= 1.0 + SHARE_TOLERANCE for kind in ("velocity", "acceleration", "jerk"))


def _with_floor(
    character: Character,
    clip: Clip,
    on_floor: np.ndarray,
    states: PathStates,
    bounds: AxisBounds,
    watched: np.ndarray,
) -> PathStates:
    """The states with torques of a character that the floor carries, where motors are near their limits.

    Known are the torques at the artist's tempo and, for the poses of watched frames, at rest: what is between goes with
    the square of the tempo. What a change of tempo takes is that of a character carried by its root: next to its
    weight it is little. Elsewhere no torque counts.
    """
    torque = states.torque
    assert torque is not None
    near = watched[::NODES_A_FRAME]
    rest, square = np.zeros_like(on_floor), np.zeros_like(on_floor)
    if near.any():
        dq = states.dq[::NODES_A_FRAME][near]
        rest[near] = resting_torques(character, clip, clip.times[near])
        square[near] = on_floor[near] - rest[near] - torque.damping * dq - torque.friction * np.sign(dq)
    kept = watched[:, None]
    found = PathTorque(
        np.where(kept, torque.of_change, 0.0),
        np.where(kept, _between(square), 0.0),
        np.where(kept, _between(rest), 0.0),
        torque.damping,
        torque.friction,
    )
    return replace(states, torque=found)


def _between(frames: np.ndarray) -> np.ndarray:
    """Values at the nodes from those at the frames, [node, ...]."""
    shares = (np.arange(NODES_A_FRAME) / NODES_A_FRAME).reshape(1, -1, *([1] * (frames.ndim - 1)))
    inner = frames[:-1, None] + shares * (frames[1:] - frames[:-1])[:, None]
    return np.concatenate([inner.reshape(-1, *frames.shape[1:]), frames[-1:]])


def _by_rows(judge: Judge, states: PathStates, rules: PaceRules, watched: np.ndarray) -> WindowPace:
    nodes, bounds = judge.nodes, judge.bounds
    rows = speed_rows(states, bounds)
    kinematic = _kinematic_tempo(states, bounds)
    rows = rows.counting(np.minimum(kinematic, rules.headroom), rules.change)
    first = np.clip(kinematic, rules.slowest, rules.fastest)
    b, highest = _swept(nodes, rows, first, rules), first
    for _ in range(rules.looks):
        pace = _pace_of(nodes, b)
        factors = judge.motion_factors(pace)
        if factors.min() >= 1.0:
            factors = judge.torque_factors(pace, watched)
            if judge.on_floor:
                # this look is the dearest, and what is slower takes less: only where it was too much it is taken again
                watched = watched & (_spread(factors, b) < np.inf)
        if factors.min() >= 1.0:
            break
        highest = np.maximum(np.minimum(highest, _spread(factors, b)), rules.slowest)
        b = _swept(nodes, rows, highest, rules)
    quick = b
    if rules.headroom > rules.fastest:
        most = np.where(highest < first, highest, np.clip(kinematic, rules.slowest, rules.headroom))
        quick = np.maximum(_swept(nodes, rows, most, rules), b)
    return WindowPace(b, quick, _notes(judge.character, states, bounds, rules, float(b.min())))


def _kinematic_tempo(states: PathStates, bounds: AxisBounds) -> np.ndarray:
    """The largest tempo for speed and, at even tempo, jerk, [node]."""
    tempo = np.full(len(states.dq), np.inf)
    for values, kind, power in ((states.peaks, "velocity", 1.0), (states.dddq, "jerk", 1.0 / 3.0)):
        tempo = np.minimum(tempo, np.maximum(largest_share(values, bounds, kind), 1e-30) ** -power)
    return tempo


def _swept(nodes: np.ndarray, rows: SpeedRows, highest: np.ndarray, rules: PaceRules) -> np.ndarray:
    """Squared tempo inside of rows, changing and easing as the rules say, [node]."""
    widths, b = np.diff(nodes), np.empty(len(nodes))
    reference = np.clip(rows.highest_tempo(), rules.slowest, highest)
    for _ in range(_SPEED_ROUNDS if np.any(rows.of_speed > 0.0) else 1):
        near = rows.near(reference, highest, rules.change)
        sweep(widths, near.first_row, near.rows, highest**2, rules.change, b)
        reference = np.clip(np.sqrt(b), rules.slowest, highest)
    return np.asarray(np.maximum(_eased(widths, b, rules.ease_s), rules.slowest**2))


def _eased(widths: np.ndarray, b: np.ndarray, ease_s: float) -> np.ndarray:
    """A squared tempo without corners, nowhere more than the given one but for what is between nodes, [node].

    First the least around each moment, then the mean around it; both over half of the time on either side.
    """
    if not ease_s > 0.0:
        return b
    tempo = np.sqrt(np.maximum(b, _LEAST_SQUARE))
    times = np.append(0.0, np.cumsum(2.0 * widths / (tempo[1:] + tempo[:-1])))
    count = int(np.clip(np.ceil(times[-1] / ease_s * 2 * _EASE_STEPS), 2, _MOST_STEPS * len(b))) + 1
    moments = np.linspace(0.0, times[-1], count)
    reach = 2 * max(round(0.5 * ease_s / moments[1]), 1) + 1
    least = minimum_filter1d(np.interp(moments, times, b), reach, mode="nearest")
    mean = uniform_filter1d(least, reach, mode="nearest")
    # the filter's running sum must not leave traces where nothing changes
    flat = minimum_filter1d(least, reach, mode="nearest") == maximum_filter1d(least, reach, mode="nearest")
    return np.minimum(np.interp(times, moments, np.where(flat, least, mean)), b)


def _spread(factors: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Tempos to stay below: those that there are times the factors, also around the places, [node]."""
    wanted = np.where(factors < 1.0, factors * np.sqrt(b), np.inf)
    return np.asarray(minimum_filter1d(wanted, 2 * _SPREAD * NODES_A_FRAME + 1, mode="nearest"))


def _pace_of(nodes: np.ndarray, b: np.ndarray) -> Pace:
    """The time map of a tempo at nodes."""
    tempo = np.sqrt(b)
    lasting = 2.0 * np.diff(nodes) / (tempo[1:] + tempo[:-1])
    times = nodes[0] + np.append(0.0, np.cumsum(lasting))
    return Pace(nodes[::NODES_A_FRAME], times[::NODES_A_FRAME])


def _notes(
    character: Character, states: PathStates, bounds: AxisBounds, rules: PaceRules, least: float
) -> tuple[str, ...]:
    """Joints that gravity alone asks too much of, and a path that would want less than the slowest tempo."""
    found: list[str] = []
    if states.torque is not None:
        tree = packed_tree(character)
        held = held_shares(bounds, states.torque).max(axis=0, initial=0.0)
        owners = [tree.dof_joints[ball.dof] for ball in bounds.balls]
        found += _held_notes(held, [*tree.dof_names, *("" if one is None else one.name for one in owners)])
    if least <= rules.slowest**2:
        found.append(
            f"Somewhere limits ask for less than the slowest tempo, {rules.slowest:g}; it is not slower there."
        )
    return tuple(found)


def _by_usage(character: Character, clip: Clip, nodes: np.ndarray, rules: PaceRules) -> WindowPace:
    """The tempo of a character with closed loops: by looking at what frames do alone, round by round."""
    none = np.zeros((len(nodes), 0))
    rows = SpeedRows(none, none, none, none)
    highest = np.full(len(nodes), rules.fastest)
    b = _swept(nodes, rows, highest, rules)
    resting = None
    for _ in range(rules.looks):
        pace = _pace_of(nodes, b)
        usage = limit_usage(character, pace.performed(clip), oversampling=NODES_A_FRAME)
        if all(usage.peak(kind) <= 1.0 + SHARE_TOLERANCE for kind in ("velocity", "acceleration", "jerk", "torque")):
            break
        resting = slowed_usage(character, clip, _AT_REST) if resting is None else resting
        factors = usage_factors(usage, resting, pace.artist_at(usage.times), nodes)
        if factors.min() >= 1.0:
            break
        highest = np.maximum(np.minimum(highest, _spread(factors, b)), rules.slowest)
        b = _swept(nodes, rows, highest, rules)
    if resting is None:
        return WindowPace(b, b)
    held = np.nan_to_num(resting.shares["torque"], nan=0.0).max(axis=0, initial=0.0)
    return WindowPace(b, b, _held_notes(held, [axis.name for axis in resting.axes]))


def _held_notes(held: np.ndarray, names: Sequence[str]) -> tuple[str, ...]:
    """Of motors that holding still takes more of than there is."""
    return tuple(
        f"Holding still alone takes {100.0 * held[d]:.0f} % of the motor of '{names[d]}'; slower would hardly help."
        for d in np.flatnonzero(held >= HOPELESS).tolist()
    )
