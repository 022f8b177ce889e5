"""What a solution of express looks like: the motion, the posture it holds, and what it faces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.character import EndPoint
from animato.express import Solution, Target
from animato.report.kit import DIRECTION, NOTHING, POINT, Film, Gaze
from animato.spatial import quaternions


def film_of(solution: Solution) -> Film:
    """The film of a solution."""
    end_point = watched(solution)
    gaze = gaze_of(end_point, [one.get(end_point.name) for one in solution.faced], solution.errors_rad)
    return Film(solution.problem.character, solution.clip, solution.held, gaze)


def watched(solution: Solution) -> EndPoint:
    """The most important end-point that ever had something to face; the errors of the frames are its own then."""
    end_points, names = solution.problem.end_points, {name for one in solution.faced for name in one}
    return next((one for one in end_points if one.name in names), end_points[0])


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
