"""A motion as a player on a page shows it: who moves, what it holds, and what it faces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.character import Character, EndPoint
from animato.mechanics.tree import BodyPoses
from animato.motion import Clip
from animato.report.kit.moving import packed
from animato.report.kit.solids import solid_of
from animato.spatial import quaternions
from animato.view.raster import Camera, framing
from animato.view.scene import Stage, outline_points, pose_bodies, set_stage

WIDTH, HEIGHT = 1120, 630
"""Of the picture [pixels]."""

NOTHING, POINT, DIRECTION = range(3)
"""What there is to face at a frame."""

_FRAMES_A_SECOND = 30.0
_MOST_BYTES = 240_000
_STILL_M, _STILL_TURN = 1e-5, 1e-4  # what moves less is sent once
_FAR, _ARROW = 1.5, 0.8  # sizes of the character: points beyond are shown as the way to them, which is so long


@dataclass(frozen=True, eq=False)
class Gaze:
    """What an end-point was to face, frame by frame.

    Attributes:
        end_point: Who faces.
        kinds: NOTHING, POINT or DIRECTION, [frame].
        marks: The points [m] or the directions, unit length, in the world, [frame, 3].
        errors_rad: Angle by which it was off [rad], [frame].
    """

    end_point: EndPoint
    kinds: np.ndarray
    marks: np.ndarray
    errors_rad: np.ndarray


@dataclass(frozen=True, eq=False)
class Film:
    """What a player shows.

    Attributes:
        character: Who moves.
        clip: How.
        held: The postures that were held meanwhile, shown translucent; one frame where it was one. None shows nothing.
        gaze: What was faced, frame by frame of the clip.
        words: What to say from a time [s] on, in order.
    """

    character: Character
    clip: Clip
    held: Clip | None = None
    gaze: Gaze | None = None
    words: tuple[tuple[float, str], ...] = ()


def film_data(film: Film) -> dict[str, Any]:
    """What the script draws, as plain numbers and packed arrays."""
    clip, count = film.clip, len(film.character.bodies)
    stage = set_stage(film.character, clip, ghost=film.held, width=WIDTH, height=HEIGHT)
    times = _times(clip, count)
    poses = pose_bodies(film.character, clip, times)
    held = None if film.held is None else _held_poses(film.character, film.held, times)
    shown, kinds = _shown_marks(film, poses, times, stage.scene.size)
    reach = max(float(np.abs(one).max()) for one in (poses.positions, shown) if one.size)
    reach = max(reach, 0.0 if held is None else float(np.abs(held.positions).max()), 1e-9)
    camera = film_camera(film, stage, shown[kinds == POINT])
    return {
        "times": [round(float(times[0]), 6), round(float(times[-1]), 6), len(times)],
        "reach": reach,
        "camera": {"eye": _short(camera.eye), "target": _short(camera.target), "fov": camera.field_of_view},
        "floor": stage.ground.height,
        "size": stage.scene.size,
        "solids": [solid_of(part) for part in stage.scene.parts if part.bend is None and len(part.triangles.vertices)],
        "figure": _figure(poses, count, reach),
        "held": None if held is None else _figure(held, count, reach),
        "gaze": None if film.gaze is None else _gaze(film, times, shown / reach, kinds),
        "words": [[round(float(time), 3), words] for time, words in film.words],
    }


def film_camera(film: Film, stage: Stage, points: np.ndarray) -> Camera:
    """Looks the way a stage's camera does, from where the points that are faced, [point, 3], are seen as well."""
    moments = np.unique(np.linspace(0, film.clip.frame_count - 1, 48).round().astype(int))
    cloud = [outline_points(stage.scene, pose_bodies(film.character, film.clip, film.clip.times[moments]))]
    if film.held is not None:
        cloud.append(outline_points(stage.scene, pose_bodies(film.character, film.held)))
    if len(points):
        cloud.append(points[:: max(1, len(points) // 200)])
    away = np.subtract(stage.camera.eye, stage.camera.target)
    return framing(np.vstack(cloud), direction=away, aspect=WIDTH / HEIGHT, margin=0.07)


def _times(clip: Clip, bodies: int) -> np.ndarray:
    """Moments that are sent: as many a second as is smooth, unless the page would grow too large [s]."""
    most = max(2, int(0.75 * _MOST_BYTES / (14 * bodies)))
    count = min(most, round(clip.duration * _FRAMES_A_SECOND) + 1)
    return np.linspace(clip.times[0], clip.times[-1], max(2, count))


def _held_poses(character: Character, held: Clip, times: np.ndarray) -> BodyPoses:
    return pose_bodies(
        character, held, None if held.frame_count == 1 else np.clip(times, held.times[0], held.times[-1])
    )


def _shown_marks(film: Film, poses: BodyPoses, times: np.ndarray, size: float) -> tuple[np.ndarray, np.ndarray]:
    """Where what is faced is shown [m], [time, 3], and as what, [time]: far points become directions."""
    gaze = film.gaze
    if gaze is None:
        return np.zeros((len(times), 3)), np.full(len(times), NOTHING)
    near = _nearest(film.clip, times)
    kinds, marks = gaze.kinds[near].copy(), np.where(np.isfinite(gaze.marks[near]), gaze.marks[near], 0.0)
    at = [body.name for body in film.character.bodies].index(gaze.end_point.body)
    turns = poses.quaternions_wxyz[:, at]
    eyes = poses.positions[:, at] + quaternions.rotate(turns, np.array(gaze.end_point.frame.position))
    ways = np.where((kinds == POINT)[:, None], marks - eyes, marks)
    lengths = np.linalg.norm(ways, axis=1)
    kinds[(kinds == POINT) & (lengths > _FAR * size)] = DIRECTION
    arrows = eyes + _ARROW * size * ways / np.maximum(lengths, 1e-9)[:, None]
    shown = np.where((kinds == DIRECTION)[:, None], arrows, marks)
    return np.where((kinds == NOTHING)[:, None], 0.0, shown), kinds


def _figure(poses: BodyPoses, count: int, reach: float) -> dict[str, Any]:
    """Poses of bodies that move, packed; the others once."""
    positions, turns = poses.positions[:, :count], quaternions.continuous(poses.quaternions_wxyz[:, :count])
    moving = np.abs(positions - positions[:1]).max(axis=(0, 2)) > _STILL_M
    moving |= np.abs(turns - turns[:1]).max(axis=(0, 2)) > _STILL_TURN
    order = np.flatnonzero(moving)
    rows = np.concatenate([positions[:, order] / reach, turns[:, order]], axis=2)
    still = {str(n): _short([*positions[0, n], *turns[0, n]]) for n in range(count) if not moving[n]}
    return {"moving": order.tolist(), "still": still, "poses": packed(rows)}


def _gaze(film: Film, times: np.ndarray, shares: np.ndarray, kinds: np.ndarray) -> dict[str, Any]:
    gaze = film.gaze
    assert gaze is not None
    end_point, near = gaze.end_point, _nearest(film.clip, times)
    turn = np.array(end_point.frame.quaternion_wxyz)
    degrees = np.degrees(np.nan_to_num(gaze.errors_rad[near]))
    return {
        "body": [body.name for body in film.character.bodies].index(end_point.body),
        "place": _short(end_point.frame.position),
        "forward": _short(quaternions.rotate(turn, np.array(end_point.forward)).reshape(3)),
        "kinds": "".join(str(int(kind)) for kind in kinds),
        "marks": packed(shares),
        "errors": [round(float(value), 1) for value in degrees],
    }


def _nearest(clip: Clip, times: np.ndarray) -> np.ndarray:
    """Numbers of the frames that are nearest to times, [time]."""
    after = np.clip(np.searchsorted(clip.times, times), 1, max(1, clip.frame_count - 1))
    after = np.minimum(after, clip.frame_count - 1)
    before = np.maximum(after - 1, 0)
    return np.where(times - clip.times[before] < clip.times[after] - times, before, after)


def _short(values: Any) -> list[float]:
    return [round(float(value), 5) for value in values]
