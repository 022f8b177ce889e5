"""Several motions of one character in one picture: one solid, the others as ghosts in colours of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.motion import Clip
from animato.view.picture import time_label
from animato.view.raster import Camera, Colour, Layer, Look, Surfaces, render, with_label
from animato.view.scene import Part, pose_bodies, set_stage, surfaces_of


@dataclass(frozen=True, eq=False)
class Ghost:
    """A motion that is drawn translucent.

    Attributes:
        clip: The motion.
        colour: Of all its parts (sRGB).
        opacity: 0 to 1.
    """

    clip: Clip
    colour: Colour
    opacity: float = 0.4


def render_overlays(
    character: Character,
    clip: Clip,
    ghosts: Sequence[Ghost],
    times: Sequence[float],
    *,
    width: int = 640,
    height: int = 480,
    camera: Camera | None = None,
    look: Look | None = None,
) -> list[np.ndarray]:
    """Draws moments of several motions, all seen by one camera.

    Args:
        character: Who moves.
        clip: The motion that is drawn solid.
        ghosts: The others, from the lowest layer to the highest.
        times: [s].
        width: Of each picture [pixels].
        height: Of each picture [pixels].
        camera: Who looks; where not given, one that frames the solid motion.
        look: Quality and surroundings.

    Returns:
        Pictures, each sRGB bytes of shape [height, width, 3].
    """
    widest = ghosts[-1].clip if ghosts else None
    stage = set_stage(character, clip, ghost=widest, camera=camera, width=width, height=height, look=look)
    pictures = []
    for time in times:
        layers = [
            Layer(_surfaces(character, stage.scene.parts, one.clip, time), one.opacity, one.colour) for one in ghosts
        ]
        solid = _surfaces(character, stage.scene.parts, clip, time)
        image = render(solid, stage.camera, stage.ground, width=width, height=height, look=stage.look, layers=layers)
        pictures.append(with_label(image, time_label(time) if stage.look.labels else ""))
    return pictures


def _surfaces(character: Character, parts: Sequence[Part], clip: Clip, time: float) -> Surfaces:
    poses = pose_bodies(character, clip, [time])
    return surfaces_of(parts, poses.positions[0], poses.quaternions_wxyz[0])
