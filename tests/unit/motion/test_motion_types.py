from __future__ import annotations

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.joint import Joint
from animato.character.landmarks import NamedPosture
from animato.errors import MotionError, UnknownNameError
from animato.motion.captured_motion import CapturedMotion
from animato.motion.clip import Clip
from animato.motion.marker_motion import MarkerMotion
from animato.motion.posture import Posture
from animato.motion.stroke import Stroke
from animato.spatial import quaternions

TIMES = np.linspace(0, 2, 81)


def test_a_clip_knows_its_derivatives() -> None:
    clip = Clip(TIMES, ("a", "b"), np.column_stack([TIMES**3, np.sin(TIMES)]))
    np.testing.assert_allclose(clip.velocity()[:, 0], 3 * TIMES**2, atol=1e-10)
    np.testing.assert_allclose(clip.acceleration()[:, 0], 6 * TIMES, atol=1e-9)
    np.testing.assert_allclose(clip.jerk()[:, 0], 6.0, atol=1e-7)
    np.testing.assert_allclose(clip.velocity([0.513])[0, 1], np.cos(0.513), atol=1e-6)
    assert clip.frame_count == 81
    assert clip.duration == 2.0


def test_one_frame_is_a_clip_that_stands_still() -> None:
    clip = Clip([3.0], ("a",), [[0.5]])
    np.testing.assert_array_equal(clip.velocity(), [[0.0]])
    np.testing.assert_array_equal(clip.jerk(), [[0.0]])


def test_a_clip_is_frozen_and_owns_its_numbers() -> None:
    values = np.zeros((2, 1))
    clip = Clip([0.0, 1.0], ("a",), values)
    values[:] = 9.0
    assert clip.positions.max() == 0.0
    with pytest.raises(ValueError, match="read-only"):
        clip.positions[0] = 1.0


def test_resampling_keeps_the_motion_and_unit_quaternions() -> None:
    turns = quaternions.quaternion_from_rotation_vector(np.column_stack([np.sin(TIMES), TIMES, TIMES**2]))
    flipped = turns * np.where(np.arange(81) % 2, -1.0, 1.0)[:, None]
    clip = Clip(TIMES, ("a",), np.sin(TIMES)[:, None], np.column_stack([TIMES] * 3), flipped)
    again = clip.resampled(np.linspace(0, 2, 161))
    np.testing.assert_allclose(np.linalg.norm(again.base_quaternions_wxyz, axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(quaternions.angle_between(again.base_quaternions_wxyz[::2], turns), 0.0, atol=1e-7)
    np.testing.assert_allclose(again.positions[1::2, 0], np.sin(again.times[1::2]), atol=1e-6)


def test_selecting_and_comparing() -> None:
    clip = Clip([0.0, 1.0], ("a", "b"), [[1.0, 2.0], [3.0, 4.0]])
    assert clip.selected(["b"]).positions.tolist() == [[2.0], [4.0]]
    assert clip.same_as(Clip([0.0, 1.0], ("a", "b"), clip.positions, source="elsewhere"))
    assert not clip.same_as(Clip([0.0, 1.0 + 1e-15], ("a", "b"), clip.positions + 1e-15))
    with pytest.raises(UnknownNameError, match="Coordinates: a, b"):
        clip.column("c")


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: Clip([], (), np.zeros((0, 0))), "empty"),
        (lambda: Clip([0.0, 0.0], ("a",), [[1], [2]]), "must rise; frame 1"),
        (lambda: Clip([0.0, 1.0], ("a",), [[1], [np.nan]]), "row 1 holds nan"),
        (lambda: Clip([0.0], ("a", "a"), [[1, 2]]), "'a' stands twice"),
        (lambda: Clip([0.0], ("a",), [[1, 2]]), "shape 1 x 1, not 1 x 2"),
        (lambda: Clip([0.0], ("a",), [["x"]]), "must be numbers"),
        (lambda: Clip([0.0], (), np.zeros((1, 0)), None, [[1, 1, 0, 0]]), "unit quaternions"),
        (lambda: Stroke([[1.0, 2.0, 3.0, 4.0]]), "rows of 2 or 3"),
        (lambda: Stroke(np.zeros((0, 2))), "0 rows"),
        (lambda: Stroke([[0.0, 0.0], [1.0, 0.0]], [1.0, 0.5]), "must rise"),
        (lambda: Stroke([[0.0, 0.0]], None, [1.5]), "0 to 1"),
        (lambda: MarkerMotion([0.0], ("a",), [[[0, np.inf, 0]]]), "finite"),
        (lambda: CapturedMotion([0.0], ("a",), [0], np.zeros((1, 3)), [[[1, 0, 0, 0]]]), "stands before it"),
    ],
)
def test_contradictions_are_named(build: object, words: str) -> None:
    with pytest.raises(MotionError, match=words):
        build()  # type: ignore[operator]


def test_markers_may_be_unseen() -> None:
    motion = MarkerMotion([0.0], ("nose",), [[[np.nan] * 3]])
    assert np.isnan(motion.marker("nose")).all()
    with pytest.raises(UnknownNameError, match="Did you mean 'nose'"):
        motion.marker("noes")


def test_bones_carry_their_children() -> None:
    quarter = quaternions.quaternion_about((0, 0, 1), np.pi / 2)
    still = np.array((1.0, 0, 0, 0))
    capture = CapturedMotion(
        [0.0], ("hip", "knee"), [-1, 0], [[0, 0, 1], [1, 0, 0]], [[quarter, still]], [[[5, 0, 1], [1, 0, 0]]]
    )
    positions, turns = capture.world_poses()
    np.testing.assert_allclose(positions[0, 1], (5, 1, 1), atol=1e-12)
    np.testing.assert_allclose(turns[0, 1], quarter, atol=1e-12)


def test_postures_come_from_the_character() -> None:
    joints = (
        Joint("stand", "ground", "world", "a"),
        Joint("j", "revolute", "a", "b"),
        Joint("s", "spherical", "a", "c"),
    )
    bodies = (Body("a"), Body("b"), Body("c"))
    character = Character("c", bodies, joints, postures=(NamedPosture("proud", (("j", 0.5),)),))
    posture = Posture.named(character, "proud")
    assert posture.value("j") == 0.5
    assert posture.value("s.qw") == 1.0
    assert posture.names == character.coordinate_names
