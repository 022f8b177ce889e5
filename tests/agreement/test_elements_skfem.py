"""The compiled elements and scikit-fem's own assembly give the same forces, tangents and mass."""

from __future__ import annotations

import numpy as np
import pytest
from skfem import Basis, BilinearForm, ElementTetP2, ElementVector, LinearForm
from skfem.helpers import ddot, det, grad, identity, inv, mul, trace, transpose

from animato.character import MaterialModel
from animato.mechanics.flexible.elements import build_elements, build_skfem_basis, lame_parameters
from animato.mechanics.flexible.mesh import MeshOptions, build_part_mesh
from tests.flexible_builders import rod_part, steel


def sym(A):
    return 0.5 * (A + transpose(A))


def stress_and_change(model: MaterialModel, lam: float, mu: float, F, D):
    """P at F and its change along D, written down as in a textbook."""
    one = identity(F)
    if model is MaterialModel.NEO_HOOKEAN:
        J, back = det(F), transpose(inv(F))
        s = (lam + mu) * (J - 1.0) - mu
        P = mu * F + s * J * back
        turn = ddot(back, D)
        change = mu * D + (lam + mu) * J * turn * J * back + s * J * (turn * back - mul(back, mul(transpose(D), back)))
        return P, change
    if model is MaterialModel.ST_VENANT_KIRCHHOFF:
        E, dE = 0.5 * (mul(transpose(F), F) - one), sym(mul(transpose(F), D))
        S, dS = lam * trace(E) * one + 2.0 * mu * E, lam * trace(dE) * one + 2.0 * mu * dE
        return mul(F, S), mul(D, S) + mul(F, dS)
    E, dE = sym(F) - one, sym(D)
    return lam * trace(E) * one + 2.0 * mu * E, lam * trace(dE) * one + 2.0 * mu * dE


@pytest.mark.parametrize("model", list(MaterialModel))
@pytest.mark.parametrize("curved", [False, True])
def test_forces_and_tangent(model: MaterialModel, curved: bool, rng: np.random.Generator) -> None:
    material = steel(model)
    mesh = build_part_mesh(rod_part(material, length=0.01), MeshOptions(layers=3, sectors=6, curved=curved))
    elements = build_elements(mesh)
    scalar, node_of = build_skfem_basis(mesh, order=2)
    basis = Basis(scalar.mesh, ElementVector(ElementTetP2()), intorder=2)
    places = np.empty(3 * mesh.node_count, dtype=int)  # scikit-fem's freedom -> ours
    for axis in range(3):
        places[basis.dofs.nodal_dofs[axis]] = 3 * node_of[scalar.dofs.nodal_dofs[0]] + axis
        places[basis.dofs.edge_dofs[axis]] = 3 * node_of[scalar.dofs.edge_dofs[0]] + axis
    u = 1e-4 * rng.standard_normal(3 * mesh.node_count)
    field = basis.interpolate(u[places])
    lam, mu = lame_parameters(material)

    def law(D, w):
        F = grad(w["field"]) + identity(grad(w["field"]))
        return stress_and_change(model, lam, mu, F, D)

    force = LinearForm(lambda v, w: ddot(law(grad(v), w)[0], grad(v))).assemble(basis, field=field)
    ours = elements.forces(u).ravel()[places]
    np.testing.assert_allclose(ours, force, rtol=0.0, atol=1e-10 * np.abs(force).max())
    tangent = BilinearForm(lambda d, v, w: ddot(law(grad(d), w)[1], grad(v))).assemble(basis, field=field)
    difference = elements.tangent(u).tocsr()[places][:, places] - tangent
    assert abs(difference).max() <= 1e-10 * abs(tangent).max()


def test_mass_is_exact_on_curved_elements() -> None:
    mesh = build_part_mesh(rod_part(steel(), length=0.01), MeshOptions(layers=3, sectors=6, curved=True))
    elements = build_elements(mesh)
    assert elements.node_mass.sum() == pytest.approx(mesh.mass, rel=1e-6)
    moment = mesh.nodes[:, 0] @ (elements.node_mass @ mesh.nodes[:, 0])
    assert moment == pytest.approx(7850.0 * 0.25 * np.pi * 0.002**4 * 0.01, rel=1e-4)  # cubature of curved elements
