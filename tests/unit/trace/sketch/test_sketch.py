"""The sketch: arc length, pauses, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import MotionError
from animato.motion.stroke import Stroke
from animato.trace.sketch.sketch import Sketch, build_sketch


def line(xs: list[float], times: list[float] | None = None) -> Stroke:
    points = np.column_stack([xs, np.zeros(len(xs)), np.zeros(len(xs))])
    return Stroke(points, np.arange(len(xs), dtype=float) if times is None else np.array(times))


def test_arc_length_of_a_line_is_the_share_behind() -> None:
    sketch = build_sketch({"pen": line([0.0, 1.0, 4.0], [2.0, 3.0, 7.0])})
    assert sketch.length == pytest.approx(4.0, abs=1e-12)
    np.testing.assert_allclose(sketch.arc_length, [0.0, 0.25, 1.0], atol=1e-15)
    np.testing.assert_allclose(sketch.times, [0.0, 1.0, 5.0], atol=1e-15)
    np.testing.assert_allclose(sketch.t_of_s([0.0, 0.125, 0.25, 0.625, 1.0]), [0.0, 0.5, 1.0, 3.0, 5.0], atol=1e-12)
    np.testing.assert_allclose(sketch.x_of_s(0.5), [[2.0, 0.0, 0.0]], atol=1e-12)
    assert sketch.x_of_s(np.zeros((4, 5))).shape == (4, 5, 1, 3)


def test_a_circle_has_its_circumference() -> None:
    turn = np.linspace(0.0, 2.0 * np.pi, 20001)
    circle = Stroke(np.column_stack([np.cos(turn), np.sin(turn), 0.0 * turn]), turn)
    sketch = build_sketch({"pen": circle})
    assert sketch.length == pytest.approx(2.0 * np.pi, rel=1e-8)
    places = np.linspace(0.0, 1.0, 333)
    np.testing.assert_allclose(sketch.t_of_s(places), 2.0 * np.pi * places, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(sketch.x_of_s(places), axis=-1), 1.0, atol=1e-7)


def test_several_points_count_by_their_weights() -> None:
    strokes = {"left": line([0.0, 3.0]), "right": line([0.0, 4.0])}
    assert build_sketch(strokes).length == pytest.approx(5.0, abs=1e-12)
    assert build_sketch(strokes, weights={"right": 0.0}).length == pytest.approx(3.0, abs=1e-12)
    assert build_sketch(strokes, weights={"left": 4.0, "right": 0.0}).length == pytest.approx(6.0, abs=1e-12)


def test_strokes_with_other_times_are_brought_together() -> None:
    sketch = build_sketch({"a": line([0.0, 2.0], [0.0, 2.0]), "b": line([0.0, 1.0], [0.5, 1.0])})
    np.testing.assert_allclose(sketch.times, [0.0, 0.5, 1.0, 2.0], atol=1e-15)
    np.testing.assert_allclose(sketch.positions[:, 0, 0], [0.0, 0.5, 1.0, 2.0], atol=1e-15)
    np.testing.assert_allclose(sketch.positions[:, 1, 0], [0.0, 0.0, 1.0, 1.0], atol=1e-15)


def test_a_pause_is_a_jump_in_time_at_one_place() -> None:
    sketch = build_sketch({"pen": line([0.0, 1.0, 1.0, 1.0, 2.0])})
    (pause,) = sketch.pauses
    assert (pause.s, pause.start, pause.end, pause.duration) == (0.5, 1.0, 3.0, 2.0)
    np.testing.assert_allclose(sketch.t_of_s([0.25, 0.5 - 1e-12, 0.5, 0.75]), [0.5, 1.0, 3.0, 3.5], atol=1e-9)
    assert sketch.nodes.s.tolist() == [0.0, 0.5, 0.5, 1.0]


def test_pauses_at_the_ends() -> None:
    sketch = build_sketch({"pen": line([0.0, 0.0, 1.0, 1.0])})
    assert [(pause.s, pause.start, pause.end) for pause in sketch.pauses] == [(0.0, 0.0, 1.0), (1.0, 2.0, 3.0)]
    np.testing.assert_allclose(sketch.t_of_s([0.0, 0.5, 1.0]), [1.0, 1.5, 3.0], atol=1e-12)


def test_repeated_samples_of_a_coarse_tablet_are_one_and_no_pause() -> None:
    times = (0.01 * np.arange(7)).tolist()
    sketch = build_sketch({"pen": line([0.0, 1.0, 1.0, 1.0, 2.0, 3.0, 3.0], times)}, smooth_hz=0.0)
    assert sketch.pauses == ()
    np.testing.assert_allclose(sketch.nodes.s * 3.0, [0.0, 1.0, 2.0, 3.0], atol=1e-12)
    np.testing.assert_allclose(sketch.nodes.times, [0.0, 0.02, 0.04, 0.06], atol=1e-12)
    assert np.all(np.diff(sketch.nodes.times) > 0.0)


def test_standing_still_may_be_given_a_size() -> None:
    xs = [0.0, 1.0, 1.001, 0.999, 1.0, 2.0]
    assert build_sketch({"pen": line(xs)}, smooth_hz=0.0).pauses == ()
    assert len(build_sketch({"pen": line(xs)}, still_m=0.01, smooth_hz=0.0).pauses) == 1


def test_accents_follow_the_path() -> None:
    sketch = build_sketch({"pen": line([0.0, 1.0, 2.0])}, accents=[1.0, 3.0, 0.0])
    np.testing.assert_allclose(sketch.accent_of_s([0.0, 0.25, 0.5, 0.75, 1.0]), [1.0, 2.0, 3.0, 1.5, 0.0], atol=1e-12)


def test_scale_and_time_units_do_not_change_s() -> None:
    generator = np.random.default_rng(3)
    points = np.cumsum(generator.normal(size=(50, 3)), axis=0)
    times = np.cumsum(generator.uniform(0.1, 1.0, 50))
    one = build_sketch({"pen": Stroke(points, times)}, smooth_hz=0.0)
    other = build_sketch({"pen": Stroke(1000.0 * points, 1e-3 * times)}, smooth_hz=0.0)
    np.testing.assert_allclose(one.arc_length, other.arc_length, atol=1e-13)
    places = np.linspace(0.0, 1.0, 77)
    np.testing.assert_allclose(one.t_of_s(places), 1e3 * other.t_of_s(places), rtol=1e-9)


def test_noise_does_not_bend_the_clock() -> None:
    times = np.linspace(0.0, 10.0, 1251)
    clean = np.column_stack([np.cos(times**2 / 30.0), np.sin(times**2 / 30.0), 0.0 * times])
    shaky = clean + 1e-3 * np.random.default_rng(5).normal(size=clean.shape)
    places = np.linspace(0.0, 1.0, 201)
    true = build_sketch({"pen": Stroke(clean, times)}).t_of_s(places)
    smooth = build_sketch({"pen": Stroke(shaky, times)}).t_of_s(places)
    rough = build_sketch({"pen": Stroke(shaky, times)}, smooth_hz=0.0).t_of_s(places)
    # the hand is slowest at the start, where 1 mm of noise is most of a step
    assert np.sqrt(np.mean((rough - true) ** 2)) > 0.1
    assert np.sqrt(np.mean((smooth - true) ** 2)) < 0.05


@pytest.mark.parametrize(
    ("strokes", "words"),
    [
        ({}, "at least one point"),
        ({"pen": Stroke(np.zeros((3, 2)), np.arange(3.0))}, "flat"),
        ({"pen": Stroke(np.eye(3))}, "no times"),
        ({"pen": Stroke(np.zeros((1, 3)), np.zeros(1))}, "single point"),
        ({"pen": Stroke(np.ones((9, 3)), np.arange(9.0))}, "same place"),
    ],
)
def test_what_is_no_path_is_refused_in_words(strokes: dict[str, Stroke], words: str) -> None:
    with pytest.raises(MotionError, match=words):
        build_sketch(strokes)


def test_a_weight_needs_a_stroke() -> None:
    with pytest.raises(MotionError, match="'hand', but no stroke; strokes: pen"):
        build_sketch({"pen": line([0.0, 1.0])}, weights={"hand": 1.0})


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"times": [0.0, 2.0, 1.0]}, "must rise"),
        ({"positions": np.full((3, 1, 3), np.nan)}, "finite"),
        ({"weights": [-1.0]}, "not be negative"),
        ({"accents": [0.0, 0.0, 0.0]}, "not all zero"),
        ({"points": ()}, "at least one point"),
        ({"still_m": -1.0}, "0 m or a little more"),
    ],
)
def test_bad_arrays_are_refused(changed: dict[str, object], words: str) -> None:
    good = {"points": ("pen",), "positions": np.eye(3)[:, None], "times": [0.0, 1.0, 2.0]}
    assert Sketch(**good).length > 0.0  # type: ignore[arg-type]
    with pytest.raises(MotionError, match=words):
        Sketch(**{**good, **changed})  # type: ignore[arg-type]
