"""The tempo of one window of a clip: two sweeps, easing, and a look at what the frames then do."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import maximum_filter1d

from animato.character import Character
from animato.fix.pace.axis_bounds import AxisBounds, axis_bounds
from animato.fix.pace.closed_loops import loop_pace
from animato.fix.pace.floor import floor_torques, with_floor
from animato.fix.pace.judging import Judge, held_shares, largest_share, torque_shares
from animato.fix.pace.limit_rows import speed_rows
from animato.fix.pace.path_states import PathStates, path_states
from animato.fix.pace.tempo import (
    NODES_A_FRAME,
    PaceRules,
    WindowPace,
    between,
    held_notes,
    nodes_of,
    pace_of,
    spread,
    swept,
)
from animato.mechanics.limits import SHARE_TOLERANCE, limit_usage
from animato.mechanics.tree import packed_tree
from animato.motion import Clip

_NEAR = 0.8  # share of a motor from which what it does at rest is looked at
_END_FRAMES = 24  # within which the ends of a spline are seen


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
        return loop_pace(character, clip, nodes, rules)
    bounds = axis_bounds(character)
    states = path_states(character, clip, nodes, torque=bounds.any_torque)
    on_floor = None if states.torque is None else floor_torques(character, clip)
    watched, holds = np.ones(len(nodes), dtype=bool), True
    if states.torque is not None:
        share = _torque_shares(states, bounds, on_floor)
        holds = bool(share.max(initial=0.0) <= 1.0 + SHARE_TOLERANCE)
        if on_floor is not None:
            near = share > _NEAR / max(rules.headroom, 1.0) ** 2
            watched = maximum_filter1d(near, 2 * NODES_A_FRAME + 1, mode="nearest")
            states = with_floor(character, clip, on_floor, states, watched)
    holds = holds and rules.fastest <= 1.0 and _moves_within(character, clip, states, bounds)
    same = np.full(len(nodes), rules.fastest**2)
    if holds and rules.headroom <= rules.fastest:
        return WindowPace(same, same)
    judge = Judge(character, bounds, clip, nodes, states.torque, on_floor is not None)
    found = _by_rows(judge, states, rules, watched)
    return WindowPace(same, np.maximum(found.quick, same)) if holds else found


def _torque_shares(states: PathStates, bounds: AxisBounds, on_floor: np.ndarray | None) -> np.ndarray:
    """Largest used share of a motor at each node, [node]; on the floor from frames alone."""
    assert states.torque is not None
    torque = states.torque.at_full_tempo(states.dq) if on_floor is None else between(on_floor)
    return np.asarray(torque_shares(bounds, torque, states.dq).max(axis=1, initial=0.0))


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


def _by_rows(judge: Judge, states: PathStates, rules: PaceRules, watched: np.ndarray) -> WindowPace:
    """Sweeps inside of the limits' rows, and again where a look at the frames finds more than a limit."""
    nodes, bounds = judge.nodes, judge.bounds
    rows = speed_rows(states, bounds)
    kinematic = _kinematic_tempo(states, bounds)
    rows = rows.counting(np.minimum(kinematic, rules.headroom), rules.change)
    first = np.clip(kinematic, rules.slowest, rules.fastest)
    b, highest = swept(nodes, rows, first, rules), first
    for _ in range(rules.looks):
        pace = pace_of(nodes, b)
        factors = judge.motion_factors(pace)
        if factors.min() >= 1.0:
            factors = judge.torque_factors(pace, watched)
            if judge.on_floor:
                # this look is the dearest, and what is slower takes less: only where it was too much it is taken again
                watched = watched & (spread(factors, b) < np.inf)
        if factors.min() >= 1.0:
            break
        highest = np.maximum(np.minimum(highest, spread(factors, b)), rules.slowest)
        b = swept(nodes, rows, highest, rules)
    quick = b
    if rules.headroom > rules.fastest:
        most = np.where(highest < first, highest, np.clip(kinematic, rules.slowest, rules.headroom))
        quick = np.maximum(swept(nodes, rows, most, rules), b)
    return WindowPace(b, quick, _notes(judge.character, states, bounds, rules, float(b.min())))


def _kinematic_tempo(states: PathStates, bounds: AxisBounds) -> np.ndarray:
    """The largest tempo for speed and, at even tempo, jerk, [node]."""
    tempo = np.full(len(states.dq), np.inf)
    for values, kind, power in ((states.peaks, "velocity", 1.0), (states.dddq, "jerk", 1.0 / 3.0)):
        tempo = np.minimum(tempo, np.maximum(largest_share(values, bounds, kind), 1e-30) ** -power)
    return tempo


def _notes(
    character: Character, states: PathStates, bounds: AxisBounds, rules: PaceRules, least: float
) -> tuple[str, ...]:
    """Joints that gravity alone asks too much of, and a path that would want less than the slowest tempo."""
    found: list[str] = []
    if states.torque is not None:
        tree = packed_tree(character)
        held = held_shares(bounds, states.torque).max(axis=0, initial=0.0)
        owners = [tree.dof_joints[ball.dof] for ball in bounds.balls]
        found += held_notes(held, [*tree.dof_names, *("" if one is None else one.name for one in owners)])
    if least <= rules.slowest**2:
        found.append(
            f"Somewhere limits ask for less than the slowest tempo, {rules.slowest:g}; it is not slower there."
        )
    return tuple(found)
