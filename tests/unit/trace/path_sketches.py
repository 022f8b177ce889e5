"""Sketches for tests of the geometric stage."""

from __future__ import annotations

import numpy as np

from animato.trace.sketch.sketch import Sketch

ACROSS_X = (1, 2)
IN_XZ = (0, 2)


def loops(
    *,
    centre: tuple[float, float, float],
    length: float,
    plane: tuple[int, int] = ACROSS_X,
    noise: float = 0.0,
    point: str = "pen",
    duration: float = 12.13,
    rate_hz: float = 125.0,
) -> Sketch:
    """A word's worth of loops of changing size, drawn from left to right."""
    times = np.arange(0.0, duration, 1.0 / rate_hz)
    u = times / duration
    turn = 10.0 * np.pi * u
    flat = np.stack([0.9 * u + 0.12 * np.cos(turn), (0.16 + 0.07 * np.cos(4.0 * np.pi * u)) * np.sin(turn)], axis=1)
    flat -= 0.5 * (flat.min(axis=0) + flat.max(axis=0))
    flat *= length / np.linalg.norm(np.diff(flat, axis=0), axis=1).sum()
    flat += noise * np.random.default_rng(4).normal(size=flat.shape)
    positions = np.tile(centre, (len(times), 1)).astype(float)
    positions[:, plane] += flat
    return Sketch((point,), positions[:, None], times)


def circle(radius: float, *, start: float = 0.0, end: float = 2.0 * np.pi, point: str = "pen") -> Sketch:
    """An arc about the origin in the plane x-z, drawn in 4 s."""
    times = np.linspace(0.0, 4.0, 401)
    angle = start + (end - start) * times / 4.0
    positions = np.stack([radius * np.cos(angle), np.zeros_like(angle), radius * np.sin(angle)], axis=1)
    return Sketch((point,), positions[:, None], times)


def line(a: tuple[float, float, float], b: tuple[float, float, float], *, point: str = "pen") -> Sketch:
    """A straight line in 2 s."""
    times = np.linspace(0.0, 2.0, 101)
    positions = np.array(a) + np.linspace(0.0, 1.0, 101)[:, None] * (np.array(b) - np.array(a))
    return Sketch((point,), positions[:, None], times)
