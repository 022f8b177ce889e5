"""What forces at points of a character do to its degrees of freedom, with exact derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import MotionError, unknown_name
from animato.mechanics.tree.contact_torques_kernel import contact_torques_kernel
from animato.mechanics.tree.kinematics import Tree
from animato.mechanics.tree.step_columns import step_columns


@dataclass(frozen=True, eq=False)
class ContactPoints:
    """Points that are fixed to bodies, as the kernels take them.

    Attributes:
        bodies: Names of the bodies.
        steps: Step of the packed tree that carries each point, [point].
        positions: In that step's frame [m], [point, 3].
    """

    bodies: tuple[str, ...]
    steps: np.ndarray
    positions: np.ndarray


@dataclass(frozen=True, eq=False)
class ContactTorques:
    """Generalized forces J^T f that hold against forces f at points, and their exact first derivatives.

    Attributes:
        values: [N m, or N on sliding axes], shape [time, dof].
        by_q: By positions, with the columns of velocities as in `RneaDerivatives`; points move along with their
            bodies and forces stay as they are in the world. Shape [time, dof, dof].
        by_f: J^T, by the forces in the world, shape [time, dof, point, 3].
    """

    values: np.ndarray
    by_q: np.ndarray
    by_f: np.ndarray


def build_contact_points(tree: Tree, points: Sequence[tuple[str, ArrayLike]]) -> ContactPoints:
    """Packs points for `contact_torques`.

    Args:
        tree: A packed character.
        points: (body, point in that body's frame [m]) of each.

    Raises:
        UnknownNameError: A body does not exist.
    """
    arrays, bodies = tree.arrays, tuple(body for body, _ in points)
    for body in bodies:
        if body not in tree.body_names:
            raise unknown_name("body", body, tree.body_names, "the character")
    indices = np.array([tree.body_names.index(body) for body in bodies], dtype=np.int64)
    local = np.array([point for _, point in points], dtype=np.float64).reshape(len(bodies), 3)
    turned = np.einsum("kij,kj->ki", arrays.body_rotation[indices], local)
    return ContactPoints(bodies, arrays.body_step[indices], arrays.body_position[indices] + turned)


def contact_torques(
    tree: Tree, q: np.ndarray, root: np.ndarray, points: ContactPoints, forces: np.ndarray
) -> ContactTorques:
    """J^T f of forces at points, with derivatives: what motors must give is inverse dynamics less these values.

    Args:
        tree: A packed character.
        q: Coordinates, [time, coordinate]; quaternions of unit length.
        root: x, y, z [m] and qw, qx, qy, qz of the root body, [time, 7].
        points: Where the forces act.
        forces: On the character, in the world [N], [time, point, 3].

    Raises:
        MotionError: The forces are not of this shape.
    """
    count, dofs, number = len(q), len(tree.dof_names), len(points.bodies)
    if forces.shape != (count, number, 3):
        raise MotionError(
            f"Forces have the shape {list(forces.shape)}; {count} moments and {number} points need "
            f"[{count}, {number}, 3]."
        )
    tau, by_q, by_f = np.empty((count, dofs)), np.empty((count, dofs, dofs)), np.empty((count, dofs, 3 * number))
    flat = np.asarray(forces, dtype=np.float64).reshape(count, 3 * number)
    q, root, flat = (np.ascontiguousarray(x) for x in (q, root, flat))  # one compiled kernel for all who call
    contact_torques_kernel(
        tree.arrays, step_columns(tree), points.steps, points.positions, q, root, flat, tau, by_q, by_f
    )
    return ContactTorques(tau, by_q, by_f.reshape(count, dofs, number, 3))
