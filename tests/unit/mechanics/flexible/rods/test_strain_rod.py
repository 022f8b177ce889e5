"""Rods as chains of hinges: sections, masses, and the exactness of what is summed over links."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character import Bar, Rod
from animato.mechanics.flexible.rods import RodOptions, build_strain_rod, rectangle_torsion, section_of
from tests.rod_builders import STEEL


def test_torsion_of_rectangles() -> None:
    """Timoshenko's table of J / (a b^3)."""
    for ratio, known in ((1.0, 0.1406), (2.0, 0.2287), (4.0, 0.2808), (10.0, 0.3123)):
        assert rectangle_torsion(ratio, 1.0) / ratio == pytest.approx(known, abs=5e-4 if ratio > 1 else 1e-4)
    assert rectangle_torsion(3.0, 2.0) == pytest.approx(rectangle_torsion(2.0, 3.0))


def test_sections() -> None:
    round_one, flat = section_of(Rod(0.01, 1.0), STEEL), section_of(Bar(0.02, 0.01, 1.0), STEEL)
    assert round_one.bending[0] == pytest.approx(STEEL.youngs_modulus * np.pi * 1e-8 / 4.0)
    assert round_one.torsion == pytest.approx(round_one.bending[0] / 1.3)
    assert flat.bending[1] == pytest.approx(4.0 * flat.bending[0])
    assert flat.thickness == 0.01


@pytest.mark.parametrize("backward", [False, True])
def test_mass_and_first_moment(backward: bool) -> None:
    """Links carry the whole mass, and its centre is in the middle of the rod."""
    rod = build_strain_rod(Rod(0.002, 0.7), STEEL, options=RodOptions(stretch=2), backward=backward)
    place, mass, moment = 0.0, 0.0, 0.0
    for hinge in rod.hinges:
        place += hinge.shift
        if hinge.load is not None:
            mass += hinge.load.mass
            moment += hinge.load.mass * (place + hinge.load.centre[2])
            assert np.linalg.eigvalsh(hinge.load.inertia).min() > 0.0
    known = STEEL.density * np.pi * 0.002**2 * 0.7
    assert mass == pytest.approx(known, rel=1e-12)
    assert moment / mass == pytest.approx(-0.35 if backward else 0.35, rel=1e-12)
    assert place + rod.end_shift == pytest.approx(-0.7 if backward else 0.7, rel=1e-12)


def test_damping_is_of_rayleigh() -> None:
    material = type(STEEL)(7850.0, 200e9, 0.3, mass_damping=2.0, stiffness_damping=1e-3)
    rod = build_strain_rod(Rod(0.002, 0.7), material)
    mass = (rod.damping - 1e-3 * rod.stiffness) / 2.0
    assert np.linalg.eigvalsh(mass).min() > 0.0
    np.testing.assert_allclose(rod.stiffness, np.diag(np.diagonal(rod.stiffness)))


def test_finer_rods_for_longer_ones() -> None:
    counts = [RodOptions().counts(length, 0.004) for length in (0.1, 0.3, 0.7)]
    assert counts == sorted(counts)
    assert RodOptions(curvature=6).counts(0.7, 0.004)[3] >= 7
