"""Mechanics of a character whose bodies stay apart.

A pair at distance d that shall keep the floor f gives the row 1 + (f - d) / u <= 1, with u a length of the character.
To first order d changes by n . (J_a - J_b) dq, with n the normal from b to a at the nearest points; where two bodies
overlap, d is less than 0, and n the way on which they part soonest. Few pairs are near at a moment. So a moment has a
few rows, which look at its nearest pairs, whichever these are; those that are left say nothing.
"""

from __future__ import annotations

import numpy as np

from animato.fix.apart.passing import sided
from animato.fix.apart.watch import Watch
from animato.fix.shape import MomentRows, Motion, TreeMechanics
from animato.mechanics.collision import NearPairs, near_pairs, separation_rows
from animato.mechanics.tree import States, forward_kinematics

ROWS = 6
"""Pairs of a moment that are looked at, the nearest to their floors."""

_NONE = -10.0  # shares that a row uses which looks at nothing
_NEAR = 0.6  # shares of room within which a pair is looked at: more than programs take part of


class KeptApart:
    """Points and loads of a character, and rows that keep its bodies apart."""

    def __init__(self, inner: TreeMechanics, watch: Watch) -> None:
        """Prepares.

        Args:
            inner: Its points and loads.
            watch: What stays apart.
        """
        self.inner, self.watch = inner, watch
        self._known: tuple[Motion, States, NearPairs] | None = None

    @property
    def row_names(self) -> tuple[str, ...]:
        """Of the loads, then of what stays apart."""
        return (*self.inner.row_names, *["apart"] * ROWS)

    @property
    def has_friction(self) -> bool:
        """Whether dry friction turns round with the motion."""
        return self.inner.has_friction

    @property
    def smoothable(self) -> slice:
        """Of the loads alone: a smoother way through a body is still a way through it."""
        return slice(0, len(self.inner.row_names))

    def places(self, motion: Motion) -> np.ndarray:
        """Where the points are [m], [moment, point, 3]."""
        return self.inner.places(motion)

    def jacobians(self, motion: Motion) -> np.ndarray:
        """How they move, [moment, column, point, 3]."""
        return self.inner.jacobians(motion)

    def loads(self, motion: Motion) -> np.ndarray:
        """What loads and nearness use, in shares, [moment, row]."""
        _, near = self._near(motion)
        return np.concatenate([self.inner.loads(motion), self._values(near, len(motion.q))[0]], axis=1)

    def load_rows(self, motion: Motion) -> MomentRows:
        """The same with derivatives."""
        states, near = self._near(motion)
        loads = self.inner.load_rows(motion)
        values, (chosen, rows) = self._values(near, len(motion.q))
        by_q = np.zeros((*values.shape, loads.by_q.shape[2]))
        slopes = separation_rows(self.watch.close_model, states, near)[:, self.inner.moving.dofs]
        by_q[near.frames[chosen], rows] = -slopes[chosen] / self.watch.unit
        nothing = np.zeros_like(by_q)
        return MomentRows(
            np.concatenate([loads.values, values], axis=1),
            np.concatenate([loads.by_q, by_q], axis=1),
            np.concatenate([loads.by_v, nothing], axis=1),
            np.concatenate([loads.by_a, nothing], axis=1),
        )

    def _near(self, motion: Motion) -> tuple[States, NearPairs]:
        """The character, and its pairs that are near their floors."""
        if self._known is None or self._known[0] is not motion:
            states = self.inner.states(motion)
            within = float(self.watch.floors.max()) + _NEAR * self.watch.unit
            near = near_pairs(self.watch.close_model, states, within)
            if self.watch.passages and len(near):
                near = self._sided(motion, states, near)
            self._known = motion, states, near
        return self._known[1], self._known[2]

    def _sided(self, motion: Motion, states: States, near: NearPairs) -> NearPairs:
        """Pairs that pass one another, on the side on which they shall."""
        character, whole = self.watch.character, self.inner.reference
        times, part = whole.times[motion.moments], motion.moments
        asked = States(
            times, whole.positions[part], whole.velocities[part], whole.accelerations[part], whole.root[part]
        )
        poses, reference = (forward_kinematics(character, one) for one in (states, asked))
        return sided(self.watch.close_model, poses, near, self.watch.passages, reference)

    def _values(self, near: NearPairs, count: int) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
        """Shares [moment, ROWS], and of the pairs that have a row which they are and their rows."""
        watch = self.watch
        shares = 1.0 + (watch.floors[watch.close][near.pairs] - near.distances) / watch.unit
        order = np.lexsort((-shares, near.frames))
        frames = near.frames[order]
        rank = np.arange(len(order)) - np.searchsorted(frames, frames)
        chosen, rows = order[rank < ROWS], rank[rank < ROWS]
        values = np.full((count, ROWS), _NONE)
        values[near.frames[chosen], rows] = shares[chosen]
        return values, (chosen, rows)
