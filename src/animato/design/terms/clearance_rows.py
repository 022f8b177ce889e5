"""Soft rows that keep bodies apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from animato.design.terms.clearance import Pair, clearances
from animato.design.terms.soft_rows import SoftValues
from animato.design.terms.tracking import turn_slopes
from animato.errors import unknown_name
from animato.mechanics.loops.constraints import Mechanism, SparsePattern

_MARGIN = 1.25


@dataclass(frozen=True, eq=False)
class ClearanceRows:
    """One row a pair: how far bodies are nearer than they should be [m], or 0.

    The rows begin to act at 1.25 times the clearance, so that it is kept though they are soft.
    The distance is n . (x_b - x_a) with the nearest points x fixed on their bodies to first order.

    Attributes:
        mechanism: Whose bodies.
        pairs: Which.
        clearance: That must be kept [m].
        weight: Of the squared rows [1/m^2].
    """

    mechanism: Mechanism
    pairs: tuple[Pair, ...]
    clearance: float
    weight: float

    def __post_init__(self) -> None:
        for name in (name for pair in self.pairs for name in pair):
            if name not in self.mechanism.body_names:
                raise unknown_name("body", name, self.mechanism.body_names, self.mechanism.name)

    @cached_property
    def weights(self) -> np.ndarray:
        """Shape [pair]."""
        return np.full(len(self.pairs), self.weight)

    @cached_property
    def state(self) -> SparsePattern:
        """Both bodies of each pair, sorted by column."""
        rows = np.repeat(np.arange(len(self.pairs)), 14)
        firsts = [sorted(7 * self.mechanism.body_index(name) for name in pair) for pair in self.pairs]
        cols = np.array([first + k for both in firsts for first in both for k in range(7)], dtype=np.int64)
        return SparsePattern((len(self.pairs), len(self.mechanism.state)), rows, cols)

    @cached_property
    def control(self) -> SparsePattern:
        """None."""
        return self._none(len(self.mechanism.controls))

    @cached_property
    def design(self) -> SparsePattern:
        """None."""
        return self._none(len(self.mechanism.design))

    def _none(self, count: int) -> SparsePattern:
        none = np.empty(0, dtype=np.int64)
        return SparsePattern((len(self.pairs), count), none, none)

    def evaluated(self, states: np.ndarray, controls: np.ndarray, design: np.ndarray) -> SoftValues:
        """At all steps."""
        begin = _MARGIN * self.clearance
        found = clearances(self.mechanism, states, pairs=self.pairs, far=1.5 * begin)
        short = begin - found.distances
        steps = len(states)
        slopes = np.zeros((steps, len(self.pairs), 2, 7))
        close = short > 0.0
        for n, pair in enumerate(self.pairs):
            for side, sign in ((0, 1.0), (1, -1.0)):  # d = n . (x_b - x_a) and the row is begin - d
                first = 7 * self.mechanism.body_index(pair[side])
                turn = states[:, first + 3 : first + 7]
                along = turn_slopes(turn, np.nan_to_num(found.near_points[:, n, side]))
                slopes[:, n, side, :3] = sign * found.normals[:, n]
                turning = np.einsum("ni,nij->nj", found.normals[:, n], along)
                # poses are measured with quaternions of unit length: along themselves nothing changes
                turning -= turn * np.sum(turn * turning, axis=1, keepdims=True)
                slopes[:, n, side, 3:] = sign * turning
            if self.mechanism.body_index(pair[0]) > self.mechanism.body_index(pair[1]):
                slopes[:, n] = slopes[:, n, ::-1]
        slopes *= close[:, :, None, None]
        none = np.empty((steps, 0))
        return SoftValues(np.maximum(short, 0.0), slopes.reshape(steps, -1), none, none)

    def broken(self, states: np.ndarray, controls: np.ndarray, design: np.ndarray) -> str | None:
        """Which bodies come too near, where and how near."""
        found = clearances(self.mechanism, states, pairs=self.pairs, far=max(0.02, 1.5 * self.clearance))
        if found.worst is None or found.smallest >= self.clearance:
            return None
        (first, second), step = found.worst
        nearest, asked = 1000.0 * found.smallest, 1000.0 * self.clearance
        return (
            f"'{first}' and '{second}' come as near as {nearest:.1f} mm at step {step}; {asked:.1f} mm were asked for."
        )
