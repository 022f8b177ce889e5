"""Equality constraints and keyframes of a compiled MJCF model: gears, closed loops and postures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from animato.character import Character, Coupling, Frame, Joint, JointRole, JointType, NamedPosture
from animato.character.structure import rezeroed
from animato.errors import CharacterError
from animato.formats.files import UniqueNames
from animato.formats.mjcf.model import MjcfModel
from animato.spatial.rigid_transform import RigidTransform


def with_couplings(joints: list[Joint], model: MjcfModel, joint_names: dict[int, str]) -> tuple[list[Joint], list[str]]:
    """The joints, those that an equality ties to others coupled to one of their chain, a motor where it has one.

    An equality may be a polynomial; a gear is its linear part, and what it leaves out is said.

    Args:
        joints: Of the character.
        model: The compiled model.
        joint_names: By their number.
    """
    arrays = model.arrays
    notes: list[str] = []
    leaders: dict[str, tuple[str | None, float, float]] = {}
    for index in _active(model, model.mujoco.mjtEq.mjEQ_JOINT):
        follower, leader = int(arrays.eq_obj1id[index]), int(arrays.eq_obj2id[index])
        constant, ratio, *rest = arrays.eq_data[index, :5].tolist()
        name = joint_names[follower]
        if name in leaders:
            raise CharacterError(f"Joint '{name}' is tied by two equality constraints; one is enough.")
        if any(rest) and leader >= 0:
            notes.append(_left_out(model, leader, (name, joint_names[leader]), rest))
        # MuJoCo measures both joints from the position in which the model is drawn.
        zero = float(arrays.qpos0[arrays.jnt_qposadr[follower]])
        if leader < 0:
            leaders[name] = (None, 0.0, zero + constant)
        else:
            start = float(arrays.qpos0[arrays.jnt_qposadr[leader]])
            leaders[name] = (joint_names[leader], ratio, zero + constant - ratio * start)
    if not leaders:
        return joints, notes
    from animato.mechanics.loops.assembly import led_by_motors  # only gears need it

    led = led_by_motors([_coupled(joint, leaders) if joint.name in leaders else joint for joint in joints])
    return [joint if joint.coupling is None else replace(joint, role=JointRole.PASSIVE) for joint in led], notes


def _left_out(model: MjcfModel, leader: int, names: tuple[str, str], rest: Sequence[float]) -> str:
    """What the linear part of a polynomial is off by within the leader's range.

    Args:
        model: The compiled model.
        leader: Number of the joint that is followed.
        names: Of the joint that follows, and of this one.
        rest: Factors of the second, third and fourth power.
    """
    arrays = model.arrays
    start = float(arrays.qpos0[arrays.jnt_qposadr[leader]])
    low, high = arrays.jnt_range[leader].tolist() if arrays.jnt_limited[leader] else (start - 1.0, start + 1.0)
    way = np.linspace(low, high, 101) - start
    off = float(np.max(np.abs(sum(factor * way ** (n + 2) for n, factor in enumerate(rest)))))
    return (
        f"{names[0]} follows {names[1]} by a polynomial, of which the linear part is kept: off by up to {off:.3g} "
        f"where {names[1]} is {low:.3g} to {high:.3g}"
    )


def _coupled(joint: Joint, leaders: dict[str, tuple[str | None, float, float]]) -> Joint:
    leader: str | None = joint.name
    ratio, offset, passed = 1.0, 0.0, set()
    while leader in leaders:
        if leader in passed:
            raise CharacterError(f"Joint '{joint.name}' is tied to itself by equality constraints.")
        passed.add(leader)
        leader, step_ratio, step_offset = leaders[leader]
        ratio, offset = ratio * step_ratio, ratio * step_offset + offset
    if leader is None:
        return replace(joint, role=JointRole.CONFIGURABLE, configuration=(offset,))
    return replace(joint, coupling=Coupling(leader, ratio, offset))


def _active(model: MjcfModel, kind: Any) -> list[int]:
    arrays = model.arrays
    return [index for index in range(arrays.neq) if arrays.eq_type[index] == kind and arrays.eq_active0[index]]


def uses_world(model: MjcfModel) -> bool:
    """Whether a loop is closed by way of the world."""
    return any(0 in bodies for _, bodies, _ in _closures(model))


def loop_joints(model: MjcfModel, body_names: dict[int, str], taken: Sequence[str]) -> list[Joint]:
    """Passive joints that close loops: spherical for `connect`, fixed for `weld`.

    Args:
        model: The compiled model.
        body_names: Of the bodies that are kept, by their number; 0 is the body that stands for the world.
        taken: Names that other joints have.
    """
    names, found = UniqueNames(taken), []
    kinds = {JointType.SPHERICAL: "connect", JointType.FIXED: "weld"}
    for index, bodies, frames in _closures(model):
        joint_type = (
            JointType.FIXED if model.arrays.eq_type[index] == model.mujoco.mjtEq.mjEQ_WELD else JointType.SPHERICAL
        )
        if not all(body in body_names for body in bodies):
            continue
        name = names.new(model.name("EQUALITY", index) or f"{kinds[joint_type]}_{index + 1}")
        first, second = (body_names[body] for body in bodies)
        on_first, on_second = (Frame.from_transform(frame) for frame in frames)
        found.append(Joint(name, joint_type, first, second, JointRole.PASSIVE, on_first, on_second))
    return found


def _closures(model: MjcfModel) -> list[tuple[int, tuple[int, int], tuple[RigidTransform, RigidTransform]]]:
    """Number, bodies and frames on them of each active `connect` and `weld`."""
    arrays, kinds = model.arrays, model.mujoco.mjtEq
    found = []
    for kind in (kinds.mjEQ_CONNECT, kinds.mjEQ_WELD):
        for index in _active(model, kind):
            ends = int(arrays.eq_obj1id[index]), int(arrays.eq_obj2id[index])
            data = arrays.eq_data[index]
            if arrays.eq_objtype[index] == model.mujoco.mjtObj.mjOBJ_SITE:
                bodies = tuple(int(arrays.site_bodyid[site]) for site in ends)
                frames = tuple(RigidTransform(arrays.site_pos[site], arrays.site_quat[site]) for site in ends)
            elif kind == kinds.mjEQ_CONNECT:
                bodies, frames = ends, (RigidTransform(data[0:3]), RigidTransform(data[3:6]))
            else:
                # The point data[3:6] of the first body is the point data[0:3] of the second.
                bodies, frames = ends, (RigidTransform(data[3:6], data[6:10]), RigidTransform(data[0:3]))
            found.append((index, (bodies[0], bodies[1]), (frames[0], frames[1])))
    return sorted(found, key=lambda one: one[0])


def neutral_at_reference(character: Character, model: MjcfModel, joint_names: dict[int, str]) -> Character:
    """The character, its joints counted from the pose in which the model is drawn."""
    arrays, kinds = model.arrays, model.mujoco.mjtJoint
    one_axis = (int(kinds.mjJNT_HINGE), int(kinds.mjJNT_SLIDE))
    zeros = {}
    for number, name in joint_names.items():
        value = float(arrays.qpos0[arrays.jnt_qposadr[number]])
        if int(arrays.jnt_type[number]) in one_axis and value != 0.0 and character.joint(name).is_free_coordinate:
            zeros[name] = (value,)
    if not zeros:
        return character
    shown = ", ".join(f"{name} {value:.4g}" for name, (value,) in zeros.items())
    words = f"Zero is the file's reference pose: {shown}"
    description = ". ".join(part for part in (character.description, words) if part)
    return replace(rezeroed(character, zeros), description=description)


def postures_of(model: MjcfModel, joints: Sequence[Joint], joint_names: dict[int, str]) -> tuple[NamedPosture, ...]:
    """Keyframes as postures; what stands at its neutral position is left out, as is the floating base."""
    arrays = model.arrays
    free = {joint.name: joint for joint in joints if joint.is_free_coordinate}
    postures = []
    for key in range(arrays.nkey):
        values = []
        for number, name in joint_names.items():
            if name not in free:
                continue
            coordinates, start = free[name].coordinate_names, int(arrays.jnt_qposadr[number])
            stated = np.asarray(arrays.key_qpos[key, start : start + len(coordinates)]).tolist()
            if tuple(stated) != free[name].neutral:
                values += list(zip(coordinates, stated, strict=True))
        postures.append(NamedPosture(model.name("KEY", key) or f"key_{key + 1}", tuple(values)))
    return tuple(postures)
