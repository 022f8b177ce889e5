"""Joints of a compiled MJCF model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from animato.character import Body, Frame, Joint, JointRole, JointType, Limits
from animato.formats.files import UniqueNames
from animato.formats.mjcf.model import MjcfModel
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform


@dataclass(frozen=True)
class Drive:
    """What the actuators of a joint add up to.

    Attributes:
        torque: Largest [N m or N], or None where it is not limited.
        armature: [kg m^2 or kg].
        damping: [N m s/rad or N s/m].
    """

    torque: float | None
    armature: float
    damping: float


def drives_of(model: MjcfModel) -> dict[int, Drive]:
    """The drive of each joint that has actuators, by its number."""
    arrays, mujoco = model.arrays, model.mujoco
    kinds = (int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT))
    drives: dict[int, Drive] = {}
    for index in range(len(arrays.actuator_trntype)):
        if int(arrays.actuator_trntype[index]) not in kinds:
            continue
        joint = int(arrays.actuator_trnid[index, 0])
        gear = abs(float(arrays.actuator_gear[index, 0]))
        force = _largest_force(model, index)
        torque = None if force is None else gear * force
        # Fields that came with MuJoCo 4; a rotor behind a gear weighs its ratio squared.
        armature = gear**2 * float(arrays.actuator_armature[index]) if hasattr(arrays, "actuator_armature") else 0.0
        damping = gear**2 * float(arrays.actuator_damping[index]) if hasattr(arrays, "actuator_damping") else 0.0
        if joint in drives:
            other = drives[joint]
            torque = None if torque is None or other.torque is None else torque + other.torque
            armature, damping = armature + other.armature, damping + other.damping
        drives[joint] = Drive(torque, armature, damping)
    return drives


def _largest_force(model: MjcfModel, index: int) -> float | None:
    """What one actuator can give before its gear: its force range, or what a motor's control range allows."""
    arrays, mujoco = model.arrays, model.mujoco
    if arrays.actuator_forcelimited[index]:
        return float(np.abs(arrays.actuator_forcerange[index]).max())
    is_motor = (
        arrays.actuator_gaintype[index] == mujoco.mjtGain.mjGAIN_FIXED
        and arrays.actuator_biastype[index] == mujoco.mjtBias.mjBIAS_NONE
    )
    control = int(arrays.actuator_ctrladr[index]) if hasattr(arrays, "actuator_ctrladr") else index
    if is_motor and arrays.actuator_ctrllimited[control]:
        return abs(float(arrays.actuator_gainprm[index, 0])) * float(np.abs(arrays.actuator_ctrlrange[control]).max())
    return None


@dataclass(frozen=True, eq=False)
class JointReader:
    """Reads the joints between a body and its parent.

    Attributes:
        model: The compiled model.
        drives: Of the joints with actuators.
        joint_names: By their number.
        role_of: Says the role of a joint of that number.
        new_names: Of the bodies that are added.
    """

    model: MjcfModel
    drives: dict[int, Drive]
    joint_names: dict[int, str]
    role_of: Callable[[int], JointRole]
    new_names: UniqueNames

    def chain(self, index: int, parent: str, name: str) -> tuple[list[Joint], list[Body]]:
        """The joints that lead from a parent to a body, and the massless bodies between them.

        MuJoCo moves a body by its joints one after another, each about a point of the body itself.

        Args:
            index: Number of the body.
            parent: Name of the body it hangs on.
            name: Its own name.
        """
        arrays = self.model.arrays
        first, count = int(arrays.body_jntadr[index]), int(arrays.body_jntnum[index])
        transform = RigidTransform(arrays.body_pos[index], arrays.body_quat[index])
        joints: list[Joint] = []
        bodies: list[Body] = []
        for number in range(first, first + count):
            is_last = number == first + count - 1
            child = name if is_last else self.new_names.new(f"{name}.{self.joint_names[number]}")
            joints.append(self._joint(number, transform, parent, child))
            if child != name:
                bodies.append(Body(child))
            parent, transform = child, RigidTransform()
        return joints, bodies

    def _joint(self, number: int, transform: RigidTransform, parent: str, child: str) -> Joint:
        arrays, kinds = self.model.arrays, self.model.mujoco.mjtJoint
        kind = arrays.jnt_type[number]
        axis = arrays.jnt_axis[number]
        anchor = RigidTransform(arrays.jnt_pos[number])
        # The model is drawn at the reference position; joint coordinates of animato start at 0.
        reference = float(arrays.qpos0[arrays.jnt_qposadr[number]])
        if kind == kinds.mjJNT_HINGE:
            joint_type = JointType.REVOLUTE
            back = RigidTransform((0.0, 0.0, 0.0), quaternions.quaternion_about(axis, -reference))
        elif kind == kinds.mjJNT_SLIDE:
            joint_type, back = JointType.PRISMATIC, RigidTransform(-reference * axis)
        else:
            joint_type, back, axis = JointType.SPHERICAL, RigidTransform(), np.array((1.0, 0.0, 0.0))
        drive = self.drives.get(number, Drive(None, 0.0, 0.0))
        degree = int(arrays.jnt_dofadr[number])
        limits = self._limits(number, drive, joint_type)
        return Joint(
            self.joint_names[number],
            joint_type,
            parent,
            child,
            self.role_of(number),
            Frame.from_transform(transform @ anchor @ back),
            Frame.from_transform(anchor),
            tuple(axis.tolist()),
            stated_limits=() if limits == Limits() else (limits,),
            damping=float(arrays.dof_damping[degree]) + drive.damping,
            friction=float(arrays.dof_frictionloss[degree]),
            armature=float(arrays.dof_armature[degree]) + drive.armature,
        )

    def _limits(self, number: int, drive: Drive, joint_type: JointType) -> Limits:
        arrays = self.model.arrays
        lower, upper = (None, None)
        if arrays.jnt_limited[number]:
            lower, upper = arrays.jnt_range[number].tolist()
        torque = drive.torque
        if arrays.jnt_actfrclimited[number]:
            whole = float(np.abs(arrays.jnt_actfrcrange[number]).max())
            torque = whole if torque is None else min(torque, whole)
        return Limits(None if joint_type is JointType.SPHERICAL else lower, upper, torque=torque or None)
