"""Where the timing matters most."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import OptionError
from animato.motion.stroke import Stroke
from animato.trace.sketch.accents import Accent, accents_of_pressure, parse_accent, with_accents
from animato.trace.sketch.sketch import build_sketch


def test_accents_are_read_as_people_write_them() -> None:
    assert parse_accent("0.4-0.5x8") == Accent(0.4, 0.5, 8.0)
    assert parse_accent(" 0 - 1 * .5 ") == Accent(0.0, 1.0, 0.5)


@pytest.mark.parametrize("text", ["", "0.4", "0.4-0.5", "a-bxc", "0.5-0.4x2", "0.5-0.5x2", "0-1.5x2", "-0.1-0.5x2"])
def test_what_is_no_accent_is_refused(text: str) -> None:
    with pytest.raises(OptionError):
        parse_accent(text)


def test_later_accents_count_and_the_sketch_stays() -> None:
    points = np.column_stack([np.linspace(0.0, 1.0, 11), np.zeros((11, 2))])
    sketch = build_sketch({"pen": Stroke(points, np.arange(11.0))})
    accented = with_accents(sketch, [Accent(0.0, 0.55, 3.0), Accent(0.45, 0.75, 7.0)])
    np.testing.assert_array_equal(accented.accents, [3, 3, 3, 3, 3, 7, 7, 7, 1, 1, 1])
    np.testing.assert_array_equal(sketch.accents, 1.0)
    np.testing.assert_array_equal(accented.positions, sketch.positions)


def test_pressure_is_an_accent() -> None:
    stroke = Stroke(np.zeros((3, 2)), None, np.array([0.0, 0.5, 1.0]))
    np.testing.assert_allclose(accents_of_pressure(stroke), [1.0, 3.0, 5.0])
    np.testing.assert_allclose(accents_of_pressure(Stroke(np.zeros((3, 2)))), 1.0)
    with pytest.raises(OptionError):
        accents_of_pressure(stroke, -1.0)
