"""Joints that nothing but a spring holds: at its own rest, as the leaf springs of a leg, or pressed against a stop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from animato.character import Character, Joint, JointRole
from animato.errors import MechanismError
from animato.formats.mjcf.model import MjcfModel

_AT_REST = 1e-3  # [rad or m] between a spring's own rest and the reference pose, or a joint and its stop
_STEP = 1e-6  # [rad, or typical lengths] by which free motions are tried
_UNHELD = 1e-3  # share of the springs' pull that stops may leave over: free motions are differences


@dataclass(frozen=True)
class Spring:
    """A spring at a joint.

    Attributes:
        name: Of the joint.
        stiffness: [N m/rad or N/m].
        torque: By which it turns its joint in the reference pose [N m or N].
        stretch: How far the reference pose is from the spring's own rest [rad or m].
    """

    name: str
    stiffness: float
    torque: float
    stretch: float


def with_springs_held(character: Character, model: MjcfModel, joint_names: dict[int, str]) -> Character:
    """The character, joints that springs hold set where they rest, if its motors could not move it otherwise.

    A closed mechanism with springs in it moves although all motors stand still. Where every spring is
    relaxed in the reference pose, that pose is where the springs hold it, and setting their joints
    leaves to the motors what is theirs. Where springs are tight and press other joints against their
    stops, as in a gripper that is open, these joints are set there: so it moves as long as nothing touches
    it. The description names them.

    Args:
        character: With its loops, counted from the reference pose.
        model: The compiled model.
        joint_names: By their number.
    """
    springs = _springs(character, model, joint_names)
    if not springs or not _moves_freely(character):
        return character
    relaxed = [spring.name for spring in springs if spring.stretch < _AT_REST]
    if relaxed:
        held = _held(character, relaxed, f"Springs hold {', '.join(relaxed)} at rest")
        if not _moves_freely(held):
            return held
    pressed = _pressed(character, springs)
    if pressed:
        names = ", ".join(spring.name for spring in springs if spring.stretch >= _AT_REST)
        words = f"Springs of {names} press {', '.join(pressed)} against their stops, where they are held"
        held = _held(character, pressed, words)
        if not _moves_freely(held):
            return held
    names = ", ".join(spring.name for spring in springs)
    words = f"Springs of {names} hold under load what no motor does, which is not worked out here: set or actuate some"
    return _held(character, (), words)


def _springs(character: Character, model: MjcfModel, joint_names: dict[int, str]) -> list[Spring]:
    """Springs at passive joints of one coordinate."""
    arrays = model.arrays
    stiffness = np.asarray(arrays.jnt_stiffness).reshape(arrays.njnt, -1)[:, 0]
    passive = {joint.name for joint in _single(character)}
    found = []
    for number, name in joint_names.items():
        start = int(arrays.jnt_qposadr[number])
        if name in passive and stiffness[number] > 0.0:
            away = float(arrays.qpos_spring[start] - arrays.qpos0[start])
            found.append(Spring(name, float(stiffness[number]), float(stiffness[number]) * away, abs(away)))
    return found


def _single(character: Character) -> list[Joint]:
    """Passive joints of one coordinate."""
    return [
        joint for joint in character.free_joints if joint.role is JointRole.PASSIVE and len(joint.coordinate_names) == 1
    ]


def _held(character: Character, names: Sequence[str], words: str) -> Character:
    """The character with joints set at their rest."""
    joints = tuple(
        replace(joint, role=JointRole.CONFIGURABLE) if joint.name in names else joint for joint in character.joints
    )
    postures = tuple(
        replace(one, values=tuple(pair for pair in one.values if pair[0] not in names)) for one in character.postures
    )
    description = ". ".join(part for part in (character.description, words) if part)
    return replace(character, joints=joints, postures=postures, description=description)


def _pressed(character: Character, springs: Sequence[Spring]) -> list[str]:
    """Joints at their stops that together carry the pull of all springs; none where stops do not hold it.

    With R how joints move in each free motion, t the springs' torques and p >= 0 the stops' own, it is held
    where R^T (t + p) = 0: a least-squares problem without negative parts.
    """
    from scipy.optimize import nnls  # only springs that are tight need it

    joints = _single(character)
    rates = _free_rates(character, tuple(joint.name for joint in joints))
    if rates is None:
        return []
    torques = {spring.name: spring.torque for spring in springs}
    pull = rates.T @ np.array([torques.get(joint.name, 0.0) for joint in joints])
    inward = np.array([_inward(joint) for joint in joints])
    stops = np.flatnonzero(inward)
    if not len(stops) or not np.any(pull):
        return []
    force, left = nnls((rates[stops] * inward[stops, None]).T, -pull)
    if left > _UNHELD * float(np.linalg.norm(pull)):
        return []
    return [joints[stop].name for stop, one in zip(stops, force, strict=True) if one > 0.0]


def _inward(joint: Joint) -> float:
    """In which direction a joint that rests at a stop can move; 0 where it rests at none."""
    limits, rest = joint.limits[0] if joint.limits else None, joint.neutral[0]
    if limits is None:
        return 0.0
    below = limits.lower is not None and abs(rest - limits.lower) < _AT_REST
    above = limits.upper is not None and abs(rest - limits.upper) < _AT_REST
    return float(below) - float(above)


def _free_rates(character: Character, names: tuple[str, ...]) -> np.ndarray | None:
    """How joints move in each motion that motors leave free, shape [joint, motion]; None where it does not assemble."""
    from animato.mechanics.loops.assembly import build_mechanism, unit_scales
    from animato.mechanics.loops.constraints import constraint_jacobians, joint_coordinates

    try:
        mechanism = build_mechanism(character, require_actuated=False)
    except MechanismError:
        return None
    found = constraint_jacobians(mechanism, mechanism.state[None], mechanism.controls[None], rows="all")
    scale = unit_scales(mechanism)[1]
    _, values, right = np.linalg.svd(found.rows.state.dense(found.state[0]) * scale)
    free = right[np.count_nonzero(values > _STEP * values[0]) :] * scale
    ends = [joint_coordinates(mechanism, mechanism.state + sign * _STEP * free).columns(names) for sign in (1.0, -1.0)]
    return (ends[0] - ends[1]).T / (2.0 * _STEP)


def _moves_freely(character: Character) -> bool:
    from animato.mechanics.loops.assembly import build_mechanism  # only springs in loops need it

    try:
        return bool(build_mechanism(character, require_actuated=False).free_bodies)
    except MechanismError:  # it cannot be assembled: whoever asks for the mechanism is told so
        return False
