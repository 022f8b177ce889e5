"""Both steps of the published method against IPOPT, which has configurations as unknowns of their own."""

from __future__ import annotations

import numpy as np
import pytest

from animato.gallery.mimic.lift_on_pico import SQUARE_M, lift_on_pico
from animato.mimic.mesh import meshes_of
from animato.mimic.published import PublishedOptions, solve_published
from benchmarks.mimic_published_peer import presolve_in_ipopt, solve_in_ipopt

pytest.importorskip("casadi", reason="casadi brings IPOPT")


@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_markers_in_proportions_on_ten_postures(alpha: float) -> None:
    problem = lift_on_pico(PublishedOptions(square_m=SQUARE_M, alpha=alpha, balance=False))
    ours = solve_published(problem).presolved
    start = np.where(np.isfinite(problem.held), problem.held, problem.source)
    peer = presolve_in_ipopt(meshes_of(problem.source), problem.links, problem.held, start, alpha)
    assert peer.solved
    np.testing.assert_allclose(ours.positions, peer.positions, rtol=0, atol=1e-6)


def test_markers_in_balance() -> None:
    """Three postures here, for time; the benchmark has ten."""
    problem = lift_on_pico(PublishedOptions(square_m=SQUARE_M, alpha=1.0, tolerance=1e-12), frames=3)
    ours = solve_published(problem)
    peer = solve_in_ipopt(problem, ours)
    assert ours.outcome.solved
    assert peer.solved
    np.testing.assert_allclose(ours.positions, peer.positions, rtol=0, atol=1e-6)
    moved = np.abs(ours.positions - ours.presolved.positions).max()
    assert moved > 1e-3  # the square did something
