"""Reduced parts: bases, elastic forces against the mesh, statics and frequencies against the full part, the cache."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import eigh

from animato.character import Bar, FlexiblePart, Frame, Interface, Material, MaterialModel
from animato.errors import OptionError
from animato.mechanics.flexible.elements import Elements, build_elements
from animato.mechanics.flexible.full import (
    ClampedBody,
    InterfaceWrench,
    build_full_part,
    full_modes,
    solve_full_statics,
)
from animato.mechanics.flexible.mesh import MeshOptions, build_part_mesh
from animato.mechanics.flexible.reduction import (
    CubatureForces,
    PackedParts,
    PartsWork,
    PolynomialForces,
    ReducedPart,
    ReductionOptions,
    add_part_elasticity,
    build_parts_work,
    coordinates,
    held,
    mass_pca,
    modal_basis,
    pack_parts,
    part_elastic_energy,
    put_part_interfaces,
    reduce_part,
    rigid_modes,
)

LENGTH = 0.2
OPTIONS = ReductionOptions(plane="xz", bent_modes=5, turn=0.4, strain=0.05)


def a_bar(model: MaterialModel) -> Elements:
    material = Material(1170.0, 2.3e9, 0.35, mass_damping=0.2, stiffness_damping=1e-4, model=model)
    ends = (Interface("base"), Interface("tip", frame_part=Frame((0.0, 0.0, LENGTH))))
    part = FlexiblePart("bar", Bar(0.004, 0.006, LENGTH), material, ends)
    return build_elements(build_part_mesh(part, MeshOptions(layers=10, across=(1, 1))))


@pytest.fixture(scope="module")
def elements() -> Elements:
    return a_bar(MaterialModel.ST_VENANT_KIRCHHOFF)


@pytest.fixture(scope="module")
def reduced(elements: Elements) -> ReducedPart:
    return reduce_part(elements, OPTIONS, keep=False)


@pytest.fixture(scope="module")
def soft() -> ReducedPart:
    """The same of neo-Hookean material, with cubature."""
    return reduce_part(a_bar(MaterialModel.NEO_HOOKEAN), OPTIONS, keep=False)


def elastic(part: ReducedPart, a: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Forces, their derivatives by a and a', and the energy, of the second of two parts in a pack."""
    parts = pack_parts([part, part])
    work = build_parts_work(parts)
    add_part_elasticity(parts, work, 1, a, v, True)
    r = part.mode_count
    energy = part_elastic_energy(parts, work, 1, a)
    return work.forces[r:], work.forces_by_a[r * r :].reshape(r, r), work.forces_by_v[r * r :].reshape(r, r), energy


def a_shape(part: ReducedPart, size: float = 0.01) -> np.ndarray:
    """Some modes, the soft ones more than the stiff ones."""
    return size * np.random.default_rng(3).normal(size=part.mode_count) / np.sqrt(np.diag(part.stiffness))


def tip_of(part: ReducedPart, force: np.ndarray) -> np.ndarray:
    """Where the tip's centroid rests under a force, [3]."""
    parts: PackedParts = pack_parts([part])
    work: PartsWork = build_parts_work(parts)
    r = part.mode_count
    a, still = np.zeros(r), np.zeros(r)
    shift = parts.interfaces.shift
    for share in (0.25, 0.5, 0.75, 1.0):
        for _ in range(30):
            work.forces[:], work.forces_by_a[:] = 0.0, 0.0
            add_part_elasticity(parts, work, 0, a, still, True)
            change = np.linalg.solve(work.forces_by_a.reshape(r, r), share * shift @ force - work.forces)
            a = a + change
    put_part_interfaces(parts, work, 0, a, still, still, False)
    return work.phi[0, :3]


def test_basis_is_orthonormal_and_leaves_the_reference_alone(elements: Elements, reduced: ReducedPart) -> None:
    modes = np.moveaxis(reduced.basis, 2, 0)
    assert np.allclose(reduced.integrals.modal_mass, np.eye(reduced.mode_count), atol=1e-9)
    assert np.allclose(coordinates(modes, reduced.basis, elements.node_mass), np.eye(len(modes)), atol=1e-9)
    rows = reduced.interfaces[0].rows(len(reduced.nodes)) @ reduced.basis.reshape(-1, reduced.mode_count)
    assert np.abs(rows).max() < 1e-11 * np.abs(reduced.basis).max() / 0.004


def test_integrals_are_mass_and_second_moments(elements: Elements, reduced: ReducedPart) -> None:
    assert np.isclose(reduced.integrals.mass, elements.mesh.mass, rtol=1e-9)
    along = elements.mesh.mass * LENGTH
    assert np.allclose(reduced.integrals.first[0], [0.0, 0.0, along / 2], atol=1e-9)
    assert np.isclose(reduced.integrals.second[0, 0, 2, 2], along * LENGTH / 3, rtol=1e-9)


def test_polynomial_forces_are_those_of_the_mesh(elements: Elements, reduced: ReducedPart) -> None:
    assert isinstance(reduced.forces, PolynomialForces)
    a = a_shape(reduced)
    forces, _, _, energy = elastic(reduced, a, np.zeros_like(a))
    u = reduced.basis @ a
    expected = np.einsum("npk,np->k", reduced.basis, elements.forces(u))
    assert np.allclose(forces, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
    assert np.isclose(energy, elements.energy(u), rtol=1e-9)
    linear = reduced.stiffness @ a
    assert not np.allclose(forces, linear, rtol=1e-3, atol=1e-3 * np.abs(linear).max())


@pytest.mark.parametrize("kind", ["polynomial", "cubature"])
def test_tangent_and_damping(reduced: ReducedPart, soft: ReducedPart, kind: str) -> None:
    part = reduced if kind == "polynomial" else soft
    a, v = a_shape(part), a_shape(part, 0.3)
    _, tangent, by_v, _ = elastic(part, a, v)
    assert np.allclose(tangent, tangent.T, rtol=1e-9, atol=1e-9 * np.abs(tangent).max())
    assert np.array_equal(by_v, part.damping)
    for k in range(part.mode_count):
        h = 1e-3 * 0.01 / np.sqrt(part.stiffness[k, k])
        one = a + h * np.eye(len(a))[k], a - h * np.eye(len(a))[k]
        (high, _, _, up), (low, _, _, down) = (elastic(part, state, v) for state in one)
        assert np.allclose((high - low) / (2 * h), tangent[k], rtol=1e-6, atol=1e-6 * np.abs(tangent[k]).max())
        still = elastic(part, a, np.zeros_like(v))[0]
        assert np.isclose((up - down) / (2 * h), still[k], rtol=1e-5, atol=1e-5 * np.abs(still).max())


def test_damping_is_rayleigh(elements: Elements, reduced: ReducedPart) -> None:
    expected = 0.2 * np.eye(reduced.mode_count) + 1e-4 * reduced.stiffness
    assert np.allclose(reduced.damping, expected, rtol=1e-9, atol=1e-9 * expected.max())


def test_bends_as_far_as_the_mesh(elements: Elements, reduced: ReducedPart, soft: ReducedPart) -> None:
    force = np.array([0.7, 0.0, 0.0])
    wrench = InterfaceWrench("tip", force=(0.7, 0.0, 0.0))
    rest = np.array([0.0, 0.0, LENGTH])
    for part, mesh in ((reduced, elements), (soft, a_bar(MaterialModel.NEO_HOOKEAN))):
        full = solve_full_statics(mesh, wrenches=(wrench,)).positions[1] - rest
        assert 0.02 < np.linalg.norm(full) < 0.1  # well beyond small displacements
        assert np.linalg.norm(tip_of(part, force) - full) < 0.01 * np.linalg.norm(full)


def test_without_bent_modes_it_locks(elements: Elements) -> None:
    """Negative control of the test above: small shapes alone cannot grow shorter as they bend."""
    stiff = reduce_part(elements, replace(OPTIONS, bent_modes=0), keep=False)
    full = solve_full_statics(elements, wrenches=(InterfaceWrench("tip", force=(0.7, 0.0, 0.0)),)).positions[1]
    found = tip_of(stiff, np.array([0.7, 0.0, 0.0])) + np.array([0.0, 0.0, LENGTH])
    assert np.linalg.norm(found - full) > 0.1 * np.linalg.norm(full - np.array([0.0, 0.0, LENGTH]))


def test_frequencies_with_a_tip_mass(elements: Elements, reduced: ReducedPart) -> None:
    tip = ClampedBody("tip", 0.02, np.array([0.0, 0.0, LENGTH]), 1e-6 * np.eye(3))
    full = full_modes(elements, (tip,), count=8)
    in_plane = [f for f, shape in zip(full.frequencies, full.shapes, strict=True) if _goes_along_x(shape)][:3]
    parts = pack_parts([reduced])
    work = build_parts_work(parts)
    still = np.zeros(reduced.mode_count)
    put_part_interfaces(parts, work, 0, still, still, still, False)
    J = work.jac.reshape(6, -1)
    mass = reduced.integrals.modal_mass + J.T @ np.diag([0.02, 0.02, 0.02, 1e-6, 1e-6, 1e-6]) @ J
    found = np.sqrt(eigh(reduced.stiffness, mass, eigvals_only=True)) / (2 * np.pi)
    assert np.allclose(found[:3], in_plane, rtol=0.01)


def _goes_along_x(shape: np.ndarray) -> bool:
    return bool(np.abs(shape[:, 0]).mean() > 2.0 * np.abs(shape[:, 1]).mean())


def test_cubature_learns_with_positive_weights(soft: ReducedPart) -> None:
    assert isinstance(soft.forces, CubatureForces)
    assert (soft.forces.weights > 0.0).all()
    assert soft.forces.training_error < 2e-3 and soft.forces.test_error < 0.1
    volume = 0.004 * 0.006 * LENGTH
    assert 0.5 * volume < soft.forces.weights.sum() < 2.0 * volume


def test_principal_components_of_given_snapshots(elements: Elements) -> None:
    full = build_full_part(elements)
    random = np.random.default_rng(0)
    shapes = held(random.normal(size=(4, elements.mesh.node_count, 3)), full.conditions) * 1e-5
    part = reduce_part(elements, ReductionOptions(modes=3), snapshots=shapes, keep=False)
    assert part.mode_count == 3
    basis, amplitudes = mass_pca(shapes, elements.node_mass, 4)
    left = shapes - np.einsum("npk,sk->snp", basis, coordinates(shapes, basis, elements.node_mass))
    assert np.abs(left).max() < 1e-9 * np.abs(shapes).max()
    assert (np.diff(amplitudes) <= 0.0).all()


def test_modal_derivatives_help_where_linear_modes_lock(elements: Elements) -> None:
    full = build_full_part(elements, (ClampedBody("tip", 0.02, np.array([0.0, 0.0, LENGTH]), 1e-6 * np.eye(3)),))
    force = np.array([0.2, 0.0, 0.0])
    expected = solve_full_statics(elements, wrenches=(InterfaceWrench("tip", force=(0.2, 0.0, 0.0)),)).positions[1]
    errors = []
    for derivatives in (0, 4):
        basis = modal_basis(full, modes=6, derivatives=derivatives)
        part = reduce_part(elements, basis=basis, keep=False)
        errors.append(np.linalg.norm(tip_of(part, force) + np.array([0.0, 0.0, LENGTH]) - expected))
    assert errors[1] < 0.2 * errors[0]


def test_rigid_modes_strain_nothing(elements: Elements) -> None:
    for mode in np.moveaxis(rigid_modes(elements.mesh.nodes), 2, 0):
        still = np.zeros_like(mode)
        assert np.abs(elements.stiffness_times(still, mode)).max() < 1e-6 * 2.3e9 * LENGTH


def test_a_kept_part_is_taken_again(elements: Elements, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANIMATO_CACHE_DIR", str(tmp_path))
    options = ReductionOptions(modes=2)
    snapshots = 1e-4 * np.random.default_rng(0).normal(size=(3, 3 * elements.mesh.node_count))
    made = reduce_part(elements, options, snapshots=snapshots)
    (path,) = (tmp_path / "parts").iterdir()
    again = reduce_part(elements, options, snapshots=snapshots)
    assert np.array_equal(again.basis, made.basis) and again.provenance == made.provenance
    assert isinstance(again.forces, PolynomialForces)
    path.write_bytes(path.read_bytes()[:1000])
    anew = reduce_part(elements, options, snapshots=snapshots)
    assert np.array_equal(anew.basis, made.basis)
    assert [one.name for one in (tmp_path / "parts").iterdir()] == [path.name]
    reduce_part(elements, options, snapshots=2.0 * snapshots)
    assert len(list((tmp_path / "parts").iterdir())) == 2


def test_bad_options_are_named(elements: Elements) -> None:
    with pytest.raises(OptionError, match="`turn`"):
        ReductionOptions(turn=2.0)
    with pytest.raises(OptionError, match="`plane`"):
        reduce_part(elements, ReductionOptions(plane="xw"), keep=False)
    with pytest.raises(OptionError, match="`snapshots`"):
        reduce_part(elements, snapshots=np.zeros((2, 7)), keep=False)
    with pytest.raises(OptionError, match="st_venant_kirchhoff"):
        reduce_part(
            a_bar(MaterialModel.NEO_HOOKEAN),
            ReductionOptions(forces="polynomial", modes=1),  # type: ignore[arg-type]
            snapshots=1e-4 * np.random.default_rng(0).normal(size=(2, 3 * elements.mesh.node_count)),
            keep=False,
        )
