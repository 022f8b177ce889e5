"""The rest state of a mechanism: laid out along a spanning tree, then closed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from animato.character import Character, Joint, JointRole, Vector
from animato.character.structure import joint_motion, topology_of
from animato.spatial.rigid_transform import RigidTransform

Residuals = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""From a state to residuals [row] and their Jacobian [row, state]."""


@dataclass(frozen=True, eq=False)
class Closing:
    """Where an attempt to satisfy rows ended.

    Attributes:
        state: Shape [state], quaternions of unit length.
        residual: Largest row in magnitude [m or 1].
        closed: Whether that is small enough.
    """

    state: np.ndarray
    residual: float
    closed: bool


def tree_joints(character: Character) -> frozenset[str]:
    """Names of the joints of the spanning tree; every other one closes a loop."""
    return frozenset(link.joint.name for link in topology_of(character).links if link.joint is not None)


def tree_state(character: Character, stands: Mapping[str, Vector] | None = None) -> np.ndarray:
    """State of all bodies along the spanning tree, shape [state].

    Args:
        character: Configurable joints stand as configured, geared ones where their leader at rest puts them.
        stands: Coordinates by joint of those that do not stand at rest.
    """
    placed: dict[str, RigidTransform] = {}
    for link in topology_of(character).links:
        joint = link.joint
        if joint is None:
            placed[link.body] = RigidTransform()
            continue
        stand = (stands or {}).get(joint.name) or rest_of(joint, character)
        step = joint.frame_parent.transform @ joint_motion(joint, stand)
        step = step @ joint.frame_child.transform.inverse()
        base = RigidTransform() if link.parent is None else placed[link.parent]
        placed[link.body] = base @ (step.inverse() if link.reversed else step)
    poses = [placed[body.name] for body in character.bodies]
    return np.concatenate([np.concatenate([pose.position, pose.quaternion_wxyz]) for pose in poses])


def rest_of(joint: Joint, character: Character) -> tuple[float, ...]:
    """Coordinates at which a joint rests."""
    if joint.role is JointRole.CONFIGURABLE:
        return joint.configuration or joint.neutral
    if joint.coupling is not None:
        leader = rest_of(character.joint(joint.coupling.leader), character)[0]
        return (joint.coupling.ratio * leader + joint.coupling.offset,)
    return joint.neutral


def close(residuals: Residuals, start: np.ndarray, *, tolerance: float, rounds: int = 60) -> Closing:
    """Levenberg-Marquardt on the squared sum of rows, from a start that may be far off.

    Rows may be redundant: the damping never quite vanishes, so the normal matrix stays definite, and
    near a solution it falls with the residual, so the last steps converge quadratically.

    Args:
        residuals: Rows and their Jacobian.
        start: Shape [state].
        tolerance: Largest row at which the state counts as closed.
        rounds: Steps at most.
    """
    state = normalized_state(start)
    values, jacobian = residuals(state)
    cost, damping = float(values @ values), 1e-3
    for _ in range(rounds):
        largest = float(np.max(np.abs(values), initial=0.0))
        if largest <= tolerance:
            break
        normal, slope = jacobian.T @ jacobian, jacobian.T @ values
        lift = min(damping, cost) + 1e-14 * float(np.max(np.diag(normal)))
        normal[np.diag_indices_from(normal)] += lift
        trial = normalized_state(state - np.linalg.solve(normal, slope))
        trial_values, trial_jacobian = residuals(trial)
        trial_cost = float(trial_values @ trial_values)
        if trial_cost < cost:
            stalled = trial_cost > cost * (1.0 - 1e-9) and damping < 1e-6
            state, values, jacobian, cost = trial, trial_values, trial_jacobian, trial_cost
            damping = max(damping / 9.0, 1e-12)
            if stalled:
                break
        else:
            damping *= 4.0
            if damping > 1e6:
                break
    largest = float(np.max(np.abs(values), initial=0.0))
    return Closing(state, largest, largest <= tolerance)


def normalized_state(state: np.ndarray) -> np.ndarray:
    """The same state(s) with quaternions of unit length, shape [..., state]."""
    bodies = np.array(state, dtype=np.float64).reshape(*np.shape(state)[:-1], np.shape(state)[-1] // 7, 7)
    bodies[..., 3:] /= np.linalg.norm(bodies[..., 3:], axis=-1, keepdims=True)
    return bodies.reshape(np.shape(state))
