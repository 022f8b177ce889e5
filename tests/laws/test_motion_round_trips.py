"""A motion survives every round trip bit for bit, or says what it lost."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from animato.formats.capture.bvh import bvh_from_text
from animato.formats.capture.bvh_writer import bvh_text
from animato.formats.motion_files import load_motion, save_motion
from animato.motion.captured_motion import CapturedMotion
from animato.motion.clip import Clip
from animato.motion.marker_motion import MarkerMotion
from animato.motion.stroke import Stroke
from animato.spatial import quaternions

NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=64)
LENGTHS = st.floats(-100.0, 100.0)
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=12)


@st.composite
def rising(draw: st.DrawFn, count: int) -> np.ndarray:
    steps = draw(arrays(np.float64, count, elements=st.floats(1e-3, 10.0)))
    return np.cumsum(steps) - draw(st.floats(-5.0, 5.0))


@st.composite
def clips(draw: st.DrawFn) -> Clip:
    count = draw(st.integers(1, 5))
    names = tuple(draw(st.lists(NAMES, unique=True, max_size=4)))
    values = draw(arrays(np.float64, (count, len(names)), elements=NUMBERS))
    base = turns = None
    if draw(st.booleans()):
        base = draw(arrays(np.float64, (count, 3), elements=NUMBERS))
        vectors = draw(arrays(np.float64, (count, 3), elements=st.floats(-4.0, 4.0)))
        turns = quaternions.quaternion_from_rotation_vector(vectors)
    return Clip(draw(rising(count)), names, values, base, turns, draw(st.text(max_size=30).filter(_storable)))


def _storable(text: str) -> bool:
    return not text.endswith("\0") and "\0" not in text and text.encode("utf-8", "ignore").decode() == text


@st.composite
def captures(draw: st.DrawFn) -> CapturedMotion:
    frames, bones = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    parents = np.array([-1, *(draw(st.integers(-1, n - 1)) for n in range(1, bones))])
    vectors = draw(arrays(np.float64, (frames, bones, 3), elements=st.floats(-4.0, 4.0)))
    offsets = draw(arrays(np.float64, (bones, 3), elements=LENGTHS))
    slides = draw(st.none() | arrays(np.float64, (frames, bones, 3), elements=LENGTHS))
    turns = quaternions.quaternion_from_rotation_vector(vectors)
    names = tuple(f"bone{n}" for n in range(bones))
    return CapturedMotion(np.arange(frames) * draw(st.floats(0.001, 1.0)), names, parents, offsets, turns, slides)


@pytest.mark.parametrize("suffix", [".npz", ".csv"])
@given(clip=clips())
@settings(max_examples=80, deadline=None, derandomize=True)
def test_clips_come_back_bit_for_bit(suffix: str, clip: Clip) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"clip{suffix}"
        losses = save_motion(path, clip)
        again = load_motion(path)
    assert losses == ()
    assert isinstance(again, Clip)
    assert again.same_as(clip)
    assert again.source == clip.source


@pytest.mark.parametrize("suffix", [".npz", ".csv"])
@given(
    positions=arrays(np.float64, (3, 2, 3), elements=NUMBERS | st.just(np.nan)),
    points=arrays(np.float64, st.tuples(st.integers(1, 5), st.sampled_from([2, 3])), elements=NUMBERS),
)
@settings(max_examples=40, deadline=None, derandomize=True)
def test_markers_and_strokes_come_back_bit_for_bit(suffix: str, positions: np.ndarray, points: np.ndarray) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"points{suffix}"
        assert save_motion(path, MarkerMotion(np.arange(3.0), ("a", "b"), positions)) == ()
        markers = load_motion(path)
        assert save_motion(path, Stroke(points)) == ()
        stroke = load_motion(path)
    assert isinstance(markers, MarkerMotion)
    assert isinstance(stroke, Stroke)
    assert markers.positions.tobytes() == positions.tobytes()
    assert stroke.points.tobytes() == points.tobytes()


@given(capture=captures())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_captures_come_back_from_npz_bit_for_bit(capture: CapturedMotion) -> None:
    with TemporaryDirectory() as folder:
        assert save_motion(Path(folder) / "a.npz", capture) == ()
        again = load_motion(Path(folder) / "a.npz")
    assert isinstance(again, CapturedMotion)
    for name in ("times", "parents", "offsets", "rotations_wxyz", "translations"):
        one, two = getattr(again, name), getattr(capture, name)
        assert (one is None) == (two is None)
        assert one is None or one.tobytes() == two.tobytes()


@given(capture=captures(), up_axis=st.sampled_from(["y", "z"]))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_captures_come_back_from_bvh_in_the_same_pose_and_say_what_they_lost(
    capture: CapturedMotion, up_axis: str
) -> None:
    text, losses = bvh_text(capture, metres_per_unit=1.0, up_axis=up_axis)
    assert any("rounded" in loss for loss in losses)
    again = bvh_from_text(text, "a.bvh", metres_per_unit=1.0, up_axis=up_axis)
    order = [again.bone(name) for name in capture.names]
    (places, turns), (places_again, turns_again) = capture.world_poses(), again.world_poses()
    # 9 decimals of a degree, at the end of 5 bones of up to 170 m
    np.testing.assert_allclose(places_again[:, order], places, atol=1e-7)
    np.testing.assert_allclose(quaternions.angle_between(turns_again[:, order], turns), 0.0, atol=1e-7)
