"""What people do today with a clip that asks for too much: play it slower, or clamp and filter it.

Every peer is set as well as we know how: what it leaves to be chosen is searched for, until all limits hold that it can
make hold, and the best of what holds is taken. Range is always kept by clamping first; the clamp stands a little inside
the range where the spline between frames would swing out of it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy.signal import butter, sosfiltfilt

from animato.motion import Clip
from animato.spatial import quaternions
from benchmarks.fix_cases import Case
from benchmarks.fix_measures import Result, deviations, worst_shares

MARGINS = (0.0, 0.002, 0.01, 0.03, 0.08)
"""Shares of the half range by which the clamp may stand inside the range."""

LOOKED_AT, LOOKED_AT_ON_FLOOR = 8, 2
"""Points a frame at which a peer looks for its settings; it is judged on a finer grid."""

MOST_SLOWDOWN = 64.0

ANY = np.inf
"""A limit that is not there."""


def holds(case: Case, clip: Clip) -> bool:
    """Whether every limit holds, as far as a peer looks."""
    fine = LOOKED_AT_ON_FLOOR if case.character.floats else LOOKED_AT
    return max(worst_shares(case, clip, fine=fine).values()) <= 1.0


def with_positions(clip: Clip, positions: np.ndarray, by: str = "") -> Clip:
    """The clip with other angles."""
    return Clip(clip.times, clip.names, positions, clip.base_positions, clip.base_quaternions_wxyz, by)


def stretched(clip: Clip, factor: float) -> Clip:
    """The same frames, so much slower."""
    start = clip.times[0]
    return Clip(
        start + factor * (clip.times - start),
        clip.names,
        clip.positions,
        clip.base_positions,
        clip.base_quaternions_wxyz,
        clip.source,
    )


def bounds(case: Case, kind: str) -> np.ndarray:
    """A limit of every coordinate of the clip, infinite where there is none; of a range its ends, [2, coordinate]."""
    limits = {
        name: one
        for joint in case.character.free_joints
        for name, one in zip(joint.coordinate_names, joint.limits, strict=True)
    }
    if kind == "position":
        return np.array([limits[name].range for name in case.clip.names]).T
    values = [getattr(limits[name], kind) for name in case.clip.names]
    return np.array([ANY if one is None else one for one in values], dtype=np.float64)


def clamped(case: Case, margin: float) -> Clip:
    """The artist's clip with its frames inside the range, a share of the half range away from its ends."""
    lower, upper = bounds(case, "position")
    bounded = np.isfinite(lower) & np.isfinite(upper)
    inset = np.where(bounded, margin * 0.5 * (upper - lower), 0.0) if margin else np.zeros(len(lower))
    return with_positions(case.clip, np.clip(case.clip.positions, lower + inset, upper - inset), "clamped")


def in_range(case: Case) -> Clip:
    """The clip clamped as little as keeps its spline in range."""
    for margin in MARGINS:
        clip = clamped(case, margin)
        if worst_shares(case, clip, fine=LOOKED_AT)["position"] <= 1.0:
            return clip
    return clip


def least_slowdown(case: Case, clip: Clip) -> float | None:
    """The least factor by which all of a clip must be slower so that every limit holds; None where none does."""
    if holds(case, clip):
        return 1.0
    low, high = 1.0, 2.0
    while not holds(case, stretched(clip, high)):
        low, high = high, 2.0 * high
        if high > MOST_SLOWDOWN:
            return None
    while high / low > 1.0005:
        middle = np.sqrt(low * high)
        low, high = (low, middle) if holds(case, stretched(clip, middle)) else (middle, high)
    return float(high)


def slowdown(case: Case) -> Result:
    """Plays everything slower, by the least factor that keeps every limit."""
    begin = time.perf_counter()
    clip = in_range(case)
    factor = least_slowdown(case, clip)
    seconds = time.perf_counter() - begin
    if factor is None:
        return Result("slow-down", None, seconds=seconds, note="no tempo keeps the torques")
    return Result("slow-down", stretched(clip, factor), case.clip.times, seconds, f"{factor:.2f} times slower")


@dataclass(frozen=True, eq=False)
class Filter:
    """A low-pass and what stands before it.

    Attributes:
        start: The clamped clip, perhaps with its rate limited.
        cuts_hz: Cut-off of each coordinate, [coordinate], and of the base at the end.
        order: Of the Butterworth filter, which is run twice.
        note: In words.
    """

    start: Clip
    cuts_hz: np.ndarray
    order: int
    note: str

    @property
    def clip(self) -> Clip:
        """What comes out."""
        return _passed(self.start, self.cuts_hz, self.order)


def low_pass(case: Case) -> Result:
    """Clamps, and takes out what is fast: a Butterworth filter run forth and back, at the highest cut-off that does.

    Tried with two orders, several insets of the clamp, and with and without a limit on the rate before the filter.
    """
    begin = time.perf_counter()
    best = _best_filter(case)
    seconds = time.perf_counter() - begin
    if best is None:
        return Result("low-pass", None, seconds=seconds, note="no cut-off keeps all limits")
    return Result("low-pass", best.clip, None, seconds, best.note)


def low_pass_by_joint(case: Case) -> Result:
    """The same with a cut-off of its own for each joint: each is raised in turn for as long as every limit holds.

    Better than what people do today, and so a harder peer than they are.
    """
    begin = time.perf_counter()
    best = _best_filter(case)
    if best is None:
        return Result(
            "low-pass by joint", None, seconds=time.perf_counter() - begin, note="no cut-off keeps all limits"
        )
    highest = 0.45 * frame_rate(case.clip)
    for factor in (4.0, 2.0, 1.4, 1.15):
        for column in range(len(best.cuts_hz)):
            while best.cuts_hz[column] < highest:
                cuts = np.array(best.cuts_hz)
                cuts[column] = min(factor * cuts[column], highest)
                if not holds(case, _passed(best.start, cuts, best.order)):
                    break
                best = replace(best, cuts_hz=cuts)
    note = f"{best.cuts_hz.min():.2f} to {best.cuts_hz.max():.2f} Hz"
    return Result("low-pass by joint", best.clip, None, time.perf_counter() - begin, note)


@lru_cache(maxsize=64)
def _best_filter(case: Case) -> Filter | None:
    found = list(_filters(case))
    return min(found, key=lambda one: mean_deviation(case, one.clip)) if found else None


def frame_rate(clip: Clip) -> float:
    """[Hz]."""
    return (clip.frame_count - 1) / clip.duration


def mean_deviation(case: Case, clip: Clip) -> float:
    """Of the named points at equal times [m]."""
    apart, weights = deviations(case, Result("", clip))
    return float(weights @ apart.mean(axis=1))


def _filters(case: Case) -> Iterator[Filter]:
    """For each way to begin and each order the highest common cut-off that keeps every limit."""
    highest = 0.45 * frame_rate(case.clip)
    columns = len(case.clip.names) + 1
    for margin in MARGINS:
        for limited in (False, True):
            start = rate_limited(case, clamped(case, margin)) if limited else clamped(case, margin)
            for order in (1, 2):
                cut = _highest(case, start, order, np.geomspace(highest, 0.02, 40))
                if cut is not None:
                    text = f"{cut:.2f} Hz, order {2 * order}{', rate limited' if limited else ''}"
                    yield Filter(start, np.full(columns, cut), order, text)


def _highest(case: Case, start: Clip, order: int, cuts: np.ndarray) -> float | None:
    """The highest cut-off that keeps every limit: the first of a falling list, then halved towards the one before."""

    def fits(cut: float) -> bool:
        return holds(case, _passed(start, np.full(len(start.names) + 1, cut), order))

    for k, cut in enumerate(cuts):
        if not fits(cut):
            continue
        high, low = (cuts[k - 1], cut) if k else (cut, cut)
        for _ in range(5):
            middle = float(np.sqrt(high * low))
            high, low = (high, middle) if fits(middle) else (middle, low)
        return float(low)
    return None


def _passed(clip: Clip, cuts_hz: np.ndarray, order: int) -> Clip:
    """The clip with each coordinate filtered at its cut-off, and the base at the last one."""
    rate = frame_rate(clip)

    def smooth(values: np.ndarray, cut: float) -> np.ndarray:
        sections = butter(order, cut / (0.5 * rate), output="sos")
        pad = min(clip.frame_count - 1, int(3.0 * rate / cut))
        return np.asarray(sosfiltfilt(sections, values, axis=0, padtype="odd", padlen=pad))

    positions = np.empty_like(clip.positions)
    for cut in np.unique(cuts_hz[:-1]):
        columns = np.flatnonzero(cuts_hz[:-1] == cut)
        positions[:, columns] = smooth(clip.positions[:, columns], float(cut))
    base, turn = clip.base_positions, clip.base_quaternions_wxyz
    last = float(cuts_hz[-1])
    return Clip(
        clip.times,
        clip.names,
        positions,
        None if base is None else smooth(base, last),
        None if turn is None else quaternions.normalized(smooth(quaternions.continuous(turn), last)),
        "low-pass",
    )


def rate_limited(case: Case, clip: Clip) -> Clip:
    """No step from frame to frame beyond the velocity limit: the mean of a pass forth and a pass back, without lag."""
    most = bounds(case, "velocity") * np.diff(clip.times)[:, None]
    most[~np.isfinite(most)] = 1e9
    passes = []
    for values, steps in ((clip.positions, most), (clip.positions[::-1], most[::-1])):
        out = np.array(values)
        for k in range(1, len(out)):
            out[k] = out[k - 1] + np.clip(values[k] - out[k - 1], -steps[k - 1], steps[k - 1])
        passes.append(out)
    return with_positions(clip, 0.5 * (passes[0] + passes[1][::-1]), "rate limited")
