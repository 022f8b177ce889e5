"""The tempo of a character with closed loops, from what its frames do alone."""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.fix.pace.judging import needed_tempo, torque_tempo
from animato.fix.pace.limit_rows import SpeedRows
from animato.fix.pace.tempo import NODES_A_FRAME, PaceRules, WindowPace, held_notes, pace_of, spread, swept
from animato.mechanics.limits import SHARE_TOLERANCE, LimitUsage, limit_usage
from animato.motion import Clip

_AT_REST = 1e3  # times slower


def loop_pace(character: Character, clip: Clip, nodes: np.ndarray, rules: PaceRules) -> WindowPace:
    """The tempo of a character with closed loops: by looking at what frames do alone, round by round."""
    none = np.zeros((len(nodes), 0))
    rows = SpeedRows(none, none, none, none)
    highest = np.full(len(nodes), rules.fastest)
    b = swept(nodes, rows, highest, rules)
    resting = None
    for _ in range(rules.looks):
        pace = pace_of(nodes, b)
        usage = limit_usage(character, pace.performed(clip), oversampling=NODES_A_FRAME)
        if all(usage.peak(kind) <= 1.0 + SHARE_TOLERANCE for kind in ("velocity", "acceleration", "jerk", "torque")):
            break
        resting = _slowed_usage(character, clip, _AT_REST) if resting is None else resting
        factors = _usage_factors(usage, resting, pace.artist_at(usage.times), nodes)
        if factors.min() >= 1.0:
            break
        highest = np.maximum(np.minimum(highest, spread(factors, b)), rules.slowest)
        b = swept(nodes, rows, highest, rules)
    if resting is None:
        return WindowPace(b, b)
    held = np.nan_to_num(resting.shares["torque"], nan=0.0).max(axis=0, initial=0.0)
    return WindowPace(b, b, held_notes(held, [axis.name for axis in resting.axes]))


def _usage_factors(usage: LimitUsage, resting: LimitUsage, artist_times: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """The same factors from a usage of any character, [node].

    Args:
        usage: Of the performed clip.
        resting: Of the artist's clip, so slow that it is at rest in every pose; at the clip's frames.
        artist_times: Artist's time of each moment of the usage [s], [time].
        nodes: Artist's times [s], [node].
    """
    needed = np.ones(len(usage.times))
    for kind, power in (("velocity", 1.0), ("acceleration", 0.5), ("jerk", 1.0 / 3.0)):
        share = np.nan_to_num(usage.shares[kind], nan=0.0).max(axis=1, initial=0.0)
        needed = np.minimum(needed, needed_tempo(share, power))
    frames = np.linspace(artist_times[0], artist_times[-1], len(resting.times))
    near = np.round(np.interp(artist_times, frames, np.arange(len(frames)))).astype(int)
    held = np.nan_to_num(resting.shares["torque"], nan=0.0)[near]
    torque = np.nan_to_num(usage.shares["torque"], nan=0.0)
    needed = np.minimum(needed, torque_tempo(torque, held).min(axis=1, initial=1.0))
    place = np.round(np.interp(artist_times, nodes, np.arange(len(nodes)))).astype(int)
    factors = np.ones(len(nodes))
    np.minimum.at(factors, place, needed)
    return factors


def _slowed_usage(character: Character, clip: Clip, times: float) -> LimitUsage:
    """Usage of a clip played so many times slower."""
    start = clip.times[0]
    slowed = Clip(
        start + (clip.times - start) * times,
        clip.names,
        clip.positions,
        clip.base_positions,
        clip.base_quaternions_wxyz,
    )
    return limit_usage(character, slowed, oversampling=1)
