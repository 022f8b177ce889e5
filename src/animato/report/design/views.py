"""Pictures of a design at single moments, and where things are seen in them."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from animato.design.optimization import Performance, Solution
from animato.mechanics.tree import BodyPoses
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform
from animato.view.raster import Camera, Ground, Layer, Look, framing, render
from animato.view.scene import (
    Scene,
    build_scene,
    floor_height,
    outline_points,
    pose_bodies,
    some_moments,
    still_clip,
    surfaces_of,
    viewing_direction,
)

_OPAQUE = 0.995
_GHOST, _GHOST_OPACITY = (0.56, 0.20, 0.80), 0.5


@dataclass(frozen=True, eq=False)
class DesignViews:
    """One camera for initial and optimized design.

    Attributes:
        solution: Both designs.
        scene: What is drawn of the character.
        camera: Who looks.
        ground: Where the floor is.
        width, height: [pixels].
    """

    solution: Solution
    scene: Scene
    camera: Camera
    ground: Ground
    width: int
    height: int

    def jpeg(self, performance: Performance, step: int, ghosts: Mapping[str, RigidTransform] | None = None) -> bytes:
        """A picture of one step, as a file.

        Args:
            performance: Which design.
            step: When.
            ghosts: Bodies that are also drawn elsewhere, translucent: T_world_body by name.
        """
        from PIL import Image

        poses = body_poses(performance, np.array([step]))
        positions, turns = poses.positions[0], poses.quaternions_wxyz[0]
        solid = [part for part in self.scene.parts if part.opacity >= _OPAQUE]
        layers = [
            Layer(surfaces_of([part], positions, turns), part.opacity)
            for part in self.scene.parts
            if part.opacity < _OPAQUE
        ]
        for name, pose in (ghosts or {}).items():
            layers.append(self._ghost(name, pose))
        image = render(
            surfaces_of(solid, positions, turns),
            self.camera,
            self.ground,
            width=self.width,
            height=self.height,
            look=Look(supersampling=2),
            layers=layers,
        )
        stream = io.BytesIO()
        Image.fromarray(np.ascontiguousarray(image)).save(stream, format="JPEG", quality=84, optimize=True)
        return stream.getvalue()

    def _ghost(self, name: str, pose: RigidTransform) -> Layer:
        index = self.scene.body_names.index(name)
        positions = np.tile(pose.position, (len(self.scene.body_names), 1))
        turns = np.tile(pose.quaternion_wxyz, (len(self.scene.body_names), 1))
        own = [part for part in self.scene.parts if part.body == index and part.bend is None]
        return Layer(surfaces_of(own, positions, turns), _GHOST_OPACITY, _GHOST)

    def seen(self, points: np.ndarray) -> np.ndarray:
        """Pixels of points in the world [m], shape [..., 3] to [..., 2]."""
        return self.camera.project(points, self.width, self.height)[0]


def set_views(solution: Solution, *, width: int, height: int) -> DesignViews:
    """A camera that sees both motions and all targets.

    Args:
        solution: Both designs.
        width: Of every picture [pixels].
        height: Of every picture [pixels].
    """
    character = solution.initial.character
    scene = build_scene(character)
    moments = some_moments(solution.problem.step_count)
    both = [body_poses(one, moments) for one in (solution.initial, solution.optimized)]
    clouds = [outline_points(scene, poses) for poses in both]
    body = np.vstack(clouds)
    targets = [t.positions for motion in solution.problem.motions for t in motion.targets if t.positions is not None]
    points = np.vstack([body, *targets])
    rest = pose_bodies(character, still_clip(None))
    floor = floor_height(character, body, has_base=False, size=scene.size)
    direction = viewing_direction(character, rest, both[0], body, has_base=False, size=scene.size)
    camera = framing(points, direction=direction, aspect=width / height, margin=0.05)
    low, high = points.min(axis=0), points.max(axis=0)
    middle = (float(0.5 * (low[0] + high[0])), float(0.5 * (low[1] + high[1])))
    spread = float(np.hypot(high[0] - low[0], high[1] - low[1]))
    ground = Ground(floor, middle, max(1.1 * scene.size, 0.5 * spread + 0.9 * scene.size), scene.size)
    return DesignViews(solution, scene, camera, ground, width, height)


def body_poses(performance: Performance, steps: np.ndarray) -> BodyPoses:
    """Poses of all bodies at some steps, as the states have them."""
    mechanism = performance.problem.mechanism
    names = tuple(body.name for body in performance.problem.character.bodies)
    columns = np.array([7 * mechanism.body_index(name) for name in names])[:, None] + np.arange(7)
    found = performance.point.states[steps][:, columns]
    return BodyPoses(np.asarray(steps, dtype=float), names, found[..., :3], quaternions.normalized(found[..., 3:]))


def telling_steps(solution: Solution, count: int = 3) -> list[int]:
    """Steps at which the initial design is farthest off, well apart, in the order of time."""
    errors = solution.initial.errors
    size = np.zeros(solution.problem.step_count)
    for table in (errors.positions, errors.orientations):
        if np.isfinite(table).any():
            worst = np.nanmax(table, axis=1)
            size += worst / max(float(worst.max()), 1e-12)
    apart = max(1, len(size) // (2 * count))
    left = size.copy()
    found: list[int] = []
    while len(found) < count and np.isfinite(left).any():
        step = int(np.nanargmax(left))
        found.append(step)
        left[max(0, step - apart) : step + apart + 1] = np.nan
    return sorted(found)
