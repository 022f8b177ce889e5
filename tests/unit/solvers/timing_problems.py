"""Timing problems without a robot."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from animato.solvers.timing.arrays import ABSOLUTE, TimingArrays


def slider(
    count: int,
    *,
    way: float = 2.0,
    acceleration: float = 3.0,
    velocity: float = 1.2,
    beta: float = 0.0,
    gamma: float = 1.0,
    mode: int = ABSOLUTE,
    duration: float = 0.0,
    drawn: Callable[[np.ndarray], np.ndarray] = lambda s: s,
    relaxed: bool = False,
) -> TimingArrays:
    """One axis over `way` with limits at both ends of each segment."""
    grid = np.linspace(0, 1, count + 1)
    push, speed = way * count / (2 * acceleration), (way / velocity) ** 2
    bent = 0.2 / count
    one = [
        [-push, push, way * count / acceleration, 1.0],
        [-push, push, -way * count / acceleration, 1.0],
        [push, -push, way * count / acceleration, 1.0],
        [push, -push, -way * count / acceleration, 1.0],
        [speed, 0.0, 0.0, 1.0],
        [0.0, speed, 0.0, 1.0],
        [0.5 * speed, 0.5 * speed, speed, 1.0],
        [0.0, 0.0, 1.0 / bent, 1.0],
        [0.0, 0.0, -1.0 / bent, 1.0],
        [-0.5, -0.5, -1.0, 0.0],
    ]
    moves = np.ones(count + 1, dtype=bool)
    moves[[0, -1]] = False
    middle = 0.5 * (grid[1:] + grid[:-1])
    return TimingArrays(
        np.diff(grid),
        len(one) * np.arange(count + 1),
        np.tile(np.array(one), (count, 1)),
        np.full(count, bent),
        moves,
        np.zeros(count + 1, dtype=bool),
        np.zeros(count + 1),
        np.stack([drawn(grid[:-1]), drawn(middle), drawn(grid[1:])], axis=1),
        beta * np.tile([1.0, 4.0, 1.0], (count, 1)) / 6.0 / count,
        gamma,
        mode,
        duration,
        relaxed,
    )


def slow_start(count: int) -> np.ndarray:
    grid = np.linspace(0, 1, count + 1)
    return 0.2 * np.minimum(grid, 1 - grid)
