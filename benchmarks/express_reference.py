"""The best known answers: the local solver from hundreds of random starts, both ways up, exact and as a compromise."""

from __future__ import annotations

import numpy as np

from animato.express.facing.arrays import LOW, FacingArrays
from animato.express.facing.descent import FACED, Aim, descend, descent_memory, orientation_cost
from animato.express.facing.errors import FacingErrors, facing_errors
from animato.express.facing.kernel import inside_limits, targets_of
from animato.express.facing.looking import NOWHERE
from animato.express.facing.problem import FacingProblem
from animato.kernels.compiled import kernel
from animato.kernels.quaternions import quaternion

STEPS = 60
TOLERANCE = 1e-9


@kernel
def _best(problem: FacingArrays, targets: np.ndarray, starts: np.ndarray, near: np.ndarray, best: np.ndarray) -> float:
    """Writes the angles of least combined error [1, m] and gives that error."""
    memory = descent_memory(starts.shape[1])
    row = np.empty((1, starts.shape[1]))
    least = np.inf
    for n in range(len(starts)):
        for way in range(len(targets)):
            aim = Aim(quaternion(targets, way), near, 0.0, NOWHERE)
            for exact in (True, False):
                if not exact and n % 4 != 0 and least < 1e-3:  # it is reached: a compromise hardly ever helps
                    continue
                row[0] = starts[n]
                cost, angle, _ = descend(problem, LOW, aim, exact, STEPS, TOLERANCE, memory, row, 0)
                if exact and angle > FACED:
                    continue
                error = cost + orientation_cost(problem, angle)
                if error < least:
                    least = error
                    best[0] = row[0]
    return least


def best_known(problem: FacingProblem, targets_wxyz: np.ndarray, starts: int, seed: int) -> FacingErrors:
    """Errors of the best of many starts, for each target.

    Args:
        problem: The problem; roll exact.
        targets_wxyz: [t, 4].
        starts: Random starts of each; a third of them are the posture with random signs, a little disturbed.
        seed: Of the starts.
    """
    rng = np.random.default_rng(seed)
    arrays, psi = problem.arrays, problem.psi
    frame = problem.frame
    positions = np.empty((len(targets_wxyz), len(psi)))
    lower, upper = arrays.limits[:, 0], arrays.limits[:, 1]
    for n, target in enumerate(targets_wxyz):
        places = rng.uniform(lower, upper, (starts, len(psi)))
        mirrored = psi * rng.choice([-1.0, 1.0], (len(places[::3]), len(psi)))
        places[::3] = np.clip(mirrored + 0.2 * rng.standard_normal(mirrored.shape), lower, upper)
        turns = targets_of(target[None], frame[0:1], frame[1:2], problem.weights.symmetric)
        best = np.empty((1, len(psi)))
        _best(arrays, turns, places, psi, best)
        inside_limits(arrays, psi, best[0])
        positions[n] = best[0]
    return facing_errors(problem.chain, positions, problem.posture, targets_wxyz, problem.weights)
