"""One small motion, steadied once for all tests of its page."""

from __future__ import annotations

import numpy as np
import pytest

from animato.formats import load_character
from animato.motion import Clip
from animato.report.steady import Evidence, gather_evidence
from animato.steady import Options, Solution, build, solve


def lean(seconds: float = 1.0) -> Clip:
    """A rod that leans by 10 degrees in a fifth of a second and stays there."""
    times = np.linspace(0.0, seconds, round(100 * seconds) + 1)
    return Clip(times, ("motor",), np.radians(10.0) * np.clip((times - 0.2) / 0.2, 0.0, 1.0)[:, None], source="lean")


@pytest.fixture(scope="session")
def solution() -> Solution:
    options = Options(step_s=4e-3, check_step_s=2e-3, control_points=25)
    return solve(build(load_character("rod"), lean(), options, tracked=("ball",)))


@pytest.fixture(scope="session")
def evidence(solution: Solution) -> Evidence:
    return gather_evidence(solution)
