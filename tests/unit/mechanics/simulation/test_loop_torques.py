"""Torques of rigid characters with loops, frame by frame."""

from __future__ import annotations

import numpy as np
import pytest

import animato as an
from animato.character import Body, Character, Frame, Joint
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


def spatial_four_bar(first: str) -> Character:
    """RSSR with a slender rod, drawn closed; with a universal joint as its first the rod cannot spin."""
    ball, far = np.array((0.3, 0.0, 0.0)), np.array((1.0, 0.0, 0.6))
    rod = float(np.linalg.norm(far - ball))
    angle = float(np.arctan2(-(far - ball)[2], (far - ball)[0]))
    turn = (float(np.cos(angle / 2)), 0.0, float(np.sin(angle / 2)), 0.0)
    bodies = (
        Body("base"),
        Body("crank", 1.0, (0.15, 0.0, 0.0), (0.01, 0.02, 0.02, 0.0, 0.0, 0.0)),
        Body("rod", 0.5, (rod / 2, 0.0, 0.0), (1e-9, 0.04, 0.04, 0.0, 0.0, 0.0)),
        Body("rocker", 2.0, (0.0, 0.0, 0.3), (0.06, 0.06, 0.01, 0.0, 0.0, 0.0)),
    )
    y, z = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    joints = (
        Joint("ground", "ground", "world", "base"),
        Joint("A", "revolute", "base", "crank", "actuated", axis=z),
        Joint("B", first, "crank", "rod", "passive", Frame(tuple(ball), turn), axis=y, second_axis=z),
        Joint("D", "revolute", "base", "rocker", "passive", Frame((1.0, 0.0, 0.0)), axis=y),
        Joint("C", "spherical", "rod", "rocker", "passive", Frame((rod, 0, 0)), Frame((0.0, 0.0, 0.6), turn)),
    )
    return Character("RSSR", bodies, joints)


def test_rods_that_spin_idly_load_no_motor() -> None:
    """The same torque as with a universal joint in place of a ball, which leaves no spin."""
    times = np.linspace(0.0, 1.0, 41)
    clip = Clip(times, ("A",), 0.4 * np.sin(4.0 * times)[:, None])
    held, idle = (loop_torques(spatial_four_bar(first), clip) for first in ("universal", "spherical"))
    assert np.abs(held.torques).max() > 0.5
    np.testing.assert_allclose(idle.torques, held.torques, atol=1e-6 * np.abs(held.torques).max())
