"""Pieces of the published method: its orientation term, Simpson's rule, bases of parts in relative coordinates."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from animato.steady.published import orientation_term, simpson_weights
from animato.steady.published.maximal import field_basis, slender_fields, with_rigid_modes


def test_the_orientation_term_counts_every_axis_once() -> None:
    turns = 1e-4 * np.eye(3)
    value, _ = orientation_term(Rotation.from_rotvec(turns).as_matrix(), np.eye(3))
    assert value == pytest.approx(np.full(3, 0.5e-8), rel=1e-6)


def test_the_orientation_term_rises_up_to_a_half_turn() -> None:
    angles = np.linspace(0.0, np.pi, 50)
    for axis in np.eye(3):
        value, _ = orientation_term(Rotation.from_rotvec(angles[:, None] * axis).as_matrix(), np.eye(3))
        assert value[0] == pytest.approx(0.0, abs=1e-15)
        assert np.all(np.diff(value) > -1e-12)
        assert value[-1] > 0.9  # without the sign a half turn would cost nothing


def test_the_gradient_of_the_orientation_term() -> None:
    rng = np.random.default_rng(3)
    R, target = Rotation.random(40, rng=rng), Rotation.random(40, rng=rng).as_matrix()
    _, gradient = orientation_term(R.as_matrix(), target)
    h = 1e-6
    for axis in range(3):
        turn = Rotation.from_rotvec(h * np.eye(3)[axis])
        ahead, _ = orientation_term((turn * R).as_matrix(), target)
        behind, _ = orientation_term((turn.inv() * R).as_matrix(), target)
        assert (ahead - behind) / (2.0 * h) == pytest.approx(gradient[:, axis], abs=1e-8)


@pytest.mark.parametrize("count", [4, 5, 8, 9, 30])
def test_simpsons_rule_is_exact_for_cubics(count: int) -> None:
    t = np.linspace(0.0, 2.0, count)
    weights = simpson_weights(count, float(t[1]))
    assert weights @ t**3 == pytest.approx(4.0, rel=1e-13)
    assert weights @ t**5 != pytest.approx(64.0 / 6.0, rel=1e-10)


def test_fields_along_all_axes_hold_every_turn_of_what_is_bent() -> None:
    rng = np.random.default_rng(4)
    nodes = rng.uniform(-1.0, 1.0, size=(60, 3))
    basis = field_basis(slender_fields(nodes, 3))
    bent = nodes + basis @ rng.normal(size=basis.shape[2])
    turned = bent @ Rotation.random(rng=rng).as_matrix().T - nodes
    flat = basis.reshape(-1, basis.shape[2])
    left = turned.ravel() - flat @ np.linalg.lstsq(flat, turned.ravel(), rcond=None)[0]
    assert np.abs(left).max() < 1e-12


def test_rigid_modes_are_added_and_all_is_orthonormal() -> None:
    rng = np.random.default_rng(5)
    nodes, mass = rng.uniform(size=(20, 3)), np.diag(rng.uniform(0.5, 1.0, size=20))
    others = rng.normal(size=(20, 3, 4))
    others[:, :, 1] = (0.0, 2.0, 0.0)  # in the span of the rigid ones already
    basis = with_rigid_modes(nodes, mass, others)
    gram = np.einsum("npj,nm,mpk->jk", basis, mass, basis)
    assert basis.shape[2] == 6 + 3
    assert gram == pytest.approx(np.eye(9), abs=1e-12)
