"""Bodies of a compiled MJCF model, with their shapes and markers."""

from __future__ import annotations

import numpy as np

from animato.character import Body, Box, Capsule, Cylinder, Ellipsoid, Frame, Geometry, Marker, Shape, Sphere
from animato.formats.mjcf.model import MjcfModel
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

_HIDDEN_GROUP = 3  # MuJoCo's viewer shows groups 0 to 2


def body_of(model: MjcfModel, index: int, name: str) -> Body:
    """A body with its mass, inertia along its own axes, and shapes."""
    arrays = model.arrays
    first, count = int(arrays.body_geomadr[index]), int(arrays.body_geomnum[index])
    shapes = [_shape(model, geom) for geom in range(first, first + count)]
    kept = tuple(shape for shape in shapes if shape is not None)
    mass = float(arrays.body_mass[index])
    if mass == 0.0:
        return Body(name, shapes=kept)
    rotation = quaternions.matrix_from_quaternion(arrays.body_iquat[index])
    tensor = rotation @ np.diag(arrays.body_inertia[index]) @ rotation.T
    inertia = tuple(tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]].tolist())
    return Body(name, mass, tuple(arrays.body_ipos[index].tolist()), inertia, shapes=kept)


def markers_of(model: MjcfModel, names: dict[int, str]) -> tuple[Marker, ...]:
    """The sites that have a name.

    Args:
        model: The compiled model.
        names: Of the bodies that are kept, by their number.
    """
    arrays = model.arrays
    return tuple(
        Marker(
            model.name("SITE", site),
            names[int(arrays.site_bodyid[site])],
            tuple(arrays.site_pos[site].tolist()),
            tuple(arrays.site_quat[site].tolist()),
        )
        for site in range(arrays.nsite)
        if model.name("SITE", site) and int(arrays.site_bodyid[site]) in names
    )


def _shape(model: MjcfModel, geom: int) -> Shape | None:
    """A geom as a shape; planes and height fields are scenery and give None."""
    arrays = model.arrays
    transform = RigidTransform(arrays.geom_pos[geom], arrays.geom_quat[geom])
    geometry: Geometry | None
    if geom in model.meshes:
        geometry, correction = model.meshes[geom]
        transform = transform @ correction
    else:
        geometry = _primitive(model, geom)
    if geometry is None:
        return None
    material = int(arrays.geom_matid[geom])
    colour = arrays.mat_rgba[material] if material >= 0 else arrays.geom_rgba[geom]
    return Shape(
        geometry,
        Frame.from_transform(transform),
        # MuJoCo keeps colours in single precision; what is beyond its digits is noise.
        tuple(round(min(max(part, 0.0), 1.0), 7) for part in colour.tolist()),
        visual=int(arrays.geom_group[geom]) < _HIDDEN_GROUP,
        collision=model.collides.get(geom, bool(arrays.geom_contype[geom] or arrays.geom_conaffinity[geom])),
    )


def _primitive(model: MjcfModel, geom: int) -> Geometry | None:
    kinds, kind = model.mujoco.mjtGeom, model.arrays.geom_type[geom]
    x, y, z = model.arrays.geom_size[geom].tolist()
    if kind == kinds.mjGEOM_SPHERE:
        return Sphere(x)
    if kind == kinds.mjGEOM_CAPSULE:
        return Capsule(x, 2.0 * y)
    if kind == kinds.mjGEOM_ELLIPSOID:
        return Ellipsoid((x, y, z))
    if kind == kinds.mjGEOM_CYLINDER:
        return Cylinder(x, 2.0 * y)
    if kind == kinds.mjGEOM_BOX:
        return Box((2.0 * x, 2.0 * y, 2.0 * z))
    return None
