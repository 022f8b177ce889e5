"""Elastic forces are the gradient of the energy, tangents that of the forces, for every material law."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character import MaterialModel
from animato.mechanics.flexible.elements import build_elements
from tests.flexible_builders import rod_mesh, steel


@pytest.mark.parametrize("model", list(MaterialModel))
@pytest.mark.parametrize("order", [2, 5])
def test_forces_and_tangent(model: MaterialModel, order: int, rng: np.random.Generator) -> None:
    mesh = rod_mesh(steel(model), layers=3, length=0.01)
    elements = build_elements(mesh, order=order)
    u, way = 2e-4 * rng.standard_normal(mesh.nodes.shape), rng.standard_normal(mesh.nodes.shape)
    step = 1e-8
    slope = (elements.energy(u + step * way) - elements.energy(u - step * way)) / (2.0 * step)
    assert slope == pytest.approx(float((elements.forces(u) * way).sum()), rel=1e-6)
    turned = (elements.forces(u + step * way) - elements.forces(u - step * way)) / (2.0 * step)
    size = np.abs(turned).max()
    np.testing.assert_allclose((elements.tangent(u) @ way.ravel()).reshape(-1, 3), turned, atol=1e-6 * size)
    np.testing.assert_allclose(elements.stiffness_times(u, way), turned, atol=1e-6 * size)
    K = elements.tangent(u)
    assert abs(K - K.T).max() <= 1e-12 * abs(K).max()
