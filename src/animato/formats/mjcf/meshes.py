"""Meshes of an MJCF file: which of them MuJoCo must read, and where their vertices are."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from animato.character import Mesh
from animato.errors import FileFormatError
from animato.formats.files import is_file
from animato.formats.mjcf.document import MjcfDocument
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

PlacedMesh = tuple[Mesh, RigidTransform]
"""A mesh, and T_geom_file of its vertices."""


def meshes_taken_out(
    mujoco: Any, spec: Any, document: MjcfDocument, path: str | Path
) -> list[tuple[Any, Mesh, RigidTransform]]:
    """Puts small boxes without mass in the place of meshes whose triangles nobody needs.

    A mesh is needed only where a body takes its mass from it. All others stay unread: their files
    may be absent, and compiling them takes seconds.
    """
    kinds = mujoco.mjtGeom
    assets = {mesh.name: mesh for mesh in spec.meshes}
    taken, missing, needed = [], [], set()
    for geom in list(spec.geoms):
        if geom.type in (kinds.mjGEOM_HFIELD, kinds.mjGEOM_SDF):
            spec.delete(geom)
            continue
        asset = assets.get(geom.meshname)
        if asset is None:
            continue
        file = document.mesh_files.get(geom.meshname, asset.file)
        is_there = not asset.file or is_file(Path(file))
        if (_weighs(geom, spec) or geom.type != kinds.mjGEOM_MESH) and is_there:
            needed.add(geom.meshname)
            continue
        if _weighs(geom, spec):
            missing.append((file, geom.parent.name))
            continue
        if asset.file:
            taken.append((geom, *_placed_mesh(asset, file, path)))
        geom.meshname, geom.type = "", kinds.mjGEOM_BOX
        geom.size, geom.mass, geom.fromto = [1e-3, 1e-3, 1e-3], 0.0, [math.nan, 0, 0, 0, 0, 0]
    if missing:
        files = ", ".join(sorted({Path(file).name for file, _ in missing})[:5])
        raise FileFormatError(
            path,
            f"mesh files are not there ({files}; {len(missing)} in all, the first at '{missing[0][0]}'), and body "
            f"'{missing[0][1]}' has no <inertial>, so its mass is not known. Put them there or add <inertial>.",
        )
    for name, asset in assets.items():
        if name not in needed:
            spec.delete(asset)
    return taken


def _placed_mesh(asset: Any, file: str, path: str | Path) -> PlacedMesh:
    """A mesh, and T_geom_file: MuJoCo has a vertex v of the file at S R^T (v - p).

    S is the asset's scale, R and p its reference frame. Equal to R^T (R S R^T) v - S R^T p, which is
    a mesh with its scale in a frame as long as R S R^T is diagonal.
    """
    scale = np.diag(asset.scale)
    rotation = quaternions.matrix_from_quaternion(quaternions.normalized(asset.refquat))
    turned = rotation @ scale @ rotation.T
    if np.abs(turned - np.diag(np.diag(turned))).max() > 1e-9 * np.abs(scale).max():
        raise FileFormatError(
            path,
            f"mesh '{asset.name}' is turned by its refquat and scaled unevenly, which skews it; "
            f"scale or turn it in the mesh file instead.",
        )
    back = quaternions.quaternion_from_matrix(rotation.T)
    return Mesh(file, tuple(np.diag(turned).tolist())), RigidTransform(-scale @ rotation.T @ asset.refpos, back)


def without_collision(spec: Any) -> list[tuple[Any, bool]]:
    """Makes meshes that stay pass through everything: MuJoCo then builds no convex hulls of them."""
    flags = []
    for geom in spec.geoms:
        if geom.meshname:
            flags.append((geom, bool(geom.contype or geom.conaffinity)))
            geom.contype = geom.conaffinity = 0
    return flags


def _weighs(geom: Any, spec: Any) -> bool:
    """Whether a geom's body takes mass from it."""
    body, policy = geom.parent, int(spec.compiler.inertiafromgeom)
    stated = policy == 0 or (policy == 2 and body.explicitinertial)
    return not (stated or body.name == "world" or geom.mass == 0.0 or (math.isnan(geom.mass) and geom.density == 0.0))


def compiled_meshes(
    mujoco: Any,
    model: Any,
    spec: Any,
    document: MjcfDocument,
    path: str | Path,
    known: dict[int, PlacedMesh],
) -> dict[int, PlacedMesh]:
    """Meshes that MuJoCo did read; it moves their vertices to the frame of their inertia."""
    assets = {mesh.name: mesh for mesh in spec.meshes}
    found = {}
    for geom in range(model.ngeom):
        if geom in known or model.geom_type[geom] != mujoco.mjtGeom.mjGEOM_MESH:
            continue
        index = model.geom_dataid[geom]
        asset = assets[mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_MESH, index)]
        if asset.file:
            mesh, transform = _placed_mesh(asset, document.mesh_files.get(asset.name, asset.file), path)
            found[geom] = (mesh, RigidTransform(model.mesh_pos[index], model.mesh_quat[index]).inverse() @ transform)
    return found
