"""Meshes of parts from files: volumes as they are, surfaces through a mesher."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from animato.errors import FileFormatError
from animato.mechanics.flexible.mesh.surface_mesher import fill_surface
from animato.mechanics.flexible.mesh.tetrahedra import EDGES, with_middles

VOLUME_SUFFIXES = (".msh", ".vtk", ".vtu", ".mesh", ".inp")
SURFACE_SUFFIXES = (".stl", ".obj", ".ply", ".off")
_MATERIAL_FIELDS = ("material", "gmsh:physical", "medit:ref")


@dataclass(frozen=True)
class VolumeMesh:
    """Ten-node tetrahedra of a file.

    Attributes:
        nodes: [m], shape [node, 3].
        tets: Shape [element, 10].
        material_labels: What the file says of each element [element], or None where it says nothing.
    """

    nodes: np.ndarray
    tets: np.ndarray
    material_labels: np.ndarray | None


def load_volume(path: str | Path, *, scale: tuple[float, float, float], edge_length: float | None) -> VolumeMesh:
    """Reads tetrahedra, or fills a closed surface with them; linear ones get straight middles.

    Args:
        path: A volume (.msh, .vtk, .vtu, .mesh, .inp) or a surface (.stl, .obj, .ply, .off).
        scale: From the file's unit to metres, along x, y, z.
        edge_length: About how long the edges become where a surface is filled [m]; None for a twentieth of its size.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in VOLUME_SUFFIXES + SURFACE_SUFFIXES:
        raise FileFormatError(
            path,
            f"a flexible part needs a mesh of its volume ({', '.join(VOLUME_SUFFIXES)}) or of its closed surface "
            f"({', '.join(SURFACE_SUFFIXES)}), not '{suffix}'.",
        )
    content = _read(path)
    points = np.zeros((len(content.points), 3))
    points[:, : content.points.shape[1]] = content.points
    points *= np.asarray(scale)
    mirrored = bool(np.prod(scale) < 0.0)
    blocks = {kind: [cells.data for cells in content.cells if cells.type == kind] for kind in ("tetra", "tetra10")}
    if not any(blocks.values()):
        triangles = [cells.data for cells in content.cells if cells.type == "triangle"]
        if suffix in VOLUME_SUFFIXES or not triangles:
            kinds = ", ".join(sorted({cells.type for cells in content.cells})) or "no cells"
            raise FileFormatError(path, f"has no tetrahedra (it has: {kinds}). Mesh its volume with tetrahedra.")
        corner_nodes, corners = fill_surface(path, points, np.vstack(triangles), edge_length=edge_length)
        return VolumeMesh(*with_middles(corner_nodes, corners), None)
    nodes, tets = _quadratic(points, blocks)
    if mirrored:
        tets = tets[:, [0, 2, 1, 3, 6, 5, 4, 7, 9, 8]]
    used, compact = np.unique(tets, return_inverse=True)
    return VolumeMesh(nodes[used], compact.reshape(tets.shape), _labels(content))


def _read(path: str | Path) -> Any:
    import meshio

    if not Path(path).is_file():
        raise FileFormatError(path, "there is no such file.")
    try:
        with np.errstate(over="ignore"):  # its guess whether an STL is binary may overflow
            return meshio.read(path)
    except (SystemExit, Exception) as trouble:  # meshio leaves the program where it finds no reader
        raise FileFormatError(path, f"cannot be read as a mesh: {trouble}") from trouble


def _quadratic(points: np.ndarray, blocks: dict[str, list[np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and ten-node elements of a file's linear and quadratic blocks, in the file's order."""
    parts = []
    if blocks["tetra"]:
        corners = np.vstack(blocks["tetra"])
        nodes, tets = with_middles(points, corners)
        parts.append(tets)
    else:
        nodes = points
    if blocks["tetra10"]:
        parts.append(_in_order(points, np.vstack(blocks["tetra10"]).astype(np.int64)))
    return nodes, np.vstack(parts)


def _in_order(points: np.ndarray, tets: np.ndarray) -> np.ndarray:
    """Elements whose middles are in the order of `tetrahedra`; some formats swap the last two."""
    middles = 0.5 * (points[tets[:, EDGES[:, 0]]] + points[tets[:, EDGES[:, 1]]])
    swapped = tets[:, [0, 1, 2, 3, 4, 5, 6, 7, 9, 8]]
    miss = np.linalg.norm(points[tets[:, 4:]] - middles, axis=2).sum()
    return swapped if np.linalg.norm(points[swapped[:, 4:]] - middles, axis=2).sum() < miss else tets


def _labels(content: Any) -> np.ndarray | None:
    fields = content.cell_data
    names = [name for name in fields if any(re.fullmatch(wanted, name, re.IGNORECASE) for wanted in _MATERIAL_FIELDS)]
    if not names:
        return None
    kinds = [cells.type for cells in content.cells]
    chosen = [
        np.ravel(values)
        for wanted in ("tetra", "tetra10")
        for kind, values in zip(kinds, fields[names[0]], strict=True)
        if kind == wanted
    ]
    return np.concatenate(chosen).astype(np.int64)
