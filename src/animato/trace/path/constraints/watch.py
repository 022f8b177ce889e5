"""Bodies that must stay apart along a path: measured at places, and proven in between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from animato.character import Character
from animato.errors import CharacterError
from animato.mechanics.collision import (
    CollisionModel,
    Obstacle,
    distances,
    near_pairs,
    pair_levers,
    separation_rows,
)
from animato.mechanics.tree import PointKinematics, States, packed_tree
from animato.spatial.basis import DEGREE
from animato.trace.path.constraints.measured import Measured

PathAt = Callable[[np.ndarray], np.ndarray]

FELT = 0.08
"""Beyond the clearance, how far apart bodies begin to count [m]: a step of the path may go that far."""
_EXACT = 0.05  # [m] beyond the clearance, from where on a bound of the distance will do
_HALVINGS = 12
_MOST_INTERVALS = 20_000


@dataclass(frozen=True, eq=False)
class Proof:
    """How near bodies come to one another along a whole path.

    Attributes:
        least: Smallest distance found, of pairs that come near [m]; infinite where none does.
        pair: Between which bodies, empty where none come near.
        s: Where on the path.
        proven: Whether nothing in between comes nearer than the clearance.
        broken: Places at which it is broken, [k].
    """

    least: float
    pair: tuple[str, ...]
    s: float
    proven: bool
    broken: np.ndarray


@dataclass(frozen=True, eq=False)
class Watch:
    """Pairs of bodies that must keep a clearance.

    Attributes:
        model: The robot among its obstacles.
        kinematics: Columns of the path.
        clearance: [m].
        pairs: Which of the model's pairs are watched, [k].
        touching: Names of pairs that are left out, since they overlap where the robot begins.
    """

    model: CollisionModel
    kinematics: PointKinematics
    clearance: float
    pairs: np.ndarray
    touching: tuple[tuple[str, str], ...] = ()

    def states(self, q: np.ndarray) -> States:
        """The robot at postures q [m, n]."""
        tree = packed_tree(self.model.character)
        positions = np.tile(tree.neutral, (len(q), 1))
        held = self.kinematics.held
        positions[:, [tree.coordinate_names.index(name) for name in held.names]] = held.positions
        positions[:, self._columns] = q
        still = np.zeros((len(q), len(tree.dof_names)))
        root = np.concatenate([tree.root_rest.position, tree.root_rest.quaternion_wxyz])
        return States(np.arange(float(len(q))), positions, still, still, np.tile(root, (len(q), 1)))

    @cached_property
    def _columns(self) -> list[int]:
        names = packed_tree(self.model.character).coordinate_names
        return [names.index(name) for name in self.kinematics.names]

    @cached_property
    def _dofs(self) -> list[int]:
        """Columns of `separation_rows` that belong to the path's coordinates."""
        names = packed_tree(self.model.character).dof_names
        return [names.index(name) for name in self.kinematics.names]

    def measured(self, s: np.ndarray, q: np.ndarray, spare: float) -> Measured:
        """What must stay apart at places s [m] where the posture is q [m, n].

        Args:
            s: Places.
            q: Postures there.
            spare: Wanted beyond the clearance [m].
        """
        states = self.states(q)
        near = near_pairs(self.model, states, self.clearance + FELT)
        keep = np.isin(near.pairs, self.pairs)
        slopes = separation_rows(self.model, states, near)[:, self._dofs][keep]
        frames, found = near.frames[keep], near.distances[keep]
        wanted = np.full(len(found), self.clearance + spare)
        return Measured(s[frames], found, wanted, slopes, np.zeros(len(found), dtype=bool), near.pairs[keep])

    def proof(self, knots: np.ndarray, control_points: np.ndarray, s: np.ndarray, q_at: PathAt) -> Proof:
        """Looks between places until every stretch is proven to be clear, or found not to be.

        Between s_l and s_r a body moves against another by at most V, so that nowhere in between they are nearer than
        (d_l + d_r - V) / 2. Stretches for which this is less than the clearance are halved.

        Args:
            knots: Of the path, [c + 4].
            control_points: [c, n].
            s: Places to begin with, rising from 0 to 1, [m].
            q_at: The path at places, [k] to [k, n].
        """
        breaks = knots[DEGREE:-DEGREE]
        s = np.unique(np.concatenate([s, breaks]))
        d = self._distances(q_at(s))
        if not d.shape[1]:
            return Proof(np.inf, (), 0.0, True, np.zeros(0))
        seen_s, seen_d = [s], [d]
        left, right = np.stack([s[:-1], s[1:]]), np.stack([d[:-1], d[1:]])
        for _ in range(_HALVINGS):
            span = np.clip(np.searchsorted(breaks, left[0], side="right") - 1, 0, len(breaks) - 2)
            moved = self._travel(knots, control_points)[span] * (left[1] - left[0])[:, None]
            open_rows = np.any(0.5 * (right[0] + right[1] - moved) < self.clearance, axis=1)
            # where an end is broken already nothing is left to be proven
            open_rows &= np.all(right.min(axis=0) >= self.clearance, axis=1)
            left, right = left[:, open_rows], right[:, open_rows]
            if not left.shape[1] or left.shape[1] > _MOST_INTERVALS:
                break
            middle = left.mean(axis=0)
            at = self._distances(q_at(middle))
            seen_s.append(middle)
            seen_d.append(at)
            left = np.stack([np.concatenate([left[0], middle]), np.concatenate([middle, left[1]])])
            right = np.stack([np.concatenate([right[0], at]), np.concatenate([at, right[1]])])
        return self._told(np.concatenate(seen_s), np.concatenate(seen_d), not left.shape[1])

    def _told(self, s: np.ndarray, d: np.ndarray, closed: bool) -> Proof:
        place, pair = np.unravel_index(int(np.argmin(d)), d.shape)
        broken = np.unique(s[np.any(d < self.clearance, axis=1)])
        names = self.model.pair_names(int(self.pairs[pair]))
        near = float(d[place, pair]) < self.clearance + _EXACT
        return Proof(
            float(d[place, pair]) if near else np.inf,
            names if near else (),
            float(s[place]),
            closed and not len(broken),
            broken,
        )

    def _distances(self, q: np.ndarray) -> np.ndarray:
        """Of the watched pairs at postures [m, n]; lower bounds where they are far, [m, pair]."""
        found = distances(self.model, self.states(q), exact_within_m=self.clearance + _EXACT)
        return np.asarray(found[:, self.pairs])

    def _travel(self, knots: np.ndarray, control_points: np.ndarray) -> np.ndarray:
        """How fast the bodies of each pair can move against one another at most, on each piece, [piece, pair].

        The derivative of the path is a mean of the three slopes of its control polygon that a piece knows.
        """
        width = knots[DEGREE + 1 : -1] - knots[1 : -DEGREE - 1]
        slopes = DEGREE * np.abs(np.diff(control_points, axis=0)) / np.maximum(width, 1e-12)[:, None]
        pieces = len(slopes) - DEGREE + 1
        fastest = np.max([slopes[a : a + pieces] for a in range(DEGREE)], axis=0)
        return np.asarray(fastest @ self._levers)

    @cached_property
    def _levers(self) -> np.ndarray:
        """By how much a point of one body of a pair moves against the other at most with each column, [n, pair]."""
        moves = self.kinematics
        return pair_levers(self.model, self.model.pairs[self.pairs], self._columns, moves.lower, moves.upper)


def watch_of(
    character: Character,
    kinematics: PointKinematics,
    clearance: float,
    *,
    itself: bool,
    obstacles: Sequence[Obstacle] = (),
) -> Watch:
    """What is to be watched of a robot.

    Pairs of its own bodies that overlap where it begins are left out: it is asked to begin that way.

    Args:
        character: Who moves; a tree character.
        kinematics: Columns of the path.
        clearance: To keep [m].
        itself: Whether the robot may not touch itself.
        obstacles: What else it may not touch.

    Raises:
        CharacterError: The robot, or the obstacles, have no shapes.
        MissingDependencyError: What measures distances is not installed.
    """
    model = CollisionModel.of(character, obstacles=tuple(obstacles))
    count = len(character.bodies)
    things = np.asarray(np.isin(model.pairs, np.arange(count, count + len(obstacles))).any(axis=1))
    watched = np.flatnonzero(things | itself)
    if not len(watched):
        raise CharacterError(
            f"There is nothing to avoid: '{character.name}' has no two bodies with collision shapes that could meet. "
            f"Add shapes to its file, or leave `avoid` out."
        )
    watch = Watch(model, kinematics, clearance, watched)
    first = distances(model, watch.states(kinematics.start[None]), exact_within_m=0.0)[0]
    overlap = watched[(first[watched] <= 0.0) & ~things[watched]]
    touching = tuple(model.pair_names(int(pair)) for pair in overlap)
    return replace(watch, pairs=np.setdiff1d(watched, overlap), touching=touching)
