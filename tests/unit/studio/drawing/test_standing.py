"""A robot that floats draws where the stage shows it."""

from __future__ import annotations

import numpy as np
import pytest

import animato as an
from animato.motion import Posture
from animato.spatial import quaternions
from animato.studio.drawing import Drawn, DrawnStroke, performed
from animato.studio.drawing.boards import found_board
from animato.studio.drawing.following import pose_arrays
from animato.studio.drawing.points import all_points, likely_point, point_for_page
from animato.studio.drawing.standing import as_traced
from animato.studio.watching import lift_of, moving


def test_what_is_shown_goes_along_what_was_drawn() -> None:
    pico = an.load_character("pico")
    board = found_board(pico, "left_hand")
    turn = np.linspace(0.0, 2.0 * np.pi, 60)
    circle = 0.3 * board.height * np.column_stack([np.cos(turn), np.sin(turn)])
    line = DrawnStroke("left_hand", board, circle, np.linspace(0.0, 2.0, 60), np.full(60, 0.5))
    clip = performed(pico, Drawn((line,)), None).clip
    assert clip is not None
    point, shown = point_for_page(pico, "left_hand"), moving(pico, clip)
    turns = shown.quaternions_wxyz[:, point["body"]]
    place = np.tile(point["place"], (len(turns), 1))
    path = shown.positions[:, point["body"]] + quaternions.rotate(turns, place)
    away = np.linalg.norm(path[:, None] - line.world.points[None], axis=-1).min(axis=1)
    assert away.max() < 0.1 * board.height


def test_a_live_pose_stands_where_a_motion_does() -> None:
    pico = an.load_character("pico")
    stand = Posture.named(pico, "stand")
    frame = an.Clip(np.array([0.0]), stand.names, stand.positions[None])
    poses = pose_arrays(pico, stand)["poses"]
    assert poses[:, :3] == pytest.approx(moving(pico, frame).positions[0], abs=1e-9)


def test_what_does_not_float_is_drawn_as_it_is() -> None:
    arm = an.load_character("arm6")
    board = found_board(arm, "pen")
    line = DrawnStroke("pen", board, np.array([[0.0, 0.0], [0.1, 0.0]]), np.array([0.0, 1.0]), np.array([0.5, 0.5]))
    drawn = Drawn((line,))
    assert not lift_of(arm).any() and as_traced(arm, drawn) is drawn


@pytest.mark.parametrize(("name", "wanted"), [("pico", "left_hand"), ("torso29", "left_hand"), ("lamp", "light")])
def test_a_newcomer_draws_with_a_hand(name: str, wanted: str) -> None:
    character = an.load_character(name)
    assert likely_point(character, [one["name"] for one in all_points(character)[0]]) == wanted


def test_no_point_is_no_name() -> None:
    assert likely_point(an.load_character("four_bar"), []) == ""
