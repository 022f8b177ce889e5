"""Where a motion begins if no way leads to it from rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.character import Joint, JointRole, Vector
from animato.mechanics.loops.assembly import closed_from, start_states, tree_state, unit_scales
from animato.mechanics.loops.constraints import Mechanism, joint_coordinates

_SLACK = 1e-6  # [rad or m] by which a joint may stand beyond its limits


def may_enter_elsewhere(mechanism: Mechanism, controls: np.ndarray) -> bool:
    """Whether the rest is no pose to work from, while the controls are.

    That is so where it is singular, or outside the limits of actuated joints. Files draw robots in poses that
    they never take: then a motion starts where it starts, not at rest.

    Args:
        mechanism: Whose rest.
        controls: Of the first step, shape [control].
    """
    rest = _beyond(mechanism, mechanism.controls)
    return bool(mechanism.rest_is_singular or rest > _SLACK) and _beyond(mechanism, controls) <= max(rest, _SLACK)


def assembled_at(mechanism: Mechanism, controls: np.ndarray) -> np.ndarray | None:
    """A closed state at given controls, shape [state]; None where none is found.

    Of all that several starts lead to, the one whose passive joints keep to their limits best, and of these
    the one nearest to the passive joints' rest.

    Args:
        mechanism: With its own design.
        controls: Shape [control].
    """
    stands = _stands(mechanism, controls)
    laid = replace(mechanism, controls=controls, state=tree_state(mechanism.character, stands))
    rows = np.setdiff1d(np.arange(len(mechanism.rows)), mechanism.row_indices("surplus"))
    scale = unit_scales(mechanism)[1]
    best: tuple[float, float, np.ndarray] | None = None
    for guess in start_states(laid, actuators_free=False):
        state = closed_from(laid, rows, guess)
        if state is None:
            continue
        beyond = round(_passive_beyond(mechanism, state), 6)
        far = float(np.linalg.norm((state - laid.state) / scale))
        if best is None or (beyond, far) < best[:2]:
            best = (beyond, far, state)
    return None if best is None else best[2]


def _stands(mechanism: Mechanism, controls: np.ndarray) -> dict[str, Vector]:
    """Actuated joints where the controls have them, passive ones at rest or at the nearest of their limits."""
    at = dict(zip(mechanism.control_names, controls.tolist(), strict=True))
    stands: dict[str, Vector] = {}
    for joint in mechanism.joints:
        names = joint.coordinate_names
        if names and names[0] in at:
            stands[joint.name] = tuple(at[name] for name in names)
        elif len(names) == 1 and joint.limits and joint.role is JointRole.PASSIVE and joint.coupling is None:
            stands[joint.name] = (joint.neutral[0] - _excess(joint, joint.neutral[0]),)
    return stands


def _excess(joint: Joint, value: float) -> float:
    """By how much a coordinate is above its upper limit, or, negative, below its lower one [rad or m]."""
    lower, upper = joint.limits[0].lower, joint.limits[0].upper
    if upper is not None and value > upper:
        return value - upper
    return value - lower if lower is not None and value < lower else 0.0


def _beyond(mechanism: Mechanism, controls: np.ndarray) -> float:
    """By how much actuated joints stand beyond their limits, at most [rad or m]."""
    joints = {joint.name: joint for joint in mechanism.joints if len(joint.coordinate_names) == 1 and joint.limits}
    pairs = zip(mechanism.control_names, controls.tolist(), strict=True)
    return max((abs(_excess(joints[name], value)) for name, value in pairs if name in joints), default=0.0)


def _passive_beyond(mechanism: Mechanism, state: np.ndarray) -> float:
    """By how much passive joints stand beyond their limits, summed up [rad or m]."""
    found = joint_coordinates(mechanism, state[None])
    at = dict(zip(found.names, found.values[0].tolist(), strict=True))
    return sum(
        abs(_excess(joint, at[joint.coordinate_names[0]]))
        for joint in mechanism.joints
        if joint.role is JointRole.PASSIVE and len(joint.coordinate_names) == 1 and joint.limits
    )
