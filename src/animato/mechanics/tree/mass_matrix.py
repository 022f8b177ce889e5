"""The joint-space mass matrix of a whole clip."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Character
from animato.mechanics.tree.kinematics import States, Tree, as_states, packed_tree
from animato.mechanics.tree.mass_matrix_kernel import mass_matrix_kernel
from animato.mechanics.tree.step_columns import step_columns
from animato.motion import Clip


def mass_matrix(character: Character, motion: Clip | States, times: ArrayLike | None = None) -> np.ndarray:
    """M(q), with which inverse dynamics is M(q) v' + h(q, v); armature is on its diagonal.

    Args:
        character: A tree character; flexible parts are taken as rigid.
        motion: A clip, or states already evaluated.
        times: [s], where to evaluate a clip; its own frames where not given.

    Returns:
        [kg, kg m or kg m^2], shape [time, dof, dof], symmetric; columns as in `Tree.dof_names`.
    """
    tree, states = packed_tree(character), as_states(character, motion, times)
    dofs = len(tree.dof_names)
    out = np.empty((len(states.times), dofs, dofs))
    put_mass_matrix(tree, states.positions, states.root, out)
    return out


def put_mass_matrix(tree: Tree, q: np.ndarray, root: np.ndarray, out: np.ndarray) -> None:
    """Writes M at each moment into memory that is already there.

    Args:
        tree: A packed character.
        q: Coordinates, [time, coordinate].
        root: x, y, z [m] and qw, qx, qy, qz of the root body, [time, 7].
        out: M, [time, dof, dof], contiguous; all of it is written.
    """
    q, root = (np.ascontiguousarray(x) for x in (q, root))  # one compiled kernel for all who call
    mass_matrix_kernel(tree.arrays, step_columns(tree), tree.armature, q, root, out)
