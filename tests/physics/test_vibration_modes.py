"""Frequencies of a cantilever with a weight at its tip, with and without gravity, and how damping shows in them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character import (
    Body,
    Character,
    FlexiblePart,
    Frame,
    Interface,
    Joint,
    JointType,
    Material,
    Rod,
)
from animato.errors import OptionError
from animato.mechanics.simulation import System, build_system, solve_statics
from animato.mechanics.simulation.vibration import Modes, vibration_modes

STEEL = Material(7850.0, 2e11, 0.3)


def cantilever(material: Material = STEEL, *, gravity: float = 0.0) -> Character:
    """A rod of 70 cm and 4 mm with 100 g at its end, upright."""
    tip = Body("tip", mass=0.1, centre=(0.0, 0.0, 0.0), inertia=(8e-6, 8e-6, 8e-6, 0.0, 0.0, 0.0))
    ends = (Interface("base"), Interface("tip", frame_part=Frame((0.0, 0.0, 0.7))))
    return Character(
        "cantilever",
        (Body("base", mass=1.0, centre=(0.0, 0.0, 0.0), inertia=(1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0)), tip),
        (Joint("ground", JointType.GROUND, "world", "base"),),
        flexible_parts=(FlexiblePart("rod", Rod(0.002, 0.7), material, ends),),
        gravity=(0.0, 0.0, -gravity),
    )


def modes_of(character: Character, count: int = 6) -> tuple[System, Modes]:
    system = build_system(character, tracked=("tip",))
    rest = solve_statics(system, np.zeros(0))
    return system, vibration_modes(system, np.zeros(0), rest.u[0], rest.lam[0], count)


def test_frequencies_of_a_weight_on_a_rod_are_those_of_the_closed_form() -> None:
    _, modes = modes_of(cantilever())
    in_plane = modes.frequencies_hz[::2]
    assert in_plane == pytest.approx(modes.frequencies_hz[1::2], rel=1e-9)  # both planes alike
    assert in_plane[0] == pytest.approx(2.18734, rel=2e-5)
    assert in_plane[1] == pytest.approx(26.137, rel=5e-3)
    assert in_plane[2] == pytest.approx(81.897, rel=2e-2)
    assert np.abs(modes.damping_ratios).max() < 1e-12


def test_gravity_softens_what_stands_upright() -> None:
    _, modes = modes_of(cantilever(gravity=9.81), count=1)
    assert modes.frequencies_hz[0] == pytest.approx(2.0834, rel=1e-4)


def test_stiffness_damping_grows_with_frequency() -> None:
    beta = 1e-4
    _, modes = modes_of(cantilever(replace(STEEL, stiffness_damping=beta)), count=3)
    assert modes.damping_ratios == pytest.approx(np.pi * modes.frequencies_hz * beta, rel=1e-6)


def test_shapes_swing_back_by_themselves() -> None:
    system, modes = modes_of(cantilever(), count=2)
    assert modes.shapes.shape == (2, system.coordinate_count)
    assert "2.187 Hz" in repr(modes)
    with pytest.raises(OptionError, match="`count`"):
        vibration_modes(system, np.zeros(0), np.zeros(system.unknown_count), count=0)
