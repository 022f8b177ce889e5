"""The coordinates that move, over all end-points that face: of chains, or of the actuators of closed loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.character import Character, EndPoint, JointRole, JointType, Limits
from animato.character.structure import rigidified, topology_of
from animato.errors import CharacterError, MotionError
from animato.express.facing import checked_posture
from animato.mechanics.loops.assembly import build_mechanism
from animato.mechanics.loops.constraints import (
    Mechanism,
    constraint_jacobians,
    factor_constraints,
    joint_coordinates,
    sensitivities,
)
from animato.mechanics.tree import Chain, build_chain
from animato.motion import Posture

_MOVES = 1e-9  # share of the largest slope below which an actuator does not move an end-point
_INSIDE = 1e-9  # [rad or m] by which a posture may miss a limit, as numbers in files do


@dataclass(frozen=True, eq=False)
class Moving:
    """What moves.

    Attributes:
        end_points: What faces, the most important first.
        chains: To each of them; none where they hang on closed loops or gears.
        mechanism: Of the closed loops; None where there are chains.
        names: Coordinates: those of the first chain, then those of the next that are not among them; or the actuated
            ones that move an end-point.
        limits: Of each of them.
    """

    end_points: tuple[EndPoint, ...]
    chains: tuple[Chain, ...]
    mechanism: Mechanism | None
    names: tuple[str, ...]
    limits: tuple[Limits, ...]


def find_moving(character: Character, end_points: Sequence[str]) -> Moving:
    """What moves the end-points of a character.

    Args:
        character: A tree, or one with closed loops or gears.
        end_points: Names, the most important first.

    Raises:
        UnknownNameError: It has no such end-point.
        CharacterError: Too few joints, or of a kind that cannot take part.
        MechanismError: Its loops do not close or move freely.
    """
    tips = tuple(character.end_point(name) for name in end_points)
    geared = any(joint.coupling is not None for joint in character.joints)
    if topology_of(rigidified(character)).is_tree:
        try:
            return _of_chains(tips, tuple(build_chain(character, tip.name) for tip in tips))
        except CharacterError:
            if not geared:
                raise
    return _of_mechanism(character, tips)


def held_positions(moving: Moving, posture: Posture) -> np.ndarray:
    """A posture in the order of the coordinates that move [rad or m], [n], read-only.

    Raises:
        MotionError: It is outside the limits, or does not name a coordinate.
    """
    if moving.chains:
        values = dict[str, float]()
        for chain in moving.chains:
            values.update(zip(chain.names, checked_posture(chain, posture), strict=True))
        held = np.array([values[name] for name in moving.names])
    else:
        held = np.array([_inside(posture, name, one) for name, one in zip(moving.names, moving.limits, strict=True)])
    held.flags.writeable = False
    return held


def _inside(posture: Posture, name: str, limits: Limits) -> float:
    value, (lower, upper) = posture.value(name), limits.range
    if not lower - _INSIDE <= value <= upper + _INSIDE:
        raise MotionError(
            f"The posture has joint '{name}' at {value:.6g}, outside its limits {lower:.6g} to {upper:.6g}. Move it "
            f"inside, or widen the limits in the character file."
        )
    return min(max(value, lower), upper)


def _of_chains(tips: tuple[EndPoint, ...], chains: tuple[Chain, ...]) -> Moving:
    limits = {name: one for chain in chains for name, one in zip(chain.names, chain.limits, strict=True)}
    return Moving(tips, chains, None, tuple(limits), tuple(limits.values()))


def _of_mechanism(character: Character, tips: tuple[EndPoint, ...]) -> Moving:
    """The actuated coordinates that move an end-point through closed loops or gears."""
    mechanism = _without_surplus(character, build_mechanism(character))
    names = _actuators_of(mechanism, tips)
    by_name: dict[str, Limits] = {}
    for joint in character.free_joints:
        if joint.type is JointType.SPHERICAL and set(joint.coordinate_names) & set(names):
            raise CharacterError(
                f"Joint '{joint.name}' of '{character.name}', which moves end-point '{tips[0].name}', is spherical; "
                f"write it as three revolute joints to hold a posture with it."
            )
        by_name.update(zip(joint.coordinate_names, joint.limits, strict=False))
    if not names:
        raise CharacterError(f"No actuated joint of '{character.name}' moves its end-point '{tips[0].name}'.")
    return Moving(tips, (), mechanism, names, tuple(by_name[name] for name in names))


def _without_surplus(character: Character, mechanism: Mechanism) -> Mechanism:
    """The mechanism with no more actuators than it can follow: those too many are moved by the others."""
    surplus = {mechanism.rows[i].owner for i in mechanism.row_indices("surplus")}
    if not surplus:
        return mechanism
    return build_mechanism(character, roles=dict.fromkeys(surplus, JointRole.PASSIVE))


def _actuators_of(mechanism: Mechanism, tips: tuple[EndPoint, ...]) -> tuple[str, ...]:
    """Actuated coordinates that move one of the end-points, seen at a pose at which nothing stands still by chance."""
    state = mechanism.generic_state[None]
    controls = joint_coordinates(mechanism, state).columns(mechanism.control_names)
    found = constraint_jacobians(mechanism, state, controls, mechanism.design[None])
    slopes = sensitivities(found, factor_constraints(mechanism, found.state))[0][:, : len(mechanism.control_names)]
    moves = np.zeros(len(mechanism.control_names), dtype=bool)
    for tip in tips:
        first = 7 * mechanism.body_index(tip.body)
        own = np.abs(slopes[first : first + 7]).max(axis=0)
        moves |= own > _MOVES * max(1.0, float(own.max(initial=0.0)))
    return tuple(name for name, one in zip(mechanism.control_names, moves, strict=True) if one)
