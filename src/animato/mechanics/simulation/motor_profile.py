"""From a clip to what the motors do at every step."""

from __future__ import annotations

import math

import numpy as np
from scipy.interpolate import CubicSpline

from animato.described import shortened
from animato.errors import MotionError
from animato.mechanics.simulation.system import System
from animato.motion import Clip


def motor_profile(
    system: System, clip: Clip, step_s: float, *, start_speed: float = 0.1
) -> tuple[np.ndarray, np.ndarray]:
    """Times from 0 [s], [t], and theta with its exact first two derivatives, [t, 3, n_p].

    A cubic spline passes through all frames. It begins at rest, as the simulation does.

    Args:
        system: Whose motors.
        clip: Motors that it does not name stay where they rest.
        step_s: Largest step [s]; the last one ends with the clip.
        start_speed: Up to this the clip counts as starting at rest [rad/s or m/s].

    Raises:
        MotionError: It moves no motor, has one frame only, or starts away from rest.
    """
    positions = motor_frames(system, clip)
    if clip.frame_count < 2:
        raise MotionError("A simulation needs a clip of at least two frames, given one.")
    if clip.frame_count > 2:
        _check_rest(system, clip, positions, start_speed)
    steps = max(1, math.ceil(clip.duration / step_s - 1e-9))
    times = np.linspace(0.0, clip.duration, steps + 1)
    rest_at_end = "not-a-knot" if clip.frame_count > 3 else "clamped"
    spline = CubicSpline(clip.times - clip.times[0], positions, bc_type=("clamped", rest_at_end))
    return times, np.ascontiguousarray(np.stack([spline(times, d) for d in range(3)], axis=1))


def motor_frames(system: System, clip: Clip) -> np.ndarray:
    """Positions of the motors at the frames of a clip [rad or m], [frame, n_p].

    Raises:
        MotionError: The clip names no motor.
    """
    positions = np.tile(system.rest()[system.unknown_count :], (clip.frame_count, 1))
    named = [name for name in system.motor_names if name in clip.names]
    if system.motor_names and not named:
        raise MotionError(
            f"The clip moves none of the motors of '{system.character.name}'. It names {shortened(clip.names)}; "
            f"the motors are {shortened(system.motor_names)}."
        )
    for name in named:
        positions[:, system.motor_names.index(name)] = clip.positions[:, clip.column(name)]
    return positions


def _check_rest(system: System, clip: Clip, positions: np.ndarray, most: float) -> None:
    """Refuses a clip whose motors already move in its first frame."""
    speeds = np.abs(CubicSpline(clip.times, positions)(clip.times[0], 1))
    fastest = int(np.argmax(speeds)) if len(speeds) else 0
    if len(speeds) and speeds[fastest] > most:
        raise MotionError(
            f"The clip starts away from rest: '{system.motor_names[fastest]}' moves at {speeds[fastest]:.3g} rad/s (or "
            f"m/s) in its first frame, and a simulation begins with everything at rest. Hold the first pose for some "
            f"frames, ease into the motion, or raise `start_speed` above {speeds[fastest]:.3g}."
        )
