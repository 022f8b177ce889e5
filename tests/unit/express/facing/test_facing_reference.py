"""The bar of the solver, on few samples: a mean combined error of at most 1.02 times the best known."""

from __future__ import annotations

import numpy as np
import pytest

from animato.express.facing.problem import build_facing_problem
from animato.express.facing.solver import solve_facing
from animato.express.sweep.samples import build_sweep, random_samples
from benchmarks.express_reference import best_known
from tests.unit.express.chains import SKELETONS, skeleton


@pytest.mark.parametrize("letter", SKELETONS)
def test_many_random_starts_find_hardly_anything_better(letter: str) -> None:
    chain = skeleton(letter)
    part = random_samples(build_sweep(chain), 40, 23)
    ours, known = [], []
    for n, (posture, target) in enumerate(zip(part.postures, part.targets_wxyz, strict=True)):
        problem = build_facing_problem(chain, posture)
        ours.append(solve_facing(problem, target).error)
        known.append(best_known(problem, target[None], 60, n))
    combined = np.array([error.combined for error in ours])
    assert combined.mean() <= 1.02 * np.minimum(combined, [one.combined[0] for one in known]).mean()
    # whatever the reference reaches, animato faces exactly
    reached = np.array([one.orientation[0] < 1e-6 for one in known])
    assert reached.sum() > 10
    assert all(error.orientation < 1e-6 for error, yes in zip(ours, reached, strict=True) if yes)
