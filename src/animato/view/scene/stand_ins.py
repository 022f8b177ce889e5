"""What is drawn in the place of meshes whose files are not there or cannot be read, and which these are."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.character import Body, Character, Mesh, mass_properties_of
from animato.errors import AnimatoError
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform
from animato.view.raster import Triangles, box
from animato.view.scene.mesh_files import mesh_triangles

_THINNEST = 0.02  # of the longest edge of a box: plates and rods stay to be seen


def missing_meshes(character: Character) -> tuple[str, ...]:
    """Names of the mesh files that should be seen and cannot be, each once, in the order of the bodies."""
    shown = [shape.geometry for body in character.bodies for shape in body.shapes if shape.visual]
    shown += [part.geometry for part in character.flexible_parts if isinstance(part.geometry, Mesh)]
    absent = (one.path for one in shown if isinstance(one, Mesh) and mesh_triangles(one) is None)
    return tuple(dict.fromkeys(Path(path).name for path in absent))


def stand_in(body: Body, size: float) -> Triangles:
    """A box for a body that would not be seen: the one of its mass and inertia, else a small cube at its origin.

    Args:
        body: Whose meshes are missing.
        size: Edge of the cube [m].
    """
    cube = box((size, size, size))
    try:
        mass = mass_properties_of(body)
    except AnimatoError:  # its mass follows from the mesh that is missing
        return cube
    if not mass.mass > 0.0:
        return cube
    moments, axes = np.linalg.eigh(mass.inertia)
    # of a box: I_x = m (y^2 + z^2) / 12, and so around
    squares = 6.0 * (moments.sum() - 2.0 * moments) / mass.mass
    edges = np.sqrt(np.maximum(squares, 0.0))
    if not (np.isfinite(edges).all() and edges.max() > 0.0):
        return cube
    axes = axes if np.linalg.det(axes) > 0.0 else axes * (1.0, 1.0, -1.0)
    edges = np.maximum(edges, _THINNEST * edges.max())
    place = RigidTransform(mass.centre, quaternions.quaternion_from_matrix(axes))
    return box(tuple(edges.tolist())).placed(place)
