"""Strokes as JSON: what is written is read back, what is damaged is refused with its place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.errors import FileFormatError
from animato.formats.strokes.json_strokes import load_stroke_json, strokes_json_text
from animato.formats.strokes.reader import read_stroke, read_strokes
from animato.motion.stroke import Stroke


def write(folder: Path, text: str) -> Path:
    file = folder / "stroke.json"
    file.write_text(text, encoding="utf-8")
    return file


def test_round_trip_bit_for_bit(tmp_path: Path) -> None:
    generator = np.random.default_rng(1)
    strokes = {
        "pen": Stroke(
            generator.normal(size=(9, 2)), np.cumsum(generator.uniform(0.1, 1, 9)), generator.uniform(size=9)
        ),
        'left "hand"': Stroke(generator.normal(size=(4, 3))),
    }
    read = load_stroke_json(write(tmp_path, strokes_json_text(strokes, "made up")))
    assert list(read) == list(strokes)
    for name, stroke in strokes.items():
        np.testing.assert_array_equal(read[name].points, stroke.points)
        assert (read[name].times is None) == (stroke.times is None)
        if stroke.times is not None:
            np.testing.assert_array_equal(read[name].times, stroke.times)
            np.testing.assert_array_equal(read[name].pressure, stroke.pressure)
        assert read[name].source == "made up"


def test_units(tmp_path: Path) -> None:
    text = '{"unit": "mm", "time_unit": "ms", "points": [[0, 0], [10, 20]], "times": [0, 8]}'
    stroke = read_stroke(write(tmp_path, text))
    np.testing.assert_allclose(stroke.points[1], [0.01, 0.02], rtol=1e-15)
    np.testing.assert_allclose(stroke.times, [0.0, 0.008], rtol=1e-15)
    np.testing.assert_allclose(read_stroke(write(tmp_path, text), metres_per_unit=1.0).points[1], [10.0, 20.0])


def test_what_drawing_programs_write(tmp_path: Path) -> None:
    samples = '[{"x": 1, "y": 2, "t": 0, "pressure": 0.5}, {"x": 3, "y": 4, "t": 1, "pressure": 1}]'
    stroke = read_stroke(write(tmp_path, samples))
    np.testing.assert_array_equal(stroke.points, [[1, 2], [3, 4]])
    np.testing.assert_array_equal(stroke.pressure, [0.5, 1.0])
    np.testing.assert_array_equal(read_stroke(write(tmp_path, "[[1, 2, 3], [4, 5, 6]]")).points, [[1, 2, 3], [4, 5, 6]])
    several = read_strokes(write(tmp_path, '{"strokes": [[[0, 0], [1, 1]], {"points": [[0, 0], [1, 1]]}]}'))
    assert list(several) == ["stroke_1", "stroke_2"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "line 1: this is not JSON"),
        ('{\n"a":\n}', "line 3"),
        ("[" * 100_000, "not JSON|too deeply"),
        ("[]", "empty"),
        ("3", "needs 'points'"),
        ("{}", "needs 'points'"),
        ('{"strokes": {}}', "at least one stroke"),
        ('{"strokes": 3}', "at least one stroke"),
        ('{"strokes": {"pen": {"points": []}}}', "strokes.pen: 'points' must be"),
        ('{"strokes": {"pen": {"points": [[1, 2], [3]]}}}', "rows of equal length"),
        ('{"points": [["a", 2]]}', "must be numbers"),
        ('{"points": [[1, 2, 3, 4]]}', r"\[x, y\] or"),
        ('{"points": "M0,0"}', "list of numbers"),
        ('{"points": [[NaN, 0], [1, 1]]}', "finite"),
        ('{"points": [[1e999, 0], [1, 1]]}', "finite"),
        ('{"points": [[0, 0], [1, 1]], "times": [0, 0]}', "must rise"),
        ('{"points": [[0, 0], [1, 1]], "times": [1, 0]}', "must rise"),
        ('{"points": [[0, 0], [1, 1]], "times": [0]}', "equally long, not 2 points, 1 times"),
        ('{"points": [[0, 0], [1, 1]], "times": 3}', "'times' must be a list"),
        ('{"points": [[0, 0], [1, 1]], "pressure": [0, 2]}', "0 to 1"),
        ('{"unit": "inch", "points": [[0, 0]]}', "'unit' must be one of m, cm, mm, not 'inch'"),
        ('[{"x": 1, "y": 2}, {"x": 1}]', "sample 1 has no 'y'"),
        ('[{"a": 1}]', "points"),
    ],
)
def test_damage_is_said_in_words(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(FileFormatError, match=words):
        load_stroke_json(write(tmp_path, text))
