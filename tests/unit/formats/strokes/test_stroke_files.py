"""Strokes by name and by suffix, and the strokes that come with animato."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.errors import AnimatoError, FileFormatError, MotionError, OptionError, UnknownNameError
from animato.formats.character_files import load_character
from animato.formats.motion_files import load_motion, save_motion
from animato.formats.strokes.reader import read_stroke, read_strokes, shipped_strokes
from animato.mechanics.tree.points import build_point_kinematics
from animato.motion.captured_motion import CapturedMotion
from animato.motion.captured_strokes import stroke_from_capture
from animato.motion.clip import Clip
from animato.motion.marker_motion import MarkerMotion
from animato.motion.posture import Posture
from animato.motion.stroke import Stroke
from animato.trace.sketch.captured_strokes import golf_from_capture
from animato.trace.sketch.reach import step_towards


def test_hello_is_as_long_as_it_should_be() -> None:
    hello = read_stroke("hello")
    assert hello.times is not None and hello.points.shape == (1517, 2)
    assert hello.length == pytest.approx(3.68, abs=1e-5)  # coordinates are rounded to a tenth of a micrometre
    assert hello.times[0] == 0.0 and hello.times[-1] == 12.13
    np.testing.assert_allclose(np.diff(hello.times), 0.008, rtol=3e-4)
    speed = np.linalg.norm(np.diff(hello.points, axis=0), axis=1) / np.diff(hello.times)
    assert 0.4 < speed.max() < 0.8 and speed[0] < 0.1 and speed[-1] < 0.1


def test_the_hammer_falls_fast_and_turns_at_once() -> None:
    hammer = read_stroke("hammer")
    assert hammer.times is not None
    velocity = np.diff(hammer.points[:, 2]) / np.diff(hammer.times)
    lows = np.flatnonzero((velocity[:-1] < 0.0) & (velocity[1:] > 0.0) & (hammer.points[1:-1, 2] < 1.0))
    assert len(lows) == 3
    np.testing.assert_allclose(hammer.points[lows + 1, 2], 0.6, atol=1e-6)
    for low in lows:  # from the fastest fall to the fastest rise within one sample
        assert velocity[low] < -8.0 and velocity[low + 1] > 3.0
    np.testing.assert_array_equal(hammer.points[:, 1], 0.0)


@pytest.mark.parametrize(
    ("name", "robot", "posture"),
    [("golf", "torso29", "address"), ("hammer", "planar_arm", "ready"), ("flourish", "planar_arm", "ready")],
)
def test_shipped_strokes_are_within_reach(name: str, robot: str, posture: str) -> None:
    strokes, character = read_strokes(name), load_character(robot)
    points = build_point_kinematics(character, list(strokes), start=Posture.named(character, posture))
    path = np.stack([stroke.points for stroke in strokes.values()], axis=1)
    q, worst = points.start[None], 0.0
    for index, place in enumerate(path[::2]):
        for _ in range(60 if index == 0 else 8):
            q = step_towards(points, q, place[None], damping=1e-4)
        worst = max(worst, float(np.linalg.norm(points.places(q)[0] - place, axis=-1).max()))
    assert worst < 3e-3


def test_the_golf_swing_is_slow_back_and_fast_down() -> None:
    strokes = read_strokes("golf")
    assert list(strokes) == ["left_hand", "right_hand", "head", "pelvis"]
    hand = strokes["left_hand"]
    assert hand.times is not None
    speed = np.linalg.norm(np.diff(hand.points, axis=0), axis=1) / np.diff(hand.times)
    top = int(np.argmax(hand.points[: len(hand.points) // 2 + 20, 2]))
    assert 1.0 < hand.times[top] < 1.4
    assert speed[:top].max() < 0.45 * speed[top:].max() and speed.max() > 4.0
    gap = np.linalg.norm(hand.points - strokes["right_hand"].points, axis=1)
    np.testing.assert_allclose(gap, 0.09, atol=1e-6)


def test_csv_npz_and_trc_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x [mm],y [mm],time [ms],pressure\n0,0,0,0.5\n10,20,8,1\n")
    stroke = read_stroke(tmp_path / "a.csv")
    np.testing.assert_allclose(stroke.points[1], [0.01, 0.02], rtol=1e-15)
    save_motion(tmp_path / "a.npz", stroke)
    np.testing.assert_array_equal(read_stroke(tmp_path / "a.npz").points, stroke.points)
    gap = np.full((3, 2, 3), 1.0)
    gap[1, 0] = np.nan
    gap[2, 0] = 3.0
    save_motion(tmp_path / "m.npz", MarkerMotion(np.arange(3.0) + 5.0, ("hand", "foot"), gap))
    strokes = read_strokes(tmp_path / "m.npz", bones={"pen": "hand"})
    np.testing.assert_allclose(strokes["pen"].points[:, 0], [1.0, 2.0, 3.0])
    np.testing.assert_allclose(strokes["pen"].times, [0.0, 1.0, 2.0])
    with pytest.raises(MotionError, match="holds 2 strokes; name one of them: hand, foot"):
        read_stroke(tmp_path / "m.npz")
    with pytest.raises(UnknownNameError, match="Marker 'nose'"):
        read_strokes(tmp_path / "m.npz", bones={"pen": "nose"})


def test_a_bone_of_a_skeleton_moves_through_the_world() -> None:
    half = np.sqrt(0.5)
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (2, 2, 1))
    turns[1, 0] = [half, 0.0, 0.0, half]
    offsets = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    capture = CapturedMotion(np.array([0.0, 1.0]), ("root", "hand"), np.array([-1, 0]), offsets, turns, None, "test")
    stroke = stroke_from_capture(capture, "hand")
    np.testing.assert_allclose(stroke.points, [[1, 0, 1], [0, 1, 1]], atol=1e-12)


def test_a_captured_golf_swing_comes_within_reach(shared_data: Path) -> None:
    capture = load_motion(shared_data / "clips" / "63_01.bvh", first_frame=1)
    assert isinstance(capture, CapturedMotion)
    character = load_character("torso29")
    strokes = golf_from_capture(capture, character)
    points = build_point_kinematics(character, list(strokes), start=Posture.named(character, "address"))
    path = np.stack([stroke.points for stroke in strokes.values()], axis=1)
    q, missed = points.start[None], []
    for place in path[::4]:
        for _ in range(10):
            q = step_towards(points, q, place[None], damping=1e-4)
        missed.append(np.linalg.norm(points.places(q)[0] - place, axis=-1))
    worst = dict(zip(strokes, np.max(missed, axis=0), strict=True))
    assert worst["left_hand"] < 0.01 and worst["right_hand"] < 0.01 and worst["crown"] < 0.01
    assert worst["pelvis"] < 0.025  # the column does not bend as legs do


@pytest.mark.parametrize(
    ("given", "options", "error", "words"),
    [
        ("helo", {}, UnknownNameError, "Did you mean 'hello'\\? Strokes: flourish, golf"),
        ("no.json", {}, FileFormatError, "no such file"),
        ("no.txt", {}, FileFormatError, "'.txt' are not known as strokes"),
        ("hello", {"join": True}, OptionError, "`join` does not exist for .json"),
        ("hello", {"bones": {"a": "b"}}, OptionError, "those of a capture"),
        ("golf", {"name": "nose"}, UnknownNameError, "Stroke 'nose'"),
    ],
)
def test_mistakes_are_said_in_words(
    given: str, options: dict[str, object], error: type[AnimatoError], words: str
) -> None:
    with pytest.raises(error, match=words):
        read_stroke(given, **options)  # type: ignore[arg-type]


def test_a_folder_and_a_clip_are_no_strokes(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="folder"):
        read_strokes(tmp_path)
    save_motion(tmp_path / "clip.npz", Clip(np.zeros(1), ("neck",), np.zeros((1, 1))))
    with pytest.raises(FileFormatError, match="a clip, not a stroke"):
        read_strokes(tmp_path / "clip.npz")
    assert shipped_strokes() == ("flourish", "golf", "hammer", "hello")
    assert isinstance(read_stroke("flourish"), Stroke)
