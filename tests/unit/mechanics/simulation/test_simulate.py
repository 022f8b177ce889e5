"""The forward simulation of clips."""

from __future__ import annotations

import numpy as np
import pytest

import animato as an
from animato.character import JointRole
from animato.errors import MotionError, OptionError, SimulationError
from animato.mechanics.simulation import SimulationOptions, build_system, motor_profile, simulate
from animato.motion import Clip
from tests.mechanism_builders import four_bar
from tests.simulation_builders import chain, eased, heavy_four_bar, with_masses


def nod(name: str, amplitude: float = 0.4) -> Clip:
    times = np.linspace(0.0, 1.0, 51)
    return Clip(times + 3.0, (name,), amplitude * eased(times - 0.1, 0.4)[:, :1], source="nod")


def test_a_rod_swings_behind_its_motor() -> None:
    rod = an.load_character("rod")
    found = simulate(rod, nod("motor"), SimulationOptions(step_s=1e-3))
    assert found.tracked == ("ball",)
    assert 0.05 < found.peak_deviation_m < 0.5
    assert found.closure_residual_m == 0.0
    assert found.energy.relative_drift < 1e-4
    assert found.frame_times[0] == 3.0
    np.testing.assert_allclose(np.diff(found.frame_times), 0.01, atol=1e-12)
    assert found.target.points.shape == found.run.points[found.frames].shape
    assert found.performance.poses.positions.shape[0] == len(found.frames)
    # Poses and tracked points are the same thing, found in two ways.
    ball = found.performance.poses.names.index("ball")
    np.testing.assert_allclose(found.performance.poses.positions[:, ball], found.points[found.frames, 0], atol=1e-9)
    assert "peak deviation" in repr(found)


def test_a_rigid_character_with_loops_goes_through_the_same_door(rng: np.random.Generator) -> None:
    bar = heavy_four_bar(rng)
    found = simulate(bar, nod("A", 2.0), SimulationOptions(step_s=2e-3, tracked=("rocker",)))
    assert found.peak_deviation_m < 1e-9  # nothing bends
    assert found.closure_residual_m < 1e-10
    assert np.abs(found.torques).max() > 1.0


def test_the_profile_passes_through_the_frames_and_starts_at_rest() -> None:
    system = build_system(chain())
    clip = nod("joint 0")
    times, motors = motor_profile(system, clip, 0.0011)
    assert times[0] == 0.0
    assert times[-1] == pytest.approx(clip.duration)
    assert np.diff(times).max() <= 0.0011
    np.testing.assert_allclose(np.interp(clip.times - 3.0, times, motors[:, 0, 0]), clip.positions[:, 0], atol=1e-4)
    assert motors[0, 1, 0] == 0.0
    np.testing.assert_allclose(np.gradient(motors[:, 0, 0], times)[1:-1], motors[1:-1, 1, 0], atol=1e-3)


def test_a_clip_that_starts_away_from_rest_is_named() -> None:
    times = np.linspace(0.0, 1.0, 51)
    moving = Clip(times, ("joint 0",), np.sin(times)[:, None])
    with pytest.raises(MotionError, match=r"starts away from rest: 'joint 0' moves at 1 rad/s"):
        simulate(chain(), moving)


def test_a_clip_that_moves_no_motor_is_named() -> None:
    with pytest.raises(MotionError, match="moves none of the motors"):
        simulate(chain(), nod("elbow"))
    with pytest.raises(MotionError, match="two frames"):
        simulate(chain(), Clip(np.zeros(1), ("joint 0",), np.zeros((1, 1))))


def test_a_failure_says_when() -> None:
    times = np.linspace(0.0, 1.0, 26)
    jump = Clip(times, ("joint 0",), np.where(times < 0.5, 0.0, 300.0)[:, None])
    with pytest.raises(SimulationError, match=r"'chain' stopped at 0\.\d+ s"):
        simulate(chain(), jump, SimulationOptions(step_s=0.04, halvings=0))


def test_motors_that_contradict_one_another_are_named(rng: np.random.Generator) -> None:
    bar = with_masses(four_bar(rocker_role=JointRole.ACTUATED), rng)
    times = np.linspace(0.0, 1.0, 51)
    both = Clip(times, ("A", "D"), 0.2 * eased(times - 0.1, 0.4)[:, [0, 0]] * (1.0, -1.0))
    with pytest.raises(SimulationError, match=r"cannot follow the clip: loops do not close at 0\.\d+ s.*contradict"):
        simulate(bar, both, SimulationOptions(step_s=2e-3))


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="step_s"):
        SimulationOptions(step_s=0.0)
    with pytest.raises(OptionError, match="between the steps"):
        SimulationOptions(step_s=0.5)
    with pytest.raises(OptionError, match="integrator"):
        SimulationOptions(integrator="euler")  # type: ignore[arg-type]
