"""The joints of a character as a table for the person who builds it: where each sits, which way it points."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from animato.character import Character, Joint, JointRole, JointType, Vector, Vector3
from animato.character.structure import rest_coordinates, rest_poses
from animato.errors import OptionError, unknown_name
from animato.formats.character_yaml.joint_sections import AXIS_UNITS
from animato.formats.files import units_of_joint, write_whole
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

_SHOWN = {"rad": (180.0 / math.pi, "deg"), "m": (1000.0, "mm"), "1": (1.0, "")}
_HAS_AXIS = (
    JointType.REVOLUTE,
    JointType.PRISMATIC,
    JointType.CYLINDRICAL,
    JointType.UNIVERSAL,
    JointType.CARTESIAN,
)
_HAS_SECOND_AXIS = (JointType.UNIVERSAL, JointType.CARTESIAN)


@dataclass(frozen=True)
class JointRow:
    """A joint of the table, in the rest pose (all coordinates zero, configurable joints as configured).

    Attributes:
        joint: Its name.
        type, role: As in the character file.
        parent, child: Its bodies.
        position_mm: Origin of its frame in the world.
        quaternion_wxyz: Turns the world's axes into its frame's.
        axis: Unit vector in the world, or None where the joint has none.
        second_axis: The same, for universal and cartesian joints.
        lower, upper: Of each axis [deg or mm], None where not limited.
        units: "deg" or "mm", one a limit.
        servo: Name in the catalogue, empty where none is stated.
        gear_ratio: Turns of the servo for one of the joint, or None without an actuator.
        configuration: Coordinates of a configurable joint [deg or mm; components of a quaternion].
        configuration_units: "deg", "mm" or "", one a coordinate.
    """

    joint: str
    type: str
    role: str
    parent: str
    child: str
    position_mm: Vector3
    quaternion_wxyz: Vector
    axis: Vector3 | None
    second_axis: Vector3 | None
    lower: tuple[float | None, ...]
    upper: tuple[float | None, ...]
    units: tuple[str, ...]
    servo: str
    gear_ratio: float | None
    configuration: Vector
    configuration_units: tuple[str, ...]


def joint_table(character: Character) -> tuple[JointRow, ...]:
    """One row a joint, in the character's order. A character that floats has its root at the origin."""
    poses = rest_poses(character)
    return tuple(_row(joint, poses.get(joint.parent, RigidTransform())) for joint in character.joints)


def _row(joint: Joint, parent: RigidTransform) -> JointRow:
    frame = parent @ joint.frame_parent.transform
    axes = frame.rotation @ joint.axes
    stated = joint.limits
    units = AXIS_UNITS[joint.type]
    factors = [_SHOWN[unit] for unit in units]
    is_set = joint.role is JointRole.CONFIGURABLE
    own = units_of_joint(joint) if is_set else ()
    return JointRow(
        joint.name,
        joint.type.value,
        str(joint.role),
        joint.parent,
        joint.child,
        _vector(frame.position * 1000.0),
        tuple(frame.quaternion_wxyz.tolist()),
        _vector(axes[:, 0]) if joint.type in _HAS_AXIS else None,
        _vector(axes[:, 1]) if joint.type in _HAS_SECOND_AXIS else None,
        tuple(_times(one.lower, factor) for one, (factor, _) in zip(stated, factors, strict=True)),
        tuple(_times(one.upper, factor) for one, (factor, _) in zip(stated, factors, strict=True)),
        tuple(unit for _, unit in factors),
        (joint.actuator.servo or "") if joint.actuator else "",
        joint.actuator.gear_ratio if joint.actuator else None,
        tuple(
            value * _SHOWN[unit][0] for value, unit in zip(rest_coordinates(joint) if is_set else (), own, strict=True)
        ),
        tuple(_SHOWN[unit][1] for unit in own),
    )


def _vector(values: np.ndarray) -> Vector3:
    # -0.0 is a number that nobody wants to read.
    return tuple((values + 0.0).tolist())


def _times(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor


def save_joint_table(path: str | Path, character: Character, *, before: Character | None = None) -> Path:
    """Writes the table as CSV, whole or not at all.

    Args:
        path: Ends in .csv.
        character: What is built.
        before: The design it came from; adds its configurations, and how far each joint moved and turned.

    Raises:
        OptionError: The path does not end in .csv.
        UnknownNameError: A joint is not in `before`.
    """
    if Path(path).suffix.lower() != ".csv":
        raise OptionError(f"A table of joints is written as .csv, not as '{Path(path).name}'.")
    return write_whole(path, joint_table_text(character, before=before))


def joint_table_text(character: Character, *, before: Character | None = None) -> str:
    """The text of the CSV file; see `save_joint_table`."""
    header = ["joint", "type", "role", "parent", "child"]
    header += [f"{letter} [mm]" for letter in "xyz"]
    header += [f"axis {letter}" for letter in "xyz"] + [f"second axis {letter}" for letter in "xyz"]
    header += ["quaternion w", "quaternion x", "quaternion y", "quaternion z"]
    header += ["lower", "upper", "unit", "servo", "gear ratio", "configuration"]
    if before is not None:
        header += ["configuration before", "moved [mm]", "turned [deg]"]
    old = {} if before is None else {row.joint: row for row in joint_table(before)}
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    for row in joint_table(character):
        cells = _cells(row)
        if before is not None:
            if row.joint not in old:
                raise unknown_name("joint", row.joint, old, before.name)
            cells += _change(row, old[row.joint])
        writer.writerow(cells)
    return text.getvalue()


def _cells(row: JointRow) -> list[str]:
    cells = [row.joint, row.type, row.role, row.parent, row.child]
    cells += [_number(value) for value in row.position_mm]
    for axis in (row.axis, row.second_axis):
        cells += [""] * 3 if axis is None else [_number(value) for value in axis]
    cells += [_number(value) for value in row.quaternion_wxyz]
    cells += [_list(row.lower), _list(row.upper), "; ".join(row.units), row.servo]
    cells += ["" if row.gear_ratio is None else _number(row.gear_ratio), _configuration(row)]
    return cells


def _change(row: JointRow, old: JointRow) -> list[str]:
    moved = float(np.linalg.norm(np.subtract(row.position_mm, old.position_mm)))
    turned = math.degrees(float(quaternions.angle_between(row.quaternion_wxyz, old.quaternion_wxyz)))
    return [_configuration(old), _number(moved), _number(turned)]


def _number(value: float) -> str:
    """To a millionth, which is a nanometre or less than a machine can cut."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _list(values: Sequence[float | None]) -> str:
    return (
        "; ".join("" if value is None else _number(value) for value in values)
        if any(value is not None for value in values)
        else ""
    )


def _configuration(row: JointRow) -> str:
    pairs = zip(row.configuration, row.configuration_units, strict=True)
    return "; ".join(f"{_number(value)} {unit}".rstrip() for value, unit in pairs)
