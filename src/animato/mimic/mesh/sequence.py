"""Interaction meshes of a whole clip, packed: one matrix a frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.described import Described
from animato.errors import MotionError
from animato.mimic.mesh.interaction_mesh import mesh_of


@dataclass(frozen=True, eq=False, repr=False)
class MeshSequence(Described):
    """One interaction mesh for each frame of a source.

    Attributes:
        source: p0 [m], [frame, vertex, 3].
        matrices: L of each frame, in full, [frame, vertex, vertex].
        pairs: Directed pairs (vertex, its neighbour) of all frames, one frame after the other, [pair, 2].
        starts: Where the pairs of each frame begin, and where the last ends, [frame + 1].
        object_count: How many of the vertices, the last ones, belong to objects.
        notes: What was flat or coincident in which frames.
    """

    source: np.ndarray
    matrices: np.ndarray
    pairs: np.ndarray
    starts: np.ndarray
    object_count: int = 0
    notes: tuple[str, ...] = ()

    def facts(self) -> dict[str, str]:
        """At a glance."""
        frames, vertices = self.source.shape[:2]
        return {"frames": str(frames), "vertices": str(vertices), "pairs": f"{len(self.pairs) / frames:.0f} a frame"}

    @property
    def targets(self) -> np.ndarray:
        """Laplacian coordinates of the source, L p0 [m], [frame, vertex, 3]."""
        return np.asarray(self.matrices @ self.source)

    def edges(self, frame: int) -> np.ndarray:
        """Edges of one frame's mesh, each once, [edge, 2]; to be drawn."""
        pairs = np.sort(self.pairs[self.starts[frame] : self.starts[frame + 1]], axis=1)
        return np.unique(pairs, axis=0)

    def laplacians(self, points: np.ndarray) -> np.ndarray:
        """Laplacian coordinates (eq. 1) of points, both [frame, vertex, 3] [m]."""
        return np.asarray(self.matrices @ self._checked(points))

    def energies(self, points: np.ndarray) -> np.ndarray:
        """Laplacian deformation energy (eq. 2) of each frame [m^2], [frame]."""
        off = self.matrices @ (self._checked(points) - self.source)
        return np.asarray(np.sum(off**2, axis=(1, 2)))

    def scaled(self, scale: float) -> MeshSequence:
        """The meshes of the source times a scale; the matrices do not depend on it."""
        return MeshSequence(scale * self.source, self.matrices, self.pairs, self.starts, self.object_count, self.notes)

    def _checked(self, points: np.ndarray) -> np.ndarray:
        if points.shape != self.source.shape:
            raise MotionError(
                f"The meshes have the shape {list(self.source.shape)} [frame, vertex, 3]; given {list(points.shape)}."
            )
        return points


def meshes_of(positions: ArrayLike, objects: ArrayLike | None = None) -> MeshSequence:
    """Makes a mesh of every frame.

    Args:
        positions: Of markers or landmarks [m], [frame, vertex, 3].
        objects: Points of things that the motion relates to, such as a club, a chair or the floor [m], [frame, point,
            3], or [point, 3] where they stand still; they become vertices after the others.

    Raises:
        MotionError: No frames, fewer than two vertices, or values that are not finite.
    """
    source, count = _with_objects(np.array(positions, dtype=np.float64), objects)
    frames, vertices = source.shape[:2]
    matrices, pairs = np.empty((frames, vertices, vertices)), []
    told: dict[str, list[int]] = {}
    for f in range(frames):
        try:
            mesh = mesh_of(source[f])
        except MotionError as error:
            raise MotionError(f"Frame {f}: {error}") from None
        matrices[f] = mesh.dense
        pairs.append(mesh.pairs)
        for note in mesh.notes:
            told.setdefault(note, []).append(f)
    notes = tuple(f"{note}, in {len(where)} frames from frame {where[0]} on" for note, where in told.items())
    starts = np.concatenate([[0], np.cumsum([len(each) for each in pairs])])
    return MeshSequence(source, matrices, np.concatenate(pairs), starts, count, notes)


def _with_objects(positions: np.ndarray, objects: ArrayLike | None) -> tuple[np.ndarray, int]:
    if positions.ndim != 3 or positions.shape[2] != 3 or not len(positions):
        raise MotionError(f"Meshes are made of positions [frame, vertex, 3]; given {list(positions.shape)}.")
    if objects is None:
        return positions, 0
    extra = np.asarray(objects, dtype=np.float64)
    if extra.ndim not in (2, 3) or extra.shape[-1] != 3 or (extra.ndim == 3 and len(extra) != len(positions)):
        raise MotionError(
            f"`objects` are points [point, 3] or [frame, point, 3] with {len(positions)} frames; "
            f"given {list(extra.shape)}."
        )
    extra = np.broadcast_to(extra, (len(positions), *extra.shape[-2:]))
    return np.concatenate([positions, extra], axis=1), extra.shape[1]


def acceleration_energies(positions: np.ndarray) -> np.ndarray:
    """Acceleration energy |p_{i-1} - 2 p_i + p_{i+1}|^2 / 2 of each frame [m^2] (eq. 3), [frame]; 0 at both ends.

    Args:
        positions: [m], [frame, vertex, 3].
    """
    energies = np.zeros(len(positions))
    energies[1:-1] = 0.5 * np.sum((positions[:-2] - 2.0 * positions[1:-1] + positions[2:]) ** 2, axis=(1, 2))
    return energies
