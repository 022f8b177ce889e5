"""From a stroke file to a sketch in the robot's world."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.errors import AnimatoError, MotionError, OptionError, UnknownNameError
from animato.formats.character_files import load_character
from animato.formats.motion_files import save_motion
from animato.mechanics.tree.kinematics.points import build_point_kinematics
from animato.motion.marker_motion import MarkerMotion
from animato.motion.posture import Posture
from animato.trace.sketch.loading import load_strokes


def test_a_flat_stroke_is_put_before_the_robot() -> None:
    sketch = load_strokes("hello", load_character("arm6"), start="board")
    assert sketch.points == ("pen",)
    assert sketch.length == pytest.approx(3.68, rel=1e-3)
    assert np.ptp(sketch.positions[..., 0]) < 1e-12  # on a board that faces the robot
    assert sketch.duration == pytest.approx(12.13, abs=1e-9)


def test_a_planar_robot_gets_the_plane_it_has() -> None:
    sketch = load_strokes("hello", load_character("planar_arm"), size_m=4.0)
    assert np.ptp(sketch.positions[..., 1]) < 1e-12
    assert np.ptp(sketch.positions[..., 0]) == pytest.approx(4.0, rel=0.01)


def test_a_stated_plane_is_taken_as_it_is() -> None:
    sketch = load_strokes("hello", load_character("arm6"), plane="-yz at 0.5,0.1,0.6 scale 0.5")
    middle = 0.5 * (sketch.positions.min(axis=0) + sketch.positions.max(axis=0))
    np.testing.assert_allclose(middle, [[0.5, 0.1, 0.6]], atol=1e-9)
    assert sketch.length == pytest.approx(1.84, rel=1e-3)


def test_strokes_in_space_go_to_the_points_they_name() -> None:
    sketch = load_strokes("golf", load_character("torso29"))
    assert sketch.points == ("left_hand", "right_hand", "head", "pelvis")
    one = load_strokes("golf", load_character("torso29"), point="right_hand")
    assert one.points == ("right_hand",)


def test_drawings_without_times_get_some(tmp_path: Path) -> None:
    (tmp_path / "line.csv").write_text("x,y\n0,0\n0.2,0\n0.2,0.2\n")
    arm = load_character("arm6")
    place = "-yz at 0.6,0,0.6"
    assert load_strokes(tmp_path / "line.csv", arm, plane=place, drawn_in_s=3.0).duration == pytest.approx(3.0)
    steady = load_strokes(tmp_path / "line.csv", arm, plane=place, law="constant", drawn_in_s=2.0)
    np.testing.assert_allclose(steady.t_of_s([0.25, 0.5, 0.75]), [0.5, 1.0, 1.5], atol=0.02)
    slower = load_strokes("hello", arm, plane=place, drawn_in_s=24.26)
    assert slower.duration == pytest.approx(24.26)


def test_accents() -> None:
    sketch = load_strokes("hammer", load_character("planar_arm"), accents=("0.1-0.2x8",))
    np.testing.assert_allclose(sketch.accent_of_s([0.05, 0.15, 0.3]), [1.0, 8.0, 1.0])


def test_a_capture_starts_where_the_posture_is(tmp_path: Path) -> None:
    character = load_character("torso29")
    points = ["left_hand", "right_hand", "pelvis"]
    place = build_point_kinematics(character, points, start=Posture.named(character, "address"))
    own = place.places(place.start[None])[0]
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    walk = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 1.0, 0.0]])
    moved = 2.0 * own @ turn.T + [5.0, 6.0, 7.0] + walk[:, None]
    moved[:, 0] += np.array([0.0, 0.2, 0.4])[:, None]
    save_motion(tmp_path / "walk.npz", MarkerMotion(np.arange(3.0), ("l", "r", "p"), moved))
    bones = {"left_hand": "l", "right_hand": "r", "pelvis": "p"}
    sketch = load_strokes(tmp_path / "walk.npz", character, bones=bones, start="address", anchor="pelvis")
    np.testing.assert_allclose(sketch.positions[0], own, atol=1e-9)
    np.testing.assert_allclose(sketch.positions[:, 1:], np.tile(own[1:], (3, 1, 1)), atol=1e-9)
    assert np.linalg.norm(sketch.positions[2, 0] - own[0]) == pytest.approx(0.2 * np.sqrt(3.0), rel=1e-9)


@pytest.mark.parametrize(
    ("robot", "stroke", "options", "error", "words"),
    [
        ("arm6", "golf", {}, MotionError, "Which point of 'arm6'"),
        ("torso29", "golf", {"point": "crown"}, MotionError, "holds 4 strokes"),
        ("torso29", "golf", {"plane": "xz"}, OptionError, "in space already"),
        ("arm6", "hello", {"plane": "xz", "size_m": 1.0}, OptionError, "begin with 'fitted'"),
        ("arm6", "hello", {"plane": "fitted xq"}, OptionError, "not a plane"),
        ("arm6", "hello", {"point": "pencil"}, UnknownNameError, "pencil"),
        ("arm6", "hello", {"start": "bored"}, UnknownNameError, "'board'"),
        ("arm6", "hello", {"accents": ("half",)}, OptionError, "not an accent"),
        ("arm6", "hello", {"accents": ("0.5-0.4x2",)}, OptionError, "later one"),
        ("arm6", "hello", {"anchor": "pen"}, OptionError, "anchor"),
    ],
)
def test_mistakes_are_said_in_words(
    robot: str, stroke: str, options: dict[str, object], error: type[AnimatoError], words: str
) -> None:
    with pytest.raises(error, match=words):
        load_strokes(stroke, load_character(robot), **options)  # type: ignore[arg-type]


SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><path d="M0 0H40V40H0Z"/>{more}</svg>'


@pytest.mark.parametrize("more", ["", '<circle cx="20" cy="20" r="4"/>'])
def test_a_drawing_without_times_keeps_its_corners_and_small_circles(tmp_path: Path, more: str) -> None:
    (tmp_path / "square.svg").write_text(SQUARE.format(more=more))
    sketch = load_strokes(tmp_path / "square.svg", "arm6", plane="-yz at 0.7,0,0.7", metres_per_unit=0.001)
    corners = np.array([[0.7, y, z] for y in (-0.02, 0.02) for z in (0.68, 0.72)])
    off = np.linalg.norm(sketch.positions[:, 0] - corners[:, None], axis=2).min(axis=1)
    assert off.max() < 2e-4
    if more:
        circle = sketch.positions[np.flatnonzero(sketch.in_air)[-1] + 1 :, 0, 1:] - [0.0, 0.7]
        assert np.ptp(np.linalg.norm(circle, axis=1)) < 1e-5


def test_the_speed_of_a_hand_is_that_on_the_board(tmp_path: Path) -> None:
    (tmp_path / "square.svg").write_text(SQUARE.format(more=""))
    sizes = {
        scale: load_strokes(
            tmp_path / "square.svg", "arm6", plane=f"-yz at 0.7,0,0.7 scale {scale}", metres_per_unit=0.001
        )
        for scale in (1, 5)
    }
    assert sizes[1].length / sizes[1].duration == pytest.approx(0.3, rel=1e-3)
    assert sizes[5].length / sizes[5].duration == pytest.approx(0.3, rel=1e-3)
    said = load_strokes(tmp_path / "square.svg", "arm6", plane="-yz at 0.7,0,0.7 scale 2", drawn_in_s=3.0)
    assert said.duration == pytest.approx(3.0)


def test_doubts_of_the_reader_reach_the_sketch(tmp_path: Path) -> None:
    rows = "\n".join(f"{8 * k},{2 * k},{k % 7}" for k in range(60))
    (tmp_path / "a.csv").write_text(f"time,x,y\n{rows}\n")
    large, late = load_strokes(tmp_path / "a.csv", "arm6", plane="-yz at 0.7,0,0.7").notes
    assert "118 m large" in large and "milliseconds?" in late


@pytest.mark.parametrize("wrong", [0.0, -1.0, float("nan"), float("inf")])
def test_a_drawing_takes_some_time(wrong: float) -> None:
    with pytest.raises(OptionError, match="`drawn_in_s` is a time above 0 s"):
        load_strokes("hello", "arm6", plane="-yz at 0.7,0,0.7", drawn_in_s=wrong)


def test_points_are_read_as_people_write_them() -> None:
    assert load_strokes("hello", "arm6", plane="-yz at 0.7,0,0.7", point=" pen ").points == ("pen",)
    for text in ("forearm at", "forearm at 0.1,0", "forearm@1,2,x"):
        with pytest.raises(OptionError, match="three numbers in metres"):
            load_strokes("hello", "arm6", plane="-yz at 0.7,0,0.7", point=text)
