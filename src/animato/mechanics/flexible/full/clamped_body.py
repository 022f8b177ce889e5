"""Rigid bodies that ride on a part's interfaces: their inertia as forces on the interface's twelve numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Body, FlexiblePart, mass_properties_of
from animato.errors import CharacterError, unknown_name
from animato.mechanics.flexible.full.base_motion import LocalBase
from animato.mechanics.flexible.full.interface_rotation import InterfaceRotation, crossed, interface_rotation, skew


@dataclass(frozen=True, eq=False)
class ClampedBody:
    """A rigid body at an interface, as it stands when the part is at rest.

    Attributes:
        interface: Name of the interface.
        mass: [kg].
        centre: Centre of mass in the part's coordinates [m], shape [3].
        inertia: About the centre, in the part's axes [kg m^2], shape [3, 3].
    """

    interface: str
    mass: float
    centre: np.ndarray
    inertia: np.ndarray

    def __post_init__(self) -> None:
        if not self.mass >= 0.0:
            raise CharacterError(f"The mass of body '{self.interface}' must not be negative, given {self.mass}.")
        object.__setattr__(self, "centre", np.asarray(self.centre, dtype=np.float64))
        object.__setattr__(self, "inertia", np.asarray(self.inertia, dtype=np.float64))


@dataclass(frozen=True)
class InterfaceWrench:
    """A dead load on an interface: `force` [N] and `moment` [N m] about its centroid, in the part's frame."""

    interface: str
    force: tuple[float, float, float] = (0.0, 0.0, 0.0)
    moment: tuple[float, float, float] = (0.0, 0.0, 0.0)


def clamp_bodies(part: FlexiblePart, bodies: dict[str, Body]) -> tuple[ClampedBody, ...]:
    """The bodies at all interfaces but the first, placed where the part at rest holds them.

    Args:
        part: Its first interface is the reference.
        bodies: By name.
    """
    placed = []
    for interface in part.interfaces[1:]:
        if interface.body not in bodies:
            raise unknown_name("body", interface.body, bodies, part.name)
        T_part_body = interface.frame_part.transform @ interface.frame_body.transform.inverse()
        properties = mass_properties_of(bodies[interface.body]).moved(T_part_body.rotation, T_part_body.position)
        placed.append(ClampedBody(interface.body, properties.mass, properties.centre, properties.inertia))
    return tuple(placed)


def body_forces(body: ClampedBody, arm: np.ndarray, state: np.ndarray, base: LocalBase) -> np.ndarray:
    """Generalized inertia and gravity forces of a body on its interface.

    Args:
        body: Any.
        arm: From the interface's centroid to the body's centre, at rest [m], shape [3].
        state: The interface's centroid [m] and linear map row by row, and their two derivatives, shape [3, 12].
        base: Motion of the part's frame.

    Returns:
        What must be supplied, by centroid and map, shape [12].
    """
    A, A_dot, A_dot_dot = state[:, 3:].reshape(3, 3, 3)
    turn = interface_rotation(A, A_dot, A_dot_dot)
    R, w = turn.R, turn.w
    place = state[0, :3] + R @ arm
    velocity = state[1, :3] + R @ crossed(w, arm)
    acceleration = state[2, :3] + R @ (crossed(turn.w_dot, arm) + crossed(w, crossed(w, arm)))
    acceleration += base.lift + crossed(base.spin_rate, place) + crossed(base.spin, crossed(base.spin, place))
    acceleration += 2.0 * crossed(base.spin, velocity)
    force = body.mass * acceleration
    spin = R.T @ base.spin
    total = spin + w
    total_rate = R.T @ base.spin_rate + crossed(spin, w) + turn.w_dot
    moment = body.inertia @ total_rate + crossed(total, body.inertia @ total) + crossed(arm, R.T @ force)
    return wrench_on_map(turn, force, moment)


def body_kinetic_energy(body: ClampedBody, arm: np.ndarray, state: np.ndarray, spin: np.ndarray) -> float:
    """Kinetic energy of a body [J]; arguments as in `body_forces`, of the base only its spin about its origin."""
    A, A_dot = state[:2, 3:].reshape(2, 3, 3)
    turn = interface_rotation(A, A_dot, np.zeros((3, 3)))
    place = state[0, :3] + turn.R @ arm
    velocity = state[1, :3] + turn.R @ crossed(turn.w, arm) + crossed(spin, place)
    total = turn.R.T @ spin + turn.w
    return 0.5 * float(body.mass * velocity @ velocity + total @ body.inertia @ total)


def wrench_forces(wrench: InterfaceWrench, state: np.ndarray) -> np.ndarray:
    """Generalized forces of a dead load, shape [12], as `body_forces` but supplied."""
    A = state[0, 3:].reshape(3, 3)
    turn = interface_rotation(A, np.zeros((3, 3)), np.zeros((3, 3)))
    return wrench_on_map(turn, np.asarray(wrench.force), turn.R.T @ np.asarray(wrench.moment))


def wrench_on_map(turn: InterfaceRotation, force: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """Force and moment (interface's axes, about its centroid) as forces on centroid and linear map, shape [12]."""
    return np.concatenate([force, (turn.R @ skew(np.linalg.solve(turn.B, moment))).ravel()])
