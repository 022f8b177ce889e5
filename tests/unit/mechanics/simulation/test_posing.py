"""Poses for drawing are those of the dynamics."""

from __future__ import annotations

import numpy as np

from animato.character import mass_properties_of
from animato.formats import load_character
from animato.mechanics.simulation import build_system
from animato.mechanics.simulation.dynamics import build_work, put_forces, put_outputs
from animato.mechanics.simulation.posing import hinge_positions, perform
from animato.mechanics.simulation.posing.hinges import _walked


def test_bodies_are_drawn_where_the_dynamics_have_them() -> None:
    drummer = load_character("drummer")
    names = tuple(body.name for body in drummer.bodies)
    system = build_system(drummer, tracked=names)
    rng = np.random.default_rng(7)
    z = 0.3 * rng.standard_normal((3, system.coordinate_count))
    shown = perform(system, np.arange(3.0), z)
    count, n = len(names), system.coordinate_count
    work, still, lam = build_work(system.packed), np.zeros(n), np.zeros(system.row_count)
    points, rotations = np.zeros((count, 3)), np.zeros((count, 3, 3))
    by_point, by_turn = np.zeros((count, 3, n)), np.zeros((count, 3, n))
    for moment in range(3):
        put_forces(system.packed, work, z[moment], still, still, lam, np.zeros(n), np.zeros(system.row_count))
        put_outputs(system.packed, work, points, rotations, by_point, by_turn)
        for k, body in enumerate(drummer.bodies):
            pose = shown.poses.of(body.name)
            centre = pose.apply(mass_properties_of(body).centre)[moment]
            assert np.allclose(centre, points[k], atol=1e-12)
            assert np.allclose(pose.rotation[moment], rotations[k], atol=1e-12)
    assert np.allclose(hinge_positions(system, z), _walked(system, z), atol=1e-14)


def test_links_of_a_rod_hang_together() -> None:
    system = build_system(load_character("rod"), tracked=("ball",))
    rng = np.random.default_rng(8)
    z = 0.2 * rng.standard_normal((2, system.coordinate_count))
    shown = perform(system, np.arange(2.0), z)
    links = shown.rods["rod"]
    assert np.isclose(links[-1].station + 0.5 * links[-1].length, 0.7)
    place, along = shown.poses.positions, []
    for link in links:
        w, x, y, q = shown.poses.quaternions_wxyz[:, link.index].T
        along.append(np.stack([2 * (x * q + w * y), 2 * (y * q - w * x), 1 - 2 * (x * x + y * y)], axis=1))
    for n in range(len(links) - 1):
        end = place[:, links[n].index] + 0.5 * links[n].length * along[n]
        begin = place[:, links[n + 1].index] - 0.5 * links[n + 1].length * along[n + 1]
        assert np.allclose(end, begin, atol=1e-12)
    tip = place[:, links[-1].index] + 0.5 * links[-1].length * along[-1]
    assert np.allclose(tip, shown.poses.of("ball").position, atol=1e-12)
