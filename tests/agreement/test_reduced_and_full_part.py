"""A reduced part in a character moves like the full part, and like itself held by its other end."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato import load_character, load_clip
from animato.character import Character, MaterialModel
from animato.mechanics.flexible.elements import Elements, build_elements
from animato.mechanics.flexible.full import ClampedBody, simulate_full, turning_base
from animato.mechanics.flexible.mesh import MeshOptions, build_part_mesh
from animato.mechanics.flexible.reduction import ReductionOptions, reduce_part
from animato.mechanics.simulation import Simulation, SimulationOptions, build_system, simulate
from animato.motion import Clip

STEP_S = 2e-3
OPTIONS = ReductionOptions(plane="xz", bent_modes=7)
AXIS = np.array([0.0, 0.0, 0.11])
"""Where the motor's axis is in the world [m]."""


@pytest.fixture(scope="module")
def character() -> Character:
    return load_character("rod")


@pytest.fixture(scope="module")
def clip(character: Character) -> Clip:
    """Up to where the ball swings back for the first time."""
    return load_clip("rod_swing", character).resampled(np.linspace(0.0, 0.8, 41))


def elements_of(character: Character, *, turned: bool = False) -> Elements:
    """The rod's, of a coarse mesh; `turned`: held by the ball."""
    (part,) = character.flexible_parts
    ends = part.interfaces[::-1] if turned else part.interfaces
    material = replace(part.material, model=MaterialModel.ST_VENANT_KIRCHHOFF)
    return build_elements(build_part_mesh(replace(part, material=material, interfaces=ends), MeshOptions(layers=8)))


def simulated(character: Character, clip: Clip, elements: Elements, options: ReductionOptions) -> Simulation:
    part = reduce_part(elements, options, keep=False)
    system = build_system(character, tracked=("ball",), parts={"rod": part})
    return simulate(character, clip, SimulationOptions(step_s=STEP_S, tracked=("ball",)), system=system)


@pytest.fixture(scope="module")
def reduced(character: Character, clip: Clip) -> Simulation:
    return simulated(character, clip, elements_of(character), OPTIONS)


def test_moves_like_the_full_part(character: Character, clip: Clip, reduced: Simulation) -> None:
    ball = ClampedBody("ball", 0.1, np.array([0.0, 0.0, 0.7]), 8e-6 * np.eye(3))
    motor = reduced.run.motors[:, :, 0].T
    full = simulate_full(elements_of(character), (ball,), motion=turning_base(reduced.times, *motor))
    found, expected = reduced.points[:, 0], full.body_centres[:, 0] + AXIS
    stiff = np.stack((0.7 * np.sin(motor[0]), 0.0 * motor[0], 0.7 * np.cos(motor[0])), axis=1) + AXIS
    assert np.linalg.norm(expected - stiff, axis=1).max() > 0.1  # it does swing
    # two integrators of different make at a coarse step; at 0.5 ms the two stay within 0.7 mm for all 4 s of the clip
    assert np.linalg.norm(found - expected, axis=1).max() < 2e-3


def test_the_reference_does_not_matter(character: Character, clip: Clip, reduced: Simulation) -> None:
    other = simulated(character, clip, elements_of(character, turned=True), OPTIONS)
    assert np.linalg.norm(other.points[:, 0] - reduced.points[:, 0], axis=1).max() < 1e-3


def test_small_shapes_alone_are_too_stiff(character: Character, clip: Clip, reduced: Simulation) -> None:
    """Negative control of both."""
    stiff = simulated(character, clip, elements_of(character), replace(OPTIONS, bent_modes=0))
    assert np.linalg.norm(stiff.points[:, 0] - reduced.points[:, 0], axis=1).max() > 0.02
