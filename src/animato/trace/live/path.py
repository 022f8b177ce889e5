"""The path of the joints along the part of a live stroke that is not committed yet."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.mechanics.tree import PointKinematics
from animato.spatial.basis import DEGREE, basis_rows, clamped_knots
from animato.trace.live.drawing import GrowingLine
from animato.trace.path import PULL, JointPath, PathProblem, descend, path_gram
from animato.trace.sketch import Sketch

FEWEST_PIECES = 4
_PLACES = 4  # of comparison a piece
_ITERATIONS = 6
_TOLERANCE = 1e-3
_SHORTENINGS = 24


class JointCourse(NamedTuple):
    """Where the joints are at a distance along the stroke, and how they go on from there.

    Attributes:
        q: Positions [rad or m], [n].
        dq: Their change with the distance [rad/m], [n].
        ddq: Its change with the distance [rad/m^2], [n].
        at_rest: Whether the robot rests there: the path may then turn any way.
    """

    q: np.ndarray
    dq: np.ndarray
    ddq: np.ndarray
    at_rest: bool


class TailFit(NamedTuple):
    """A path, and how far it is from what was drawn.

    Attributes:
        path: Over s from 0 to 1.
        deviation: Largest distance of a point from the drawing [m].
    """

    path: JointPath
    deviation: float


def fit_tail(
    kinematics: PointKinematics,
    line: GrowingLine,
    start: float,
    end: float,
    course: JointCourse,
    guess: np.ndarray,
    *,
    detail: float,
    square_lever: float,
    rest: np.ndarray,
) -> TailFit:
    """The path from one distance to another that is nearest to the drawing and goes on as the robot moves.

    Its first control point, or where the robot moves the first three, follow from the course: position, slope and
    curvature of the path are continuous. The others are fitted as in the geometric stage.

    Args:
        kinematics: Of the points.
        line: What is to be followed.
        start: Distance along it at which the path begins [m].
        end: Distance at which it ends [m].
        course: Of the joints at the start.
        guess: Joint positions from start to end, evenly, [k, n].
        detail: Length of the pieces of the path [m].
        square_lever: What joints move points by, squared [m^2/rad^2].
        rest: Posture that joints to spare keep, [n].
    """
    length = end - start
    pieces = max(FEWEST_PIECES, int(np.ceil(length / detail)))
    breaks = np.linspace(0.0, 1.0, pieces + 1)
    begin = _first_points(kinematics, course, length, breaks)
    knots = clamped_knots(breaks)
    count = len(knots) - DEGREE - 1
    lower, upper = (np.tile(bound, (count, 1)) for bound in (kinematics.lower, kinematics.upper))
    lower[: len(begin)] = upper[: len(begin)] = begin
    places = np.linspace(0.0, 1.0, _PLACES * pieces + 1)
    first, values = basis_rows(knots, places)
    targets = line.at(start + length * places)
    alpha, pull = square_lever * (detail / (2.0 * np.pi * length)) ** 4, PULL * square_lever
    share = np.full(len(places), 1.0 / (len(places) - 1))
    share[[0, -1]] *= 0.5
    problem = PathProblem(
        sketch=Sketch(
            tuple(p.name for p in kinematics.points), targets[[0, -1]].reshape(2, -1, 3) + _APART, np.arange(2.0)
        ),
        kinematics=kinematics,
        knots=knots,
        places=places,
        first=first,
        values=values,
        share=share,
        targets=targets,
        weight=np.ones(targets.shape[1]),
        alpha=alpha,
        pull=pull,
        gram=path_gram(knots, alpha, pull),
        lower=lower,
        upper=upper,
        seeds=rest[None],
        start_given=True,
        noise=0.0,
        automatic=False,
        epsilon=1.0,
    )
    where = np.array([np.mean(knots[i + 1 : i + 4]) for i in range(count)])
    even = np.linspace(0.0, 1.0, len(guess))
    points = np.column_stack([np.interp(where, even, column) for column in guess.T])
    fit = descend(problem, points, rest, iterations=_ITERATIONS, tolerance=_TOLERANCE)
    off = np.linalg.norm(fit.residuals.reshape(len(places), -1, 3), axis=2)
    return TailFit(JointPath(kinematics.names, knots, fit.control_points, kinematics.held), float(off.max()))


_APART = np.array([[[0.0]], [[1.0]]])  # the problem's sketch is for words only; its samples must differ


def _first_points(kinematics: PointKinematics, course: JointCourse, length: float, breaks: np.ndarray) -> np.ndarray:
    """The control points that the course decides, [1 or 3, n]; shortens the first pieces until they are in the limits.

    Between control points in the limits the path is so too. Those of long pieces may lie outside although the path
    does not; those of short ones approach the path itself.
    """
    if course.at_rest:
        return course.q[None]
    dq, ddq = course.dq * length, course.ddq * length**2
    for _ in range(_SHORTENINGS):
        one, two = breaks[1] - breaks[0], breaks[2] - breaks[1]
        near = course.q + one / 3.0 * dq
        far = near + (one + two) / 3.0 * (dq + 0.5 * one * ddq)
        points = np.stack([course.q, near, far])
        if np.all(points >= kinematics.lower - 1e-9) and np.all(points <= kinematics.upper + 1e-9):
            break
        breaks[1:3] *= 0.7
    return points
