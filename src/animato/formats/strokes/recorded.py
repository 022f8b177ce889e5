"""Samples of a pen as they were recorded, as a stroke: where it was up, and times that do not quite rise."""

from __future__ import annotations

import numpy as np

from animato.errors import MotionError
from animato.formats.strokes.pen_stroke import PenStroke
from animato.motion import Stroke

_MOST_LATE = 0.1  # share of samples whose times do not rise: with more of them it is not a recording
_LEAST_TICKS = 0.1  # share of different times, below which a clock that stands tells nothing
_SLOWEST_S = 1.0  # from sample to sample: no pen is recorded more slowly


def recorded_stroke(
    points: np.ndarray,
    times: np.ndarray | None,
    pressure: np.ndarray | None,
    pen_down: np.ndarray | None,
    source: str,
) -> Stroke:
    """A stroke of samples; those with the pen up, or a time that is not after all before it, are not in it.

    The pen is up where the file says so. Where it does not, two samples or more without any pressure are a pen that
    hovers, if there is pressure elsewhere. A clock that ticks more slowly than samples come repeats its times: these
    are spread evenly up to the next tick.

    Args:
        points: [m], [sample, 2 or 3].
        times: [s], [sample], where they are known.
        pressure: 0 to 1, [sample], where it is known.
        pen_down: Above 0 where the pen draws, [sample], where it is known.
        source: For people.

    Raises:
        MotionError: The pen is never down, or the times do not rise at all.
    """
    times = times if times is None else _spread(times)
    keep = np.ones(len(points), dtype=bool)
    if times is not None and times.ndim == 1 and len(times) > 1 and np.all(np.isfinite(times)):
        keep[1:] = times[1:] > np.maximum.accumulate(times)[:-1]
    late = int(np.sum(~keep))
    if late > _MOST_LATE * len(keep):
        keep[:], late = True, 0  # refused with the place of the first one
    if pen_down is None:
        pen_down = _pressed(pressure)
    breaks = np.zeros(len(points), dtype=bool)
    if pen_down is not None and pen_down.ndim == 1:
        breaks[1:] = np.diff((pen_down > 0.0).astype(np.int8)) > 0
        keep &= pen_down > 0.0
    if not keep.any():
        raise MotionError("The pen is up all the time; nothing is drawn.")
    # a line may begin with a sample that is not kept
    lines = np.cumsum(breaks)[keep]
    lifts = tuple(int(index) for index in np.flatnonzero(np.diff(lines)) + 1)
    chosen, when = points[keep], None if times is None else times[keep]
    pressed = None if pressure is None else pressure[keep]
    notes = _doubts(when)
    if not lifts and not late and not notes:
        return Stroke(chosen, when, pressed, source)
    return PenStroke(chosen, when, pressed, source, lifts, late, notes)


def _spread(times: np.ndarray) -> np.ndarray:
    """Times of a clock that stands for some samples, evenly between its ticks; others as they are."""
    if times.ndim != 1 or len(times) < 3 or not np.all(np.isfinite(times)) or np.any(np.diff(times) < 0.0):
        return times
    first = np.flatnonzero(np.concatenate([[True], np.diff(times) > 0.0]))
    if len(first) == len(times) or len(first) < max(2, _LEAST_TICKS * len(times)):
        return times
    ticks = times[first]
    # what follows the last tick goes on as fast as the samples before
    counts = np.diff(np.append(first, len(times)))
    end = ticks[-1] + float(np.median(np.diff(ticks) / counts[:-1])) * counts[-1]
    return np.interp(np.arange(len(times)), np.append(first, len(times)), np.append(ticks, end))


def _pressed(pressure: np.ndarray | None) -> np.ndarray | None:
    """Where the pen draws, by its pressure; None where that tells nothing."""
    if pressure is None or pressure.ndim != 1 or not np.any(pressure > 0.0):
        return None
    light = pressure == 0.0
    beside = np.concatenate([[False], light, [False]])
    hovers = light & (beside[:-2] | beside[2:])
    return (~hovers).astype(float) if hovers.any() else None


def _doubts(times: np.ndarray | None) -> tuple[str, ...]:
    """What may be wrong with the clock, in sentences."""
    if times is None or len(times) < 3 or float(np.median(np.diff(times))) < _SLOWEST_S:
        return ()
    step = float(np.median(np.diff(times)))
    return (
        f"Samples are {step:.3g} s apart: are the times milliseconds? They are taken as seconds; write 'time [ms]' on "
        'top of a CSV column, or "time_unit": "ms" into JSON.',
    )
