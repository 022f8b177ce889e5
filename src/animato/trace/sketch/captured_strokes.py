"""Captured strokes in a robot's own place and size."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from animato.character import Character
from animato.errors import MotionError, unknown_name
from animato.mechanics.tree import build_point_kinematics
from animato.motion import CapturedMotion, Posture, Stroke, strokes_from_capture

GOLF_BONES = {"left_hand": "LeftFingerBase", "right_hand": "RightFingerBase", "crown": "Head.end", "pelvis": "Hips"}
"""Bones of the CMU skeletons for the four points of torso29."""


def golf_from_capture(capture: CapturedMotion, character: Character) -> dict[str, Stroke]:
    """A golf swing of the CMU database (63_01) for torso29: hands, crown and pelvis, in the size of the robot.

    The person sways over the feet by 30 cm, which a torso on a column cannot; that is taken out. Its arms are long for
    its trunk: at nine tenths of the size of the trunk the hands stay within the robot's reach.
    """
    strokes = strokes_from_capture(capture, GOLF_BONES, relative_to="Hips")
    return fitted_to_posture(strokes, character, Posture.named(character, "address"), anchor="pelvis", size=0.9)


def fitted_to_posture(
    strokes: Mapping[str, Stroke],
    character: Character,
    posture: Posture,
    *,
    anchor: str | None = None,
    size: float = 1.0,
) -> dict[str, Stroke]:
    """Strokes moved, turned about the vertical and scaled so that they begin where a posture has the points.

    All strokes are treated alike, so that they keep their places to one another. The fit is by least squares over the
    points: at least two of them that are not above one another must be given.

    Args:
        strokes: Several strokes in one world, z up, by point of the robot.
        character: The robot.
        posture: How it stands at the start.
        anchor: A point that shall begin exactly where the posture has it; the middle of all where not given.
        size: Further scaling, for limbs of other proportions.
    """
    names = list(strokes)
    points = build_point_kinematics(character, names, start=posture)
    wanted = points.places(points.start[None])[0]
    given = np.array([strokes[name].points[0] for name in names])
    if given.shape[1] != 3:
        raise MotionError("Only strokes in space can be fitted to a posture; put flat ones into the world first.")
    if anchor is not None and anchor not in names:
        raise unknown_name("point", anchor, names, "the strokes")
    chosen = slice(None) if anchor is None else slice(names.index(anchor), names.index(anchor) + 1)
    middle, centre = given[chosen].mean(axis=0), wanted[chosen].mean(axis=0)
    a, b = given - middle, wanted - centre
    turn = float(np.arctan2(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), np.sum(a[:, :2] * b[:, :2])))
    c, s = np.cos(turn), np.sin(turn)
    about_z = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    scale = size * (max(float(np.sum((a @ about_z.T) * b) / np.sum(a * a)), 0.0) if np.any(a) else 1.0)
    return {
        name: Stroke((one.points - middle) @ (scale * about_z).T + centre, one.times, one.pressure, one.source)
        for name, one in strokes.items()
    }
