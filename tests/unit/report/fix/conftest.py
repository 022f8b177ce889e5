"""Fixes that several tests look at; each is solved once."""

from __future__ import annotations

import numpy as np
import pytest

import animato as an
from animato.report.fix import Evidence, gather_evidence


def hasty() -> an.Clip:
    """A clip of the arm whose shoulder is asked for more speed than it has, twice."""
    times = np.linspace(0.0, 3.0, 91)
    angles = np.zeros((91, 4))
    bump = np.sin(np.pi * times) ** 3 * (times < 1.0) + 0.7 * np.sin(np.pi * times) ** 3 * (times > 2.0)
    angles[:, 0] = 0.8 + 0.6 * bump
    return an.Clip(times, an.load_character("planar_arm").coordinate_names, angles)


@pytest.fixture(scope="session")
def shaped() -> Evidence:
    """Shape alone gives way."""
    solution = an.fix.solve(an.fix.build("planar_arm", hasty()))
    return gather_evidence(solution, name="hasty")


@pytest.fixture(scope="session")
def slowed() -> Evidence:
    """Time gives way."""
    solution = an.fix.solve(an.fix.build("planar_arm", hasty(), an.fix.Options(time=1.0)))
    return gather_evidence(solution, name="hasty", trade=False)
