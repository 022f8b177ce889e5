"""The zero moment point (ZMP): where on the floor the pushes of the floor would act as one force.

As long as it is inside the convex hull of what touches the floor, a character with feet that only
push stays on them. There are two ways to it: from the force and the torque that inverse dynamics
leaves at the root, and from the centre of mass as in eq. 7 of Moulard, Yoshida, Nakaoka:
Optimization-based Motion Retargeting Integrating Spatial and Dynamic Constraints for Humanoid
(ISR 2013). They are the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.character import Character
from animato.errors import CharacterError
from animato.mechanics.tree import GeneralizedForces, States, centre_of_mass, inverse_dynamics, packed_tree
from animato.spatial import quaternions

FLIGHT_SHARE = 0.2
"""A floor that gives less than this share of the weight carries nothing: there is no ZMP to speak of."""


@dataclass(frozen=True, eq=False)
class Wrench:
    """What something outside gives to a character, in the world.

    Attributes:
        force: [N], [time, 3].
        moment: About the world's origin [N m], [time, 3].
    """

    force: np.ndarray
    moment: np.ndarray


@dataclass(frozen=True, eq=False)
class Momentum:
    """How the momentum of a character changes, in the world.

    Attributes:
        mass: Of everything [kg].
        centre: Of mass [m], [time, 3].
        acceleration: Of the centre of mass [m/s^2], [time, 3].
        spin_rate: Rate of the angular momentum about the centre of mass [N m], [time, 3].
    """

    mass: float
    centre: np.ndarray
    acceleration: np.ndarray
    spin_rate: np.ndarray


def root_wrench(character: Character, states: States, forces: GeneralizedForces | None = None) -> Wrench:
    """What must be given from outside for a motion, by inverse dynamics.

    Args:
        character: With a floating base.
        states: What it does.
        forces: Its inverse dynamics without contact, where they are known already.

    Raises:
        CharacterError: The character stands on the ground by a joint.
    """
    if not packed_tree(character).has_free_root:
        raise CharacterError(
            f"'{character.name}' is held by a joint to the ground, so there is no balance to keep. "
            "Balance is that of a character with a floating base: one whose root has no joint to the ground."
        )
    values = (forces or inverse_dynamics(character, states)).values
    place, turn = states.root[:, :3], states.root[:, 3:7]
    force = quaternions.rotate(turn, values[:, :3])
    return Wrench(force, quaternions.rotate(turn, values[:, 3:6]) + np.cross(place, force))


def weight_of(character: Character) -> float:
    """Of the whole character [N]."""
    arrays = packed_tree(character).arrays
    return float(arrays.mass.sum() * np.linalg.norm(arrays.gravity))


def weight_share(character: Character, states: States) -> np.ndarray:
    """What is pushed up from outside as a share of the weight, 1 at rest and 0 in flight, [time]."""
    return vertical_share(character, root_wrench(character, states))


def vertical_share(character: Character, wrench: Wrench) -> np.ndarray:
    """The upward force of a wrench as a share of the weight, [time].

    Raises:
        CharacterError: The character weighs nothing.
    """
    weight = weight_of(character)
    if weight <= 0.0:
        raise CharacterError(
            f"'{character.name}' weighs nothing, so there is no balance to keep. Give its bodies a mass, "
            "and the character a gravity."
        )
    return np.asarray(wrench.force[:, 2] / weight)


def zero_moment_points(character: Character, states: States) -> np.ndarray:
    """The ZMP on the floor z = 0, from inverse dynamics [m].

    Args:
        character: With a floating base.
        states: What it does.

    Returns:
        x, y, shape [time, 2]; NaN in flight, which is where the floor gives less than `FLIGHT_SHARE`
        of the weight.
    """
    wrench = root_wrench(character, states)
    return points_of_no_moment(wrench, vertical_share(character, wrench))


def points_of_no_moment(wrench: Wrench, share: np.ndarray) -> np.ndarray:
    """Where on the floor a wrench has no horizontal moment: p with (M - p x F)_xy = 0 [m], [time, 2].

    Args:
        wrench: From outside.
        share: Of the weight that it carries, [time]; points of less than `FLIGHT_SHARE` are NaN.
    """
    lift = np.where(share < FLIGHT_SHARE, np.nan, wrench.force[:, 2])
    return np.stack([-wrench.moment[:, 1], wrench.moment[:, 0]], axis=1) / lift[:, None]


def momentum_of(character: Character, states: States) -> Momentum:
    """Exact rates of momentum, from what inverse dynamics asks for beyond holding still.

    tau(q, v, v') - tau(q, 0, 0) at a free root is the rate of linear momentum, m c'', and the rate of
    angular momentum; about the world's origin it holds c x m c'', which is taken off to get to the
    centre of mass c.
    """
    moving = root_wrench(character, states)
    still = np.zeros_like(states.velocities)
    holding = root_wrench(character, replace(states, velocities=still, accelerations=still))
    mass = float(packed_tree(character).arrays.mass.sum())
    centre, rate = centre_of_mass(character, states), moving.force - holding.force
    return Momentum(mass, centre, rate / mass, moving.moment - holding.moment - np.cross(centre, rate))


def centroidal_zmp(momentum: Momentum, gravity: float = 9.81) -> np.ndarray:
    """The ZMP by eq. 7 of Moulard et al., with the fraction bar that its second line lacks [m], [time, 2].

    x = x_G - (s_y' + m z_G x_G'') / (m (z_G'' + g)),
    y = y_G + (s_x' - m z_G y_G'') / (m (z_G'' + g)),
    where G is the centre of mass and s' the rate of the angular momentum about it.

    Args:
        momentum: Of the character.
        gravity: g [m/s^2], downward.
    """
    mass, centre, rate = momentum.mass, momentum.centre, momentum.acceleration
    lift = mass * (rate[:, 2] + gravity)
    x = centre[:, 0] - (momentum.spin_rate[:, 1] + mass * centre[:, 2] * rate[:, 0]) / lift
    y = centre[:, 1] + (momentum.spin_rate[:, 0] - mass * centre[:, 2] * rate[:, 1]) / lift
    return np.stack([x, y], axis=1)
