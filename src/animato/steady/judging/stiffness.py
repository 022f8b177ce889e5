"""How a result holds where stiffness is not what was thought: the same profiles on softer and stiffer models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.mechanics.simulation import build_system
from animato.outcome import Progress, Stage
from animato.steady.judging.trial import try_profiles
from animato.steady.optimization import Solution
from animato.steady.problem import Variation

FACTORS = (0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2)
"""On every Young's modulus, unless others are asked for."""


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """Largest deviations on models of other stiffness, each from the targets of its own model.

    Attributes:
        factors: On every Young's modulus, [model].
        before: Of the artist's profiles [m], [model]; infinite where a simulation fails.
        after: Of the steadied ones [m], [model].
        hold_before, hold_after: The same late in pauses alone, where what is left is vibration; not numbers where the
            motion has no pause.
    """

    factors: np.ndarray
    before: np.ndarray
    after: np.ndarray
    hold_before: np.ndarray
    hold_after: np.ndarray

    def worst_after(self, spread: float = 0.1) -> float:
        """The largest deviation of the steadied profiles for stiffness within a spread [m]."""
        return float(self.after[np.abs(self.factors - 1.0) <= spread + 1e-9].max())

    def worst_hold(self, spread: float = 0.1) -> float:
        """The largest late in pauses [m]."""
        return float(self.hold_after[np.abs(self.factors - 1.0) <= spread + 1e-9].max())


def sensitivity(
    solution: Solution, factors: Sequence[float] = FACTORS, *, progress: Progress | None = None
) -> Sensitivity:
    """Tries both profiles on models of other stiffness.

    Args:
        solution: With the profiles.
        factors: On every Young's modulus.
        progress: Told of every model.
    """
    problem = solution.problem
    names = tuple(one.body for one in problem.tracked)
    stage = Stage("trying other stiffness", progress, len(factors))
    trials = []
    for factor in factors:
        model = Variation(stiffness=factor).applied(problem.character, names)
        system = build_system(model, tracked=names)
        first = try_profiles(problem, solution.before.x, system)
        second = try_profiles(problem, solution.after.x, system, target=first.target)
        trials.append((first.peak, second.peak, first.hold_peak, second.hold_peak))
        stage.step()
    return Sensitivity(np.asarray(factors, dtype=np.float64), *np.array(trials).T)
