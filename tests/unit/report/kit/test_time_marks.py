"""Cursors and dots of charts that go with a player."""

from __future__ import annotations

import json
import re

import numpy as np

from animato.report.kit import Axes, time_cursor, time_walker


def attribute(markup: str, name: str) -> str:
    found = re.search(rf'data-{name}="([^"]*)"', markup)
    assert found is not None, name
    return found[1]


def test_a_cursor_goes_by_time_unless_something_else_goes_across() -> None:
    axes = Axes(64, 20, 1000, 100, (0.0, 1.0), (0.0, 1.0))
    assert "data-times" not in time_cursor("film", axes)
    warped = time_cursor("film", axes, times=np.array([0.0, 0.5, 3.0]))
    assert json.loads(attribute(warped, "times")) == [0.0, 0.5, 3.0]
    assert attribute(warped, "cursor") == "film"


def test_a_dot_knows_where_it_is_when() -> None:
    dot = time_walker("film", np.array([1.04, 2.0]), np.array([5.0, 6.26]), np.array([0.0, 1.23456]))
    assert attribute(dot, "walker") == "film"
    assert json.loads(attribute(dot, "x")) == [1.0, 2.0]
    assert json.loads(attribute(dot, "y")) == [5.0, 6.3]
    assert json.loads(attribute(dot, "times")) == [0.0, 1.235]
