"""A character as nodes of a scene in the browser."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np

from animato.view.raster import Colour, joined
from animato.view.scene import Part, Scene, place_part


class BrowserFigure:
    """The nodes of one character: a frame for each body that follows its pose, with meshes below it.

    Parts that bend are meshes of their own, whose vertices are sent anew for each pose.
    """

    def __init__(
        self, server: Any, scene: Scene, name: str, *, tint: Colour | None = None, opacity: float | None = None
    ) -> None:
        """Builds the nodes.

        Args:
            server: A viser server.
            scene: What is drawn.
            name: Of the node above all others, starting with a slash.
            tint: Colour of all parts (sRGB) in place of their own.
            opacity: Of all parts, in place of their own; they are drawn a little thinner then, so that
                they do not flicker where they touch a solid figure.
        """
        skin = 0.0 if opacity is None else 0.004 * scene.size
        self._top = server.scene.add_frame(name, show_axes=False)
        self._frames: dict[int, Any] = {}
        self._bent: list[tuple[Part, Any]] = []
        stiff = [part for part in scene.parts if part.bend is None and len(part.triangles.faces)]
        for body, parts in groupby(sorted(stiff, key=lambda part: part.body), key=lambda part: part.body):
            path = f"{name}/{_node_name(scene.body_names[body])}"
            self._frames[body] = server.scene.add_frame(path, show_axes=False)
            # meshes of one look are sent as one, which a browser draws much quicker
            looks = groupby(sorted(parts, key=_look_of), key=_look_of)
            for n, ((colour, own_opacity), alike) in enumerate(looks):
                mesh = joined([part.triangles for part in alike])
                vertices = mesh.vertices - skin * mesh.normals
                self._add_mesh(server, f"{path}/{n}", vertices, mesh.faces, tint or colour, opacity or own_opacity)
        for part in scene.parts:
            if part.bend is not None:
                path = f"{name}/{_node_name(part.name)}"
                mesh = part.triangles
                shown = self._add_mesh(
                    server, path, mesh.vertices, mesh.faces, tint or part.colour, opacity or part.opacity
                )
                self._bent.append((part, shown))

    @staticmethod
    def _add_mesh(
        server: Any, path: str, vertices: np.ndarray, faces: np.ndarray, colour: Colour, opacity: float
    ) -> Any:
        return server.scene.add_mesh_simple(
            path,
            vertices.astype(np.float32),
            faces.astype(np.uint32),
            color=tuple(round(255 * part) for part in colour),
            opacity=None if opacity >= 0.995 else opacity,
            side="double" if opacity >= 0.995 else "front",
            cast_shadow=opacity >= 0.995,
            receive_shadow=opacity >= 0.995,
        )

    def pose(self, positions: np.ndarray, turns_wxyz: np.ndarray) -> None:
        """Moves all nodes.

        Args:
            positions: Of all bodies [m], shape [body, 3].
            turns_wxyz: Of all bodies, shape [body, 4].
        """
        for body, frame in self._frames.items():
            frame.position = tuple(positions[body].tolist())
            frame.wxyz = tuple(turns_wxyz[body].tolist())
        for part, mesh in self._bent:
            mesh.vertices = place_part(part, positions, turns_wxyz)[0].astype(np.float32)

    @property
    def visible(self) -> bool:
        """Whether the figure is shown."""
        return bool(self._top.visible)

    @visible.setter
    def visible(self, value: bool) -> None:
        self._top.visible = value


def _look_of(part: Part) -> tuple[Colour, float]:
    return part.colour, part.opacity


def _node_name(name: str) -> str:
    """A name without the character that parts the names of nodes."""
    return name.replace("/", "_")
