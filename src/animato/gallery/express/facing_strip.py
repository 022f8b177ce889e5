"""One posture that faces all around: eight pictures in one, in two rows."""

from __future__ import annotations

import numpy as np

from animato.express.facing import degrees_off, solve_facing
from animato.express.gaze import facing_azimuth
from animato.gallery.express.runs import held_problem
from animato.motion import Clip, Posture
from animato.view import render_picture
from animato.view.raster import framing, with_title
from animato.view.scene import build_scene, outline_points, pose_bodies

COUNT = 8


def draw_facing_strip(name: str = "skeleton_c", *, width: int = 380, height: int = 290) -> np.ndarray:
    """A shipped skeleton that holds its curious posture and faces eight azimuths; 0 faces the viewer.

    Args:
        name: Of the skeleton.
        width: Of one of the pictures [pixels].
        height: [pixels].

    Returns:
        sRGB bytes, shape [2 height, 4 width, 3].
    """
    character, problem = held_problem(name)
    azimuths = np.arange(COUNT) * 2.0 * np.pi / COUNT
    answers = [solve_facing(problem, facing_azimuth(problem.chain.end_point, azimuth)) for azimuth in azimuths]
    names = tuple(problem.chain.names)
    times = np.arange(COUNT, dtype=np.float64)
    clip = Clip(times, names, np.array([answer.positions for answer in answers]))
    # one camera for all, so that only the character turns
    points = outline_points(build_scene(character), pose_bodies(character, clip, times))
    camera = framing(points, azimuth=0.0, elevation=np.radians(16.0), aspect=width / height, margin=0.06)
    pictures = []
    for azimuth, answer in zip(azimuths, answers, strict=True):
        off = degrees_off(answer.error.orientation)
        label = f"{np.degrees(azimuth):.0f}°" + (f", {off:.1f}° off" if off >= 0.05 else "")
        posture = Posture(names, answer.positions)
        picture = render_picture(character, posture=posture, camera=camera, width=width, height=height, label="")
        pictures.append(with_title(picture, label))
    half = COUNT // 2
    return np.vstack([np.hstack(pictures[:half]), np.hstack(pictures[half:])])
