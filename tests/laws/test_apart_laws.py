"""Whatever the clip: bodies of what comes out are no deeper in one another than hulls are larger than bodies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline

from animato import fix
from animato.mechanics.collision import ALLOWED_DEPTH, deepest
from animato.mechanics.tree import states_of_clip
from animato.motion import Clip
from tests.apart_builders import two_arms

pytest.importorskip("coal")

FINER = 23  # moments of a step, none of them one at which anything was held


def wild(seed: int, size: float) -> Clip:
    """Both arms through random poses that begin and end apart; about half of these clips overlap."""
    names, rng = two_arms().coordinate_names, np.random.default_rng(seed)
    keys = size * rng.uniform(-1.0, 1.0, (5, len(names)))
    for name, sign in (("left_roll", 1.0), ("right_roll", -1.0)):  # toward one another
        keys[:, names.index(name)] = sign * size * rng.uniform(0.4, 1.0, 5)
    keys[[0, -1]] = 0.0
    times = np.linspace(0.0, 4.0, 101)
    return Clip(times, names, CubicSpline(np.linspace(0.0, 4.0, 5), keys, bc_type="clamped")(times))


@given(seed=st.integers(0, 10**6), size=st.floats(0.4, 1.2), slack=st.sampled_from([1.0, 0.3]))
@settings(max_examples=12, deadline=None)
def test_bodies_stay_apart(seed: int, size: float, slack: float) -> None:
    character, clip = two_arms(8.0 * slack, 150.0 * slack), wild(seed, size)
    solution = fix.solve(fix.build(character, clip))
    if not solution.outcome.usable:  # then it says so
        assert "No motion was found" in solution.outcome.reason
        return
    times = np.linspace(0.0, 4.0, FINER * 100 + 1)
    assert deepest(character, states_of_clip(character, solution.clip, times)).depth_mm <= 1000.0 * ALLOWED_DEPTH
    if not solution.changed:
        assert deepest(character, clip).depth_mm <= 1000.0 * ALLOWED_DEPTH
