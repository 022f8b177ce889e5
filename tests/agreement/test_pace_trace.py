"""Time alone: the pace of a clip against the quickest timing that trace finds on the same path."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character import Character
from animato.fix.pace import local_pace
from animato.mechanics.limits import limit_usage
from animato.motion import Clip
from animato.trace import Options
from animato.trace.timing import settled_clip
from animato.trace.warp import solve_timing
from benchmarks.trace_timing_cases import TimingCase, build_case

QUICKEST = Options(beta=0.0, gamma=1.0, segments=400, tempo_lock=False)


@pytest.fixture(scope="module")
def case() -> TimingCase:
    return build_case()


def without_jerk(character: Character, torque_share: float) -> Character:
    """The same arm with no limit of jerk, and a share of its torque."""
    joints = tuple(
        replace(
            joint,
            actuator=None,
            stated_limits=tuple(
                replace(limits, jerk=None, torque=None if limits.torque is None else torque_share * limits.torque)
                for limits in joint.limits
            ),
        )
        if joint.is_free_coordinate
        else joint
        for joint in character.joints
    )
    return replace(character, joints=joints)


@pytest.mark.parametrize("torque_share", [1.0, 0.7])
def test_least_time_is_that_of_trace(case: TimingCase, torque_share: float) -> None:
    robot = without_jerk(case.character, torque_share)
    theirs = TimingCase(robot, case.path, case.drawn).solve(QUICKEST)
    x = np.linspace(0.0, 1.0, 1001)
    positions = case.path.at(10.0 * x**3 - 15.0 * x**4 + 6.0 * x**5)  # at rest at both ends, as theirs
    clip = Clip(20.0 * x, case.path.names, positions)
    ours = local_pace(robot, clip, tempo_change_per_s=np.inf, ease_s=0.0, fastest=1e4, slowest=1e-6, looks=0)
    # theirs holds limits between grid points too, ours at frames and middles: nothing beyond 0.2 % is between them
    assert ours.duration == pytest.approx(theirs.duration, rel=2e-3)
    if torque_share < 1.0:
        assert theirs.worst_shares["torque"] > 0.99


def test_a_quickest_motion_played_too_fast_comes_back(case: TimingCase) -> None:
    """With limits of jerk: trace's best motion, then twice as fast, is slowed to what it was."""
    scaling = solve_timing(case.character, case.path, case.drawn, replace(QUICKEST, jerk=True, segments=150))
    best = settled_clip(case.character, case.path, scaling, replace(QUICKEST, jerk=True, rate_hz=100.0)).clip
    too_fast = Clip(0.5 * best.times, best.names, best.positions)
    pace = local_pace(case.character, too_fast)
    usage = limit_usage(case.character, pace.performed(too_fast))
    assert max(usage.peak(kind) for kind in ("velocity", "acceleration", "jerk", "torque")) <= 1.002
    assert pace.duration == pytest.approx(best.duration, rel=1e-2)
