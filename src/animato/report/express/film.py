"""What a solution of express looks like: the motion, the posture it holds, and what it faces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.character import EndPoint
from animato.express import Solution, Target
from animato.express.loop import FileTargets
from animato.report.kit import DIRECTION, NOTHING, POINT, Film, Gaze
from animato.spatial import quaternions


def film_of(solution: Solution) -> Film:
    """The film of a solution."""
    problem = solution.problem
    gaze = gaze_of(problem.chain.end_point, targets_by_frame(solution), solution.errors_rad)
    return Film(solution.problem.character, solution.clip, solution.held, gaze)


def targets_by_frame(solution: Solution) -> list[Target | None]:
    """What was to be faced at each frame of a motion; None before there was anything."""
    options = solution.problem.options
    source = FileTargets(solution.problem.targets, options.target_rate_hz or options.rate_hz, options.duration_s)
    newest, found = None, []
    for time in solution.clip.times:
        newest = next((one for one in reversed(source.poll(float(time))) if isinstance(one, Target)), newest)
        found.append(newest)
    return found


def gaze_of(end_point: EndPoint, targets: Sequence[Target | None], errors_rad: np.ndarray) -> Gaze:
    """Targets as a player shows them.

    Args:
        end_point: Who faces.
        targets: Of each frame; an orientation is shown as the way that it looks.
        errors_rad: Angle by which it was off [rad], [frame].
    """
    kinds, marks = np.full(len(targets), NOTHING), np.zeros((len(targets), 3))
    for n, target in enumerate(targets):
        if target is None:
            continue
        kinds[n] = DIRECTION if target.point is None else POINT
        if target.quaternion_wxyz is not None:
            turn = np.array(target.quaternion_wxyz)
            marks[n] = quaternions.rotate(turn, np.array(end_point.forward)).reshape(3)
        else:
            marks[n] = target.point or target.direction or ()
    return Gaze(end_point, kinds, marks, errors_rad)
