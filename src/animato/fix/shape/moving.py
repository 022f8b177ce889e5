"""What may change: the coordinates that a motor of one axis drives, and what limits each of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from animato.character import Character, JointType, Limits
from animato.mechanics.tree import packed_tree

ROOT = 6
ROOT_NAMES = ("root x", "root y", "root z", "root turn x", "root turn y", "root turn z")
LINEAR_KINDS = ("position", "velocity", "acceleration", "jerk")
"""Limits that are linear in the motion."""


@dataclass(frozen=True, eq=False)
class Moving:
    """Coordinates that may change, in the order of the character's.

    Where the root may change, six columns of it stand first: by how far it is from where the reference has it, in the
    world's axes [m], and by which right-hand turn about its own axes, as a rotation vector [rad].

    Attributes:
        names: Of the coordinates, [column].
        coordinates: Their columns among positions, -1 for the root's, [column].
        dofs: Their columns among velocities and torques, [column].
        lower, upper: By kind of linear limit, infinite where there is none, [column] each. Joints that follow one of
            them by a gear count with it.
        limits: As the character states them, one a column.
    """

    names: tuple[str, ...]
    coordinates: np.ndarray
    dofs: np.ndarray
    lower: dict[str, np.ndarray]
    upper: dict[str, np.ndarray]
    limits: tuple[Limits, ...]

    def __len__(self) -> int:
        return len(self.names)

    @property
    def root(self) -> int:
        """Columns of the root: six or none."""
        return int(np.sum(self.coordinates < 0))

    def with_root(self) -> Moving:
        """The same with the root's columns, which nothing limits."""
        free = np.full(ROOT, np.inf)
        return Moving(
            (*ROOT_NAMES, *self.names),
            np.concatenate([np.full(ROOT, -1, dtype=np.int64), self.coordinates]),
            np.concatenate([np.arange(ROOT), self.dofs]),
            {kind: np.concatenate([-free, bound]) for kind, bound in self.lower.items()},
            {kind: np.concatenate([free, bound]) for kind, bound in self.upper.items()},
            (*[Limits()] * ROOT, *self.limits),
        )

    def chosen(self, columns: np.ndarray) -> Moving:
        """Some of the columns."""
        return Moving(
            tuple(self.names[c] for c in columns),
            self.coordinates[columns],
            self.dofs[columns],
            {kind: bound[columns] for kind, bound in self.lower.items()},
            {kind: bound[columns] for kind, bound in self.upper.items()},
            tuple(self.limits[c] for c in columns),
        )


def moving_of(character: Character, names: Iterable[str]) -> Moving:
    """All coordinates among some names whose joints have plain axes; spherical joints keep what they do."""
    tree, wanted = packed_tree(character), set(names)
    found: list[tuple[str, int, int, Limits]] = []
    dof = 6 if tree.has_free_root else 0
    for joint in character.free_joints:
        if joint.type is JointType.SPHERICAL:
            dof += 3
            continue
        for name, limits in zip(joint.coordinate_names, joint.limits, strict=True):
            if name in wanted:
                found.append((name, tree.coordinate_names.index(name), dof, limits))
            dof += 1
    lower, upper = linear_bounds(character, [(name, limits) for name, _, _, limits in found])
    return Moving(
        tuple(name for name, *_ in found),
        np.array([column for _, column, _, _ in found], dtype=np.int64),
        np.array([dof for _, _, dof, _ in found], dtype=np.int64),
        lower,
        upper,
        tuple(limits for *_, limits in found),
    )


def linear_bounds(
    character: Character, found: list[tuple[str, Limits]]
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Bounds by kind, [column] each, of coordinates with their names and limits and what follows them by gears."""
    lower = {kind: np.full(len(found), -np.inf) for kind in LINEAR_KINDS}
    upper = {kind: np.full(len(found), np.inf) for kind in LINEAR_KINDS}

    def tighten(column: int, limits: Limits, ratio: float, offset: float) -> None:
        for kind in LINEAR_KINDS:
            bound = getattr(limits, kind, None) if kind != "position" else None
            ends = limits.range if kind == "position" else (-np.inf, np.inf) if bound is None else (-bound, bound)
            shift = offset if kind == "position" else 0.0
            low, high = sorted((end - shift) / ratio for end in ends)
            lower[kind][column] = max(lower[kind][column], low)
            upper[kind][column] = min(upper[kind][column], high)

    for column, (_, limits) in enumerate(found):
        tighten(column, limits, 1.0, 0.0)
    columns = {name: column for column, (name, _) in enumerate(found)}
    for joint in character.joints:
        if joint.coupling is None or joint.coupling.ratio == 0.0:
            continue
        leader = character.joint(joint.coupling.leader).coordinate_names[0]
        if leader in columns:
            tighten(columns[leader], joint.limits[0], joint.coupling.ratio, joint.coupling.offset)
    return lower, upper
