"""Joints of a USD stage, as UsdPhysics states them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.character import X_AXIS, Y_AXIS, Z_AXIS, Frame, Joint, JointRole, JointType, Limits, Vector3
from animato.formats.usd.stage import UsdStage, schemas_of

AXES: dict[str, Vector3] = {"X": X_AXIS, "Y": Y_AXIS, "Z": Z_AXIS}
KNOWN = (
    "PhysicsRevoluteJoint",
    "PhysicsPrismaticJoint",
    "PhysicsSphericalJoint",
    "PhysicsFixedJoint",
    "PhysicsJoint",
)
_SIX = ("transX", "transY", "transZ", "rotX", "rotY", "rotZ")


@dataclass(frozen=True, eq=False)
class UsdJoint:
    """What a joint prim says about itself.

    Attributes:
        prim: The prim.
        type: Of animato's types; None leaves its bodies free of one another.
        axis, second_axis: In the joint's frame.
        limits: One an axis, empty where none is stated.
        driven: Whether its axes have drives.
        armature: [kg m^2 or kg].
    """

    prim: Any
    type: JointType | None
    axis: Vector3
    second_axis: Vector3 | None
    limits: tuple[Limits, ...]
    driven: bool
    armature: float

    def joint(self, name: str, ends: tuple[str, str], frames: tuple[Frame, Frame], *, some_driven: bool) -> Joint:
        """The joint of animato.

        Args:
            name: What it is called.
            ends: Names of parent and child.
            frames: On parent and child.
            some_driven: Whether any joint of the file has a drive; where none has, all are motors.
        """
        role = None
        if self.type is not JointType.FIXED:
            role = JointRole.ACTUATED if self.driven or not some_driven else JointRole.PASSIVE
        limits = () if all(one == Limits() for one in self.limits) else self.limits
        kind = JointType.FIXED if self.type is None else self.type
        return Joint(name, kind, *ends, role, *frames, self.axis, self.second_axis, limits, armature=self.armature)


def is_joint(prim: Any) -> bool:
    """Whether a prim is a joint of any kind that is switched on."""
    kind = str(prim.GetTypeName())
    if not (kind.startswith("Physics") and kind.endswith("Joint")):
        return False
    enabled = prim.GetAttribute("physics:jointEnabled").Get()
    return enabled is None or bool(enabled)


def local_frame(stage: UsdStage, prim: Any, end: int) -> tuple[tuple[float, ...], np.ndarray]:
    """Of the joint's frame at end 0 or 1: position in units of the prim that it is on, and quaternion wxyz."""
    position = stage.numbers(prim, f"physics:localPos{end}", 3)
    return position or (0.0, 0.0, 0.0), stage.quaternion(prim, f"physics:localRot{end}")


def usd_joint(stage: UsdStage, prim: Any) -> UsdJoint:
    """Reads a joint.

    Raises:
        FileFormatError: Its type, or the axes that it leaves free, are not one of animato's joints.
    """
    kind = str(prim.GetTypeName())
    if kind not in KNOWN:
        raise stage.error(prim, f"joints of type '{kind}' are not read. Types that are: {', '.join(KNOWN)}.")
    if any("Mimic" in schema for schema in schemas_of(prim)):
        raise stage.error(prim, "it mimics another joint, which is not read; write the robot as URDF or YAML.")
    drives = {schema.split(":", 1)[1] for schema in schemas_of(prim) if schema.startswith("PhysicsDriveAPI:")}
    with stage.at(prim):
        if kind == "PhysicsJoint":
            return _six_axes(stage, prim, drives)
        if kind == "PhysicsFixedJoint":
            return UsdJoint(prim, JointType.FIXED, X_AXIS, None, (), False, 0.0)
        axis = AXES[stage.word(prim, "physics:axis", ("X", "Y", "Z"))]
        if kind == "PhysicsSphericalJoint":
            # A cone is no limit on the whole turn; a drive of a ball has no single axis either.
            return UsdJoint(prim, JointType.SPHERICAL, axis, None, (), bool(drives), 0.0)
        turns = kind == "PhysicsRevoluteJoint"
        drive = "angular" if turns else "linear"
        limits = _limits(stage, prim, turns, "physics:lowerLimit", "physics:upperLimit", drive)
        joint_type = JointType.REVOLUTE if turns else JointType.PRISMATIC
        armature = stage.number(prim, "physxJoint:armature", 0.0) or 0.0
        armature *= stage.kilograms * (stage.metres**2 if turns else 1.0)
        return UsdJoint(prim, joint_type, axis, None, (limits,), drive in drives, armature)


def _limits(stage: UsdStage, prim: Any, turns: bool, lower: str, upper: str, drive: str) -> Limits:
    """Limits of one axis in SI; angles of USD are degrees, and what is infinite is not limited."""
    unit = math.pi / 180.0 if turns else stage.metres
    force = stage.kilograms * (stage.metres**2 if turns else stage.metres)
    numbers = [stage.number(prim, name) for name in (lower, upper, "physxJoint:maxJointVelocity")]
    low, high, speed = (None if one is None else one * unit for one in numbers)
    torque = stage.number(prim, f"drive:{drive}:physics:maxForce")
    return Limits(low, high, speed or None, torque=torque * force if torque else None)


def _six_axes(stage: UsdStage, prim: Any, drives: set[str]) -> UsdJoint:
    """A joint that names each axis it locks, limits or leaves free."""
    free, limited = [], {}
    for one in _SIX:
        names = (f"limit:{one}:physics:low", f"limit:{one}:physics:high")
        low, high = (stage.bound(prim, name) for name in names)
        if low is not None and high is not None and low >= high:
            continue  # USD's way to lock an axis
        free.append(one)
        limited[one] = _limits(stage, prim, one.startswith("rot"), *names, one)
    turning, sliding = [one[-1] for one in free if one[0] == "r"], [one[-1] for one in free if one[0] == "t"]
    joint_type = _type_of(turning, sliding)
    if joint_type is None and len(free) < 6:
        raise stage.error(
            prim,
            f"it leaves {' and '.join(free)} free, which is none of animato's joints (one turn, one slide, both along "
            f"one axis, two turns, three turns or three slides). Lock or free other axes by their PhysicsLimitAPI.",
        )
    letters = [*sliding[:1], *turning[:1]] if joint_type is JointType.CYLINDRICAL else (turning or sliding)
    axis, second = AXES[letters[0]] if letters else X_AXIS, None
    if joint_type in (JointType.UNIVERSAL, JointType.CARTESIAN):
        second = AXES[letters[1]]
    driven = [one for one in free if one in drives]
    if driven and len(driven) < len(free) and joint_type not in (JointType.SPHERICAL, None):
        raise stage.error(prim, f"only {' and '.join(driven)} of its free axes has a drive; a joint is driven whole.")
    limits = () if joint_type is JointType.SPHERICAL else tuple(limited[one] for one in free)
    return UsdJoint(prim, joint_type, axis, second, limits, bool(driven), 0.0)


def _type_of(turning: list[str], sliding: list[str]) -> JointType | None:
    if len(turning) == 1 and sliding == turning:
        return JointType.CYLINDRICAL
    by_count = {
        (0, 0): JointType.FIXED,
        (1, 0): JointType.REVOLUTE,
        (2, 0): JointType.UNIVERSAL,
        (3, 0): JointType.SPHERICAL,
        (0, 1): JointType.PRISMATIC,
        (0, 3): JointType.CARTESIAN,
    }
    return by_count.get((len(turning), len(sliding)))
