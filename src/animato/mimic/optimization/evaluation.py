"""Where a motion is and what it asks for: everything that the terms of a point need, once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.mechanics.tree import States, contact_torques, forward_kinematics, put_rnea_derivatives
from animato.mimic.curve import ControlPoints, Knots, knots_of
from animato.mimic.optimization.terms import Terms
from animato.spatial import quaternions


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A motion at the knots.

    Attributes:
        controls: Control points.
        knots: States.
        places: Of all points in the world [m], [t, point, 3].
        jacobians: J^T of all points, [t, dof, 3 point].
        forces: At the corners in the world [N], [t, corner, 3].
        tau: Torques of motors, and the wrench at the root that nothing gives, [t, dof]; empty without dynamics.
        by_q, by_v, by_a: Of tau, [t, dof, dof].
    """

    controls: ControlPoints
    knots: Knots
    places: np.ndarray
    jacobians: np.ndarray
    forces: np.ndarray
    tau: np.ndarray
    by_q: np.ndarray
    by_v: np.ndarray
    by_a: np.ndarray


def states_of_knots(knots: Knots, step: float) -> States:
    """States as the mechanics take them."""
    times = np.arange(len(knots.q)) * step
    return States(times, knots.q, knots.v, knots.a, knots.root)


def evaluated(
    character: Character, terms: Terms, controls: ControlPoints, increments: np.ndarray, forces: np.ndarray
) -> Evaluation:
    """Evaluates a motion.

    Args:
        character: The robot.
        terms: What is asked of it.
        controls: Its control points.
        increments: Right-hand turns of the root from the references of its unknowns, [t + 2, 3].
        forces: At the corners in the world [N], [t, corner, 3].
    """
    tree, packed = terms.tree, terms.packed
    knots = knots_of(controls, increments, terms.step)
    poses = forward_kinematics(character, states_of_knots(knots, terms.step))
    turned = quaternions.rotate(poses.quaternions_wxyz[:, packed.bodies], packed.local)
    places = poses.positions[:, packed.bodies] + turned
    count, dofs, points = len(knots.q), terms.dof_count, len(packed.bodies)
    everywhere = np.zeros((count, points, 3))
    everywhere[:, packed.first_corner : packed.first_frame] = forces
    contact = contact_torques(tree, knots.q, knots.root, packed.points, everywhere)
    jacobians = contact.by_f.reshape(count, dofs, 3 * points)
    if not terms.dynamics:
        nothing = np.zeros((0, dofs))
        return Evaluation(controls, knots, places, jacobians, forces, nothing, *[nothing.reshape(0, dofs, 0)] * 3)
    tau, by_q, by_v, by_a = np.empty((count, dofs)), *(np.empty((count, dofs, dofs)) for _ in range(3))
    put_rnea_derivatives(tree, knots.q, knots.v, knots.a, knots.root, tau, by_q, by_v, by_a)
    tau -= contact.values
    by_q -= contact.by_q
    return Evaluation(controls, knots, places, jacobians, forces, tau, by_q, by_v, by_a)
