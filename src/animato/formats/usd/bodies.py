"""Rigid bodies of a USD stage: mass, inertia and primitive shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from animato.character import (
    Body,
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Frame,
    Geometry,
    Shape,
    Sphere,
    Vector,
    mass_properties_of,
)
from animato.formats.usd.stage import Placed, UsdStage, schemas_of
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

DENSITY = 1000.0  # [kg/m^3] what UsdPhysics takes where a file states neither mass nor density

_ALONG = {"X": (0.0, 1.0, 0.0), "Y": (-1.0, 0.0, 0.0)}  # axes that take z to x or y by a quarter turn
_ROUND = ("Cylinder", "Capsule")


def is_body(prim: Any) -> bool:
    """Whether a prim is a rigid body that moves."""
    if "PhysicsRigidBodyAPI" not in schemas_of(prim):
        return False
    enabled = prim.GetAttribute("physics:rigidBodyEnabled").Get()
    return enabled is None or bool(enabled)


def body_of(stage: UsdStage, prim: Any, name: str, parts: list[Any]) -> Body:
    """The body of a prim.

    Args:
        stage: The open file.
        prim: With a rigid body schema.
        name: What the body is called.
        parts: The prims below it that belong to no other body.
    """
    place = stage.placed(prim)
    shapes, has_mesh = [], False
    for part in (prim, *parts):
        shape = _shape(stage, part, place)
        if shape is not None:
            shapes.append(shape)
        collides = "PhysicsCollisionAPI" in schemas_of(part)
        has_mesh |= collides and shape is None
    with stage.at(prim):
        body = _weighed(stage, prim, name, place, tuple(shapes), has_mesh)
        mass_properties_of(body)  # says whether such a body can exist
    return body


def _weighed(stage: UsdStage, prim: Any, name: str, place: Placed, shapes: tuple[Shape, ...], has_mesh: bool) -> Body:
    mass = stage.number(prim, "physics:mass", 0.0) or 0.0
    density = stage.number(prim, "physics:density", 0.0) or 0.0
    solid = any(shape.collision for shape in shapes)
    if mass <= 0.0:
        if has_mesh:
            raise stage.error(prim, "its mass follows from a mesh, which is not read; state physics:mass.")
        if not solid and density <= 0.0:
            return Body(name, shapes=shapes)
        if not shapes:
            return Body(name)
        given = density * stage.kilograms / stage.metres**3 if density > 0.0 else DENSITY
        return Body(name, density=given, shapes=shapes)
    centre = stage.numbers(prim, "physics:centerOfMass", 3)
    moments = stage.numbers(prim, "physics:diagonalInertia", 3)
    inertia: Vector | None = None
    if moments is not None and max(moments) > 0.0:
        inertia = _turned(moments, stage.quaternion(prim, "physics:principalAxes"))
        inertia = tuple(one * stage.kilograms * stage.metres**2 for one in inertia)
    if centre is not None:
        centre = tuple((np.array(centre) * place.scale * stage.metres).tolist())
    return Body(name, mass * stage.kilograms, centre, inertia, shapes=shapes)  # type: ignore[arg-type]


def _turned(moments: Vector, axes_wxyz: np.ndarray) -> Vector:
    """(Ixx, Iyy, Izz, Ixy, Ixz, Iyz) along the body's axes, of moments along principal axes."""
    rotation = quaternions.matrix_from_quaternion(axes_wxyz)
    tensor = rotation @ np.diag(moments) @ rotation.T
    return tuple(float(tensor[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))


def _shape(stage: UsdStage, prim: Any, body: Placed) -> Shape | None:
    """The shape of a prim that is a primitive; None for meshes and all else."""
    kind = str(prim.GetTypeName())
    if kind not in ("Cube", "Sphere", *_ROUND):
        return None
    place = stage.placed(prim)
    with stage.at(prim):
        turn, geometry = _geometry(stage, prim, kind, place.scale * stage.metres)
        frame = body.transform.inverse() @ place.transform @ turn
        geom = stage.pxr.UsdGeom
        imageable = geom.Imageable(prim)
        hidden = imageable.ComputeVisibility() == "invisible" or imageable.ComputePurpose() in ("guide", "proxy")
        collides = "PhysicsCollisionAPI" in schemas_of(prim)
        enabled = prim.GetAttribute("physics:collisionEnabled").Get() if collides else False
        visual, collision = not hidden, collides and enabled is not False
        return Shape(geometry, Frame.from_transform(frame), _colour(stage, prim), visual, collision)


def _geometry(stage: UsdStage, prim: Any, kind: str, scale: np.ndarray) -> tuple[RigidTransform, Geometry]:
    """T_prim_shape and the geometry, which animato has along z."""
    if kind == "Cube":
        edge = stage.size(prim, "size")
        return RigidTransform(), Box(tuple((edge * scale).tolist()))
    radius = stage.size(prim, "radius")
    if kind == "Sphere":
        radii = (radius * scale).tolist()
        return RigidTransform(), Sphere(radii[0]) if np.ptp(radii) < 1e-9 * max(radii) else Ellipsoid(tuple(radii))
    axis = stage.word(prim, "axis", ("Z", "X", "Y"))
    along = "XYZ".index(axis)
    across = np.delete(scale, along)
    if np.ptp(across) > 1e-6 * across.max():
        raise stage.error(prim, f"this {kind.lower()} is scaled to an oval, which is not read; use even scales.")
    turn = quaternions.quaternion_about(_ALONG[axis], np.pi / 2.0) if axis in _ALONG else (1.0, 0.0, 0.0, 0.0)
    length = stage.size(prim, "height") * float(scale[along])
    build = Cylinder if kind == "Cylinder" else Capsule
    return RigidTransform((0.0, 0.0, 0.0), turn), build(radius * float(across[0]), length)


def _colour(stage: UsdStage, prim: Any) -> Vector | None:
    """The first display colour, cut to 0 to 1; None where none can be read."""
    colours, opacities = (stage.value(prim, f"primvars:display{one}") for one in ("Color", "Opacity"))
    try:
        parts = [float(part) for part in (*colours[0], opacities[0] if opacities else 1.0)]
    except (TypeError, ValueError, IndexError):
        return None
    return tuple(min(max(part, 0.0), 1.0) for part in parts) if np.isfinite(parts).all() and len(parts) == 4 else None
