"""Inertia of a deforming part against a cloud of mass points, one by one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.sparse import diags_array

from animato.mechanics.flexible.interface import interface_map
from animato.mechanics.flexible.reduction import (
    PackedParts,
    PartsWork,
    ReducedPart,
    build_parts_work,
    inertia_integrals,
    pack_parts,
    part_energy,
    put_modal_inertia,
    put_part_interfaces,
)

POINTS, MODES, PART, STEP, STEPS = 9, 3, 1, 2, 4
RANDOM = np.random.default_rng(11)
REST = RANDOM.normal(size=(2, POINTS, 3))
MASSES = RANDOM.uniform(0.2, 1.0, size=(2, POINTS))
BASES = [RANDOM.normal(size=(POINTS, 3, 2)), RANDOM.normal(size=(POINTS, 3, MODES))]


@dataclass
class Moment:
    """A state of the part's frame in the world and of its modes."""

    R: np.ndarray
    p: np.ndarray
    V: np.ndarray
    A: np.ndarray
    a: np.ndarray
    v: np.ndarray
    acc: np.ndarray


def a_moment(seed: int = 4) -> Moment:
    random = np.random.default_rng(seed)
    R = np.linalg.qr(random.normal(size=(3, 3)))[0]
    R *= np.linalg.det(R)
    return Moment(R, random.normal(size=3), *random.normal(size=(2, 6)), *(0.3 * random.normal(size=(3, MODES))))


def a_part(which: int) -> ReducedPart:
    basis = BASES[which]
    r = basis.shape[2]
    ends = tuple(interface_map(REST[which], nodes, np.ones(4)) for nodes in (np.arange(4), np.arange(4, 8)))
    integrals = inertia_integrals(REST[which], diags_array(MASSES[which]), basis)
    names = ("base", "tip")
    return ReducedPart(
        "cloud", REST[which], np.zeros((0, 6), int), basis, names, ends, integrals, np.eye(r), np.eye(r), None
    )


@pytest.fixture(scope="module")
def parts() -> PackedParts:
    return pack_parts([a_part(0), a_part(1)])


def run(parts: PackedParts, at: Moment) -> tuple[PartsWork, np.ndarray, np.ndarray, np.ndarray]:
    """The kernel's work, and what it added to the step: F, inertia, coriolis."""
    work = build_parts_work(parts)
    rows = [np.zeros(n * STEPS) for n in (9, 3, 6, 6, 6, 10, 12)]
    for n, value in ((0, at.R.ravel()), (1, at.p), (2, at.V), (3, at.A)):
        rows[n].reshape(STEPS, -1)[STEP] = value
    put_modal_inertia(parts, work, PART, at.a, at.v, at.acc, True, STEP, *rows)
    F, inertia, coriolis = (one.reshape(STEPS, -1) for one in rows[4:])
    assert not F[[0, 1, 3]].any()
    return work, F[STEP], inertia[STEP], coriolis[STEP]


def cloud(at: Moment) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Places, velocities and accelerations of the mass points in the world, and the modes there, [point, 3, mode]."""
    phi = np.einsum("pq,nqk->npk", at.R, BASES[PART])
    x = at.p + REST[PART] @ at.R.T + phi @ at.a
    w = at.V[:3]
    rigid = at.V[3:] + np.cross(w, x)
    u = rigid + phi @ at.v
    acceleration = at.A[3:] + np.cross(at.A[:3], x) + np.cross(w, rigid)
    return x, u, acceleration + 2 * np.cross(w, phi @ at.v) + phi @ at.acc, phi


def cloud_forces(at: Moment) -> tuple[np.ndarray, np.ndarray]:
    """F and the modal forces of the mass points."""
    x, _, acceleration, phi = cloud(at)
    force = MASSES[PART][:, None] * acceleration
    return np.concatenate((np.cross(x, force).sum(axis=0), force.sum(axis=0))), np.einsum("npk,np->k", phi, force)


def modes_of(parts: PackedParts) -> slice:
    return slice(parts.first_mode[PART], parts.first_mode[PART + 1])


def square_of(parts: PackedParts, values: np.ndarray) -> np.ndarray:
    return values[parts.first_square[PART] : parts.first_square[PART + 1]].reshape(MODES, MODES)


def test_forces_are_those_of_the_mass_points(parts: PackedParts) -> None:
    at = a_moment()
    work, F, _, _ = run(parts, at)
    expected_F, expected_Q = cloud_forces(at)
    assert np.allclose(F, expected_F, rtol=1e-12, atol=1e-12)
    assert np.allclose(work.forces[modes_of(parts)], expected_Q, rtol=1e-12, atol=1e-12)


def test_inertia_is_that_of_the_deformed_cloud(parts: PackedParts) -> None:
    at = a_moment()
    x, m = cloud(at)[0], MASSES[PART]
    second = np.einsum("n,np,nq->pq", m, x, x)
    J = np.trace(second) * np.eye(3) - second
    expected = [m.sum(), *(m @ x), J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
    assert np.allclose(run(parts, at)[2], expected, rtol=1e-12, atol=1e-12)


def test_changes_behind_a_joint(parts: PackedParts) -> None:
    """V changes by psi and A by phi + psi x V: F by I phi + C psi, the modal forces by by_acc . phi + turn . psi."""
    at = a_moment()
    work, _, inertia, coriolis = run(parts, at)
    psi, phi = np.random.default_rng(1).normal(size=(2, 6))

    def changed(h: float) -> Moment:
        w, v = at.V[:3], at.V[3:]
        by_V = np.concatenate((np.cross(psi[:3], w), np.cross(psi[:3], v) + np.cross(psi[3:], w)))
        return Moment(at.R, at.p, at.V + h * psi, at.A + h * (phi + by_V), at.a, at.v, at.acc)

    h = 1e-4
    slope_F, slope_Q = (
        (one - other) / (2 * h) for one, other in zip(*map(cloud_forces, (changed(h), changed(-h))), strict=True)
    )
    G = coriolis[3:].reshape(3, 3)
    m, first = inertia[0], inertia[1:4]
    xx, yy, zz, xy, xz, yz = inertia[4:]
    J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    moment = J @ phi[:3] + np.cross(first, phi[3:]) + G @ psi[:3]
    force = m * phi[3:] + np.cross(phi[:3], first) + np.cross(psi[:3], coriolis[:3])
    assert np.allclose(slope_F, [*moment, *force], rtol=1e-8, atol=1e-8)
    here = modes_of(parts)
    assert np.allclose(slope_Q, work.by_acc[here] @ phi + work.turn[here] @ psi[:3], rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("by", ["a", "v", "acc"])
def test_derivatives_by_the_modes(parts: PackedParts, by: str) -> None:
    at = a_moment()
    work = run(parts, at)[0]
    h = 1e-4
    for k in range(MODES):
        results = []
        for sign in (1, -1):
            state = dict(at.__dict__)
            state[by] = state[by] + sign * h * np.eye(MODES)[k]
            results.append(cloud_forces(Moment(**state)))
        slope_F, slope_Q = ((one - other) / (2 * h) for one, other in zip(*results, strict=True))
        assert np.allclose(slope_F, getattr(work, f"by_{by}")[modes_of(parts)][k], rtol=1e-8, atol=1e-8)
        assert np.allclose(slope_Q, square_of(parts, getattr(work, f"forces_by_{by}"))[:, k], rtol=1e-8, atol=1e-8)


def test_energy(parts: PackedParts) -> None:
    at = a_moment()
    x, u, _, _ = cloud(at)
    R, p, V = (np.zeros(n * STEPS) for n in (9, 3, 6))
    for row, value in zip((R, p, V), (at.R.ravel(), at.p, at.V), strict=True):
        row.reshape(STEPS, -1)[STEP] = value
    gravity = np.array([0.1, 0.2, -9.81])
    kinetic, potential = part_energy(parts, build_parts_work(parts), PART, at.a, at.v, STEP, R, p, V, gravity)
    assert np.isclose(kinetic, 0.5 * MASSES[PART] @ (u * u).sum(axis=1), rtol=1e-12)
    assert np.isclose(potential, -MASSES[PART] @ x @ gravity, rtol=1e-12)


def test_interfaces_of_each_part_stand_apart(parts: PackedParts) -> None:
    work = build_parts_work(parts)
    at = a_moment()
    put_part_interfaces(parts, work, PART, at.a, at.v, at.acc, True)
    assert not work.phi[0].any() and work.phi[1].all()
    jac = work.jac[6 * parts.interfaces.first[1] :].reshape(6, MODES)
    assert np.allclose(work.phi_v[1], jac @ at.v, rtol=1e-12)


def test_no_part_at_all() -> None:
    none = pack_parts([])
    assert build_parts_work(none).forces.shape == (0,) and len(none.first_mode) == 1
