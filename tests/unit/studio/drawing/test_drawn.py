"""Drawings as text, wishes within their ranges, and where the hand was quick."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from animato.errors import AnimatoError, OptionError
from animato.studio.drawing import Board, Drawn, DrawnStroke, DrawnWishes
from animato.studio.drawing.lines import sketch_of, without_grain
from animato.studio.drawing.lines.quick_moments import quick_moments
from animato.studio.drawing.page_clock import PageClock

BOARD = Board.from_values(
    {
        "kind": "view",
        "origin": [0.3, 0.1, 0.7],
        "right": [1.0, 2.0, 0.3],
        "up": [0.0, 0.1, 1.0],
        "width": 0.6,
        "height": 0.4,
    }
)


def stroke(seed: int = 0, count: int = 50) -> DrawnStroke:
    generator = np.random.default_rng(seed)
    times = np.cumsum(generator.uniform(0.004, 0.02, count))
    return DrawnStroke("pen", BOARD, generator.normal(size=(count, 2)), times, generator.uniform(0.0, 1.0, count))


@given(st.integers(0, 1000), st.integers(2, 80))
def test_a_file_gives_back_every_digit(seed: int, count: int) -> None:
    drawn = Drawn((stroke(seed, count), stroke(seed + 1, count)), DrawnWishes(beta=1 / 3, accents="quick"))
    text = json.dumps(drawn.for_file(lambda clip, suffix: suffix))
    back = Drawn.from_file(json.loads(text), lambda name: pytest.fail("no clips here"))
    assert json.dumps(back.for_file(lambda clip, suffix: suffix)) == text
    assert back.wishes == drawn.wishes
    for one, other in zip(drawn.strokes, back.strokes, strict=True):
        assert one.board == other.board
        for name in ("places", "times", "pressures"):
            assert np.array_equal(getattr(one, name), getattr(other, name))


def test_a_page_is_told_no_more_than_it_shows() -> None:
    shown = Drawn((stroke(0, 5000),)).for_page()
    assert len(json.dumps(shown)) < 20_000


@pytest.mark.parametrize(
    "broken",
    [{}, {"strokes": 3}, {"strokes": [{}]}, {"strokes": [{"point": "pen", "board": {}, "samples": [[0, 0, 0, 0]]}]}],
)
def test_files_that_say_no_drawing_are_refused(broken: dict[str, object]) -> None:
    with pytest.raises(AnimatoError):
        Drawn.from_file(broken, lambda name: pytest.fail("no clips here"))


@pytest.mark.parametrize(
    ("name", "value"),
    [("beta", -1.0), ("beta", None), ("alpha", "x"), ("tempo_lock", 1), ("accents", "loud"), ("duration_s", 0.0)],
)
def test_wishes_out_of_range_are_refused(name: str, value: object) -> None:
    with pytest.raises(OptionError, match=name):
        DrawnWishes().with_value(name, value)


def test_the_axes_of_a_board_are_made_straight() -> None:
    right, up = np.array(BOARD.right), np.array(BOARD.up)
    assert abs(right @ up) < 1e-12 and abs(np.linalg.norm(up) - 1.0) < 1e-12
    assert Board.from_values(BOARD.values()) == BOARD


def test_quick_moments_are_where_the_hand_is_fastest() -> None:
    times = np.linspace(0.0, 4.0, 400)
    speed = 0.1 + np.exp(-(((times - 1.0) / 0.15) ** 2)) + 0.8 * np.exp(-(((times - 2.6) / 0.15) ** 2))
    along = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1]) * np.diff(times))])
    found = quick_moments(times, np.column_stack([along, np.zeros(400)]))
    np.testing.assert_allclose(found, [1.0, 2.6], atol=0.02)
    even = np.column_stack([times, 0.0 * times])
    assert len(quick_moments(times, even)) == 0


def test_accents_count_at_quick_moments_alone() -> None:
    times = np.linspace(0.0, 2.0, 300)
    along = times + 0.3 * np.tanh((times - 1.0) / 0.1)
    one = DrawnStroke("pen", BOARD, np.column_stack([along, 0.1 * along]), times, np.full(300, 0.5))
    sketch = sketch_of(Drawn((one,), DrawnWishes(accents="quick", accent_weight=5.0)))
    loud = sketch.times[sketch.accents == 5.0]
    assert abs(loud.mean() - 1.0) < 0.03 and np.ptp(loud) < 0.3
    pressed = sketch_of(Drawn((one,), DrawnWishes(accents="pressed", accent_weight=5.0)))
    np.testing.assert_allclose(pressed.accents, 3.0)


def test_a_clock_is_set_by_the_quickest_message() -> None:
    clock = PageClock()
    for said, came in ((1.0, 11.5), (2.0, 12.1), (3.0, 13.4)):
        clock.hear(said, came)
    assert clock.offset == pytest.approx(10.1)
    clock.hear(0.2, 60.0)  # a page that was loaded anew
    assert clock.offset == pytest.approx(59.8)


@pytest.mark.parametrize("seed", range(4))
def test_whole_pixels_are_taken_for_the_line_that_was_meant(seed: int) -> None:
    generator = np.random.default_rng(seed)
    times = np.arange(400) * 0.008
    turns = generator.uniform(1.0, 6.0, (2, 3))
    meant = np.stack([np.sum([np.sin(rate * times + 1.0) for rate in axis], axis=0) for axis in turns], axis=1) * 0.1
    pixel = np.array([0.002, 0.003])
    rounded = np.round(meant / pixel) * pixel
    found = without_grain(times, rounded, pixel)
    assert np.abs(found - meant).mean() < 0.6 * np.abs(rounded - meant).mean()
    assert np.abs(np.diff(found, n=2, axis=0)).mean() < 0.3 * np.abs(np.diff(rounded, n=2, axis=0)).mean()
    assert without_grain(times, rounded, np.zeros(2)) is not None
    np.testing.assert_array_equal(without_grain(times, rounded, np.zeros(2)), rounded)


@pytest.mark.parametrize("seconds", [0.02, 0.09, 0.2, 0.28, 0.3, 0.31, 0.5, 3.0])
def test_lines_of_any_length_have_moments_inside(seconds: float) -> None:
    times = np.linspace(0.0, seconds, 40)
    places = np.column_stack([np.sin(20.0 * times / seconds), times])
    found = quick_moments(times, places)
    assert np.all((found >= 0.0) & (found <= seconds))
