"""A piece of motion as the driver plays it: a cubic Bezier curve in whole milliseconds and whole units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.stage.lines.bottango.commands import UNITS


@dataclass(frozen=True)
class Curve:
    """From one time and place to another; control points are relative to its ends.

    Attributes:
        start_ms: On the clock of the line.
        duration_ms: How long.
        y0: Where it starts [units of 8192].
        cx0: The first control point: how much later [ms].
        cy0: And how much higher [units].
        y1: Where it ends.
        cx1: The second control point, from the end [ms], not above 0.
        cy1: And how much higher.
    """

    start_ms: int
    duration_ms: int
    y0: int
    cx0: int
    cy0: int
    y1: int
    cx1: int
    cy1: int

    @property
    def end_ms(self) -> int:
        """When it ends, on the clock of the line."""
        return self.start_ms + self.duration_ms

    def command(self, motor: str, synced_ms: int) -> str:
        """The command for a motor, counted from the last time sync."""
        return (
            f"sC,{motor},{self.start_ms - synced_ms},{self.duration_ms},"
            f"{self.y0},{self.cx0},{self.cy0},{self.y1},{self.cx1},{self.cy1}"
        )

    def at(self, milliseconds: float) -> float:
        """Where it is at a time on the clock of the line [units]; before and after it, at its ends."""
        place = float(milliseconds) - self.start_ms
        if place <= 0.0 or self.duration_ms == 0:
            return float(self.y0 if place <= 0.0 and self.duration_ms else self.y1)
        if place >= self.duration_ms:
            return float(self.y1)
        u = _parameters(np.array([place]), self.duration_ms, self.cx0, self.cx1)
        b0, b1, b2, b3 = _weights(u)
        y = b0 * self.y0 + b1 * (self.y0 + self.cy0) + b2 * (self.y1 + self.cy1) + b3 * self.y1
        return float(y[0])


def fitted(times_ms: Sequence[float], heights: Sequence[float]) -> Curve:
    """The curve from the first sample to the last that passes the others as closely as one cubic can.

    Ends are met to the unit, so that one curve begins where the one before it ended. With control points a third of
    the duration apart, time along the curve is even, and the fit is linear in the two heights that are free.

    Args:
        times_ms: At least two, rising [ms].
        heights: [units of 8192], not rounded.
    """
    start, end = round(times_ms[0]), round(times_ms[-1])
    duration = max(end - start, 1)
    y0, y1 = _unit(heights[0]), _unit(heights[-1])
    third = round(duration / 3)
    straight = third / duration * (y1 - y0)
    rise = np.zeros(2)
    if len(times_ms) > 2:
        inner = np.clip(np.asarray(times_ms[1:-1], float) - start, 0.0, duration)
        u = _parameters(inner, duration, third, -third)
        b0, b1, b2, b3 = _weights(u)
        line = (b0 + b1) * y0 + (b2 + b3) * y1 + (b1 - b2) * straight
        sides = np.column_stack([b1, b2])
        # a single sample between the ends does not say both heights: the smaller ones are taken
        normal = sides.T @ sides + 1e-6 * np.eye(2)
        rise = np.linalg.solve(normal, sides.T @ (np.asarray(heights[1:-1], float) - line))
    return Curve(start, duration, y0, third, round(straight + rise[0]), y1, -third, round(-straight + rise[1]))


def _unit(height: float) -> int:
    return min(max(round(height), 0), UNITS)


def _weights(u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    v = 1.0 - u
    return v**3, 3.0 * u * v**2, 3.0 * u**2 * v, u**3


def _parameters(places: np.ndarray, duration: int, cx0: int, cx1: int) -> np.ndarray:
    """Parameters of the curve at places in time after its start [ms].

    Time along it is almost even, so that a few steps of Newton from there are exact.
    """
    u = places / duration
    for _ in range(4):
        v = 1.0 - u
        _, b1, b2, b3 = _weights(u)
        ahead = b1 * cx0 + b2 * (duration + cx1) + b3 * duration - places
        pace = 3.0 * (v**2 * cx0 + 2.0 * u * v * (duration + cx1 - cx0) - u**2 * cx1)
        u = np.clip(u - ahead / np.maximum(pace, 0.1 * duration), 0.0, 1.0)
    return u
