"""Builds the maximal system of a character: its bodies, joints as rows, flexible parts with their bases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from animato.character import Character, FlexiblePart, Joint, JointRole, JointType, mass_properties_of
from animato.character.structure import joint_motion, rest_coordinates, rest_poses
from animato.errors import CharacterError, unknown_name
from animato.mechanics.flexible.elements import build_elements
from animato.mechanics.flexible.mesh import DEFAULT_MESH, MeshOptions, build_part_mesh
from animato.spatial.rigid_transform import RigidTransform
from animato.steady.published.maximal.constraint_rows import SLIDE, TURN, ConstraintRows
from animato.steady.published.maximal.relative_part import (
    RelativePart,
    build_relative_part,
    field_basis,
    slender_fields,
)
from animato.steady.published.maximal.system import MaximalSystem

_X = np.array((1.0, 0.0, 0.0))


@dataclass(frozen=True, eq=False)
class _Row:
    name: str
    kind: int
    frames: tuple[int, int]
    points: tuple[np.ndarray, np.ndarray]
    axes: tuple[np.ndarray, np.ndarray, np.ndarray]
    motor: int = -1


@dataclass(frozen=True, eq=False)
class _Bodies:
    """Frames of the bodies: number, and T_frame_body; T_world_frame at rest."""

    frames: dict[str, tuple[int, RigidTransform]]
    at_rest: list[RigidTransform]


def build_maximal_system(
    character: Character,
    *,
    bases: Mapping[str, np.ndarray] | None = None,
    degree: int = 5,
    mesh: MeshOptions = DEFAULT_MESH,
    references: Mapping[str, str] | None = None,
) -> MaximalSystem:
    """Builds the paper's system.

    Args:
        character: Held in the world. Joints of all types; motors on hinges and slides.
        bases: Of flexible parts by name, in the coordinates of the part, [node, 3, mode]; where not given, fields of
            slender parts up to `degree`.
        degree: Of the polynomials along a part whose basis is not given.
        mesh: How fine parts are meshed.
        references: Body that a part's displacements are relative to, by the part's name; where not given, the body of
            its first interface.

    Raises:
        CharacterError: The character floats, or has what this form does not know: gears, other motors, damping,
            friction or rotors in passive joints.
    """
    if character.floats:
        raise CharacterError(f"'{character.name}' floats; add a ground joint for the body that is held in the world.")
    bodies = _placed_bodies(character)
    motors: list[str] = []
    rows: list[_Row] = []
    for joint in character.joints:
        if joint.type is not JointType.GROUND:
            rows += _joint_rows(joint, bodies, motors)
    parts, frame = [], len(bodies.at_rest)
    for part in character.flexible_parts:
        made = _part(
            part, character, bodies, (references or {}).get(part.name), (bases or {}).get(part.name), degree, mesh
        )
        rows += _interface_rows(part, made, bodies, frame)
        frame += len(made.interfaces)
        parts.append(made)
    moving = [body for body in character.bodies if bodies.frames[body.name][0] > 0]
    properties = [mass_properties_of(body) for body in moving]
    quaternions = [place.quaternion_wxyz for place in bodies.at_rest[1:]]
    rest = [*(place.position for place in bodies.at_rest[1:]), *quaternions]
    rest += [np.zeros(part.mode_count) for part in parts]
    return MaximalSystem(
        character.name,
        tuple(body.name for body in moving),
        np.array([one.mass for one in properties]),
        np.array([one.inertia for one in properties]).reshape(-1, 3, 3),
        tuple(parts),
        _packed(rows),
        tuple(motors),
        np.concatenate(rest),
        np.array(character.gravity),
    )


def _placed_bodies(character: Character) -> _Bodies:
    """Frame 0 is the world, on which held bodies sit; each other body has its own, at its centre of mass."""
    held = {joint.child for joint in character.joints if joint.type is JointType.GROUND}
    poses, frames, at_rest = rest_poses(character), {}, [RigidTransform()]
    for body in character.bodies:
        if body.name in held:
            frames[body.name] = (0, poses[body.name])
            continue
        centre = mass_properties_of(body).centre
        frames[body.name] = (len(at_rest), RigidTransform(-centre))
        at_rest.append(poses[body.name] @ RigidTransform(centre))
    return _Bodies(frames, at_rest)


def _joint_rows(joint: Joint, bodies: _Bodies, motors: list[str]) -> list[_Row]:
    """Rows of a joint; a motor adds its coordinate's name."""
    driven = joint.role is JointRole.ACTUATED
    _refuse(joint, driven)
    set_once = joint.role is JointRole.CONFIGURABLE
    (one, T_one), (two, T_two) = bodies.frames[joint.parent], bodies.frames[joint.child]
    near, far = T_one @ joint.frame_parent.transform, T_two @ joint.frame_child.transform
    if set_once:
        near = near @ joint_motion(joint, rest_coordinates(joint))
    kind = JointType.FIXED if set_once else joint.type
    first, second = (near.rotation @ joint.axes).T, (far.rotation @ joint.axes).T
    ends, frames = (near.position, far.position), (one, two)
    slides = {JointType.PRISMATIC: (1, 2), JointType.CYLINDRICAL: (1, 2), JointType.CARTESIAN: ()}.get(kind, (0, 1, 2))
    rows = [_Row(joint.name, SLIDE, frames, ends, (first[i], _X, _X)) for i in slides]
    turns = {
        JointType.REVOLUTE: ((0, 1), (0, 2)),
        JointType.CYLINDRICAL: ((0, 1), (0, 2)),
        JointType.UNIVERSAL: ((0, 1),),
        JointType.SPHERICAL: (),
    }.get(kind, ((0, 1), (1, 2), (2, 0)))
    rows += [_Row(joint.name, TURN, frames, ends, (first[i], first[i], second[k])) for i, k in turns]
    if driven:
        motor = len(motors)
        motors.append(joint.coordinate_names[0])
        if kind is JointType.REVOLUTE:
            rows.append(_Row(joint.name, TURN, frames, ends, (first[1], first[2], second[2]), motor))
        else:
            rows.append(_Row(joint.name, SLIDE, frames, ends, (first[0], _X, _X), motor))
    return rows


def _refuse(joint: Joint, driven: bool) -> None:
    if driven and joint.type not in (JointType.REVOLUTE, JointType.PRISMATIC):
        raise CharacterError(
            f"Motor '{joint.name}' is {joint.type}; the published form has motors on hinges and slides."
        )
    if joint.coupling is not None:
        raise CharacterError(f"Joint '{joint.name}' follows a gear, which the published form does not know.")
    if not driven and max(joint.damping, joint.friction, joint.armature) > 0.0:
        raise CharacterError(
            f"Passive joint '{joint.name}' has damping, friction or a rotor, which the published form does not know."
        )


def _part(
    part: FlexiblePart,
    character: Character,
    bodies: _Bodies,
    reference: str | None,
    basis: np.ndarray | None,
    degree: int,
    mesh: MeshOptions,
) -> RelativePart:
    met = [interface.body for interface in part.interfaces]
    body = met[0] if reference is None else reference
    if body not in met:
        raise unknown_name("body", body, met, part.name)
    first = part.interfaces[0]
    number, T_frame_body = bodies.frames[first.body]
    T_world_part = (
        bodies.at_rest[number] @ T_frame_body @ first.frame_body.transform @ first.frame_part.transform.inverse()
    )
    frame = bodies.frames[body][0]
    T_reference_part = bodies.at_rest[frame].inverse() @ T_world_part
    elements = build_elements(build_part_mesh(part, mesh))
    if basis is None:
        basis = field_basis(slender_fields(elements.mesh.nodes, degree))
    return build_relative_part(
        elements,
        basis,
        reference=frame,
        rotation=T_reference_part.rotation,
        position=T_reference_part.position,
    )


def _interface_rows(part: FlexiblePart, made: RelativePart, bodies: _Bodies, frame: int) -> list[_Row]:
    """Eqs. 5 and 6: the centroid stays where it was on the body, the axes stay orthogonal."""
    rows = []
    T_world_reference = bodies.at_rest[made.reference]
    for number, (interface, moving) in enumerate(zip(part.interfaces, made.interfaces, strict=True)):
        body = bodies.frames[interface.body][0]
        T_body_reference = bodies.at_rest[body].inverse() @ T_world_reference
        ends = (T_body_reference.apply(moving.centroid), np.zeros(3))
        axes, frames = T_body_reference.rotation.T, (body, frame + number)
        rows += [_Row(part.name, SLIDE, frames, ends, (axis, _X, _X)) for axis in axes]
        for i, k in ((0, 1), (1, 2), (2, 0)):
            rows.append(_Row(part.name, TURN, frames, ends, (axes[i], axes[i], np.eye(3)[k])))
    return rows


def _packed(rows: list[_Row]) -> ConstraintRows:
    return ConstraintRows(
        tuple(row.name for row in rows),
        np.array([row.kind for row in rows], dtype=np.int64),
        np.array([row.frames for row in rows], dtype=np.int64).reshape(-1, 2),
        np.array([row.points for row in rows], dtype=float).reshape(-1, 2, 3),
        np.array([row.axes for row in rows], dtype=float).reshape(-1, 3, 3),
        np.array([row.motor for row in rows], dtype=np.int64),
    )
