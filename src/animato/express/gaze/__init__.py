"""Looking at points: lines of sight and what makes them exact."""

from animato.express.gaze.gaze_objective import RELAXATION, Gaze, facing_azimuth, facing_direction, solve_gaze, tip_pose
from animato.express.gaze.look_at import look_at, look_at_steps
from animato.express.gaze.sight import (
    DIRECTION,
    ORIENTATION,
    POINT,
    angle_off,
    build_sight,
    turn_left,
    write_pose,
    write_wanted,
)
from animato.express.gaze.sight_correction import correct_sight, ease_correction

__all__ = [
    "DIRECTION",
    "ORIENTATION",
    "POINT",
    "RELAXATION",
    "Gaze",
    "angle_off",
    "build_sight",
    "correct_sight",
    "ease_correction",
    "facing_azimuth",
    "facing_direction",
    "look_at",
    "look_at_steps",
    "solve_gaze",
    "tip_pose",
    "turn_left",
    "write_pose",
    "write_wanted",
]
