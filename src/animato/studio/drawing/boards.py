"""A board where the robot can draw."""

from __future__ import annotations

import itertools

import numpy as np

from animato.character import Character
from animato.mechanics.tree import PointKinematics, build_point_kinematics
from animato.studio.drawing.lines import Board
from animato.studio.drawing.starting import by_freedom, led_to
from animato.studio.watching import lift_of
from animato.trace.sketch import Plane, parse_plane, with_body_points

_WAYS = ("-yz", "xz", "-yx")  # before the robot, beside it, a table
_WIDE = 1.5  # width over height
_LEVERS = 0.9  # of the joints: how wide it is at most
_SIZES = (1.0, 0.8, 0.6, 0.45, 0.3, 0.2, 0.1)  # of that, that are tried
_TRIED = 4  # postures
_ENOUGH = 0.6  # of the widest: no other place is looked for
_MISS = 0.004  # of its width by which a place of it may be missed
_AHEAD = (0.25, 0.0)  # of its width, before where a posture has the point


def found_board(character: Character, point: str) -> Board:
    """A board before the robot as it stands on the stage; see `_found`.

    Args:
        character: The robot.
        point: What draws.
    """
    return _found(character, point).moved(lift_of(character))


def provisional_board(character: Character, point: str) -> Board:
    """A board through the point in its most free posture; for as long as nothing better is found."""
    return _provisional(character, point).moved(lift_of(character))


def _found(character: Character, point: str) -> Board:
    """A board that the point reaches all over, near where postures have the point; before the robot if it can be."""
    robot = with_body_points(character, [point])
    starts = [build_point_kinematics(robot, [point], start=one) for one in by_freedom(robot, point)[:_TRIED]]
    widest = _widest(starts[0])
    best: tuple[float, np.ndarray, Plane] | None = None
    for axes, ahead, start in itertools.product(_WAYS, _AHEAD, starts):
        plane = parse_plane(axes)
        place = _place(start) - ahead * widest * (plane.normal if abs(plane.v[2]) > 0.5 else np.zeros(3))
        if abs(plane.u[1]) > 0.5 and place[0] <= 0.0:
            continue  # behind the robot
        for origin in (place * np.array([1.0, 0.0, 1.0]), place):
            width = _reached(start, origin, plane, widest)
            if best is None or width > best[0]:
                best = width, origin, plane
            if width >= _ENOUGH * widest:
                return _board(origin, plane, width)
    if best is None or best[0] == 0.0:
        return _provisional(character, point)
    return _board(best[1], best[2], best[0])


def _provisional(character: Character, point: str) -> Board:
    robot = with_body_points(character, [point])
    start = build_point_kinematics(robot, [point], start=by_freedom(robot, point)[0])
    return _board(_place(start), parse_plane(_WAYS[0]), 0.5 * _widest(start))


def _reached(start: PointKinematics, origin: np.ndarray, plane: Plane, widest: float) -> float:
    """How wide a board may be so that its edges and middle lines are reached [m]; 0 where none is."""
    if np.linalg.norm(origin - _place(start)) > widest:
        return 0.0
    for width in widest * np.array(_SIZES):
        x, y = np.meshgrid([-0.5, -0.25, 0.0, 0.25, 0.5], [-0.5, 0.0, 0.5])
        places = origin + width * (np.outer(x.ravel(), plane.u) + np.outer(y.ravel() / _WIDE, plane.v))
        if led_to(start, places[:, None])[0] <= _MISS * width:
            return float(width)
    return 0.0


def _place(start: PointKinematics) -> np.ndarray:
    return np.asarray(start.places(start.start[None])[0, 0])


def _widest(start: PointKinematics) -> float:
    return _LEVERS * float(np.sqrt(np.sum(start.jacobians(start.start[None])[1] ** 2) / 3.0))


def _board(origin: np.ndarray, plane: Plane, width: float) -> Board:
    places = {"origin": np.round(origin, 4).tolist(), "right": plane.u.tolist(), "up": plane.v.tolist()}
    return Board.from_values({"kind": "board", **places, "width": round(width, 4), "height": round(width / _WIDE, 4)})
