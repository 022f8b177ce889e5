"""The person as a stick figure: which landmarks are joined by bones, drawn with the markers and the mesh."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from animato.mimic.mesh import mesh_of
from animato.report.kit import Markup, element
from animato.view.raster import Camera

_SIDE = (
    ("hip", "knee"),
    ("knee", "ankle"),
    ("ankle", "heel"),
    ("ankle", "toe"),
    ("heel", "toe"),
    ("shoulder", "elbow"),
    ("elbow", "wrist"),
    ("wrist", "hand"),
)


def bones_of(names: Sequence[str]) -> list[tuple[int, int, str]]:
    """Pairs of landmarks that a bone joins, with the side it is on: "left", "right" or "".

    Where the spine's landmarks are missing, shoulders and hips are joined to what there is.
    """
    place = {name: index for index, name in enumerate(names)}
    spine = [name for name in ("pelvis", "chest", "neck", "head") if name in place]
    pairs: list[tuple[str, str, str]] = [(first, second, "") for first, second in pairwise(spine)]
    top = next((name for name in ("neck", "chest", "pelvis") if name in place), "")
    for side in ("left", "right"):
        pairs += [(f"{side}_{first}", f"{side}_{second}", side) for first, second in _SIDE]
        pairs += [("pelvis", f"{side}_hip", side), (top, f"{side}_shoulder", side)]
    pairs += [("left_shoulder", "right_shoulder", ""), ("left_hip", "right_hip", "")]
    return [(place[a], place[b], side) for a, b, side in pairs if a in place and b in place]


def edges_of(points: np.ndarray) -> np.ndarray:
    """Edges of the interaction mesh of points [landmark, 3], each once, [edge, 2]."""
    return np.unique(np.sort(mesh_of(points).pairs, axis=1), axis=0)


def stick_figure(
    points: np.ndarray,
    names: Sequence[str],
    camera: Camera,
    size: int,
    *,
    bones: bool = True,
    edges: np.ndarray | None = None,
    marks: str = "marker",
    numbers: bool = False,
) -> Markup:
    """Bones, mesh and markers as a camera sees them.

    Args:
        points: [m], [landmark, 3].
        names: Of the landmarks.
        camera: Who looks.
        size: Of the square picture [pixels].
        bones: Whether to draw them.
        edges: Of the mesh, [edge, 2]; none where not given.
        marks: Class of the markers.
        numbers: Write the place of each landmark in the list into its marker.
    """
    seen, _ = camera.project(points, size, size)
    parts: list[Markup] = []
    for a, b in edges.tolist() if edges is not None else ():
        parts.append(_stroke(seen[a], seen[b], "edge"))
    for a, b, side in bones_of(names) if bones else ():
        parts.append(_stroke(seen[a], seen[b], f"bone bone-{side}" if side else "bone"))
    for index, (x, y) in enumerate(seen.tolist()):
        parts.append(element("circle", class_=marks, cx=f"{x:.1f}", cy=f"{y:.1f}", r=8 if numbers else 4.5))
        if numbers:
            parts.append(element("text", index + 1, class_="number", x=f"{x:.1f}", y=f"{y + 3.5:.1f}"))
    return element("svg", *parts, class_="chart", viewBox=f"0 0 {size} {size}", aria_hidden="true")


def _stroke(a: np.ndarray, b: np.ndarray, class_: str) -> Markup:
    return element("path", class_=class_, d=f"M{a[0]:.1f},{a[1]:.1f}L{b[0]:.1f},{b[1]:.1f}")
