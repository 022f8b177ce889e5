"""A character, its motion, a camera and a floor, ready to be drawn at any moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Character
from animato.character.structure import topology_of
from animato.errors import OptionError
from animato.mechanics.simulation.posing import Performance
from animato.mechanics.tree import BodyPoses
from animato.motion import Clip, Posture
from animato.view.raster import (
    Camera,
    Colour,
    Ground,
    Layer,
    Look,
    Surfaces,
    check_size,
    empty_light,
    framing,
    make_surfaces,
    render,
)
from animato.view.scene.composition import floor_height, outline_points, some_moments, viewing_direction
from animato.view.scene.posing import pose_bodies, spanning_character, still_clip
from animato.view.scene.scene import Part, Scene, build_scene, place_part
from animato.view.scene.trail import trail_triangles

_OPAQUE = 0.995


@dataclass(frozen=True, eq=False)
class Stage:
    """All that stays the same from frame to frame.

    Attributes:
        character: Who moves.
        scene: What is drawn of it.
        clip: How it moves; one frame for a posture.
        ghost: A second motion, drawn translucent, or None.
        camera: Who looks.
        ground: Where the floor is.
        width: [pixels].
        height: [pixels].
        look: Quality and surroundings.
        trails: End-points, markers or bodies whose path is drawn.
        root: Index of the body the camera goes along with, None where it stands still.
    """

    character: Character
    scene: Scene
    clip: Clip
    ghost: Clip | None
    camera: Camera
    ground: Ground
    width: int
    height: int
    look: Look
    trails: tuple[str, ...] = ()
    root: int | None = None

    def poses(self, times: ArrayLike) -> BodyPoses:
        """Poses of all bodies at the given times [s]."""
        return pose_bodies(self.character, self.clip, np.atleast_1d(np.asarray(times, dtype=np.float64)))

    def picture(
        self,
        time: float,
        *,
        camera: Camera | None = None,
        before: Sequence[tuple[float, float]] = (),
        empty: np.ndarray | None = None,
    ) -> np.ndarray:
        """Draws one moment.

        Args:
            time: [s].
            camera: Another camera than the stage's own.
            before: (time [s], opacity) of other moments that are drawn translucent as well.
            empty: What `empty_light` gives, for whoever draws many moments.

        Returns:
            sRGB bytes, shape [row, column, 3].
        """
        layers = []
        if self.ghost is not None:
            poses = pose_bodies(self.character, self.ghost, [time])
            parts = self.scene.parts
            surfaces = surfaces_of(parts, poses.positions[0], poses.quaternions_wxyz[0])
            layers.append(Layer(surfaces, self.look.ghost_opacity, self.look.ghost_colour))
        moments = self.poses([when for when, _ in before] + [time])
        for n, (_, opacity) in enumerate(before):
            parts = self.scene.parts
            layers.append(Layer(surfaces_of(parts, moments.positions[n], moments.quaternions_wxyz[n]), opacity))
        positions, turns = moments.positions[-1], moments.quaternions_wxyz[-1]
        clear = sorted({part.opacity for part in self.scene.parts if part.opacity < _OPAQUE})
        for opacity in clear:
            some = [part for part in self.scene.parts if part.opacity == opacity]
            layers.append(Layer(surfaces_of(some, positions, turns), opacity))
        solid = surfaces_of(
            [part for part in self.scene.parts if part.opacity >= _OPAQUE], positions, turns, self._trail_parts()
        )
        shift = self._shift(time)
        ground = replace(self.ground, middle=(self.ground.middle[0] + shift[0], self.ground.middle[1] + shift[1]))
        eye = camera or self.camera.moved((*shift, 0.0))
        across, down = self.width, self.height
        return render(solid, eye, ground, width=across, height=down, look=self.look, layers=layers, empty=empty)

    def empty_light(self) -> np.ndarray | None:
        """Floor and backdrop as all moments show them; None where the camera goes along, so that they differ."""
        if self.root is not None:
            return None
        return empty_light(self.camera, self.ground, width=self.width, height=self.height, look=self.look)

    def _shift(self, time: float) -> tuple[float, float]:
        """How far the camera has gone along with the root [m]: its path, smoothed over a second."""
        if self.root is None:
            return 0.0, 0.0
        around = np.clip(time + np.linspace(-0.5, 0.5, 11), self.clip.times[0], self.clip.times[-1])
        path = self.poses(np.concatenate([self.clip.times[:1], around])).positions[:, self.root, :2]
        weights = np.cos(np.linspace(-0.5, 0.5, 11) * np.pi) + 1e-3
        x, y = np.average(path[1:], axis=0, weights=weights) - path[0]
        return float(x), float(y)

    def _trail_parts(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
        return [trail_triangles(self.character, self.clip, name, 0.0035 * self.scene.size) for name in self.trails]


def set_stage(
    character: Character,
    clip: Clip | None = None,
    *,
    posture: Posture | None = None,
    ghost: Clip | None = None,
    camera: Camera | None = None,
    follow: bool = False,
    width: int = 640,
    height: int = 480,
    look: Look | None = None,
    trails: str | Sequence[str] = (),
) -> Stage:
    """Prepares drawing. Without a clip the posture is drawn, without a posture the rest pose.

    Args:
        character: Who is drawn.
        clip: How it moves.
        posture: Instead of a clip.
        ghost: A second motion of the same character, such as the artist's, drawn translucent.
        camera: Who looks; where not given, one that frames the whole motion.
        follow: Whether the camera goes along with a character that travels.
        width: [pixels].
        height: [pixels].
        look: Quality and surroundings.
        trails: Names of end-points or markers whose path is drawn.
    """
    check_size(width, height)
    if clip is not None and posture is not None:
        raise OptionError("Give a clip or a posture to draw, not both.")
    motion = clip if clip is not None else still_clip(posture)
    known = next((one.rods for one in (motion, ghost) if isinstance(one, Performance)), None)
    scene = build_scene(character, known)
    rest = pose_bodies(character, still_clip(None))
    root = _root_index(character) if follow else None
    poses = pose_bodies(character, motion, motion.times[some_moments(motion.frame_count)])
    points = outline_points(scene, _held(poses, root))
    if ghost is not None:
        other = pose_bodies(character, ghost, ghost.times[some_moments(ghost.frame_count)])
        points = np.vstack([points, outline_points(scene, _held(other, root))])
    floor = floor_height(character, points, has_base=motion.has_base, size=scene.size)
    if camera is None:
        direction = viewing_direction(character, rest, poses, points, has_base=motion.has_base, size=scene.size)
        feet = points[points[:, 2] < floor + 0.05 * scene.size] * (1.0, 1.0, 0.0) + (0.0, 0.0, floor)
        camera = framing(np.vstack([points, feet]), direction=direction, aspect=width / height)
    low, high = points.min(axis=0), points.max(axis=0)
    middle = (float(0.5 * (low[0] + high[0])), float(0.5 * (low[1] + high[1])))
    spread = float(np.hypot(high[0] - low[0], high[1] - low[1]))
    ground = Ground(floor, middle, max(1.1 * scene.size, 0.5 * spread + 0.9 * scene.size), scene.size)
    names = (trails,) if isinstance(trails, str) else tuple(trails)
    return Stage(character, scene, motion, ghost, camera, ground, width, height, look or Look(), names, root)


def _root_index(character: Character) -> int:
    root = topology_of(spanning_character(character)).links[0].body
    return [body.name for body in character.bodies].index(root)


def _held(poses: BodyPoses, root: int | None) -> BodyPoses:
    """Poses as a camera sees them that goes along with the root."""
    if root is None:
        return poses
    shift = (poses.positions[:, root] - poses.positions[0, root]) * (1.0, 1.0, 0.0)
    return replace(poses, positions=poses.positions - shift[:, None])


def surfaces_of(
    parts: Sequence[Part],
    positions: np.ndarray,
    turns_wxyz: np.ndarray,
    painted: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = (),
) -> Surfaces:
    """Triangles of parts in the world.

    Args:
        parts: What is drawn.
        positions: Of all bodies [m], shape [body, 3].
        turns_wxyz: Of all bodies, shape [body, 4].
        painted: Further meshes that are there already and show their colours as they are: vertices,
            normals, colours (sRGB, one a vertex), faces.
    """
    vertices, normals, colours, faces, numbers, glow = [], [], [], [], [], []
    start = 0
    for n, part in enumerate(parts):
        placed, facing = place_part(part, positions, turns_wxyz)
        vertices.append(placed)
        normals.append(facing)
        colours.append(_plain(part.colour, len(placed)))
        faces.append(part.triangles.faces + start)
        numbers.append(np.full(len(part.triangles.faces), n))
        glow.append(np.zeros(len(placed)))
        start += len(placed)
    for n, (placed, facing, colour, mesh_faces) in enumerate(painted):
        vertices.append(placed)
        normals.append(facing)
        colours.append(colour)
        faces.append(mesh_faces + start)
        numbers.append(np.full(len(mesh_faces), len(parts) + n))
        glow.append(np.full(len(placed), 0.75))
        start += len(placed)
    if not vertices:
        nothing = np.zeros((0, 3))
        return make_surfaces(nothing, nothing, nothing, np.zeros(0), np.zeros((0, 3), np.int32), np.zeros(0))
    return make_surfaces(
        np.vstack(vertices),
        np.vstack(normals),
        np.vstack(colours),
        np.concatenate(glow),
        np.vstack(faces),
        np.concatenate(numbers),
    )


def _plain(colour: Colour, count: int) -> np.ndarray:
    return np.broadcast_to(np.array(colour), (count, 3))
