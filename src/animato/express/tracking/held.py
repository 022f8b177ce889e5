"""What a tracker holds: the facing problem as arrays that another posture is written into while it runs.

Sliding joints take part, because they carry the eye. The posture error knows nothing of them; here a slide costs as
much as a joint of middle weight that turns the chain's reach aside by the same length.
"""

from __future__ import annotations

import numpy as np

from animato.express.facing import (
    BendMeasure,
    ErrorWeights,
    FacingArrays,
    FacingProblem,
    bend_measure,
    descent_memory,
    facing_arrays,
    pack_turns,
)
from animato.express.tracking.kernel import Setting

_SHORTEST = 0.1  # [m] reach of a chain that slides are measured by


class Held:
    """The posture of a tracker.

    Args:
        problem: The posture to begin with, weights and limits.

    Attributes:
        setting: What the kernels work with.
        columns: Joints of the chain, in the order of angles, [k].
        posture: What is held now [rad or m], [n].
        weights: Of the errors now.
        facing, upward: Of the end-point, in the world at zero, [3].
    """

    def __init__(self, problem: FacingProblem) -> None:
        chain, self._problem = problem.chain, problem
        self._turns = pack_turns(chain, problem.roll_tolerance, slides=True)
        self._slides = chain.arrays.slides
        self.columns = self._turns.columns
        reach = float(np.linalg.norm(np.diff(chain.at_zero().origin, axis=0), axis=1).sum())
        self._measure = _whole_measure(problem, len(self._turns.axis) - len(self.columns))
        turning = self._measure.weight[: len(self._slides)][~self._slides]
        self._slide_weight = float(turning.mean()) / max(reach, _SHORTEST)
        self.posture = problem.posture
        self.facing, self.upward = self._turns.place[-2, :3].copy(), self._turns.place[-1, :3].copy()
        arrays = self._arrays(problem.posture, problem.weights)
        full = np.ascontiguousarray(arrays.limits[:, :2])
        self.weights = problem.weights
        self.setting = Setting(arrays, full, len(self.columns), descent_memory(len(full)))

    def hold(self, posture: np.ndarray) -> None:
        """Writes another posture [rad or m], [n]."""
        self.posture = posture
        new = self._arrays(posture, self.weights)
        self.setting.problem.kinks[:], self.setting.problem.cost[:] = new.kinks, new.cost

    def weigh(self, weights: ErrorWeights) -> None:
        """Writes other weights; the setting is another one afterwards."""
        self.weights = weights
        new = self._arrays(self.posture, weights)
        problem = self.setting.problem
        problem.cost[:] = new.cost
        self.setting = self.setting._replace(problem=problem._replace(orientation=new.orientation, posture=new.posture))

    def _arrays(self, posture: np.ndarray, weights: ErrorWeights) -> FacingArrays:
        turns, slides = self._turns, self._slides
        psi = np.append(posture, np.zeros(len(turns.axis) - len(posture)))
        signed = self._problem.minimized == "shape"
        arrays = facing_arrays(turns, self._measure, psi, weights, signed=signed)
        if slides.any():
            rows = np.flatnonzero(slides)
            weight = weights.posture * self._slide_weight
            phase = 0.5 * psi[rows] if signed else psi[rows] - 0.5 * np.pi
            arrays.cost[rows, :5] = np.stack(
                [
                    np.full(len(rows), weight),
                    np.cos(phase),
                    np.sin(phase),
                    np.zeros(len(rows)),
                    np.full(len(rows), 0.5 * weight if signed else weight),
                ],
                axis=1,
            )
            arrays.kinks[rows, 1] = psi[rows] if signed else psi[rows] - np.pi
        return arrays


def _whole_measure(problem: FacingProblem, rolled: int) -> BendMeasure:
    """Of all joints of a chain and the roll joint, which cost nothing where they do not bend it."""
    measure, slides = bend_measure(problem.chain, problem.weights.aggravation), problem.chain.arrays.slides
    return BendMeasure(
        np.append(np.where(slides, 0.0, measure.weight), np.zeros(rolled)),
        np.vstack([measure.cosine, np.tile((1.0, 0.0, 0.0), (rolled, 1))]),
        np.append(measure.reach, np.zeros(rolled)),
    )
