"""Slender rods with known answers: elastica, roll-up, Princeton beam, 45-degree bend, spinning beam, frequencies."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg

from animato.character import Bar, Character, Material, Rod
from animato.mechanics.flexible.rods import RodOptions, section_of
from animato.mechanics.simulation.system import build_system
from tests.moment_builders import Moment
from tests.rod_builders import STEEL, held_rod


def moment_of(character: Character, **options: object) -> Moment:
    return Moment(build_system(character, tracked=("tip",), rods=RodOptions(**options)))  # type: ignore[arg-type]


ELASTICA = {1: (0.30172, 0.05643), 2: (0.49346, 0.16064), 5: (0.71379, 0.38763), 10: (0.81061, 0.55500)}


@pytest.mark.parametrize("load", ELASTICA)
def test_elastica(load: int) -> None:
    """A cantilever under a dead load P L^2 / EI at its end: deflections w / L and u / L."""
    rod = Rod(0.01, 1.0)
    stiffness = section_of(rod, STEEL).bending[1]
    moment = moment_of(held_rod(rod), curvature=6, torsion=0, links=9)
    moment.statics(np.array([load * stiffness, 0.0, 0.0]), increments=4)
    w, u = ELASTICA[load]
    assert moment.points[0, 0] == pytest.approx(w, abs=1.5e-5)
    assert 1.0 - moment.points[0, 2] == pytest.approx(u, abs=1.5e-5)


def test_elastica_in_an_oblique_plane() -> None:
    """The plane does not matter but for the order of turns about x and y, of second order in the links."""
    rod = Rod(0.01, 1.0)
    stiffness = section_of(rod, STEEL).bending[1]
    off = []
    for links in (5, 10):
        moment = moment_of(held_rod(rod), curvature=4, torsion=2, links=links)
        moment.statics(stiffness * np.array([math.cos(0.5), math.sin(0.5), 0.0]), increments=2)
        off.append(abs(math.hypot(*moment.points[0, :2]) - 0.30172))
    assert off[1] < 0.4 * off[0] < 3e-4


def test_roll_up() -> None:
    """A moment 2 pi EI / L at the end bends a rod into a circle."""
    rod = Rod(0.01, 1.0)
    stiffness = section_of(rod, STEEL).bending[1]
    moment = moment_of(held_rod(rod), curvature=2, torsion=0, links=9)
    moment.statics(np.zeros(3), np.array([0.0, 2.0 * math.pi * stiffness, 0.0]))
    np.testing.assert_allclose(moment.points[0], 0.0, atol=1e-7)
    moment.statics(np.zeros(3), np.array([0.0, 1.9 * math.pi * stiffness, 0.0]))
    assert np.linalg.norm(moment.points[0]) > 1e-2


@pytest.mark.parametrize(
    ("force", "chordwise", "flapwise"), [(8.896, 0.008887, 0.109036), (13.345, 0.015339, 0.156580)]
)
def test_princeton_beam(force: float, chordwise: float, flapwise: float) -> None:
    """Loaded at 45 degrees between its stiff and its weak axis, a flat bar twists."""
    bar, aluminium = Bar(12.3777e-3, 3.2024e-3, 0.508), Material(2800.0, 71.7e9, 0.31)
    assert section_of(bar, aluminium).torsion == pytest.approx(3.104, rel=1e-3)
    moment = moment_of(held_rod(bar, aluminium), curvature=4, torsion=3, links=11)
    moment.statics(force * math.sqrt(0.5) * np.array([1.0, 1.0, 0.0]), increments=2)
    assert moment.points[0, 0] == pytest.approx(chordwise, rel=0.01)
    assert moment.points[0, 1] == pytest.approx(flapwise, rel=0.01)


def test_45_degree_bend() -> None:
    """A bent cantilever of radius 100 under 600 across its plane; the published beams have GJ = G I_p."""
    bar, material = Bar(1.0, 1.0, 100.0 * math.pi / 4.0), Material(1.0, 1e7, 0.0)
    section = replace(section_of(bar, material), torsion=5e6 / 6.0)
    options = {"curvature": 5, "torsion": 3, "links": 21, "stretch": 2}
    moment = moment_of(held_rod(bar, material), section=section, rest_curvature=(0.01, 0.0, 0.0), **options)
    rest = moment.look(moment.still).points[0].copy()
    np.testing.assert_allclose(rest, (0.0, -100.0 * (1.0 - math.sqrt(0.5)), 100.0 * math.sqrt(0.5)), atol=1e-9)
    moment.statics(np.array([600.0, 0.0, 0.0]), increments=3)
    np.testing.assert_allclose(moment.points[0] - rest, (53.4, 13.5, -23.5), rtol=0.01)


def test_frequencies_of_a_rod_with_a_mass() -> None:
    """Of a rod of 70 cm with 100 g: without gravity, and upright, where gravity softens it."""
    rod = Rod(0.002, 0.7)
    for gravity, known in (((0.0, 0.0, 0.0), (2.18734, 26.137, 81.897)), ((0.0, 0.0, -9.81), (2.0834,))):
        character = held_rod(rod, tip_mass=0.1, tip_inertia=8e-6, gravity=gravity)
        moment = moment_of(character, curvature=6, links=21)
        moment.look(moment.still)
        squares = scipy.linalg.eigh(moment.by_z, moment.by_a, eigvals_only=True)
        found = np.sqrt(squares)[:6:2] / (2.0 * math.pi)  # each about x and about y
        np.testing.assert_allclose(found[: len(known)], known, rtol=3e-4)


def test_masses_converge_with_the_fourth_power_of_the_links() -> None:
    found = []
    for links in (5, 10, 20, 80):
        moment = moment_of(held_rod(Rod(0.002, 0.7)), curvature=2, torsion=1, links=links)
        found.append(moment.look(moment.still).by_a.copy())
    errors = [np.abs(one - found[-1]).max() for one in found[:-1]]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert orders.min() > 3.5


def test_masses_stay_positive_in_bent_rods() -> None:
    """However little a twist of a thin rod weighs; constant corrections of the mass matrix would fail here."""
    moment = moment_of(held_rod(Rod(0.002, 0.7)), curvature=4, torsion=3)
    rng = np.random.default_rng(0)
    for _ in range(20):
        moment.look(0.7 * rng.normal(size=len(moment.still)))
        sizes = np.sqrt(np.diagonal(moment.by_a))
        assert np.linalg.eigvalsh(moment.by_a / np.outer(sizes, sizes)).min() > 0.0


def test_spinning_beam() -> None:
    """A beam of 10 m at 6 rad/s is longer by 5.1432e-4 m."""
    rod = Rod(0.1, 10.0)
    section = replace(section_of(rod, STEEL), mass=1.2, stretch=2.8e7)
    options = RodOptions(curvature=1, torsion=0, stretch=4, links=7, section=section)
    system = build_system(held_rod(rod, spins=True), tracked=("tip",), rods=options)
    moment = Moment(system)
    z, v = np.zeros(system.coordinate_count), np.zeros(system.coordinate_count)
    v[-1] = 6.0
    u = slice(0, system.unknown_count)
    for _ in range(8):
        moment.look(z, v)
        z[u] -= np.linalg.solve(moment.by_z[u, u], moment.tau[u])
    assert np.linalg.norm(moment.look(z, v).points[0]) - 10.0 == pytest.approx(5.1432e-4, rel=1e-4)
