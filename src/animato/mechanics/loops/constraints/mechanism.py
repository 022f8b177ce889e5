"""A character as a mechanism: bodies held together by scalar constraint rows, closed loops included.

    mechanism = build_mechanism(character)                     # rows, redundancy, assembled rest state
    C, C_s, C_u, C_p:  constraint_jacobians(mechanism, states, controls, design)   all steps at once
    sum lambda d2C:    constraint_curvature(mechanism, states, controls, design, multipliers)
    C_s^-1 [C_u C_p]:  factors = factor_constraints(mechanism, jacobians.state)
                       sensitivities(mechanism, jacobians, factors)
    states(u, p):      loop_kinematics(mechanism, controls, design).states

State s: position c [m] and quaternion q (wxyz) of every body, seven numbers a body, in the order of
`body_names`. Controls u: coordinates of actuated joints, in the character's order and units. Design p:
coordinates of configurable joints. Each value array is [step, nonzero] beside one `SparsePattern` of
`mechanism.row_set("kept")`; "kept" rows make a square C_s, "dropped" ones follow from them where the
design keeps its special shape, and are there to be checked. See docs/mechanisms.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from animato.character import Character, Joint
from animato.errors import OptionError, unknown_name
from animato.mechanics.loops.constraints.counts import IdleSpin, MechanismCounts
from animato.mechanics.loops.constraints.packing import ParameterSource, RowSet, pack_rows
from animato.mechanics.loops.constraints.rows import ConstraintRow, RowPurpose


@dataclass(frozen=True, eq=False)
class Mechanism:
    """Rows, names and rest of a mechanism. Built by `build_mechanism`; pure data.

    Attributes:
        name: The character's.
        character: With roles as the mechanism has them; parts that bend are rigid, and a character
            that floats is held at its rest by a ground joint.
        joints: In the order of their rows.
        body_names: Bodies in the order of the state.
        rows: All rows: passive and configurable joints in the character's order, then what actuators
            add, then the unit rows, then one for each of `idle`.
        branches: Rows that are not equations: 1 where a joint is as built, -1 where it is flipped.
        kept: Indices of the rows that determine the state; as many as there are state variables
            unless something moves freely. Rising, shape [kept].
        dropped: Indices of the redundant rows, passive and active. Rising.
        control_names, design_names: Columns of u and p.
        sources: Where each parameter of a row comes from.
        state: Of the assembled rest pose, shape [state].
        controls: Of the assembled rest pose, shape [control].
        design: As the character configures it, shape [design].
        length: A typical lever [m], which makes positions and turns comparable.
        counts: In numbers.
        generic_state: A pose near rest at which the rank is as high as it gets, shape [state].
        free_bodies: Bodies that move although every actuator stands still; empty in a complete mechanism.
        idle: What could spin without moving anything else; a row behind all others holds each.
        rest_is_singular: Whether several motions lead out of the rest pose, as out of a linkage folded flat.
        notes: What should be known about the rest pose, in sentences.
    """

    name: str
    character: Character
    joints: tuple[Joint, ...]
    body_names: tuple[str, ...]
    rows: tuple[ConstraintRow, ...]
    branches: tuple[ConstraintRow, ...]
    kept: np.ndarray
    dropped: np.ndarray
    control_names: tuple[str, ...]
    design_names: tuple[str, ...]
    sources: dict[str, ParameterSource]
    state: np.ndarray
    controls: np.ndarray
    design: np.ndarray
    length: float
    counts: MechanismCounts
    generic_state: np.ndarray
    free_bodies: tuple[str, ...] = ()
    idle: tuple[IdleSpin, ...] = ()
    rest_is_singular: bool = False
    notes: tuple[str, ...] = ()

    @cached_property
    def state_names(self) -> tuple[str, ...]:
        """Names of the state variables: body.x, .y, .z, .qw, .qx, .qy, .qz."""
        ends = (".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz")
        return tuple(body + end for body in self.body_names for end in ends)

    @cached_property
    def row_names(self) -> tuple[str, ...]:
        """What each row says, for people."""
        return tuple(f"{row.owner}: {row.words}" for row in self.rows)

    @cached_property
    def control_quaternions(self) -> tuple[int, ...]:
        """First of the four columns of each quaternion among the controls; each wants a unit length."""
        return _quaternion_columns(self.control_names)

    @cached_property
    def design_quaternions(self) -> tuple[int, ...]:
        """First of the four columns of each quaternion among the design parameters."""
        return _quaternion_columns(self.design_names)

    def body_index(self, body: str) -> int:
        """Which body it is; its state starts at column 7 * index."""
        if body not in self.body_names:
            raise unknown_name("body", body, self.body_names, self.name)
        return self.body_names.index(body)

    def row_indices(self, which: str) -> np.ndarray:
        """Indices into `rows`.

        Args:
            which: "kept"; "dropped", which are "redundant" rows of joints and "surplus" rows of actuators;
                or "all".
        """
        surplus = np.array([self.rows[i].purpose is RowPurpose.ACTUATOR for i in self.dropped], dtype=bool)
        chosen = {
            "kept": self.kept,
            "dropped": self.dropped,
            "redundant": self.dropped[~surplus],
            "surplus": self.dropped[surplus],
            "all": np.arange(len(self.rows)),
        }
        if which not in chosen:
            names = ", ".join(f"'{name}'" for name in (*chosen, "branch"))
            raise OptionError(f"Rows can be one of {names}, not {which!r}.")
        return chosen[which]

    def row_set(self, which: str) -> RowSet:
        """Rows ready to be evaluated: as in `row_indices`, or "branch" (1 as built, -1 flipped)."""
        sets = _ROW_SETS.setdefault(self, {})
        if which not in sets:
            rows = self.branches if which == "branch" else [self.rows[i] for i in self.row_indices(which)]
            sets[which] = pack_rows(
                rows, len(self.body_names), self.sources, len(self.control_names), len(self.design_names)
            )
        return sets[which]


_ROW_SETS: WeakKeyDictionary[Mechanism, dict[str, RowSet]] = WeakKeyDictionary()
"""Packed once a mechanism; kept beside it, because a mechanism is data."""


def _quaternion_columns(names: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(n for n, name in enumerate(names) if name.endswith(".qw"))
