"""The paper's own case: a captured person lifts something, on HRP-4C; ten postures, and the whole clip.

Neither the robot's file nor the capture comes with animato; both are public (`HRP4Cmain.urdf`, `human.trc`).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from animato.errors import MotionError
from animato.formats import load_character, load_motion
from animato.gallery.mimic.hrp4c_markers import hrp4c_markers, hrp4c_rest
from animato.mimic.published import (
    PublishedOptions,
    PublishedProblem,
    build_published,
    planted_feet,
    ready_markers,
    standing_feet,
)
from animato.motion import MarkerMotion

TEN_S = (4.6, 5.5)
"""The ten postures, 0.1 s apart: up from low down, a load overhead; lower, the hips would be at their end."""

WHOLE_S = (1.5, 11.0)
"""The clip without its T-poses: two steps forward, a load lifted, put down again, and back."""

RATE_HZ = 10.0

WHOLE = PublishedOptions(alpha=1.0, damping=3e-2, tolerance=1e-6)
"""Bent lowest, the person is out of the reach of the robot's hips by 40 degrees. With little damping the fit then tips
the chest to one side or the other, and jumps between them."""

_BLEND_S = 0.1  # to each side of a step, over which the middle that the ZMP keeps to goes from foot to foot


def hrp4c_ten_postures(
    robot_file: str | Path, capture_file: str | Path, options: PublishedOptions | None = None
) -> PublishedProblem:
    """Ten postures in which both feet stand, as in the paper's figures 5 to 7.

    Args:
        robot_file: The robot.
        capture_file: The captured markers.
        options: Of the published method; the paper's where not given.
    """
    return hrp4c_problem(robot_file, capture_file, np.linspace(*TEN_S, 10), options)


def hrp4c_whole_clip(
    robot_file: str | Path,
    capture_file: str | Path,
    options: PublishedOptions | None = None,
    *,
    rate_hz: float = RATE_HZ,
) -> PublishedProblem:
    """The whole clip; while one foot steps, the ZMP keeps to the middle of the other foot.

    Args:
        robot_file: The robot.
        capture_file: The captured markers.
        options: Of the published method; `WHOLE` where not given.
        rate_hz: Frames a second.
    """
    count = int((WHOLE_S[1] - WHOLE_S[0]) * rate_hz) + 1
    return hrp4c_problem(robot_file, capture_file, WHOLE_S[0] + np.arange(count) / rate_hz, options or WHOLE)


def hrp4c_problem(
    robot_file: str | Path, capture_file: str | Path, times: np.ndarray, options: PublishedOptions | None = None
) -> PublishedProblem:
    """The problem at moments of the capture, evenly apart [s], [frame]."""
    capture = load_motion(capture_file)
    if not isinstance(capture, MarkerMotion):
        raise MotionError(f"{capture_file} holds no markers; give the capture of the person, such as human.trc.")
    markers = hrp4c_markers(load_character(robot_file))
    ready = ready_markers(capture, markers.names, times)
    markers = markers.chosen(ready.names)
    captured = facing_x(ready.positions, ready.names)
    planted = planted_feet([_foot(captured, ready.names, side) for side in "RL"], times)
    problem = build_published(
        markers,
        times,
        captured,
        options,
        shares=foot_shares(planted, times),
        rest=hrp4c_rest(markers),
        notes=ready.notes,
    )
    return replace(problem, held=standing_feet(markers, problem.source, planted))


def facing_x(positions: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
    """Markers turned about z so that in the first frame the hips lie along y, about the first frame's middle."""
    left = positions[0, names.index("LHIP")] - positions[0, names.index("RHIP")]
    angle = 0.5 * np.pi - np.arctan2(left[1], left[0])
    c, s = np.cos(angle), np.sin(angle)
    middle = np.array([*positions[0].mean(0)[:2], 0.0])
    return np.asarray((positions - middle) @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]))


def foot_shares(planted: np.ndarray, times: np.ndarray) -> np.ndarray:
    """How much each foot counts in the middle that the ZMP keeps to, [frame, 2]; it goes over smoothly.

    Args:
        planted: Which feet stand, [frame, 2] bool.
        times: [s], [frame].
    """
    weights = planted / planted.sum(axis=1, keepdims=True)
    reach = round(_BLEND_S / float(times[1] - times[0]))
    padded = np.pad(weights, ((reach, reach), (0, 0)), mode="edge")
    window = np.ones(2 * reach + 1) / (2 * reach + 1)
    return np.stack([np.convolve(padded[:, k], window, mode="valid") for k in range(2)], axis=1)


def _foot(positions: np.ndarray, names: tuple[str, ...], side: str) -> np.ndarray:
    """Mean of a foot's markers [m], [frame, 3]."""
    mine = [k for k, name in enumerate(names) if name[0] == side and name[1:] in ("ANK", "HEEL", "PINKY", "THUMB")]
    return np.asarray(positions[:, mine].mean(1))
