"""Triangle meshes with smooth normals: what every drawable thing becomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.spatial.rigid_transform import RigidTransform

SEGMENTS = 36  # around a circle; finer is not seen at the size of a picture
_ARC = 7  # rows of a quarter circle
_BEVEL_ROWS = 3


@dataclass(frozen=True, eq=False)
class Triangles:
    """Triangles whose corners share vertices; seen from outside the corners go round to the left.

    Attributes:
        vertices: [m], shape [vertex, 3].
        normals: Unit, outward, shape [vertex, 3].
        faces: Indices of three vertices, shape [face, 3].
    """

    vertices: np.ndarray
    normals: np.ndarray
    faces: np.ndarray

    def placed(self, transform: RigidTransform) -> Triangles:
        """The same triangles, given in the frame that `transform` leads to: T_outer_inner."""
        return Triangles(transform.apply(self.vertices), self.normals @ np.asarray(transform.rotation).T, self.faces)

    def scaled(self, factors: ArrayLike) -> Triangles:
        """Stretched along x, y, z; normals stay perpendicular and a mirrored mesh is turned right side out."""
        scale = np.broadcast_to(np.asarray(factors, dtype=np.float64), (3,))
        faces = self.faces[:, ::-1] if np.prod(scale) < 0.0 else self.faces
        return Triangles(self.vertices * scale, unit_rows(self.normals / scale), np.ascontiguousarray(faces))


NOTHING = Triangles(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32))


def joined(meshes: Sequence[Triangles]) -> Triangles:
    """Several meshes as one."""
    if not meshes:
        return NOTHING
    starts = np.cumsum([0] + [len(mesh.vertices) for mesh in meshes[:-1]])
    return Triangles(
        np.vstack([mesh.vertices for mesh in meshes]),
        np.vstack([mesh.normals for mesh in meshes]),
        np.vstack([mesh.faces + start for mesh, start in zip(meshes, starts, strict=True)]).astype(np.int32),
    )


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    """Rows scaled to length one; a row of zeros becomes z."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.where(length > 1e-12, vectors / np.where(length > 1e-12, length, 1.0), (0.0, 0.0, 1.0))


def outward(vertices: np.ndarray, normals: np.ndarray, faces: np.ndarray) -> Triangles:
    """Triangles whose faces are turned so that they agree with their normals; slivers are dropped."""
    corners = vertices[faces]
    facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    agree = np.einsum("ij,ij->i", facing, normals[faces].sum(axis=1))
    turned = np.where((agree < 0.0)[:, None], faces[:, ::-1], faces)
    return Triangles(vertices, normals, np.ascontiguousarray(turned[not_slivers(corners, facing)], np.int32))


def not_slivers(corners: np.ndarray, facing: np.ndarray) -> np.ndarray:
    """Which triangles have an area that is more than rounding.

    Args:
        corners: [m], shape [face, 3, 3].
        facing: Twice their area along their normals [m^2], shape [face, 3].
    """
    extent = float(np.ptp(corners.reshape(-1, 3), axis=0).max()) if len(corners) else 0.0
    return np.asarray(np.linalg.norm(facing, axis=1) > 1e-12 * extent**2)


def grid_faces(rows: int, columns: int, *, closed: bool = False) -> np.ndarray:
    """Two triangles for each cell of a grid of vertices; `closed` joins the last column to the first."""
    cells = columns if closed else columns - 1
    row, column = (grid.ravel() for grid in np.meshgrid(np.arange(rows - 1), np.arange(cells), indexing="ij"))
    a, b = row * columns + column, row * columns + (column + 1) % columns
    c, d = a + columns, b + columns
    return np.vstack([np.column_stack([a, b, d]), np.column_stack([a, d, c])])


def revolved(radius: ArrayLike, height: ArrayLike, slope: ArrayLike, *, segments: int = SEGMENTS) -> Triangles:
    """A profile turned about z.

    Args:
        radius: Of the profile's points [m], shape [row].
        height: Of the profile's points [m], shape [row].
        slope: Angle of the outward normal above the horizontal [rad], shape [row]. A sharp edge is
            two points at one place with different slopes.
        segments: Around the axis.
    """
    r, z, a = (np.asarray(value, dtype=np.float64) for value in (radius, height, slope))
    around = np.linspace(0.0, 2.0 * np.pi, segments, endpoint=False)
    circle = np.column_stack([np.cos(around), np.sin(around), np.ones(segments)])
    vertices = circle[None] * np.column_stack([r, r, z])[:, None]
    normals = circle[None] * np.column_stack([np.cos(a), np.cos(a), np.sin(a)])[:, None]
    return outward(vertices.reshape(-1, 3), normals.reshape(-1, 3), grid_faces(len(r), segments, closed=True))


def box(size: ArrayLike, *, cuts: int = 0) -> Triangles:
    """A box with rounded edges about the origin.

    Args:
        size: Full edge lengths along x, y, z [m].
        cuts: Extra rows of vertices along z, for a bar that is to be bent.
    """
    half = np.asarray(size, dtype=np.float64) / 2.0
    bevel = min(0.16 * float(half.min()), 0.05 * float(half.max()))
    inner = half - bevel
    tilt = np.tan(np.linspace(0.0, np.pi / 4.0, _BEVEL_ROWS))
    meshes = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        rows = [
            np.concatenate(
                [
                    -(inner[k] + bevel * tilt[::-1]),
                    np.linspace(-inner[k], inner[k], cuts + 2)[1:-1] if k == 2 else [],
                    inner[k] + bevel * tilt,
                ]
            )
            for k in (u, v)
        ]
        for side in (-1.0, 1.0):
            grid = np.zeros((len(rows[0]), len(rows[1]), 3))
            grid[..., axis], grid[..., u], grid[..., v] = side * half[axis], rows[0][:, None], rows[1][None]
            points = grid.reshape(-1, 3)
            core = np.clip(points, -inner, inner)
            normals = unit_rows(points - core)
            meshes.append(outward(core + bevel * normals, normals, grid_faces(*grid.shape[:2])))
    return joined(meshes)


def ellipsoid(radii: ArrayLike) -> Triangles:
    """An ellipsoid about the origin, `radii` along x, y, z [m]."""
    slope = np.linspace(-np.pi / 2.0, np.pi / 2.0, 2 * _ARC + 5)
    return revolved(np.cos(slope), np.sin(slope), slope).scaled(radii)


def cylinder(radius: float, length: float) -> Triangles:
    """A cylinder along z about the origin, its rims slightly rounded [m]."""
    bevel = 0.18 * min(radius, 0.5 * length)
    arc = np.linspace(0.0, np.pi / 2.0, _BEVEL_ROWS)
    half = 0.5 * length
    rim = np.column_stack([radius - bevel + bevel * np.cos(arc), half - bevel + bevel * np.sin(arc), arc])
    upper = np.vstack([rim, [0.0, half, np.pi / 2.0]])
    profile = np.vstack([upper[::-1] * (1.0, -1.0, -1.0), upper])
    return revolved(*profile.T)


def capsule(radius: float, length: float) -> Triangles:
    """A capsule along z about the origin; `length` is that of its straight part [m]."""
    return ball_pair(radius, radius, length).placed(RigidTransform((0.0, 0.0, -0.5 * length)))


def ball_pair(first_radius: float, second_radius: float, length: float) -> Triangles:
    """The hull of a ball at the origin and one at (0, 0, length) [m]; a ball that holds the other is drawn alone."""
    if length <= abs(first_radius - second_radius) + 1e-12:
        big = max(first_radius, second_radius)
        middle = 0.0 if first_radius >= second_radius else length
        return ellipsoid((big, big, big)).placed(RigidTransform((0.0, 0.0, middle)))
    tilt = float(np.arcsin((first_radius - second_radius) / length))
    low, high = np.linspace(-np.pi / 2.0, tilt, _ARC + 2), np.linspace(tilt, np.pi / 2.0, _ARC + 2)
    return revolved(
        np.concatenate([first_radius * np.cos(low), second_radius * np.cos(high)]),
        np.concatenate([first_radius * np.sin(low), length + second_radius * np.sin(high)]),
        np.concatenate([low, high]),
    )
