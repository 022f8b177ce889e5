"""From where a film is seen, and what it stands on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from animato.report.kit.film.figure import BESIDE, OFF, Figure
from animato.report.kit.film.stick_figure import StickFigure
from animato.report.kit.film.thing import Thing
from animato.view.raster import Camera, Ground, framing
from animato.view.scene import outline_points, set_stage

WIDTH, HEIGHT = 1120, 630
"""Of the picture [pixels]."""

_MOMENTS = 48
_FAR = 2.5  # sizes: a figure that goes farther is followed, it would be too small otherwise


@dataclass(frozen=True, eq=False)
class Shot:
    """What stays the same while a film plays.

    Attributes:
        camera: Who looks.
        ground: Where the floor is.
        size: Of the largest character [m].
        beside: By how much a figure is moved that stands beside another one [m], [3].
        wide: Tangent of half the angle across that everything needs; a narrow picture steps back for it.
        follow: Number of the body of the first figure that the camera goes along with; -1 where it stands still.
    """

    camera: Camera
    ground: Ground
    size: float
    beside: np.ndarray
    wide: float
    follow: int = -1


def shot_of(figures: Sequence[Figure], things: Sequence[Thing], seen_from: np.ndarray | None = None) -> Shot:
    """Sees all figures and things, from a given side or from the one that suits the first figure.

    Args:
        figures: Who moves.
        things: What else is seen.
        seen_from: The way to who looks, [3].
    """
    first = figures[0]
    stage = set_stage(first.character, first.clip, width=WIDTH, height=HEIGHT)
    clouds, sizes = [], [stage.scene.size]
    follow = _root(figures, stage.scene.size)
    for figure in figures:
        clip, scene = figure.clip, figure.scene()
        sizes.append(scene.size)
        moments = np.unique(np.linspace(0, clip.frame_count - 1, _MOMENTS).round().astype(int))
        poses = figure.poses(clip.times[moments])
        if follow >= 0:
            poses = replace(poses, positions=poses.positions - _gone(first, follow, clip.times[moments])[:, None])
        clouds.append(outline_points(scene, poses) + np.array(figure.shift))
    away = np.subtract(stage.camera.eye, stage.camera.target) if seen_from is None else np.asarray(seen_from)
    across = np.array([-away[1], away[0], 0.0])
    across = across / max(float(np.linalg.norm(across)), 1e-9)
    wide = max(float(np.ptp(cloud @ across)) for cloud in clouds)
    beside = across * 1.08 * wide
    number = 0
    for n, figure in enumerate(figures):
        number += n > 0
        if figure.placing == BESIDE:
            clouds[n] = clouds[n] + number * beside
    seen = [cloud for cloud, figure in zip(clouds, figures, strict=True) if figure.placing != OFF]
    seen += [cloud for cloud in (_cloud(one, first, follow) for one in things if one.shown) if len(cloud)]
    cloud = np.vstack(seen)
    camera = framing(cloud, direction=away, aspect=WIDTH / HEIGHT, margin=0.07)
    size = max(sizes)
    lowest = min(float(one[:, 2].min()) for one in clouds)
    height = stage.ground.height if lowest > stage.ground.height - 0.08 * size else lowest
    middle = 0.5 * (cloud[:, :2].min(axis=0) + cloud[:, :2].max(axis=0))
    spread = float(np.ptp(cloud[:, :2], axis=0).max())
    ground = Ground(height, (float(middle[0]), float(middle[1])), max(1.1 * size, 0.5 * spread + 0.9 * size), size)
    local = (cloud - camera.eye) @ camera.axes.T
    wide = 1.06 * float(np.abs(local[:, 0] / np.maximum(local[:, 2], 1e-6)).max())
    return Shot(camera, ground, size, beside, wide, follow)


def _gone(first: Figure, body: int, times: np.ndarray) -> np.ndarray:
    """How far a body of the first figure has gone along the floor by given times [m], [time, 3]."""
    places = first.poses(np.concatenate([first.clip.times[:1], times])).positions[:, body] * (1.0, 1.0, 0.0)
    return np.asarray(places[1:] - places[0])


def _cloud(thing: Thing, first: Figure, follow: int) -> np.ndarray:
    """What must be seen of a thing [m], [point, 3]; where the camera goes along, of persons alone."""
    if follow < 0:
        return thing.cloud()
    if not isinstance(thing, StickFigure):
        return np.zeros((0, 3))
    times = first.clip.times[:: max(1, first.clip.frame_count // _MOMENTS)]
    return thing.cloud_along(times, _gone(first, follow, times))


def _root(figures: Sequence[Figure], size: float) -> int:
    """Number of the body that is followed, -1 for none: the first figure's root where it goes far."""
    first = figures[0]
    if first.clip.base_positions is None or first.clip.frame_count < 2:
        return -1
    if float(np.ptp(first.clip.base_positions[:, :2], axis=0).max()) <= _FAR * size:
        return -1
    root = set_stage(first.character, first.clip, follow=True).root
    return -1 if root is None else root
