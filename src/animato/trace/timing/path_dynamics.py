"""What the motors must give along a path: tau = a(s) s'' + d(s) s'^2 + c(s)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.character import Character
from animato.errors import MotionError, unknown_name
from animato.mechanics.tree import Tree, inverse_dynamics_kernel, packed_tree
from animato.trace.path import JointPath
from animato.trace.timing.axis_limits import torque_bounds


class PathDynamics(NamedTuple):
    """Coefficients at places on a path, by degree of freedom.

    Attributes:
        s: [m].
        q: Coordinates of the character [rad or m], [m, coordinate].
        dq, ddq: Derivatives of the degrees of freedom with respect to s, [m, dof].
        a: Torque per s'' [N m s^2 or N s^2], [m, dof]; the paper's a.
        d: Torque per s'^2 [N m s^2 or N s^2], [m, dof]; the paper's b.
        c: Torque at rest [N m or N], [m, dof].
        most, least: Largest torque upward and downward in that pose, both positive [N m or N], [m, dof].
    """

    s: np.ndarray
    q: np.ndarray
    dq: np.ndarray
    ddq: np.ndarray
    a: np.ndarray
    d: np.ndarray
    c: np.ndarray
    most: np.ndarray
    least: np.ndarray


def path_dynamics(character: Character, path: JointPath, s: np.ndarray, bounds: tuple[str, ...] = ()) -> PathDynamics:
    """Evaluates the three coefficients by inverse dynamics, in three calls for all places.

    With v = q' s' and v' = q' s'' + q'' s'^2, and no speed-dependent friction: a = M q', d = M q'' + h(q, q') without
    gravity, c = h(q, 0). The rotors' inertia is part of M.

    Args:
        character: Who moves.
        path: Where the joints go.
        s: Places, [m].
        bounds: Limits by direction or pose, as in `Options.bounds`.
    """
    tree = packed_tree(character)
    q, dq, ddq = path_states(tree, character, path, s)
    root = rest_root(tree, len(s))
    weightless = tree.arrays._replace(gravity=np.zeros(3))
    still = np.zeros_like(dq)
    a, d, c = np.empty_like(dq), np.empty_like(dq), np.empty_like(dq)
    inverse_dynamics_kernel(weightless, q, still, dq, root, a)
    inverse_dynamics_kernel(weightless, q, dq, ddq, root, d)
    inverse_dynamics_kernel(tree.arrays, q, still, still, root, c)
    a += tree.armature * dq
    d += tree.armature * ddq
    return PathDynamics(s, q, dq, ddq, a, d, c, *torque_bounds(character, bounds, q))


def rest_root(tree: Tree, count: int) -> np.ndarray:
    """The root where it rests, [count, 7]."""
    return np.tile(np.concatenate([tree.root_rest.position, tree.root_rest.quaternion_wxyz]), (count, 1))


def path_states(
    tree: Tree, character: Character, path: JointPath, s: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coordinates [m, coordinate] and derivatives of the degrees of freedom [m, dof] along a path."""
    coordinates = _columns(path.names, tree.coordinate_names, character)
    balls = [name for name in path.names if name not in tree.dof_names]
    if balls:
        raise MotionError(f"A path moves joints of one axis; '{balls[0]}' belongs to a spherical joint. Hold it still.")
    dofs = [tree.dof_names.index(name) for name in path.names]
    samples = path.samples(s)
    q = np.tile(tree.neutral, (len(s), 1))
    dq, ddq = np.zeros((len(s), len(tree.dof_names))), np.zeros((len(s), len(tree.dof_names)))
    q[:, _columns(path.held.names, tree.coordinate_names, character)] = path.held.positions
    q[:, coordinates] = samples.q
    dq[:, dofs], ddq[:, dofs] = samples.dq, samples.ddq
    return q, dq, ddq


def _columns(names: tuple[str, ...], known: tuple[str, ...], character: Character) -> list[int]:
    for name in names:
        if name not in known:
            raise unknown_name("coordinate", name, known, character.name)
    return [known.index(name) for name in names]
