"""How the forces of inverse dynamics change with positions, velocities and accelerations, for a whole clip."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Character
from animato.mechanics.tree.kinematics import States, Tree, as_states, packed_tree
from animato.mechanics.tree.rnea_derivatives_kernel import rnea_derivatives_kernel
from animato.mechanics.tree.step_columns import step_columns
from animato.motion import Clip


@dataclass(frozen=True, eq=False)
class RneaDerivatives:
    """Generalized forces and their exact first derivatives; row i, column j is d tau_i by j.

    A change of q has the columns of a velocity: of a free root its place and its turn along its own axes, of a
    spherical joint its turn about its own turned axes. Friction counts as constant.

    Attributes:
        times: [s], shape [time].
        names: Degrees of freedom, as in `Tree.dof_names`.
        tau: [N m, or N on sliding axes], shape [time, dof], as `inverse_dynamics` gives it.
        by_q: Shape [time, dof, dof].
        by_v: Shape [time, dof, dof].
        by_a: The mass matrix with armature, shape [time, dof, dof].
    """

    times: np.ndarray
    names: tuple[str, ...]
    tau: np.ndarray
    by_q: np.ndarray
    by_v: np.ndarray
    by_a: np.ndarray


def rnea_derivatives(character: Character, motion: Clip | States, times: ArrayLike | None = None) -> RneaDerivatives:
    """Inverse dynamics with its derivatives by q, v and v'.

    Args:
        character: A tree character; flexible parts are taken as rigid.
        motion: A clip, or states already evaluated.
        times: [s], where to evaluate a clip; its own frames where not given.
    """
    tree, states = packed_tree(character), as_states(character, motion, times)
    count, dofs = states.velocities.shape
    tau, by_q, by_v, by_a = np.empty((count, dofs)), *(np.empty((count, dofs, dofs)) for _ in range(3))
    put_rnea_derivatives(
        tree, states.positions, states.velocities, states.accelerations, states.root, tau, by_q, by_v, by_a
    )
    return RneaDerivatives(states.times, tree.dof_names, tau, by_q, by_v, by_a)


def put_rnea_derivatives(
    tree: Tree,
    q: np.ndarray,
    v: np.ndarray,
    a: np.ndarray,
    root: np.ndarray,
    tau: np.ndarray,
    by_q: np.ndarray,
    by_v: np.ndarray,
    by_a: np.ndarray,
) -> None:
    """The same into memory that is already there, for solvers that ask again and again.

    Args:
        tree: A packed character.
        q: Coordinates, [time, coordinate]; quaternions of unit length.
        v: Velocities, [time, dof].
        a: Accelerations, [time, dof].
        root: x, y, z [m] and qw, qx, qy, qz of the root body, [time, 7].
        tau: Written, [time, dof].
        by_q: Written, [time, dof, dof], contiguous; so are the next two.
        by_v: See `RneaDerivatives`.
        by_a: See `RneaDerivatives`.
    """
    losses = np.stack((tree.armature, tree.damping, tree.friction))
    q, v, a, root = (np.ascontiguousarray(x) for x in (q, v, a, root))  # one compiled kernel for all who call
    rnea_derivatives_kernel(tree.arrays, step_columns(tree), losses, q, v, a, root, tau, by_q, by_v, by_a)
