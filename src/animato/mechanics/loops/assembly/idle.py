"""Idle freedoms: rods that spin about themselves between two balls. They are found, and a row holds each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from animato.character import WORLD, Joint, JointType
from animato.mechanics.loops.assembly.mobility import Mobility, scaled_jacobian, unit_scales
from animato.mechanics.loops.assembly.redundancy import unseen_motions
from animato.mechanics.loops.constraints import (
    ConstraintRow,
    IdleSpin,
    Mechanism,
    MotionKind,
    RowKind,
    RowPurpose,
    joint_coordinates,
)
from animato.spatial import quaternions

_LARGEST = 7  # rigid groups in a row, at most: a rod in two halves, and three hinges for each ball
_STILL = 1e-6  # [1] singular value of a motion that no row sees, of rows that are about 1
_SPIN = 1e-5  # [1] by which a motion may differ from a turn about one line
_NEARLY = 5e-3  # [1] the same two of a spin that drags others along a little: axes that miss a ball by a hair


def with_idle_held(draft: Mechanism, mobility: Mobility, *, nearly: bool = False) -> Mechanism:
    """The mechanism with a row for each idle spin, behind all others, and `idle` naming them.

    Idle is a motion of one rigid group of bodies, or of a few in a row, that turns it about one line
    while everything else stands still, where the group hangs between at least two others. What hangs on
    one body alone, as a pendulum, is not idle but lacks an actuator.

    Args:
        draft: Assembled.
        mobility: Of it; some bodies move freely.
        nearly: Whether spins that drag others along a little count, too.
    """
    graph = _Graph(draft, mobility.free_bodies)
    controls = joint_coordinates(draft, mobility.generic_state[None]).columns(draft.control_names)[0]
    jacobian = scaled_jacobian(draft, mobility.generic_state, controls)
    norms = np.linalg.norm(jacobian, axis=1, keepdims=True)
    jacobian = jacobian / np.where(norms > 0.0, norms, 1.0)
    passive = [n for n, row in enumerate(draft.rows) if row.purpose is not RowPurpose.ACTUATOR]
    moves: np.ndarray | None = None
    held: list[ConstraintRow] = []
    idle: list[IdleSpin] = []
    taken: set[int] = set()
    for groups in graph.candidates():
        if taken.intersection(groups):
            continue
        bodies = graph.bodies(groups)
        found = _spin(
            draft, mobility.generic_state, jacobian, bodies, (_NEARLY, _NEARLY) if nearly else (_STILL, _SPIN)
        )
        if found is None:
            continue
        rod, axis, drags = found
        if moves is None:
            rank = int(np.linalg.matrix_rank(jacobian[passive], tol=_STILL))
            moves = unseen_motions(jacobian[passive], rank) * unit_scales(draft)[1][:, None]
        spinning = _Spinning(draft, mobility.generic_state, moves, rod, axis)
        row, against = spinning.held_by(graph.boundary(groups), set(bodies))
        taken.update(groups)
        held.append(row)
        names = tuple(draft.body_names[body] for body in bodies)
        ends = tuple(joint.name for joint in graph.boundary(groups))
        idle.append(IdleSpin(names, ends, against, drags if drags > _STILL else 0.0))
    return replace(draft, rows=(*draft.rows, *held), idle=(*draft.idle, *idle)) if held else draft


class _Graph:
    """Bodies held together rigidly as nodes, joints that move as edges."""

    def __init__(self, draft: Mechanism, free: tuple[str, ...]) -> None:
        index = {name: n for n, name in enumerate(draft.body_names)} | {WORLD: -1}
        leader = dict(zip(index.values(), index.values(), strict=True))

        def root(body: int) -> int:
            while leader[body] != body:
                body = leader[body]
            return body

        for joint in draft.joints:
            if joint.type in (JointType.FIXED, JointType.GROUND):
                first, second = sorted((root(index[joint.parent]), root(index[joint.child])))
                leader[second] = first
        self.members: dict[int, list[int]] = {}
        for body in index.values():
            self.members.setdefault(root(body), []).append(body)
        self.edges: list[tuple[int, int, Joint]] = []
        for joint in draft.joints:
            first, second = root(index[joint.parent]), root(index[joint.child])
            if first != second:
                self.edges.append((first, second, joint))
        self.free = {root(index[name]) for name in free} - {root(-1)}

    def candidates(self) -> Iterator[tuple[int, ...]]:
        """Connected sets of free groups that hang between at least two others, small ones first."""
        sets: list[frozenset[int]] = [frozenset((group,)) for group in sorted(self.free)]
        for _ in range(_LARGEST):
            for one in sets:
                if len(self._outside(one)) >= 2:
                    yield tuple(sorted(one))
            grown = {
                one | {there}
                for one in sets
                for first, second, _ in self.edges
                for here, there in ((first, second), (second, first))
                # Only groups in a row: a body that holds three others does not spin for itself.
                if here in one and there in self.free and there not in one and self._degree(there) == 2
            }
            sets = sorted((one for one in grown if all(self._degree(n) == 2 for n in one)), key=sorted)

    def _degree(self, group: int) -> int:
        return sum(group in (first, second) for first, second, _ in self.edges)

    def _outside(self, groups: frozenset[int]) -> set[int]:
        ends = {end for first, second, _ in self.edges if {first, second} & groups for end in (first, second)}
        return ends - groups

    def boundary(self, groups: tuple[int, ...]) -> list[Joint]:
        """Joints between these groups and the rest."""
        return [joint for first, second, joint in self.edges if (first in groups) != (second in groups)]

    def bodies(self, groups: tuple[int, ...]) -> list[int]:
        """All bodies of some groups."""
        return sorted(body for group in groups for body in self.members[group])


def _spin(
    draft: Mechanism, state: np.ndarray, jacobian: np.ndarray, bodies: list[int], tolerances: tuple[float, float]
) -> tuple[int, np.ndarray, float] | None:
    """A body among these that turns about a line of its own while only they move; its axis; what rows see of it.

    All others turn with it, or about a point of that line: hinges that meet in a point are a ball too.

    Args:
        draft: Which mechanism.
        state: Where, shape [state].
        jacobian: There, rows about 1, shape [row, state].
        bodies: That may move.
        tolerances: What rows may see of the spin, and by how much it may differ from a turn [1].
    """
    still, straight = tolerances
    columns = np.concatenate([np.arange(7 * body, 7 * body + 7) for body in bodies])
    values, vectors = np.linalg.svd(jacobian[:, columns])[1:]
    if np.count_nonzero(values < still) != 1:
        return None  # none, or several at once, which smaller sets of bodies tell apart
    motion = vectors[-1].reshape(-1, 7) * unit_scales(draft)[1][:7]
    parts = state.reshape(-1, 7)[bodies]
    turns = np.array([_angular(part, change) for part, change in zip(parts, motion, strict=True)])
    at_origin = motion[:, :3] - np.cross(turns, parts[:, :3])  # velocity of the point of each that is there
    small = straight * float(np.abs(turns).max()) * draft.length
    for n, (turn, speed) in enumerate(zip(turns, at_origin, strict=True)):
        size = float(np.linalg.norm(turn))
        if size * draft.length < small or abs(float(speed @ turn)) > small * size:
            continue  # it does not turn, or slides as well
        along, point = turn / size, np.cross(turn, speed) / size**2
        # Each body's point (point + t along) stands still for some t.
        misses = []
        for other, velocity in zip(turns, at_origin, strict=True):
            start, slope = velocity + np.cross(other, point), np.cross(other, along)
            square = float(slope @ slope)
            t = -float(start @ slope) / square if square > (straight * size) ** 2 else 0.0
            misses.append(float(np.linalg.norm(start + t * slope)))
        if max(misses) < small:
            return bodies[n], quaternions.rotate(quaternions.conjugate(parts[n, 3:]), along), float(values[-1])
    return None


def _angular(part: np.ndarray, change: np.ndarray) -> np.ndarray:
    """Angular velocity in the world of a body with a state [7] that changes by `change` [7]."""
    return 2.0 * quaternions.multiply(change[3:], quaternions.conjugate(part[3:]))[1:]


@dataclass(frozen=True, eq=False)
class _Spinning:
    """A group that spins, and how the whole mechanism can move.

    Attributes:
        draft: Of which mechanism.
        state: The pose in which moves are known, shape [state].
        moves: Motions that passive rows allow there, shape [state, motion].
        rod: The body that spins.
        axis: About which, in its frame.
    """

    draft: Mechanism
    state: np.ndarray
    moves: np.ndarray
    rod: int
    axis: np.ndarray

    def held_by(self, boundary: list[Joint], bodies: set[int]) -> tuple[ConstraintRow, str]:
        """A row that holds the spin as a universal joint in place of a ball would, and the body it is held in.

        The row m . b = 0 loses the spin where the rod's axis comes to lie along m. So m is taken about
        which the rod turns most against its neighbour, and the neighbour with the purest such turn.
        """
        rest = self.draft.state.reshape(-1, 7)
        axis = quaternions.rotate(rest[self.rod, 3:], self.axis)
        index = {name: n for n, name in enumerate(self.draft.body_names)}
        best: tuple[float, ConstraintRow, str] | None = None
        for joint in boundary:
            other = joint.child if index[joint.parent] in bodies else joint.parent
            direction, impurity = self._turning(self.rod, index[other], axis)
            if best is None or impurity < best[0] - 1e-9:
                best = (impurity, self._row(joint.name, index[other], self.rod, axis, direction), other)
        assert best is not None
        return best[1], best[2]

    def _turning(self, rod: int, other: int, axis: np.ndarray) -> tuple[np.ndarray, float]:
        """The world direction, square to the axis, about which the rod turns most, and how much it turns otherwise."""
        here, rest = self.state.reshape(-1, 7), self.draft.state.reshape(-1, 7)
        moves = self.moves.reshape(-1, 7, self.moves.shape[1])
        seen = [
            _angular(here[rod], moves[rod, :, n]) - _angular(here[other], moves[other, :, n])
            for n in range(moves.shape[2])
        ]
        turns = quaternions.rotate(quaternions.conjugate(here[other, 3:]), np.array(seen).reshape(-1, 3))
        turns = quaternions.rotate(rest[other, 3:], turns)
        turns = turns - np.outer(turns @ axis, axis)
        guess = np.eye(3)[int(np.argmin(np.abs(axis)))]
        side = guess - axis * (axis @ guess)
        side /= np.linalg.norm(side)
        plane = np.stack([side, np.cross(axis, side)])
        values, vectors = np.linalg.eigh(plane @ turns.T @ turns @ plane.T)
        if values[1] < 1e-12:
            return side, 1.0
        return vectors[:, 1] @ plane, float(max(values[0], 0.0) / values[1])

    def _row(self, owner: str, other: int, rod: int, axis: np.ndarray, direction: np.ndarray) -> ConstraintRow:
        rest = self.draft.state.reshape(-1, 7)
        terms = np.zeros((4, 3))
        terms[0] = quaternions.rotate(quaternions.conjugate(rest[other, 3:]), direction)
        across = quaternions.rotate(quaternions.conjugate(rest[rod, 3:]), np.cross(axis, direction))
        words = "its rod does not spin"
        return ConstraintRow(owner, words, RowKind.DOT, RowPurpose.PASSIVE, other, rod, MotionKind.NONE, terms, across)
