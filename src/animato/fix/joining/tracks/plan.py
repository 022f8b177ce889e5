"""All tracks of a transition over the same time, and the shortest time in which each finds its way."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from animato.fix.joining.tracks.bounds import kept_bounds
from animato.fix.joining.tracks.channels import Channel
from animato.fix.joining.tracks.easing import Pieces, eased, states_along
from animato.fix.joining.tracks.track import Track

LONGEST_S = 20.0
"""Transitions that would take longer are not looked for [s]."""

_MOST_PIECES = 80  # of constant jerk in a transition, however many frames it has
_PATIENCE = (1.0, 4.0, 16.0, math.inf)
_GROWTH = 1.3


@dataclass(frozen=True)
class Setting:
    """What all tracks of a transition share.

    Attributes:
        step_s: Time between frames [s].
        frames_before, frames_after: Frames of the two clips; the splines of very short ones bind the transition.
        quick: Whether only the robot's own limits count, where it has them.
        patience: Factor on the natural bounds.
    """

    step_s: float
    frames_before: int
    frames_after: int
    quick: bool = False
    patience: float = 1.0


@dataclass(frozen=True, eq=False)
class Way:
    """A transition of all tracks.

    Attributes:
        frames: Steps from the last frame of the first clip to the first of the second.
        tracks: Of each channel: positions at the frames, both ends included, [frame + 1, track].
    """

    frames: int
    tracks: tuple[np.ndarray, ...]


def way_in(frames: int, channels: Sequence[Channel], setting: Setting) -> Way | str:
    """The transition in so many frames; or the label of a channel that finds no way inside its limits."""
    pieces, counts = _pieces(frames, setting)
    found = []
    for channel, tracks in zip(channels, _tracks(channels, setting), strict=True):
        columns = []
        for track in tracks:
            jerks = eased(track, pieces)
            if jerks is None:
                return channel.label
            steps = np.full(frames, setting.step_s)
            columns.append(states_along(track.begin, np.repeat(jerks, counts), steps)[:, 0])
        found.append(np.column_stack(columns))
    return Way(frames, tuple(found))


def shortest_frames(channels: Sequence[Channel], setting: Setting) -> tuple[int, str] | None:
    """The least number of frames in which all find a way, and the label of the channel that needs them.

    Returns:
        None where some channel finds none in `LONGEST_S`.
    """
    most = max(8, math.ceil(LONGEST_S / setting.step_s))
    frames, decides = 1, channels[0].label if channels else ""
    for channel, tracks in zip(channels, _tracks(channels, setting), strict=True):
        for track in tracks:
            needed = _shortest_of(track, frames, most, setting)
            if needed is None:
                return None
            if needed > frames:
                frames, decides = needed, channel.label
    while isinstance(found := way_in(frames, channels, setting), str):  # longer is not always easier
        frames, decides = frames + 1, found
        if frames > most:
            return None
    return frames, decides


def patient(setting: Setting) -> Iterator[Setting]:
    """The setting with natural bounds that give way step by step, down to none."""
    for patience in _PATIENCE:
        yield Setting(setting.step_s, setting.frames_before, setting.frames_after, setting.quick, patience)


def never(channels: Sequence[Channel], setting: Setting) -> str:
    """The label of a channel that finds no way however long; empty where all do."""
    most = max(8, math.ceil(LONGEST_S / setting.step_s))
    for channel, tracks in zip(channels, _tracks(channels, setting), strict=True):
        if any(_shortest_of(track, 1, most, setting) is None for track in tracks):
            return channel.label
    return ""


def _tracks(channels: Sequence[Channel], setting: Setting) -> Iterator[list[Track]]:
    for channel in channels:
        yield [
            Track(
                channel.label,
                begin,
                end,
                kept_bounds(stated, natural, quick=setting.quick, patience=setting.patience),
                channel.free_end,
            )
            for begin, end, stated, natural in zip(
                channel.begin, channel.end, channel.stated, channel.natural, strict=True
            )
        ]


def _shortest_of(track: Track, least: int, most: int, setting: Setting) -> int | None:
    """The least number of frames, at least `least`, in which a track finds its way."""

    def fits(frames: int) -> bool:
        return eased(track, _pieces(frames, setting)[0]) is not None

    if fits(least):
        return least
    low, high = least, max(least + 1, _surely_needed(track, setting.step_s))
    while not fits(high):
        low, high = high, math.ceil(_GROWTH * high) + 1
        if low >= most:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high


def _surely_needed(track: Track, step_s: float) -> int:
    """Frames without which no way can be: a gap takes speed, a change of speed takes acceleration."""
    bounds = track.bounds
    gap = 0.0 if track.free_end else abs(track.end.position - track.begin.position)
    seconds = max(
        gap / bounds.velocity,
        abs(track.end.velocity - track.begin.velocity) / bounds.acceleration,
        abs(track.end.acceleration - track.begin.acceleration) / bounds.jerk,
    )
    return math.ceil(seconds / step_s - 1e-9)


def _pieces(frames: int, setting: Setting) -> tuple[Pieces, np.ndarray]:
    """Pieces of constant jerk, and how many frames each has."""
    edges = np.round(np.linspace(0.0, frames, min(frames, _MOST_PIECES) + 1)).astype(int)
    counts = np.diff(edges)
    last = len(counts) - 1
    tied, still = [], []
    # The spline of a clip has no knot at its second frame; where that is a frame of the transition, this is to hold.
    if setting.frames_before == 1 and counts[0] == 1 and last > 0:
        tied.append(1)
    if setting.frames_after == 1 and counts[-1] == 1 and last > 1:
        tied.append(last)
    if setting.frames_before == 2:
        still.append(0)
    if setting.frames_after == 2:
        still.append(last)
    return Pieces(counts * setting.step_s, tuple(tied), tuple(still)), counts
