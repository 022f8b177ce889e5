"""Slows controls down to their velocity limits."""

from __future__ import annotations

import numpy as np

from animato.design.problem.problem import DesignProblem

_SHARE = 0.9
"""Of the velocity limit, so that the barrier is low."""


def rate_limited(controls: np.ndarray, problem: DesignProblem) -> np.ndarray:
    """Controls that keep their velocity limits; those given where they do already.

    Once forward and once backward in time each step goes as far as the limit lets it; the mean of both
    keeps the limit too and lags to neither side.

    Args:
        controls: Shape [step, control].
        problem: Gives times and limits.
    """
    most = np.where(problem.linked[:, None], _SHARE * problem.limits.velocities * problem.spans[:, None], np.inf)
    if np.all(np.abs(np.diff(controls, axis=0)) <= most):
        return controls
    ahead, back = controls.copy(), controls.copy()
    for k in range(1, len(controls)):
        ahead[k] = np.clip(ahead[k], ahead[k - 1] - most[k - 1], ahead[k - 1] + most[k - 1])
    for k in range(len(controls) - 2, -1, -1):
        back[k] = np.clip(back[k], back[k + 1] - most[k], back[k + 1] + most[k])
    return 0.5 * (ahead + back)
