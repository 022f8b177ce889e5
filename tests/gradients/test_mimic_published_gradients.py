"""Derivatives of the published method's rows, through fit, finite differences and inverse dynamics."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from animato.gallery.mimic.lift_on_pico import lift_on_pico
from animato.mimic.mesh.presolving import LinkBlock
from animato.mimic.published import MarkerDynamics, PublishedOptions, PublishedProblem, dynamics_of
from animato.mimic.published.postures import steps_between
from animato.mimic.published.rows import MarkerRows, TorqueRows, VelocityRows, ZmpRows

FRAMES = 5
JOINTS = np.arange(6, 30)
LIMITS = np.full(24, 2.0)


@pytest.fixture(scope="module")
def problem() -> PublishedProblem:
    return lift_on_pico(frames=FRAMES, seconds=0.8)


@pytest.fixture(scope="module")
def dynamics(problem: PublishedProblem) -> MarkerDynamics:
    return dynamics_of(problem, problem.source)


@pytest.mark.parametrize(
    "rows",
    [
        lambda d, s: ZmpRows(d, s, 0.015),
        lambda d, s: VelocityRows(d, s, JOINTS, LIMITS),
        lambda d, s: TorqueRows(d, s, JOINTS, LIMITS),
    ],
    ids=["zmp", "velocity", "torque"],
)
def test_rows_of_markers(
    rows: Callable[[MarkerDynamics, tuple[int, int]], MarkerRows],
    problem: PublishedProblem,
    dynamics: MarkerDynamics,
    rng: np.random.Generator,
) -> None:
    block = rows(dynamics, problem.source.shape[:2])
    x, way, length = problem.source.ravel(), rng.standard_normal(problem.source.size), 1e-6
    exact = np.einsum("frk,fk->fr", block.jacobians(x[block.columns]), way[block.columns])  # type: ignore[attr-defined]
    ahead, behind = (block.values((x + sign * length * way)[block.columns]) for sign in (1.0, -1.0))  # type: ignore[attr-defined]
    np.testing.assert_allclose((ahead - behind) / (2.0 * length), exact, rtol=0, atol=1e-6 * np.abs(exact).max())


@pytest.mark.parametrize("joint_limits", [True, False])
def test_the_fit(joint_limits: bool, rng: np.random.Generator) -> None:
    problem = lift_on_pico(PublishedOptions(joint_limits=joint_limits), frames=FRAMES)
    dynamics = dynamics_of(problem, problem.source)
    here = dynamics.at(problem.source).fit
    dynamics.settle(dynamics.at(problem.source))
    way, length = rng.standard_normal(problem.source.shape), 1e-6
    ahead, behind = (dynamics.at(problem.source + sign * length * way).fit.postures for sign in (1.0, -1.0))
    exact = np.einsum("fdk,fk->fd", here.gains, way.reshape(FRAMES, -1))
    numeric = steps_between(behind, ahead) / (2.0 * length)
    np.testing.assert_allclose(numeric, exact, rtol=0, atol=1e-6 * np.abs(exact).max())


def test_links(rng: np.random.Generator) -> None:
    block = LinkBlock(np.arange(12).reshape(2, 6), np.array([0.5, 2.0]))
    x, way, weights = (rng.standard_normal((2, width)) for width in (6, 6, 1))
    length = 1e-6
    exact = np.einsum("crw,cw->cr", block.jacobians(x), way)
    numeric = (block.values(x + length * way) - block.values(x - length * way)) / (2.0 * length)
    np.testing.assert_allclose(numeric, exact, atol=1e-7)
    bend = block.curvatures(x, weights)
    assert bend is not None
    slopes = [weights[:, 0, None] * block.jacobians(x + sign * length * way)[:, 0] for sign in (1.0, -1.0)]
    np.testing.assert_allclose((slopes[0] - slopes[1]) / (2.0 * length), np.einsum("cij,cj->ci", bend, way), atol=1e-7)
