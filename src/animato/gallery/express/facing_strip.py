"""Four postures that face the same two places: eight pictures in one, in two rows."""

from __future__ import annotations

import numpy as np

from animato.express import build
from animato.express.gaze import look_at
from animato.formats import load_character
from animato.motion import Clip, Posture
from animato.view import render_picture
from animato.view.raster import framing, with_ring, with_title
from animato.view.scene import build_scene, outline_points, pose_bodies

MOODS = ("curious", "proud", "sad", "work")
PLACES = ((0.45, 0.3, 0.25), (0.45, -0.3, 0.05))
"""That are faced [m]."""


def draw_facing_strip(name: str = "lamp", *, width: int = 380, height: int = 290) -> np.ndarray:
    """A shipped character that faces two places, each in all of its moods; seen by one camera.

    Args:
        name: Of the character; it has the postures in MOODS.
        width: Of one of the pictures [pixels].
        height: [pixels].

    Returns:
        sRGB bytes, shape [2 height, 4 width, 3].
    """
    character = load_character(name)
    facings = [build(character, mood).facing(np.pi) for mood in MOODS]
    answers = [[look_at(facing, place) for facing in facings] for place in PLACES]
    names = tuple(facings[0].chain.names)
    every = np.array([answer.positions for row in answers for answer in row])
    clip = Clip(np.arange(len(every), dtype=np.float64), names, every)
    # one camera for all, so that only the character moves
    points = outline_points(build_scene(character), pose_bodies(character, clip))
    camera = framing(np.vstack([points, PLACES]), azimuth=-0.3, elevation=0.25, aspect=width / height, margin=0.06)
    rows = []
    for place, row in zip(PLACES, answers, strict=True):
        pictures = []
        for mood, answer in zip(MOODS, row, strict=True):
            off = np.degrees(answer.miss_rad)
            posture = Posture(names, answer.positions)
            picture = render_picture(character, posture=posture, camera=camera, width=width, height=height, label="")
            marked = with_ring(picture, camera.project(place, width, height)[0])
            pictures.append(with_title(marked, mood + (f", {off:.1f}° off" if off >= 0.05 else "")))
        rows.append(np.hstack(pictures))
    return np.vstack(rows)
