"""The tree of nodes of a glTF file and where they are in the world."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.formats.capture.gltf_accessors import GltfFile
from animato.formats.capture.gltf_sampler import KeyframeTrack
from animato.spatial import quaternions

_MOST_NODES = 20_000

Poses = dict[int, np.ndarray]


@dataclass(frozen=True, eq=False)
class NodeTree:
    """Nodes, their parents and their own transforms.

    Attributes:
        names: Made unique.
        parents: Index of each node's parent, -1 for a root.
        order: All nodes, parents first.
        places: Translation of each node relative to its parent [m], shape [node, 3].
        turns_wxyz: Rotation of each node relative to its parent, shape [node, 4].
        scales: Linear map that is applied before the rotation (its scale), shape [node, 3, 3].
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    order: tuple[int, ...]
    places: np.ndarray
    turns_wxyz: np.ndarray
    scales: np.ndarray

    def with_ancestors(self, nodes: Iterable[int]) -> list[int]:
        """The nodes and all nodes above them, parents first."""
        wanted: set[int] = set()
        for node in nodes:
            here = node
            while here >= 0 and here not in wanted:
                wanted.add(here)
                here = self.parents[here]
        return [node for node in self.order if node in wanted]

    def connected(self, chosen: set[int]) -> list[int]:
        """The chosen nodes and what lies between them, parents first."""
        below: set[int] = set()
        for node in self.with_ancestors(chosen):
            if node in chosen or self.parents[node] in below:
                below.add(node)
        return [node for node in self.order if node in below]

    def world_poses(
        self, wanted: list[int], tracks: Mapping[tuple[int, str], KeyframeTrack], times: np.ndarray
    ) -> tuple[Poses, Poses]:
        """Positions [frame, 3] and quaternions [frame, 4] of nodes in the world, in glTF's axes.

        Scales move what is below a node, but turn nothing: a rotation in the world is the product
        of the rotations on the way.

        Args:
            wanted: Nodes, closed under parents, parents first.
            tracks: Keyframes by node and property; without them a node keeps its own transform.
            times: [s], shape [frame].
        """
        places: Poses = {}
        turns: Poses = {}
        maps: Poses = {}
        for node in wanted:
            place, turn, scale = self.places[node][None], self.turns_wxyz[node][None], self.scales[node][None]
            if (node, "translation") in tracks:
                place = tracks[node, "translation"].at(times)
            if (node, "rotation") in tracks:
                turn = tracks[node, "rotation"].at(times)
            if (node, "scale") in tracks:
                scale = tracks[node, "scale"].at(times)[:, :, None] * np.eye(3)
            linear = quaternions.matrix_from_quaternion(turn) @ scale
            parent = self.parents[node]
            if parent >= 0:
                place = places[parent] + (maps[parent] @ place[..., None])[..., 0]
                turn = quaternions.multiply(turns[parent], turn)
                linear = maps[parent] @ linear
            places[node], turns[node], maps[node] = place, turn, linear
        return places, turns


def read_nodes(file: GltfFile) -> NodeTree:
    """Reads all nodes of a file, checked to form trees."""
    nodes = file.entries("nodes")
    if not 0 < len(nodes) <= _MOST_NODES:
        raise file.trouble(f"{len(nodes)} nodes; 1 to {_MOST_NODES} are read")
    parents = [-1] * len(nodes)
    children: list[list[int]] = []
    for index, node in enumerate(nodes):
        listed = getattr(node, "children", None) or []
        if not isinstance(listed, list):
            raise file.trouble("the children of a node are not a list")
        below = [file.whole(child, "a child of a node", len(nodes)) for child in listed]
        children.append(below)
        for child in below:
            if parents[child] >= 0:
                raise file.trouble(f"node {child} has two parents")
            parents[child] = index
    order: list[int] = []
    waiting = [index for index, parent in enumerate(parents) if parent < 0][::-1]
    while waiting:
        here = waiting.pop()
        order.append(here)
        waiting += children[here][::-1]
    if len(order) != len(nodes):
        raise file.trouble("nodes are their own ancestors")
    poses = [_own_transform(file, node) for node in nodes]
    return NodeTree(
        _unique_names([getattr(node, "name", None) for node in nodes]),
        tuple(parents),
        tuple(order),
        np.array([pose[0] for pose in poses]),
        np.array([pose[1] for pose in poses]),
        np.array([pose[2] for pose in poses]),
    )


def _unique_names(given: list[object]) -> tuple[str, ...]:
    names: list[str] = []
    seen: set[str] = set()
    for index, one in enumerate(given):
        name = str(one) if one else f"node {index}"
        if name in seen:
            name = f"{name} (node {index})"
        seen.add(name)
        names.append(name)
    return tuple(names)


def _own_transform(file: GltfFile, node: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Translation, quaternion wxyz and scaling map of a node."""
    matrix = getattr(node, "matrix", None)
    if matrix:
        m = file.floats(matrix, 16, "the matrix of a node").reshape(4, 4).T
        # the rotation nearest to the linear part; what is left of it is scale
        u, _, vt = np.linalg.svd(m[:3, :3])
        rotation = u @ np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ vt))]) @ vt
        return m[:3, 3], quaternions.quaternion_from_matrix(rotation), rotation.T @ m[:3, :3]
    place, turn, scale = (getattr(node, name, None) for name in ("translation", "rotation", "scale"))
    xyzw = file.floats(turn, 4, "the rotation of a node") if turn else np.array((0.0, 0.0, 0.0, 1.0))
    return (
        file.floats(place, 3, "the translation of a node") if place else np.zeros(3),
        quaternions.normalized(xyzw[[3, 0, 1, 2]]),
        np.diag(file.floats(scale, 3, "the scale of a node") if scale else np.ones(3)),
    )
