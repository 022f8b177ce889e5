"""Flat strokes on boards in the world."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import MotionError, OptionError
from animato.formats.character_files import load_character
from animato.formats.strokes.reader import read_stroke
from animato.mechanics.tree.points import build_point_kinematics
from animato.motion.posture import Posture
from animato.motion.stroke import Stroke
from animato.trace.sketch.plane import Plane, parse_plane, placed
from animato.trace.sketch.reach import misses, step_towards
from animato.trace.sketch.reach_fitting import fitted_plane

SQUARE = Stroke(np.array([[1.0, 1.0], [3.0, 1.0], [3.0, 2.0]]), np.arange(3.0), np.array([0.1, 0.2, 0.3]), "mine")


def test_without_a_place_coordinates_stay() -> None:
    stroke = placed(SQUARE, parse_plane("xz"))
    np.testing.assert_allclose(stroke.points, [[1, 0, 1], [3, 0, 1], [3, 0, 2]], atol=1e-15)
    assert stroke.source == "mine" and stroke.times is not None and stroke.pressure is not None


def test_with_a_place_the_middle_goes_there() -> None:
    points = placed(SQUARE, parse_plane("-yz at 0.5, 0, 0.6 scale 2")).points
    np.testing.assert_allclose(points[:, 0], 0.5, atol=1e-15)
    np.testing.assert_allclose(points[:, 1], [2.0, -2.0, -2.0], atol=1e-15)
    np.testing.assert_allclose(points[:, 2], [-0.4, -0.4, 1.6], atol=1e-15)


def test_turn_and_mirror() -> None:
    turned = placed(SQUARE, parse_plane("xz turn 90")).points
    np.testing.assert_allclose(turned, [[-1, 0, 1], [-1, 0, 3], [-2, 0, 3]], atol=1e-12)
    mirrored = placed(SQUARE, parse_plane("xz mirror")).points
    np.testing.assert_allclose(mirrored, [[1, 0, -1], [3, 0, -1], [3, 0, -2]], atol=1e-12)


def test_lengths_scale_and_angles_stay() -> None:
    generator = np.random.default_rng(2)
    flat = Stroke(generator.normal(size=(40, 2)))
    u = generator.normal(size=3)
    v = np.cross(u, generator.normal(size=3))
    plane = Plane(generator.normal(size=3), u / np.linalg.norm(u), v / np.linalg.norm(v), 3.0, 0.7, True, True)
    there = placed(flat, plane)
    assert there.length == pytest.approx(3.0 * flat.length, rel=1e-12)
    np.testing.assert_allclose((there.points - plane.origin) @ plane.normal, 0.0, atol=1e-12)


@pytest.mark.parametrize(
    "text",
    ["", "xx", "x-x", "ab", "xz at 1,2", "xz at 1,2,nan", "xz scale", "xz scale 0", "xz scale -1", "xz x", "xz\0"],
)
def test_what_is_no_plane_is_refused_in_words(text: str) -> None:
    with pytest.raises(OptionError):
        parse_plane(text)


def test_bad_vectors_and_strokes_are_refused() -> None:
    with pytest.raises(OptionError, match="right angle"):
        Plane(np.zeros(3), np.array([1.0, 0.0, 0.0]), np.array([1.0, 0.0, 0.0]))
    with pytest.raises(OptionError, match="3 finite numbers"):
        Plane(np.zeros(2), np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]))
    with pytest.raises(MotionError, match="in space already"):
        placed(Stroke(np.eye(3)), parse_plane("xz"))


@pytest.mark.parametrize(
    ("robot", "posture", "text", "scale"),
    [
        ("arm6", "board", "-yz", 1.0),
        ("arm6", "board", "-yz at 0.6,0,0.7", 1.0),
        ("planar_arm", "ready", "xz scale 5", 5.0),
    ],
)
def test_hello_fits_at_its_size_and_can_be_followed(robot: str, posture: str, text: str, scale: float) -> None:
    character = load_character(robot)
    stroke, plane = read_stroke("hello"), parse_plane(text)
    start = Posture.named(character, posture)
    found = fitted_plane(character, "pen", stroke, plane, start=start)
    assert found.scale == scale
    if plane.centred:
        np.testing.assert_array_equal(found.origin, plane.origin)
    targets = found.to_world(stroke.points)[::4, None]
    points = build_point_kinematics(character, ["pen"], start=start)
    q = np.tile(points.start, (len(targets), 1))
    for _ in range(200):
        q = step_towards(points, q, targets, damping=1e-4)
    assert misses(points, q, targets).max() < 1e-3 * scale


def test_too_large_a_drawing_is_made_smaller_and_too_far_a_place_refused() -> None:
    character, stroke = load_character("planar_arm"), read_stroke("hello")
    large = fitted_plane(character, "pen", stroke, parse_plane("xz scale 100"))
    assert 5.0 < large.scale < 16.0  # the arm reaches over 12 m, the word is 0.7 m wide
    sized = fitted_plane(character, "pen", stroke, parse_plane("xz"), size=3.0)
    assert np.ptp(sized.to_world(stroke.points)[:, 0]) == pytest.approx(3.0, rel=2e-2)
    with pytest.raises(MotionError, match="'pen' of 'planar_arm' cannot follow"):
        fitted_plane(character, "pen", stroke, parse_plane("xz at 50,0,0"))
    with pytest.raises(MotionError, match="cannot follow"):
        fitted_plane(character, "pen", stroke, parse_plane("xy"))
