"""Constraint rows as plain arrays, which the kernels walk, and the sparsity of their derivatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from animato.mechanics.loops.constraints.pattern import SparsePattern
from animato.mechanics.loops.constraints.rows import WORLD_BODY, ConstraintRow, MotionKind, RowKind

PARAMETERS = 4
"""Parameters of one row, at most: the quaternion of a spherical joint."""

# Places of a row's variables: c_A, q_A, c_B, q_B, parameters.
CA, QA, CB, QB, PARAMETER = 0, 3, 7, 10, 14
PLACES = PARAMETER + PARAMETERS

# Blocks of a row's second derivatives, each stored row by row; squares by their upper triangle.
H_QA_QA, H_QB_QB, H_QA_QB, H_CA_QB, H_CB_QB, H_QA_P, H_QB_P, H_P_P = 0, 10, 20, 36, 48, 60, 76, 92
CURVATURE_PLACES = H_P_P + 10


class PackedRows(NamedTuple):
    """Arrays over rows (r).

    Attributes:
        kind, motion: As in `ConstraintRow`, [r].
        body_a, body_b: First column of the body's state; the world stands behind all bodies, [r].
        terms: [r, 4, 3].
        vector_b: [r, 3].
        axis: [r].
        constant: [r].
        parameter: Columns of the parameters in (controls, design), -1 where there is none, [r, 4].
        scale, offset: The row's parameter is scale * column + offset: gears, [r, 4].
        slots: Where each of a row's first derivatives goes; those that are always 0 go past the end, [r, 18].
        curvature_slots: The same for second derivatives, [r, 102].
    """

    kind: np.ndarray
    motion: np.ndarray
    body_a: np.ndarray
    body_b: np.ndarray
    terms: np.ndarray
    vector_b: np.ndarray
    axis: np.ndarray
    constant: np.ndarray
    parameter: np.ndarray
    scale: np.ndarray
    offset: np.ndarray
    slots: np.ndarray
    curvature_slots: np.ndarray


class ParameterSource(NamedTuple):
    """Where a row's parameter comes from: scale * column + offset, a column of (controls, design)."""

    column: int
    scale: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, eq=False)
class RowSet:
    """Some rows of a mechanism, ready to be evaluated.

    Attributes:
        arrays: What the kernels take.
        state: Pattern of C_s, shape (rows, state variables).
        control: Pattern of C_u.
        design: Pattern of C_p.
        curvature: Pattern of sum_r lambda_r d2C_r, upper triangle over (state, controls, design).
        solve_list: Room for what `constraint_sensitivity` finds out about these rows, once.
    """

    arrays: PackedRows
    state: SparsePattern
    control: SparsePattern
    design: SparsePattern
    curvature: SparsePattern
    solve_list: list[Any] = field(default_factory=list, repr=False)

    @property
    def count(self) -> int:
        """How many rows."""
        return self.state.shape[0]


def pack_rows(
    rows: Sequence[ConstraintRow],
    body_count: int,
    sources: Mapping[str, ParameterSource],
    control_count: int,
    design_count: int,
) -> RowSet:
    """Packs rows.

    Args:
        rows: In the order they are wanted.
        body_count: Of the mechanism.
        sources: Of every coordinate that a row names as parameter.
        control_count: Of the mechanism.
        design_count: Of the mechanism.
    """
    states = 7 * body_count
    count = len(rows)
    parameter = np.full((count, PARAMETERS), -1)
    scale, offset = np.ones((count, PARAMETERS)), np.zeros((count, PARAMETERS))
    for r, row in enumerate(rows):
        for k, name in enumerate(row.parameters):
            parameter[r, k], scale[r, k], offset[r, k] = sources[name]
    places = [_places(row, states, [int(c) for c in columns]) for row, columns in zip(rows, parameter, strict=True)]
    patterns, slots = _first_patterns(places, states, control_count, design_count)
    curvature, curvature_slots = _second_pattern(rows, places, states + control_count + design_count)
    arrays = PackedRows(
        np.array([row.kind for row in rows], dtype=np.int64),
        np.array([row.motion for row in rows], dtype=np.int64),
        np.array([_first_column(row.body_a, states) for row in rows], dtype=np.int64),
        np.array([_first_column(row.body_b, states) for row in rows], dtype=np.int64),
        np.array([row.terms for row in rows]).reshape(count, 4, 3),
        np.array([row.vector_b for row in rows]).reshape(count, 3),
        np.array([row.axis for row in rows], dtype=np.int64),
        np.array([row.constant for row in rows]),
        parameter,
        scale,
        offset,
        slots,
        curvature_slots,
    )
    by_state, by_control, by_design = patterns
    return RowSet(arrays, by_state, by_control, by_design, curvature)


def _first_column(body: int, states: int) -> int:
    return states if body == WORLD_BODY else 7 * body


def _places(row: ConstraintRow, states: int, parameters: list[int]) -> list[int]:
    """Column in (state, controls, design) of each of a row's variables, -1 where it does not enter."""
    place = [-1] * PLACES
    a, b = 7 * row.body_a, 7 * row.body_b
    if row.body_a != WORLD_BODY:
        if row.kind is RowKind.POINT:
            place[CA + row.axis] = a + row.axis
        elif row.kind is RowKind.SLIDE:
            place[CA : CA + 3] = range(a, a + 3)
        if row.motion is not MotionKind.NONE or np.any(row.terms):
            place[QA : QA + 4] = range(a + 3, a + 7)
    if row.kind is RowKind.POINT:
        place[CB + row.axis] = b + row.axis
    elif row.kind is RowKind.SLIDE:
        place[CB : CB + 3] = range(b, b + 3)
    if row.kind is RowKind.UNIT or np.any(row.vector_b):
        place[QB : QB + 4] = range(b + 3, b + 7)
    for k, column in enumerate(parameters):
        if column >= 0:
            place[PARAMETER + k] = states + column
    return place


def _first_patterns(
    places: list[list[int]], states: int, controls: int, designs: int
) -> tuple[list[SparsePattern], np.ndarray]:
    """Patterns of C_s, C_u, C_p, whose values stand one behind the other, and every variable's slot."""
    ends = np.cumsum([0, states, controls, designs])
    patterns: list[SparsePattern] = []
    slot_of: dict[tuple[int, int], int] = {}
    first = 0
    for low, high in pairwise(ends.tolist()):
        found = sorted({(r, c) for r, row in enumerate(places) for c in row if low <= c < high})
        for n, place in enumerate(found):
            slot_of[place] = first + n
        first += len(found)
        pairs = np.array(found, dtype=np.int64).reshape(-1, 2)
        patterns.append(SparsePattern((len(places), high - low), pairs[:, 0].copy(), pairs[:, 1] - low))
    slots = np.full((len(places), PLACES), first)
    for r, row in enumerate(places):
        for n, column in enumerate(row):
            if column >= 0:
                slots[r, n] = slot_of[r, column]
    return patterns, slots


_UPPER = [(i, j) for i in range(4) for j in range(i, 4)]


def _second_pattern(
    rows: Sequence[ConstraintRow], places: list[list[int]], variables: int
) -> tuple[SparsePattern, np.ndarray]:
    """Pattern of the weighted sum of second derivatives, and the slot of every entry of every row."""
    entries = np.full((len(rows), CURVATURE_PLACES, 2), -1)
    for r, (row, place) in enumerate(zip(rows, places, strict=True)):
        ca, qa, cb, qb, p = (place[n:m] for n, m in pairwise((CA, QA, CB, QB, PARAMETER, PLACES)))
        entries[r, H_QA_QA:H_QB_QB] = _triangle(qa)
        entries[r, H_QB_QB:H_QA_QB] = _triangle(qb)
        if row.kind in (RowKind.DOT, RowKind.SLIDE):
            entries[r, H_QA_QB:H_CA_QB] = _block(qa, qb)
        if row.kind is RowKind.SLIDE:
            entries[r, H_CA_QB:H_CB_QB] = _block(ca, qb)
            entries[r, H_CB_QB:H_QA_P] = _block(cb, qb)
        if row.motion is not MotionKind.NONE:
            entries[r, H_QA_P:H_QB_P] = _block(qa, p)
            if row.kind is not RowKind.POINT:
                entries[r, H_QB_P:H_P_P] = _block(qb, p)
            if row.motion is not MotionKind.SLIDES:
                entries[r, H_P_P:] = _triangle(p)
    entries.sort(axis=2)
    keys = np.where(entries[..., 0] < 0, -1, entries[..., 0] * variables + entries[..., 1])
    found = np.unique(keys[keys >= 0])
    slots = np.where(keys < 0, len(found), np.searchsorted(found, keys))
    return SparsePattern((variables, variables), found // variables, found % variables), slots


def _triangle(places: list[int]) -> list[tuple[int, int]]:
    return [(places[i], places[j]) for i, j in _UPPER]


def _block(left: list[int], right: list[int]) -> list[tuple[int, int]]:
    return [(i, j) for i in left for j in right]
