"""Derivatives in the geometric stage of trace against central differences."""

from __future__ import annotations

import numpy as np
import pytest

from animato.formats.character_files import load_character
from animato.mechanics.tree.kinematics.points import PointKinematics, build_point_kinematics
from animato.spatial.basis import ORDER
from animato.trace.options import Options
from animato.trace.path.descent import assembled, evaluated
from animato.trace.path.directions import KeptDirection
from animato.trace.path.problem import build_path_problem
from tests.unit.mechanics.tree.test_points import TORSO_POINTS, random_postures, scissor
from tests.unit.trace.path_sketches import IN_XZ, loops

STEP = 1e-6


def kinematics_to_try() -> list[PointKinematics]:
    return [
        build_point_kinematics(load_character("planar_arm"), ("pen",)),
        build_point_kinematics(load_character("arm6"), ("pen", "elbow"), pointing=("pen",)),
        build_point_kinematics(load_character("torso29"), TORSO_POINTS, pointing=("head",)),
        build_point_kinematics(scissor(), ("tip", "mark"), pointing=("tip",)),
    ]


@pytest.mark.parametrize("kinematics", kinematics_to_try())
def test_jacobians_and_their_bends(kinematics: PointKinematics, rng: np.random.Generator) -> None:
    q = random_postures(kinematics, 11, rng)
    places, J = kinematics.jacobians(q)
    forces = rng.normal(size=places.shape)
    bends = kinematics.hessians(q, forces)
    np.testing.assert_allclose(bends, bends.transpose(0, 2, 1), atol=1e-12)
    for i in range(q.shape[1]):
        before, after = q.copy(), q.copy()
        before[:, i] -= STEP
        after[:, i] += STEP
        (f_before, J_before), (f_after, J_after) = kinematics.jacobians(before), kinematics.jacobians(after)
        np.testing.assert_allclose((f_after - f_before) / (2 * STEP), J[..., i], rtol=1e-6, atol=1e-8)
        change = np.einsum("mtan,mta->mn", (J_after - J_before) / (2 * STEP), forces)
        np.testing.assert_allclose(change, bends[:, :, i], rtol=1e-6, atol=1e-8)


def test_slope_and_curvature_of_the_path_objective(rng: np.random.Generator) -> None:
    """Gradient and Hessian, second derivatives of the kinematics included, far from the optimum."""
    sketch = loops(centre=(3.0, 0.0, 2.0), length=8.0, plane=IN_XZ)
    problem = build_path_problem(
        load_character("planar_arm"),
        sketch,
        Options(control_point_count=9, alpha=1e-4),
        terms=[KeptDirection("pen", (1.0, 0.0, 0.0))],
    )
    points, rest = rng.uniform(-1.0, 1.0, (9, 4)), rng.uniform(-1.0, 1.0, 4)
    gradient, hessian = assembled(problem, evaluated(problem, points, rest), rest, exact=True)
    band = hessian.band
    size, width = band.shape
    assert width == ORDER * 4
    for r in range(size):
        slopes, costs = [], []
        for sign in (-1.0, 1.0):
            moved = points.copy()
            moved.reshape(-1)[r] += sign * STEP
            there = evaluated(problem, moved, rest)
            costs.append(there.cost)
            slopes.append(assembled(problem, there, rest, exact=False)[0])
        assert (costs[1] - costs[0]) / (2 * STEP) == pytest.approx(gradient[r], rel=1e-6, abs=1e-8)
        change = (slopes[1] - slopes[0]) / (2 * STEP)
        for c in range(size):
            low, high = min(r, c), max(r, c)
            wanted = band[high, width - 1 - high + low] if high - low < width else 0.0
            assert change[c] == pytest.approx(wanted, rel=1e-6, abs=1e-7)
