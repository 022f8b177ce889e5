"""Torques of rigid characters with loops, frame by frame."""

from __future__ import annotations

import numpy as np
import pytest

import animato as an
from animato.errors import MechanismError
from animato.mechanics.simulation import IntegrationOptions, build_system, integrate, loop_torques
from animato.mechanics.tree import inverse_dynamics
from animato.motion import Clip
from tests.simulation_builders import chain, eased, heavy_five_bar, heavy_four_bar
from tests.tree_builders import random_clip


def test_without_loops_they_are_inverse_dynamics(rng: np.random.Generator) -> None:
    arm = an.load_character("arm6")
    clip = random_clip(rng, arm)
    found = loop_torques(arm, clip)
    known = inverse_dynamics(arm, clip)
    friction = [arm.joint(name).friction for name in found.names]
    assert not any(friction) or np.all(np.abs(clip.velocity()) > 0.05)
    np.testing.assert_allclose(found.torques, known.values, atol=1e-8)


def test_a_simulation_has_the_same_torques(rng: np.random.Generator) -> None:
    bar = heavy_four_bar(rng)
    step = 1e-3
    times = step * np.arange(401)
    motion = 2.0 * eased(times, 0.4)
    run = integrate(build_system(bar), motion[:, :, None], step, IntegrationOptions())
    found = loop_torques(bar, Clip(times, ("A",), motion[:, :1]))
    size = np.abs(found.torques).max()
    # Multipliers of index 3 ring for some dozen steps where the motion begins with a jerk, and then are of order two.
    np.testing.assert_allclose(run.torques, found.torques, atol=5e-3 * size)
    np.testing.assert_allclose(run.torques[100:], found.torques[100:], atol=2e-4 * size)
    assert len(found.closures) == 1
    assert found.closure_forces.max() > 1.0


def test_what_moves_freely_must_be_simulated() -> None:
    clip = Clip(np.linspace(0.0, 1.0, 5), ("joint 0",), np.zeros((5, 1)))
    with pytest.raises(MechanismError, match=r"leave 2 of its 2 passive .* Simulate"):
        loop_torques(chain(), clip)


def test_loops_that_cannot_close_say_when(rng: np.random.Generator) -> None:
    times = np.linspace(0.0, 1.0, 11)
    apart = Clip(times, ("A", "E"), np.stack([1.5 * times, -1.5 * times], axis=1))
    with pytest.raises(MechanismError, match=r"do not close at 0\.\d+ s|singular"):
        loop_torques(heavy_five_bar(rng), apart)
