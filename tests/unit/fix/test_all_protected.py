"""A clip of which nothing may be changed gets a verdict, whether it keeps every limit or not."""

from __future__ import annotations

import numpy as np
import pytest

import animato as an

TIMES = np.linspace(0.0, 1.0, 61)


@pytest.mark.parametrize(("far", "usable"), [(1.2, False), (0.01, True)])
def test_all_coordinates_protected(far: float, usable: bool) -> None:
    lamp = an.load_character("lamp")
    names = lamp.coordinate_names
    rest = [value for joint in lamp.free_joints for value in joint.neutral]
    swing = far * np.sin(4.0 * np.pi * TIMES) * np.sin(np.pi * TIMES) ** 2
    clip = an.Clip(TIMES, names, np.array(rest) + swing[:, None])
    solution = an.fix.solve(an.fix.build(lamp, clip, an.fix.Options(protect=names)))
    assert solution.outcome.usable is usable
    assert not solution.changed and np.array_equal(solution.clip.positions, clip.positions)
    assert usable or "protected" in solution.outcome.reason
