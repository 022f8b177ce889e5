"""The exclusion rule of Ribeiro and Paiva (2019), section 4.0.4: targets that the baseline cannot face even alone.

Their DLS got stuck at many targets, posture or none. To compare it with ERIK they ran it with 100 iterations and
without its posture task, and left out of the comparison what it then missed by more than three times the threshold.
Without that task nothing depends on the posture, so the rule is one of targets.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.express.facing import build_facing_problem
from animato.express.published import DlsTuning, solve_facings_dls
from animato.express.sweep.samples import Sweep

THRESHOLD = 0.04
"""Combined error that the paper accepts, section 4.0.1."""

EXCLUSION = 3.0 * THRESHOLD
"""Orientation error beyond which a target is left out, section 4.0.4."""

WITHOUT_POSTURE = DlsTuning(iterations=100, posture=False)
"""The paper's DLS100_nopost."""


def errors_without_posture(sweep: Sweep) -> np.ndarray:
    """Orientation errors of the baseline without its posture task for all targets of a sweep, [t]."""
    middle = np.clip(np.zeros(len(sweep.chain.names)), sweep.chain.arrays.lower, sweep.chain.arrays.upper)
    found = solve_facings_dls(build_facing_problem(sweep.chain, middle), sweep.targets_wxyz, WITHOUT_POSTURE)
    return found.errors.orientation


def without_excluded(sweep: Sweep) -> Sweep:
    """The sweep without the targets that the rule leaves out."""
    return replace(sweep, targets_wxyz=sweep.targets_wxyz[errors_without_posture(sweep) <= EXCLUSION])
