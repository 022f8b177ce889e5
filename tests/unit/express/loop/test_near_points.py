"""Points so near that the eye's own way matters: looked at behind the motion filter while they move."""

from __future__ import annotations

import numpy as np
import pytest

from animato.express.loop.command import Command
from animato.express.loop.live_loop import Loop
from animato.express.options import Options
from animato.express.problem import Target, build

SETTLED = 200  # frames


def followed(loop: Loop, radius: float, height: float, side: float) -> list[Command]:
    """Commands, once settled, while a point swings about the base by an angle to both sides [rad], at 0.6 m/s."""
    commands = []
    for n in range(1200):
        azimuth = side * np.sin(0.6 * n / loop.rate_hz / (radius * side))
        loop.submit([radius * np.cos(azimuth), radius * np.sin(azimuth), height])
        commands.append(loop.step())
    return commands[SETTLED:]


@pytest.mark.parametrize("posture", ["proud", "curious"])
@pytest.mark.parametrize("radius", [0.6, 0.8])
def test_a_near_point_that_moves_is_looked_at(posture: str, radius: float) -> None:
    loop = Loop(build("lamp", posture, options=Options()))
    commands = followed(loop, radius, 0.3, 1.2)
    assert np.degrees(max(one.error_rad for one in commands)) < 1.0
    assert not loop.report().warnings
    assert max(loop.report().limit_share.values()) <= 1.0 + 1e-9


@pytest.mark.parametrize("posture", ["proud", "curious"])
def test_a_long_chain_looks_at_what_it_nearly_touches(posture: str) -> None:
    """The eye comes within a hand of the point, where a hundredth of a radian of a joint that lags is a degree."""
    loop = Loop(build("skeleton_g", posture, options=Options(smoothness=0.0)))
    commands = followed(loop, 0.8, 0.8, 3.0)
    assert loop.report().solution_error_deg.p50 < 1e-6
    off = np.degrees([one.error_rad for one in commands])
    assert np.median(off) < 0.1
    assert np.mean(off > 5.0) < 0.05


def test_a_leap_is_counted_and_seen_in_the_commands_until_it_is_over() -> None:
    """A target that jumps behind a chain: the set-points jump, and the joints are on their way for a while."""
    loop = Loop(build("skeleton_c", "curious", options=Options(smoothness=0.0)))
    rng, changing = np.random.default_rng(3), []
    for _ in range(8):
        direction = rng.normal(size=3)
        loop.submit(Target(direction=tuple(direction), roll_rad=0.0))
        changing += [loop.step().changing for _ in range(300)]
        assert not changing[-1]
    begun = int(np.sum(np.diff(np.array([False, *changing]).astype(int)) > 0))
    assert loop.report().branch_changes >= begun > 0
    assert 10 * begun < sum(changing) < 250 * begun
