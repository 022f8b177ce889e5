"""Finite elements against closed forms: patches, rigid turns, manufactured solutions, beams, vibration, motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse.linalg import splu

from animato.character import Material, MaterialModel
from animato.mechanics.flexible.elements import build_elements, build_skfem_basis, lame_parameters
from animato.mechanics.flexible.full import (
    ClampedBody,
    FullIntegrator,
    InterfaceWrench,
    build_full_part,
    full_modes,
    resting_base,
    simulate_full,
    solve_full_statics,
    turning_base,
)
from animato.mechanics.flexible.mesh import MeshOptions, PartMesh, build_part_mesh
from animato.spatial.quaternions import matrix_from_quaternion, quaternion_about
from tests.flexible_builders import bar_part, rod_mesh, steel, tip_mass_rod

SOFT = Material(1000.0, 1e5, 0.3)


def cube(cells: int, material: Material = SOFT) -> PartMesh:
    part = bar_part(material, edges=(1.0, 1.0, 1.0))
    return build_part_mesh(part, MeshOptions(layers=cells, across=(cells, cells)))


def solved_inside(mesh: PartMesh, boundary: np.ndarray, loads: np.ndarray) -> np.ndarray:
    """Displacements that balance nodal loads, with those of the surface given."""
    elements = build_elements(mesh)
    inside = np.setdiff1d(np.arange(mesh.node_count), np.unique(mesh.surface))
    free = (3 * inside[:, None] + np.arange(3)).ravel()
    u = boundary.copy()
    u[inside] = 0.0
    for _ in range(12):
        out = (elements.forces(u) - loads).ravel()[free]
        change = splu(elements.tangent(u).tocsc()[free][:, free]).solve(-out)
        u.reshape(-1)[free] += change
        if np.abs(change).max() < 1e-12:
            return u
    raise AssertionError("Newton's method did not converge")


@pytest.mark.parametrize("model", list(MaterialModel))
def test_patch_of_constant_strain_is_exact(model: MaterialModel, rng: np.random.Generator) -> None:
    mesh = cube(2, replace(SOFT, model=model))
    exact = mesh.nodes @ (0.05 * rng.standard_normal((3, 3))).T
    np.testing.assert_allclose(solved_inside(mesh, exact, np.zeros_like(exact)), exact, atol=1e-12)


@pytest.mark.parametrize("model", [MaterialModel.NEO_HOOKEAN, MaterialModel.ST_VENANT_KIRCHHOFF])
def test_rigid_turns_cost_no_energy(model: MaterialModel) -> None:
    mesh = cube(2, replace(SOFT, model=model))
    elements = build_elements(mesh)
    R = matrix_from_quaternion(quaternion_about([1.0, 2.0, 3.0], 2.0))
    u = mesh.nodes @ (R - np.eye(3)).T + [1.0, 2.0, 3.0]
    assert np.abs(elements.forces(u)).max() < 1e-10 * 1e5
    assert abs(elements.energy(u)) < 1e-9
    linear = build_elements(cube(2, replace(SOFT, model=MaterialModel.LINEAR)))
    assert np.abs(linear.forces(u)).max() > 1e3  # a law of small strain does resist


def test_error_falls_with_the_third_power_of_the_element_size() -> None:
    lam, mu = lame_parameters(SOFT)

    def displacement(x: np.ndarray) -> np.ndarray:
        a, b, c = np.moveaxis(x, -1, 0)
        return 0.05 * np.stack([np.sin(2.0 * b + c), np.cos(2.0 * a) * c, np.sin(a + 2.0 * b * c)], axis=-1)

    def stress_at(x: np.ndarray) -> np.ndarray:
        a, b, c = np.moveaxis(x, -1, 0)
        F = np.zeros((*a.shape, 3, 3))
        F[..., 0, 1], F[..., 0, 2] = 2.0 * np.cos(2.0 * b + c), np.cos(2.0 * b + c)
        F[..., 1, 0], F[..., 1, 2] = -2.0 * np.sin(2.0 * a) * c, np.cos(2.0 * a)
        inner = np.cos(a + 2.0 * b * c)
        F[..., 2, 0], F[..., 2, 1], F[..., 2, 2] = inner, 2.0 * c * inner, 2.0 * b * inner
        F = np.eye(3) + 0.05 * F
        J = np.linalg.det(F)[..., None, None]
        return mu * F + ((lam + mu) * (J - 1.0) - mu) * J * np.swapaxes(np.linalg.inv(F), -1, -2)

    def load(x: np.ndarray) -> np.ndarray:
        step = 1e-5
        total = np.zeros_like(x)
        for axis, way in enumerate(step * np.eye(3)):
            total -= (stress_at(x + way) - stress_at(x - way))[..., axis] / (2.0 * step)
        return total

    errors = []
    for cells in (3, 6):
        mesh = cube(cells)
        basis, node_of = build_skfem_basis(mesh, order=5)
        points = np.moveaxis(np.asarray(basis.global_coordinates()), 0, -1)
        values = np.stack([np.broadcast_to(np.asarray(basis.basis[a][0]), basis.dx.shape) for a in range(10)])
        loads = np.zeros((mesh.node_count, 3))
        np.add.at(loads, node_of[basis.element_dofs], np.einsum("aeq,eqi,eq->aei", values, load(points), basis.dx))
        u = solved_inside(mesh, displacement(mesh.nodes), loads)
        found = np.einsum("aeq,aei->eqi", values, u[node_of[basis.element_dofs]])
        errors.append(np.sqrt((((found - displacement(points)) ** 2).sum(axis=-1) * basis.dx).sum()))
    order = np.log2(errors[0] / errors[1])
    assert order == pytest.approx(3.0, abs=0.15), errors


def test_cantilever_bends_twists_and_stretches_as_a_beam() -> None:
    full = build_full_part(rod_mesh(steel(MaterialModel.LINEAR), layers=40))
    EI, GJ, EA = 200e9 * 0.25 * np.pi * 0.002**4, 200e9 / 2.6 * 0.5 * np.pi * 0.002**4, 200e9 * np.pi * 0.002**2

    def under(**load: tuple[float, float, float]):
        return solve_full_statics(full, wrenches=(InterfaceWrench("tip", **load),))

    assert under(force=(1e-3, 0, 0)).positions[1, 0] == pytest.approx(1e-3 * 0.7**3 / (3 * EI), rel=5e-4)
    assert under(moment=(0, 1e-3, 0)).rotations[1, 0, 2] == pytest.approx(1e-3 * 0.7 / EI, rel=1e-4)
    assert under(moment=(0, 0, 1e-3)).rotations[1, 1, 0] == pytest.approx(1e-3 * 0.7 / GJ, rel=0.012)  # a hexagon
    assert under(force=(0, 0, 1.0)).positions[1, 2] - 0.7 == pytest.approx(0.7 / EA, rel=5e-3)


@pytest.mark.parametrize("model", [MaterialModel.NEO_HOOKEAN, MaterialModel.ST_VENANT_KIRCHHOFF])
def test_elastica(model: MaterialModel) -> None:
    full = build_full_part(rod_mesh(steel(model), layers=40))
    P = 200e9 * 0.25 * np.pi * 0.002**4 / 0.7**2
    found = solve_full_statics(full, wrenches=(InterfaceWrench("tip", force=(P, 0.0, 0.0)),))
    assert found.positions[1, 0] / 0.7 == pytest.approx(0.30172, rel=2e-3)
    assert 1.0 - found.positions[1, 2] / 0.7 == pytest.approx(0.05643, rel=4e-3)
    np.testing.assert_allclose(found.positions[0], 0.0, atol=1e-12)
    np.testing.assert_allclose(found.rotations[0], np.eye(3), atol=1e-10)
    assert found.positions[1, 0] == pytest.approx(_elastica_tip(MaterialModel.NEO_HOOKEAN), rel=2e-5)  # strain .2 %


_TIPS: dict[MaterialModel, float] = {}


def _elastica_tip(model: MaterialModel) -> float:
    if model not in _TIPS:
        full = build_full_part(rod_mesh(steel(model), layers=40))
        P = 200e9 * 0.25 * np.pi * 0.002**4 / 0.7**2
        _TIPS[model] = solve_full_statics(full, wrenches=(InterfaceWrench("tip", force=(P, 0, 0)),)).positions[1, 0]
    return _TIPS[model]


def test_frequencies_of_the_rod_with_a_tip_mass() -> None:
    full = tip_mass_rod(layers=40)
    bending = full_modes(full, count=6).frequencies
    np.testing.assert_allclose(bending[[0, 2, 4]], [2.18734, 26.137, 81.897], rtol=4e-3)
    np.testing.assert_allclose(bending[[1, 3, 5]], bending[[0, 2, 4]], rtol=1e-3)  # two planes
    base = resting_base().at(0)
    upright = full_modes(full, count=1, base=base, about=solve_full_statics(full, base=base).u).frequencies[0]
    assert upright == pytest.approx(2.0834, rel=1e-3)


def stiff_bar(tip_mass: float):
    """A bar that hardly bends, with a body off its axis."""
    part = bar_part(replace(steel(), youngs_modulus=2e13))
    body = ClampedBody("tip", tip_mass, np.array([0.02, 0.01, 0.13]), np.diag([3e-5, 2e-5, 1e-5]))
    return build_full_part(build_part_mesh(part, MeshOptions(layers=3, across=(1, 2))), (body,)), body


def test_reactions_of_a_stiff_part_are_those_of_a_rigid_body() -> None:
    full, body = stiff_bar(0.3)
    times = np.arange(0.0, 0.0401, 0.002)
    rate = 40.0
    motion = turning_base(times, 1.0 + 0.5 * rate * times**2, rate * times, rate + 0.0 * times, axis=(1.0, 2.0, 0.5))
    found = simulate_full(full, motion=motion, rho=0.0, integrator=FullIntegrator.GENERALIZED_ALPHA)
    mesh, M = full.mesh, full.elements.node_mass
    total, first = M.sum() + body.mass, M.sum(axis=0) @ mesh.nodes + body.mass * body.centre
    second = mesh.nodes.T @ (M @ mesh.nodes)
    arm = body.centre
    inertia = np.trace(second) * np.eye(3) - second + body.inertia
    inertia += body.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    last = motion.at(len(times) - 1)
    moment = inertia @ last.spin_rate + np.cross(last.spin, inertia @ last.spin) + np.cross(first, last.lift)
    force = total * last.lift + np.cross(last.spin_rate, first) + np.cross(last.spin, np.cross(last.spin, first))
    np.testing.assert_allclose(found.reactions[-1, :3], moment, rtol=2e-3, atol=1e-3)
    np.testing.assert_allclose(found.reactions[-1, 3:], force, rtol=2e-3, atol=1e-2)


def test_released_rod_keeps_its_energy() -> None:
    full = tip_mass_rod(layers=10)
    bent = solve_full_statics(full, wrenches=(InterfaceWrench("tip", force=(1.0, 0.0, 0.0)),)).u
    times = np.arange(0.0, 0.1001, 0.002)
    motion = resting_base(gravity=(0.0, 0.0, 0.0), times=times)
    kept = simulate_full(full, motion=motion, start=bent, snapshot_every=5).energies.sum(axis=1)
    assert np.abs(kept / kept[0] - 1.0).max() < 1e-3
    lossy = simulate_full(full, motion=motion, start=bent, snapshot_every=5, integrator=FullIntegrator.BDF2)
    assert lossy.energies.sum(axis=1)[-1] < kept[-1]


def test_damped_rod_decays_as_rayleigh_says() -> None:
    damped = steel(mass_damping=4.0, stiffness_damping=2e-3)
    tip = ClampedBody("tip", 1e-6, np.array([0.0, 0.0, 0.2]), 1e-12 * np.eye(3))
    full = build_full_part(rod_mesh(damped, layers=4, length=0.2), (tip,))
    modes = full_modes(full, count=1)
    omega = 2.0 * np.pi * modes.frequencies[0]
    decay = 0.5 * (4.0 + 2e-3 * omega**2)
    shape = modes.shapes[0] * 1e-5 / np.abs(modes.shapes[0]).max()
    times = np.arange(0.0, 0.0201, 2.5e-4)
    motion = resting_base(gravity=(0.0, 0.0, 0.0), times=times)
    found = simulate_full(full, motion=motion, start=shape, rho=1.0, snapshot_every=1000)
    ringing = np.sqrt(omega**2 - decay**2)
    exact = np.exp(-decay * times) * (np.cos(ringing * times) + decay / ringing * np.sin(ringing * times))
    axis = int(np.abs(found.positions[0, 1, :2]).argmax())
    swing = found.positions[:, 1, axis] / found.positions[0, 1, axis]
    np.testing.assert_allclose(swing, exact, atol=5e-3)
