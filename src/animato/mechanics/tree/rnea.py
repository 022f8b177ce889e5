"""What the motors must give: inverse dynamics of a whole clip."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Character
from animato.mechanics.tree.kinematics import as_states
from animato.mechanics.tree.packing import packed_tree
from animato.mechanics.tree.rnea_kernel import inverse_dynamics_kernel
from animato.mechanics.tree.states import States
from animato.motion import Clip


@dataclass(frozen=True, eq=False)
class GeneralizedForces:
    """Forces and torques at every degree of freedom.

    Attributes:
        times: [s], shape [time].
        names: Degrees of freedom, as in `Tree.dof_names`.
        values: [N m, or N on sliding axes], shape [time, dof]. The first six of a free root are the
            force and the torque that something outside must give, in the root body's axes.
    """

    times: np.ndarray
    names: tuple[str, ...]
    values: np.ndarray


def inverse_dynamics(character: Character, motion: Clip | States, times: ArrayLike | None = None) -> GeneralizedForces:
    """Tau = M(q) v' + h(q, v) + armature v' + damping v + friction sign(v), by recursive Newton-Euler.

    Nothing touches the character in this equation; for one that stands on its soles see `support`.

    Args:
        character: A tree character; flexible parts are taken as rigid.
        motion: A clip, or states already evaluated.
        times: [s], where to evaluate a clip; its own frames where not given.
    """
    tree, states = packed_tree(character), as_states(character, motion, times)
    tau = np.empty_like(states.velocities)
    inverse_dynamics_kernel(tree.arrays, states.positions, states.velocities, states.accelerations, states.root, tau)
    tau += tree.armature * states.accelerations + tree.damping * states.velocities
    tau += tree.friction * np.sign(states.velocities)
    return GeneralizedForces(states.times, tree.dof_names, tau)
