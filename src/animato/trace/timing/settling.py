"""Frames whose spline holds the limits, too.

A time scaling switches its acceleration at once; frames are joined by a cubic spline, which cannot. Through frames of
such a motion it swings beyond the limits by ten percent and more at every switch, and that is what a player or a drive
would do. Here the path parameter is averaged over a few frames, so that accelerations change within that time, and
where the spline still goes beyond a limit the motion is slowed a little around that moment, until nothing does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import maximum_filter1d, uniform_filter1d

from animato.character import Character
from animato.mechanics.limits import LimitUsage, limit_usage
from animato.motion import Clip
from animato.outcome import Progress, Stage
from animato.trace.options import Bound, Options, parsed_bounds
from animato.trace.path import JointPath
from animato.trace.timing.time_scaling import TimeScaling

_FINE = 8  # samples of s(t) a frame
_FRAMES_AVERAGED = 2
_NEIGHBOURHOOD = 0.12  # [s] around a moment that is slowed
_TARGET = 0.999  # share that is aimed at
_ROUNDS = 12  # of slowing what is around a moment
_WHOLE_ROUNDS = 4  # of slowing all, where that does not end: what one moment gives up, another may take
_POWERS = {"velocity": 1.0, "acceleration": 0.5, "torque": 1.0, "jerk": 1.0 / 3.0}
"""Slowness that a share asks for: a motion n times as slow has 1/n^2 of the accelerations. Torque gets more, because
gravity does not get less when the motion is slower."""

_SURE = 0.5
"""Of a limit: where the scaling uses less, frames averaged over two cannot reach it."""


@dataclass(frozen=True, eq=False)
class SettledClip:
    """Frames, and what they cost.

    Attributes:
        clip: Joint positions over time.
        slowed: Duration of the frames over that of the time scaling.
        peaks: Largest share of each kind of limit that the spline through the frames uses; that of the scaling where
            it uses less than half of all of them.
        position: Largest share of a joint's range that the spline uses: frames are within it, what is between them may
            swing a little beyond. 0 where it was not looked at.
    """

    clip: Clip
    slowed: float
    peaks: dict[str, float]
    position: float = 0.0


def settled_clip(
    character: Character,
    path: JointPath,
    scaling: TimeScaling,
    options: Options | None = None,
    *,
    source: str = "",
    progress: Progress | None = None,
) -> SettledClip:
    """Frames at a rate whose cubic spline is within all limits.

    Args:
        character: Whose limits hold.
        path: Where.
        scaling: When; within all limits itself.
        options: About how many frames a second, so many that the last one is the end; and whether limits of torque and
            of jerk hold. With those of jerk, accelerations change as slowly as they ask for.
        source: For people.
        progress: Told of every round.
    """
    options = options or Options()
    told = Stage("settling the frames", progress)
    kinds = ["velocity", "acceleration", *["torque"] * options.torque, *["jerk"] * options.jerk]
    averaged = _FRAMES_AVERAGED
    cells = max(64, round(scaling.duration * options.rate_hz))
    slowness = np.ones(cells)
    if not options.jerk and max(scaling.worst_shares.values(), default=np.inf) < _SURE:
        clip, _ = _frames(path, scaling, options, slowness, averaged, source)
        return SettledClip(clip, clip.duration / scaling.duration, dict(scaling.worst_shares))

    def judged() -> tuple[Clip, dict[str, np.ndarray]]:
        clip, moments = _frames(path, scaling, options, slowness, averaged, source)
        shares = _shares(character, clip, moments / scaling.duration, cells, ["position", *kinds], options.bounds)
        told.step(max(float(shares[kind].max()) for kind in kinds))
        return clip, shares

    clip, shares = judged()
    for number in range(_ROUNDS + _WHOLE_ROUNDS):
        if max(shares[kind].max() for kind in kinds) <= 1.0:
            break
        wanted = np.ones(cells)
        for kind in kinds:
            wanted = np.maximum(wanted, (shares[kind] / _TARGET) ** _POWERS[kind])
        slowness = slowness * (_spread(wanted, scaling.duration) if number < _ROUNDS else wanted.max())
        clip, shares = judged()
    peaks = {kind: float(shares[kind].max()) for kind in kinds}
    return SettledClip(clip, clip.duration / scaling.duration, peaks, float(shares["position"].max()))


def _means(values: np.ndarray, window: int) -> np.ndarray:
    """Means over the window before each frame, of samples _FINE a frame, [frame, k]."""
    halves = 0.5 * (values[1:] + values[:-1])
    total = np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(halves, axis=0)])
    means: np.ndarray = ((total[window:] - total[:-window]) / window)[::_FINE]
    return means


def _spread(wanted: np.ndarray, duration: float) -> np.ndarray:
    """Slowness that begins before each moment that needs it and ends after it, without a jolt."""
    width = max(3, round(len(wanted) * _NEIGHBOURHOOD / duration))
    wide = maximum_filter1d(wanted, 2 * width + 1, mode="nearest")
    return uniform_filter1d(uniform_filter1d(wide, width, mode="nearest"), width, mode="nearest")


def _shares(
    character: Character, clip: Clip, moments: np.ndarray, cells: int, kinds: list[str], bounds: tuple[str, ...]
) -> dict[str, np.ndarray]:
    """The largest share of each kind of limit in each of equal cells of the performance, by its frames' moments."""
    usage = limit_usage(character, clip, oversampling=2)
    cell = np.clip((np.interp(usage.times, clip.times, moments) * cells).astype(int), 0, cells - 1)
    shares = {}
    for kind in kinds:
        every = usage.shares[kind]
        largest = np.max(np.where(np.isnan(every), 0.0, every), axis=1, initial=0.0)
        for share in _shares_of_bounds(usage, kind, bounds):
            largest = np.maximum(largest, share)
        shares[kind] = np.zeros(cells)
        np.maximum.at(shares[kind], cell, largest)
    return shares


def _shares_of_bounds(usage: LimitUsage, kind: str, bounds: tuple[str, ...]) -> list[np.ndarray]:
    """Used share of limits by direction and pose, [time] each."""
    names = [axis.name for axis in usage.axes]
    stated: dict[str, list[Bound]] = {}
    for bound in parsed_bounds(bounds):
        if bound.kind == kind:
            stated.setdefault(f"{bound.joint} {bound.at is None}", []).append(bound)
    shares = []
    for group in stated.values():
        column = names.index(group[0].joint)
        value = usage.values[kind][:, column]
        if group[0].at is None:
            shares += [np.maximum(value / bound.upper, value / bound.lower) for bound in group]
            continue
        group.sort(key=lambda bound: bound.at or 0.0)
        position, places = usage.values["position"][:, column], [bound.at or 0.0 for bound in group]
        upper = np.interp(position, places, [bound.upper for bound in group])
        lower = np.interp(position, places, [bound.lower for bound in group])
        shares.append(np.maximum(value / upper, value / lower))
    return shares


def _frames(
    path: JointPath, scaling: TimeScaling, options: Options, slowness: np.ndarray, averaged: int, source: str
) -> tuple[Clip, np.ndarray]:
    """Frames with s averaged over some of them, and the time of the scaling [s] that each stands for.

    With limits of jerk it is the joints that are averaged: jumps of the third derivative of s make up for those of the
    path's then, and must stay together with them; a mean of motions within limits is within them. What that cuts off a
    bend is the square of the time averaged times an acceleration over 24: 0.05 mrad at 250 Hz and 20 rad/s^2.
    """
    edges = np.linspace(0.0, scaling.duration, len(slowness) + 1)
    slowed = np.concatenate([[0.0], np.cumsum(slowness) * (scaling.duration / len(slowness))])
    count = max(2 + averaged, round(slowed[-1] * options.rate_hz) + 1 + averaged)
    step = slowed[-1] / (count - 1 - averaged)
    window = averaged * _FINE
    # s averaged over the window before each frame: it begins and ends at rest for half a window longer
    fine = np.arange(-window, (count - 1) * _FINE + 1) * (step / _FINE)
    s = scaling.s_at(np.interp(np.clip(fine, 0.0, slowed[-1]), slowed, edges))
    s = np.where(fine <= 0.0, 0.0, np.where(fine >= slowed[-1], 1.0, s))
    times = step * np.arange(count)
    if options.jerk:
        positions = _means(path.at(s), window)[:count]
    else:
        positions = path.at(np.clip(_means(s[:, None], window)[:count, 0], 0.0, 1.0))
    held = np.tile(path.held.positions, (count, 1))
    clip = Clip(times, path.names + path.held.names, np.hstack([positions, held]), source=source)
    moments = np.interp(np.clip(times - 0.5 * averaged * step, 0.0, slowed[-1]), slowed, edges)
    return clip, moments
