"""Times for a stroke that has none: at constant speed, or as a hand would draw it.

A hand slows down in bends. Over many movements its speed goes with the curvature k of the path as k^(-1/3): the
two-thirds power law (Lacquaniti, Terzuolo, Viviani: The law relating the kinematic and figural aspects of drawing
movements, 1983). It starts and ends at rest, and neither starts nor brakes at once.
"""

from __future__ import annotations

import math

import numpy as np

from animato.errors import MotionError, OptionError
from animato.motion import Stroke

LAWS = ("curvature", "constant")
USUAL_SPEED = 0.3
"""Mean speed of a hand that writes large on a board [m/s]."""

_PIECES = 4000  # of the path, all equally long; curvature is taken over a few of them
_WINDOW = 1.0 / 250.0  # share of the path over which a direction is taken: a corner becomes a bend of that size
_STRAIGHTEST = 2.0  # radius of the gentlest bend that still slows the hand, in mean radii
_SLOWEST = 0.12  # of the mean speed, in the sharpest corner
_LIVELINESS = 60.0  # how soon the hand is at speed: acceleration in (mean speed)^2 / length


def timed(
    stroke: Stroke,
    *,
    law: str = "curvature",
    duration_s: float | None = None,
    speed: float | None = None,
    rate_hz: float = 125.0,
) -> Stroke:
    """The same path with times, sampled evenly in time; times it had are forgotten.

    Args:
        stroke: The path.
        law: "curvature" slows down in bends and rests at both ends; "constant" does neither.
        duration_s: How long it shall take [s].
        speed: Its mean speed [m/s], instead; 0.3 where neither is given.
        rate_hz: Samples a second.

    Raises:
        MotionError: The stroke has no length.
        OptionError: The law is not known, or a number is not above 0.
    """
    if law not in LAWS:
        raise OptionError(f"A law of timing is one of {', '.join(LAWS)}; given {law!r}.")
    if duration_s is not None and speed is not None:
        raise OptionError("Give the duration of a stroke or its speed, not both.")
    for name, value in (("duration_s", duration_s), ("speed", speed), ("rate_hz", rate_hz)):
        if value is not None and not (math.isfinite(value) and value > 0.0):
            raise OptionError(f"{name} is a number above 0, given {value}.")
    along, points, pressure = _without_repeats(stroke)
    duration = duration_s if duration_s is not None else along[-1] / (USUAL_SPEED if speed is None else speed)
    count = max(2, round(duration * rate_hz) + 1)
    times = np.linspace(0.0, duration, count)
    where = along[-1] * _progress(along, points, law, times / duration)
    return Stroke(
        np.stack([np.interp(where, along, column) for column in points.T], axis=1),
        times,
        None if pressure is None else np.interp(where, along, pressure),
        stroke.source,
    )


def _without_repeats(stroke: Stroke) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Distance from the start, points and pressure of the samples that moved."""
    steps = np.linalg.norm(np.diff(stroke.points, axis=0), axis=1)
    keep = np.concatenate([[True], steps > 1e-12 * max(float(steps.sum()), 1e-300)])
    if keep.sum() < 2:
        raise MotionError("The stroke has no length: all its points are the same place. Draw a line, not a dot.")
    points = stroke.points[keep]
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    return along, points, None if stroke.pressure is None else stroke.pressure[keep]


def _progress(along: np.ndarray, points: np.ndarray, law: str, when: np.ndarray) -> np.ndarray:
    """Share of the path that is behind at shares of the time, both 0 to 1."""
    if law == "constant":
        return when
    share = np.linspace(0.0, 1.0, _PIECES + 1)
    square = _speed_square(_curvature(along, points, share))
    # in each piece the speed changes evenly in time, so its mean is that of both ends; at rest this stays finite
    speed = np.sqrt(square)
    clock = np.concatenate([[0.0], np.cumsum(2.0 / (speed[1:] + speed[:-1]))])
    clock /= clock[-1]
    piece = np.clip(np.searchsorted(clock, when, side="right") - 1, 0, _PIECES - 1)
    part = (when - clock[piece]) / (clock[piece + 1] - clock[piece])
    first, last = speed[piece], speed[piece + 1]
    return (piece + part * (2.0 * first + part * (last - first)) / (first + last)) / _PIECES


def _curvature(along: np.ndarray, points: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Curvature times the length of the path at shares of it."""
    half = 0.5 * _WINDOW

    def at(where: np.ndarray) -> np.ndarray:
        return np.stack([np.interp(where * along[-1], along, column) for column in points.T], axis=1) / along[-1]

    before, after = at(share) - at(share - half), at(share + half) - at(share)
    lengths = np.linalg.norm(before, axis=1), np.linalg.norm(after, axis=1)
    inner = (share > half) & (share < 1.0 - half)
    dots = np.sum(before * after, axis=1)[inner] / (lengths[0] * lengths[1])[inner].clip(1e-300)
    bend = np.zeros(len(share))
    bend[inner] = np.arccos(dots.clip(-1.0, 1.0)) / half
    bend[share <= half], bend[share >= 1.0 - half] = bend[inner][0], bend[inner][-1]
    return _smoothed(bend, round(_WINDOW * _PIECES))


def _smoothed(values: np.ndarray, width: int) -> np.ndarray:
    """Means over `width` neighbours, three times, which is near to a bell."""
    for _ in range(3):
        padded = np.pad(values, (width // 2, width - width // 2), mode="edge")
        values = np.convolve(padded, np.full(width, 1.0 / width), mode="valid")[: len(values)]
    return values


def _speed_square(curvature: np.ndarray) -> np.ndarray:
    """Square of the speed at the pieces' ends, up to a factor: power law, then no sudden start or stop."""
    gentlest = float(np.exp(np.mean(np.log(curvature + 1e-3)))) / _STRAIGHTEST
    wanted = (curvature + gentlest) ** (-1.0 / 3.0)
    mean = len(wanted) / float(np.sum(1.0 / wanted))
    square = np.maximum(wanted, _SLOWEST * mean) ** 2
    square[0] = square[-1] = 0.0
    gain = 2.0 * _LIVELINESS * mean**2 / len(square)
    # v^2 may grow by at most `gain` a piece, in both directions
    ramp = gain * np.arange(len(square))
    forward = np.minimum.accumulate(square - ramp) + ramp
    return (np.minimum.accumulate((forward - ramp[::-1])[::-1])[::-1] + ramp[::-1]).clip(0.0)
