"""The baseline with exact timing."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import OptionError
from animato.formats.character_files import load_character
from animato.trace.options import Options
from animato.trace.path.fit import solve_path
from animato.trace.path.problem import build_path_problem
from animato.trace.published.pollard import follow_exact_timing
from tests.unit.trace.path_sketches import IN_XZ, loops

PLANAR = {"centre": (2.5, 0.0, 2.0), "length": 12.0, "plane": IN_XZ}


def test_slow_strokes_are_followed_and_fast_ones_are_not() -> None:
    """The path gives way to the timing: the paper has a geometric error ten times that of the fitted path."""
    arm = load_character("planar_arm")
    slow, fast = (follow_exact_timing(arm, loops(**PLANAR, duration=T), Options(start="ready")) for T in (60.0, 4.0))
    assert slow.clip.duration == pytest.approx(60.0, abs=0.01)
    assert fast.clip.duration == pytest.approx(4.0, abs=0.01)
    assert slow.deviations.max() < 2e-3
    fit = solve_path(build_path_problem(arm, loops(**PLANAR, duration=4.0), Options(start="ready")))
    assert fast.mean_square > 10.0 * fit.deviation
    assert fast.mean_square == pytest.approx(np.mean(fast.deviations**2), rel=0.05)


def test_velocity_and_acceleration_limits_hold_from_frame_to_frame() -> None:
    arm = load_character("planar_arm")
    motion = follow_exact_timing(arm, loops(**PLANAR, duration=3.0), Options(start="ready"))
    limits = [arm.joint(name).limits[0] for name in motion.clip.names]
    step = motion.clip.times[1] - motion.clip.times[0]
    speed = np.diff(motion.clip.positions, axis=0) / step
    change = np.diff(speed, axis=0) / step
    for k, limit in enumerate(limits):
        assert limit.velocity is not None
        assert limit.acceleration is not None
        assert np.abs(speed[:, k]).max() <= limit.velocity * (1 + 1e-9)
        assert np.abs(change[:, k]).max() <= limit.acceleration * (1 + 1e-6)
    free = follow_exact_timing(arm, loops(**PLANAR, duration=3.0), Options(start="ready"), limit_accelerations=False)
    assert free.mean_square < motion.mean_square


def test_options_out_of_range() -> None:
    arm = load_character("planar_arm")
    with pytest.raises(OptionError, match="rate_hz"):
        follow_exact_timing(arm, loops(**PLANAR), Options(rate_hz=0.0))
    with pytest.raises(OptionError, match="stiffness"):
        follow_exact_timing(arm, loops(**PLANAR), stiffness=float("nan"))
