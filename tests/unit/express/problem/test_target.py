"""Targets and the lines that say them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from animato.errors import MotionError
from animato.express.problem.target import Target, as_target, parse_target


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("1 0 2", Target(point=(1.0, 0.0, 2.0))),
        (" 1, 0,\t2\n", Target(point=(1.0, 0.0, 2.0))),
        ("2 0 0 0", Target(quaternion_wxyz=(1.0, 0.0, 0.0, 0.0))),
        ('{"direction": [0, 0, 3]}', Target(direction=(0.0, 0.0, 1.0))),
        ('{"point": [1, 2, 3], "time_s": 0.5, "roll_rad": 1}', Target(point=(1, 2, 3), time_s=0.5, roll_rad=1.0)),
        ('{"quaternion_wxyz": [0, 3, 0, 4]}', Target(quaternion_wxyz=(0.0, 0.6, 0.0, 0.8))),
    ],
)
def test_lines_say_targets(line: str, target: Target) -> None:
    assert parse_target(line) == target


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "not 0"),
        ("1 2", "not 2"),
        ("1 2 3 4 5", "not 5"),
        ("north", "north"),
        ("1 2 nan", "finite"),
        ("inf 0 0 1", "finite"),
        ("0 0 0 0", "length"),
        ('{"direction": [0, 0, 0]}', "length"),
        ('{"point": [1, 2]}', "3 numbers"),
        ('{"point": [1, 2, NaN]}', "finite"),
        ('{"point": [1, 2, true]}', "3 numbers"),
        ('{"point": "far"}', "3 numbers"),
        ('{"point": null}', "exactly one"),
        ('{"point": 7}', "3 numbers"),
        ('{"point": [1, 2, [3]]}', "numbers"),
        ('{"point": [1, 2, 1' + "0" * 400 + "]}", "numbers"),
        ('{"pointt": [1, 2, 3]}', "point"),
        ('{"point": [1, 2, 3], "direction": [1, 0, 0]}', "exactly one"),
        ('{"point": [1, 2, 3], "time_s": "soon"}', "time_s"),
        ('{"quaternion_wxyz": [1, 0, 0, 0], "roll_rad": 1}', "roll"),
        ('{"point": [1, 2', "JSON"),
        ('{"a":' * 100_000, "JSON"),
        ("1" * 400 + " 0 0", "finite"),
        ('{"direction": [1e308, 1e308, 1e308]}', "1e\\+100"),
    ],
)
def test_bad_lines_are_told_clearly(line: str, words: str) -> None:
    with pytest.raises(MotionError, match=words) as caught:
        parse_target(line)
    assert len(str(caught.value)) < 400


def test_arrays_are_targets_too() -> None:
    assert as_target(np.array([1.0, 2.0, 3.0])).point == (1.0, 2.0, 3.0)
    assert math.isclose(math.hypot(*(as_target(np.ones(4)).quaternion_wxyz or ())), 1.0)
    with pytest.raises(MotionError, match="numbers"):
        as_target(None)


def test_who_leaves_the_roll_open() -> None:
    assert Target(point=(1, 0, 0)).any_roll
    assert Target(direction=(1, 0, 0)).any_roll
    assert not Target(direction=(1, 0, 0), roll_rad=0.0).any_roll
    assert not Target(quaternion_wxyz=(1, 0, 0, 0)).any_roll
