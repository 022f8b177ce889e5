"""Builds a mechanism from a character: rows, rest state, redundancy, counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np

from animato.character import FREEDOM, WORLD, Character, Frame, Joint, JointRole, JointType
from animato.character.structure import rigidified, topology_of
from animato.errors import MechanismError, OptionError
from animato.kernels.one_thread import one_blas_thread
from animato.mechanics.loops.assembly.closing import assembled
from animato.mechanics.loops.assembly.errors import underactuated_error
from animato.mechanics.loops.assembly.gears import led_by_motors
from animato.mechanics.loops.assembly.idle import with_idle_held
from animato.mechanics.loops.assembly.mobility import Mobility, find_mobility, is_singular
from animato.mechanics.loops.assembly.placing import rest_of, tree_joints, tree_state
from animato.mechanics.loops.assembly.redundancy import RANK_TOLERANCE
from animato.mechanics.loops.constraints import (
    WORLD_BODY,
    ConstraintRow,
    Mechanism,
    MechanismCounts,
    ParameterSource,
    RowKind,
    RowPurpose,
    branch_rows,
    driving_rows,
    joints_by_type,
    passive_rows,
    unit_row,
)

HELD_ROOT = "held root"
"""Name of the ground joint that holds a character which floats."""


@one_blas_thread
def build_mechanism(
    character: Character,
    *,
    roles: Mapping[str, JointRole | str] | None = None,
    rank_tolerance: float = RANK_TOLERANCE,
    require_actuated: bool = True,
) -> Mechanism:
    """Builds the mechanism of a character with any graph of joints.

    Args:
        character: Flexible parts are taken as rigid. One that floats is held at its rest; move the
            result with its base afterwards.
        roles: Other roles than the character's, by joint name.
        rank_tolerance: Share of the largest singular value below which one counts as zero.
        require_actuated: Whether a mechanism that moves although all actuators stand still is an
            error. Where it is not, `free_bodies` names what moves, and nothing can be solved.

    Raises:
        MechanismError: Loops that do not close, bodies that move freely, a gear that follows a joint
            which no actuator drives.
        UnknownNameError: A role for a joint that does not exist.
    """
    given = () if roles is None else tuple(sorted((name, JointRole(role).value) for name, role in roles.items()))
    if not 0.0 < rank_tolerance < 1.0:
        raise OptionError(f"The rank tolerance must be between 0 and 1, not {rank_tolerance}.")
    return _built(character, given, rank_tolerance, require_actuated)


@lru_cache(maxsize=16)
def _built(
    character: Character, roles: tuple[tuple[str, str], ...], tolerance: float, require_actuated: bool
) -> Mechanism:
    draft = _draft(_prepared(character, dict(roles)))
    state, controls = assembled(draft)
    draft = replace(draft, state=state, controls=controls)
    mobility = find_mobility(draft, tolerance=tolerance)
    draft, mobility = _idle_held(draft, mobility, tolerance)
    if mobility.free_bodies and require_actuated:
        raise underactuated_error(
            character, mobility.mobility, mobility.driven, mobility.free_bodies, mobility.free_joints
        )
    counts = MechanismCounts(
        components=len(draft.body_names),
        joints=joints_by_type(draft.joints),
        state_variables=len(draft.state),
        constraints=len(draft.rows),
        redundant_passive=len(mobility.passive_dropped),
        redundant_active=len(mobility.active_dropped),
        control_variables=len(draft.control_names),
        design_variables=len(draft.design_names),
        mobility=mobility.mobility,
        loops=len(draft.joints) - len(draft.body_names),
        idle=len(draft.idle),
    )
    dropped = np.sort(np.concatenate([mobility.passive_dropped, mobility.active_dropped]))
    kept = np.setdiff1d(np.arange(len(draft.rows)), dropped)
    singular = bool(counts.loops) and not mobility.free_bodies and is_singular(draft, kept, tolerance)
    notes = [f"{spin.words()}." for spin in draft.idle]
    if singular:
        notes.append(
            "The rest pose is singular: several motions lead out of it. Kinematics takes the one that moves its "
            "bodies least; draw it a little away from there to choose another."
        )
    return replace(
        draft,
        kept=kept,
        dropped=dropped,
        counts=counts,
        free_bodies=mobility.free_bodies,
        generic_state=mobility.generic_state,
        rest_is_singular=singular,
        notes=tuple(notes),
    )


def _idle_held(draft: Mechanism, mobility: Mobility, tolerance: float) -> tuple[Mechanism, Mobility]:
    """The mechanism with idle spins held, and, if nothing is free then, with those that drag others by a hair."""
    trial, found, only_idle = draft, mobility, True
    for nearly in (False, True, False, True):
        if not found.free_bodies:
            break
        held = with_idle_held(trial, found, nearly=nearly)
        if held is trial:
            continue
        trial, found, only_idle = held, find_mobility(held, tolerance=tolerance), only_idle and not nearly
        if only_idle:
            draft, mobility = trial, found
    # Where bodies still move it lacks actuators, and a hair is not what matters.
    return (draft, mobility) if found.free_bodies else (trial, found)


def _prepared(character: Character, roles: dict[str, str]) -> Character:
    """The character with other roles, rigid, and held where it floats."""
    for name in roles:
        character.joint(name)  # raises for a name that is not there
    joints = []
    for joint in character.joints:
        if joint.name in roles and FREEDOM[joint.type]:
            role = JointRole(roles[joint.name])
            setting = joint.configuration if role is JointRole.CONFIGURABLE else ()
            joints.append(replace(joint, role=role, configuration=setting))
        else:
            joints.append(joint)
    rigid = rigidified(replace(character, joints=led_by_motors(joints), postures=()))
    if rigid.floats:
        root = topology_of(rigid).links[0].body
        held = Joint(HELD_ROOT, JointType.GROUND, WORLD, root, JointRole.PASSIVE, Frame())
        rigid = replace(rigid, joints=(held, *rigid.joints))
    topology_of(rigid)  # raises where bodies are not connected
    return rigid


def _draft(character: Character) -> Mechanism:
    """All rows, with the state that the spanning tree gives and nothing dropped yet."""
    index = {body.name: n for n, body in enumerate(character.bodies)} | {WORLD: WORLD_BODY}
    holding: list[ConstraintRow] = []
    driving: list[ConstraintRow] = []
    branches: list[ConstraintRow] = []
    tree = tree_joints(character)
    for joint in character.joints:
        a, b = index[joint.parent], index[joint.child]
        holding += passive_rows(joint, a, b, closing=joint.name not in tree)
        moves = FREEDOM[joint.type] > 0
        driven = moves and (joint.role is not JointRole.PASSIVE or joint.coupling is not None)
        if moves and joint.role is JointRole.CONFIGURABLE:
            holding += driving_rows(joint, a, b, RowPurpose.DESIGN)
        elif driven:
            driving += driving_rows(joint, a, b, RowPurpose.ACTUATOR)
        branches += branch_rows(joint, a, b, driven=driven)
    units = [unit_row(body.name, n) for n, body in enumerate(character.bodies)]
    rows = (*holding, *driving, *units)
    controls, designs, sources = _parameters(character)
    state = tree_state(character)
    return Mechanism(
        character.name,
        character,
        character.joints,
        tuple(body.name for body in character.bodies),
        rows,
        tuple(branches),
        np.arange(len(rows)),
        np.zeros(0, dtype=np.int64),
        tuple(name for name, _ in controls),
        tuple(name for name, _ in designs),
        sources,
        state,
        np.array([value for _, value in controls]),
        np.array([value for _, value in designs]),
        _typical_length(rows),
        MechanismCounts(len(index) - 1, {}, len(state), len(rows), 0, 0, len(controls), len(designs), 0, 0),
        state,
    )


Named = list[tuple[str, float]]


def _parameters(character: Character) -> tuple[Named, Named, dict[str, ParameterSource]]:
    """Controls and design parameters with their rest values, and where each row's parameter comes from."""
    controls: Named = []
    designs: Named = []
    for joint in character.joints:
        values = list(zip(joint.coordinate_names, rest_of(joint, character), strict=True))
        if joint.role is JointRole.CONFIGURABLE:
            designs += values
        elif joint.role is JointRole.ACTUATED and joint.coupling is None:
            controls += values
    columns = {name: n for n, (name, _) in enumerate(controls)}
    sources = {name: ParameterSource(n) for name, n in columns.items()}
    sources |= {name: ParameterSource(len(controls) + n) for n, (name, _) in enumerate(designs)}
    for joint in character.joints:
        gear = joint.coupling
        if gear is None or joint.role is JointRole.CONFIGURABLE:
            continue
        if gear.leader not in columns:
            raise MechanismError(
                f"Joint '{joint.name}' of '{character.name}' is geared to '{gear.leader}', which no actuator drives. "
                f"A gear in a mechanism must follow an actuated joint: actuate '{gear.leader}', or let "
                f"'{joint.name}' lead."
            )
        sources[joint.name] = ParameterSource(columns[gear.leader], gear.ratio, gear.offset)
    return controls, designs, sources


def _typical_length(rows: tuple[ConstraintRow, ...]) -> float:
    """Median distance of joints from the origins of their bodies [m]; 1 where all are at the origin."""
    points = [row.terms[0] for row in rows if row.kind is RowKind.POINT and row.body_a != WORLD_BODY]
    points += [row.vector_b for row in rows if row.kind is RowKind.POINT]
    lengths = np.linalg.norm(np.array(points).reshape(-1, 3), axis=1)
    lengths = lengths[lengths > 1e-9]
    return float(np.median(lengths)) if len(lengths) else 1.0
