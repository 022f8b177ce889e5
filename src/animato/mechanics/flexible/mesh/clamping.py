"""Which nodes stand for an interface, and with what weights."""

from __future__ import annotations

import numpy as np

from animato.character import Bar, FlexiblePart, Interface
from animato.errors import CharacterError
from animato.mechanics.flexible.mesh.part_mesh import MeshInterface
from animato.mechanics.flexible.mesh.tetrahedra import boundary_faces

_FACE_POINTS = np.array([[1 / 6, 1 / 6], [2 / 3, 1 / 6], [1 / 6, 2 / 3]])  # exact for quadratics, weight 1/6 each


def clamped_nodes(part: FlexiblePart, interface: Interface, nodes: np.ndarray) -> np.ndarray:
    """Indices of the nodes of an interface: within its extent, or on the end face of a rod or bar [k]."""
    origin = np.array(interface.frame_part.position)
    if interface.extent > 0.0:
        found = np.flatnonzero(np.linalg.norm(nodes - origin, axis=1) <= interface.extent * (1.0 + 1e-9))
        if len(found) == 0:
            nearest = np.linalg.norm(nodes - origin, axis=1).min()
            raise CharacterError(
                f"No node of flexible part '{part.name}' is within the extent {interface.extent:g} m of its interface "
                f"to '{interface.body}' at {tuple(origin.tolist())} m; the nearest is {nearest:.4g} m away. "
                "Move the interface's frame or give it a larger `extent`."
            )
        return found
    if not hasattr(part.geometry, "length"):
        raise CharacterError(
            f"The interface of flexible part '{part.name}' to '{interface.body}' has no `extent`; a mesh has no end "
            "faces, so say within which radius of the interface's frame it is clamped [m]."
        )
    length = part.geometry.length
    ends = np.array([0.0, length])
    end = ends[np.argmin(np.abs(ends - origin[2]))]
    if abs(end - origin[2]) > 1e-6 * length:
        kind = "bar" if isinstance(part.geometry, Bar) else "rod"
        raise CharacterError(
            f"The interface of flexible part '{part.name}' to '{interface.body}' is at z = {origin[2]:g} m and has no "
            f"`extent`; the {kind} ends at z = 0 and z = {length:g} m. Put it at an end, or give it an `extent`."
        )
    return np.flatnonzero(np.abs(nodes[:, 2] - end) < 1e-9 * length)


def build_interface(name: str, selected: np.ndarray, nodes: np.ndarray, tets: np.ndarray) -> MeshInterface:
    """Weights of an interface's nodes: what each of them has of its surface, or of its volume where it has no face.

    On a face the weight of a node is the integral of its shape function, so that the centroid is the true mean over
    the area; corners of straight faces then weigh nothing and middles of edges a third of the face each.

    Args:
        name: Of the body.
        selected: Indices of its nodes [k].
        nodes: All places at rest [m], shape [node, 3].
        tets: All elements [element, 10].
    """
    inside = np.zeros(len(nodes), dtype=bool)
    inside[selected] = True
    faces = boundary_faces(tets)
    faces = faces[inside[faces].all(axis=1)]
    weights = np.zeros(len(nodes))
    if len(faces):
        np.add.at(weights, faces, _face_weights(nodes[faces]))
    else:
        edges = nodes[tets[:, 1:4]] - nodes[tets[:, :1]]
        shares = np.repeat(np.abs(np.linalg.det(edges))[:, None] / 60.0, 10, axis=1)
        np.add.at(weights, tets, shares)
        weights[~inside] = 0.0
    weights = np.maximum(weights, 0.0)
    kept = np.flatnonzero(weights > 1e-9 * weights.max())
    share = weights[kept] / weights[kept].sum()
    centroid = share @ nodes[kept]
    arms = nodes[kept] - centroid
    spread = np.einsum("k,ki,kj->ij", share, arms, arms)
    sizes = np.linalg.eigvalsh(spread)
    if len(kept) < 3 or sizes[1] < 1e-10 * sizes[2]:
        raise CharacterError(
            f"The interface to '{name}' has {len(kept)} nodes that lie on one point or line, which have no rotation. "
            "Give it a larger `extent` or a finer mesh."
        )
    inverse = np.linalg.pinv(spread, rcond=1e-8, hermitian=True)
    return MeshInterface(name, kept, share, centroid, share[:, None] * arms @ inverse)


def _face_weights(corners: np.ndarray) -> np.ndarray:
    """Integrals of the six shape functions over curved faces [face, 6, 3], shape [face, 6]."""
    total = np.zeros(corners.shape[:2])
    for s, t in _FACE_POINTS:
        b = np.array([1.0 - s - t, s, t])
        values = np.concatenate([b * (2.0 * b - 1.0), 4.0 * b * np.roll(b, -1)])
        slope = np.array([[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]])
        following = np.roll(slope, -1, axis=0)
        gradients = np.vstack(
            [(4.0 * b - 1.0)[:, None] * slope, 4.0 * (b[:, None] * following + np.roll(b, -1)[:, None] * slope)]
        )
        tangents = np.einsum("fni,nj->fij", corners, gradients)
        area = np.linalg.norm(np.cross(tangents[:, :, 0], tangents[:, :, 1]), axis=1)
        total += area[:, None] * values / 6.0
    return total
