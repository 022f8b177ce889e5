"""A character with its names: joints with their axes on one side, bodies and end-points on the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from animato.character import Character, JointType
from animato.mechanics.tree import BodyPoses
from animato.motion import Posture
from animato.spatial import quaternions
from animato.view.raster import Colour, Look
from animato.view.scene.stage import set_stage

JOINT_COLOUR: Colour = (0.75, 0.16, 0.10)
BODY_COLOUR: Colour = (0.16, 0.20, 0.28)
POINT_COLOUR: Colour = (0.05, 0.42, 0.40)


@dataclass(frozen=True)
class _Note:
    """A word, the place in the picture it speaks of, and its colour."""

    text: str
    place: tuple[float, float]
    colour: Colour


def render_annotated(
    character: Character,
    *,
    posture: Posture | None = None,
    width: int = 960,
    height: int = 720,
    look: Look | None = None,
) -> np.ndarray:
    """A picture in which everything that a character file names is named.

    Args:
        character: Who is drawn.
        posture: Its pose; the rest pose where not given.
        width: [pixels].
        height: [pixels].
        look: Quality and surroundings.

    Returns:
        uint8, shape [height, width, 3].
    """
    stage = set_stage(character, posture=posture, width=width, height=height, look=look or Look(labels=False))
    poses = stage.poses(np.zeros(1))
    image = Image.fromarray(stage.picture(0.0))
    draw = ImageDraw.Draw(image)

    def seen(points: np.ndarray) -> list[tuple[float, float]]:
        places, _ = stage.camera.project(np.atleast_2d(points), width, height)
        return [(float(x), float(y)) for x, y in places]

    left, right = [], []
    for name, origin, direction in _axes(character, poses):
        reach = 0.09 * stage.scene.size * direction
        start, end = seen(np.array([origin - reach, origin + reach]))
        _arrow(draw, start, end, JOINT_COLOUR)
        left.append(_Note(name, seen(origin)[0], JOINT_COLOUR))
    for body in character.bodies:
        places = [part for part in stage.scene.parts if poses.names[part.body] == body.name]
        middle = np.mean([part.triangles.vertices.mean(axis=0) for part in places], axis=0) if places else np.zeros(3)
        right.append(_Note(body.name, seen(poses.of(body.name).apply(middle)[0])[0], BODY_COLOUR))
    for point in character.end_points:
        pose = poses.of(point.body) @ point.frame.transform
        tip = pose.apply(0.12 * stage.scene.size * np.array(point.forward))[0]
        start, end = seen(np.array([pose.position[0], tip]))
        _arrow(draw, start, end, POINT_COLOUR)
        right.append(_Note(f"{point.name} (end-point)", start, POINT_COLOUR))
    _column(draw, left, 24, width, height, flush_right=False)
    _column(draw, right, width - 24, width, height, flush_right=True)
    return np.asarray(image)


def _axes(character: Character, poses: BodyPoses) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """(name and type, origin, direction in the world) of each joint that moves."""
    found = []
    for joint in character.joints:
        if joint.type in (JointType.GROUND, JointType.FIXED):
            continue
        pose = poses.of(joint.parent) @ joint.frame_parent.transform
        direction = quaternions.rotate(pose.quaternion_wxyz[0], joint.axis)
        found.append((f"{joint.name} ({joint.type.value})", pose.position[0], direction))
    return found


def _ink(colour: Colour) -> tuple[int, int, int]:
    red, green, blue = (round(255 * part) for part in colour)
    return red, green, blue


def _arrow(draw: ImageDraw.ImageDraw, start: tuple[float, float], end: tuple[float, float], colour: Colour) -> None:
    draw.line([start, end], fill=_ink(colour), width=4)
    way = np.subtract(end, start)
    length = float(np.hypot(*way))
    if length < 6.0:  # it points at the viewer
        x, y = end
        draw.ellipse([x - 6, y - 6, x + 6, y + 6], outline=_ink(colour), width=4)
        return
    along = way / length
    across = np.array((-along[1], along[0]))
    tip = np.array(end) + 10 * along
    corners = [tip, np.array(end) - 6 * along + 7 * across, np.array(end) - 6 * along - 7 * across]
    draw.polygon([tuple(corner) for corner in corners], fill=_ink(colour))


def _column(
    draw: ImageDraw.ImageDraw, notes: list[_Note], x: float, width: int, height: int, *, flush_right: bool
) -> None:
    """Words one below the other, each as near to the height of its place as the others allow, with a line to it."""
    size = max(14, min(24, height // max(12, 2 * len(notes))))
    font = ImageFont.load_default(size)
    ordered = sorted(notes, key=lambda note: note.place[1])
    step = min(1.8 * size, (height - 2.0 * size) / max(1, len(ordered)))
    rows = _spread([note.place[1] for note in ordered], step, size, height - size)
    for y, note in zip(rows, ordered, strict=True):
        wide = draw.textlength(note.text, font=font)
        start = x - wide - 8 if flush_right else x + wide + 8
        draw.line([(start, y), note.place], fill=_ink(note.colour), width=1)
        draw.text((x, y), note.text, fill=_ink(note.colour), font=font, anchor="rm" if flush_right else "lm")


def _spread(wanted: list[float], step: float, low: float, high: float) -> list[float]:
    """Heights in the given order, at least a step apart and between low and high, close to what is wanted."""
    rows: list[float] = []
    for y in wanted:
        rows.append(max(y, low, rows[-1] + step if rows else low))
    for number in reversed(range(len(rows))):
        ceiling = high if number == len(rows) - 1 else rows[number + 1] - step
        rows[number] = min(rows[number], ceiling)
    return rows
