"""Weights of landmarks that a mapping states."""

from __future__ import annotations

import numpy as np

from animato.mimic.mapping import Mapping
from animato.mimic.problem import Emphasis, build


def test_weights_of_a_mapping_count_with_those_that_are_asked_for() -> None:
    problem = build(
        "pico",
        "person_wave",
        mapping=Mapping(weights=(("left_wrist", 3.0),)),
        emphasis=[Emphasis("left_wrist", 2.0)],
    )
    column = problem.landmarks.index("left_wrist")
    np.testing.assert_array_equal(problem.emphasis[:, column], 6.0)
    assert np.all(np.delete(problem.emphasis, column, axis=1) == 1.0)
