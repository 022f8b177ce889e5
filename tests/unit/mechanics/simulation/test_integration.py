"""Statics and time stepping: starts, halving, failures, what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import animato as an
from animato.errors import MechanismError, MotionError, OptionError
from animato.mechanics.simulation import (
    IntegrationOptions,
    Integrator,
    State,
    build_system,
    integrate,
    quasi_static,
    solve_statics,
)
from animato.outcome import Iteration
from tests.simulation_builders import chain, eased, heavy_five_bar, heavy_four_bar, pendulum


def test_a_hanging_chain_finds_its_equilibrium() -> None:
    system = build_system(chain(motors=1, passive=2), tracked=("bar 2",))
    found = solve_statics(system, [0.6])
    assert found.u.shape == (1, 2)
    assert found.outcome.solved
    again = solve_statics(system, [0.6], State(found.u[0], found.v[0], found.lam[0]))
    np.testing.assert_allclose(again.u, found.u, atol=1e-9)
    # At rest nothing moves: a run with the motor held stays there.
    held = np.zeros((101, 3, 1))
    held[:, 0] = 0.6
    run = integrate(system, held, 1e-3)
    np.testing.assert_allclose(run.u, np.tile(found.u, (101, 1)), atol=1e-9)
    np.testing.assert_allclose(run.torques, np.tile(found.torques, (101, 1)), atol=1e-6)


def test_statics_along_a_path_do_not_depend_on_the_way() -> None:
    system = build_system(an.load_character("drummer"), tracked=("head",))
    path = np.linspace(0.0, 0.4, 9)[:, None] * np.linspace(-1.0, 1.0, len(system.motor_names))
    along = quasi_static(system, path)
    alone = solve_statics(system, path[-1])
    np.testing.assert_allclose(along.points[-1], alone.points[0], atol=1e-8)
    assert along.gaps.max() < 1e-10


def test_nothing_holds_a_pendulum_without_gravity() -> None:
    free = replace(pendulum(), gravity=(0.0, 0.0, 0.0))
    with pytest.raises(MechanismError, match="No static equilibrium"):
        solve_statics(build_system(free), np.zeros(0))


def test_loops_that_cannot_close_are_named(rng: np.random.Generator) -> None:
    system = build_system(heavy_five_bar(rng))
    with pytest.raises(MechanismError, match="No static equilibrium of 'five-bar'"):
        solve_statics(system, [1.5, -1.5])  # the arms fall apart


def hit(system: object, step: float, halvings: int) -> object:
    """A pendulum whose carriage is thrown in one step."""
    times = step * np.arange(41)
    motors = 60.0 * eased(times - 10.0 * step, 4.0 * step)[:, :, None]
    options = IntegrationOptions(halvings=halvings, iterations=4)
    return integrate(system, motors, step, options)  # type: ignore[arg-type]


def test_steps_are_halved_and_then_the_run_fails() -> None:
    system = build_system(pendulum(driven=True), tracked=("bob",))
    failed = hit(system, 0.02, 0)
    assert not failed.outcome.usable
    assert "did not converge" in failed.outcome.reason
    assert 0 < len(failed.u) < 41
    assert len(failed.points) == len(failed.u)
    assert f"at {0.02 * len(failed.u):.4f} s" in failed.outcome.reason
    helped = hit(system, 0.02, 6)
    assert helped.outcome.solved
    assert helped.halved > 0
    assert len(helped.u) == 41


def test_halved_steps_follow_the_motors_in_between() -> None:
    system = build_system(pendulum(driven=True), tracked=("bob",))
    coarse, fine = hit(system, 0.02, 6), hit(system, 0.02, 8)
    np.testing.assert_allclose(coarse.points[:8], fine.points[:8], atol=1e-8)


def test_progress_is_told_in_blocks() -> None:
    told: list[Iteration] = []
    system = build_system(chain())
    integrate(system, np.zeros((1201, 3, 1)), 1e-3, progress=told.append)
    assert [one.number for one in told] == [0, 1, 2, 3]
    assert told[-1].total == 3


def test_outputs_and_energies_have_their_own_strides() -> None:
    system = build_system(chain(), tracked=("bar 2",))
    motors = 0.5 * eased(1e-3 * np.arange(101), 0.1)[:, :, None]
    every = integrate(system, motors, 1e-3, IntegrationOptions(energy_every=1))
    some = integrate(system, motors, 1e-3, IntegrationOptions(output_every=4, energy_every=20))
    np.testing.assert_array_equal(some.points, every.points[::4])
    np.testing.assert_array_equal(some.energies, every.energies[::20])


def test_four_bar_is_determined_by_its_crank(rng: np.random.Generator) -> None:
    system = build_system(heavy_four_bar(rng))
    run = integrate(system, 3.0 * eased(1e-3 * np.arange(301), 0.3)[:, :, None], 1e-3)
    assert run.outcome.solved
    assert run.u.shape[1] == 2


@pytest.mark.parametrize(
    "given", [np.zeros((5, 3, 2)), np.zeros((5, 1)), np.full((5, 3, 1), np.nan), np.zeros((0, 3, 1))]
)
def test_motors_of_another_shape_are_refused(given: np.ndarray) -> None:
    with pytest.raises(MotionError, match=r"\[step, 3, 1\]"):
        integrate(build_system(chain()), given, 1e-3)


def test_options_are_checked() -> None:
    assert IntegrationOptions(integrator="bdf2").integrator is Integrator.BDF2  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="'generalized-alpha', 'bdf2'"):
        IntegrationOptions(integrator="euler")  # type: ignore[arg-type]
    for wrong in ({"spectral_radius": 1.5}, {"tolerance_m": 0.0}, {"iterations": 1}, {"output_every": 0}):
        with pytest.raises(OptionError, match=next(iter(wrong))):
            IntegrationOptions(**wrong)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="step_s"):
        integrate(build_system(chain()), np.zeros((5, 3, 1)), 0.0)


def test_a_trajectory_describes_itself() -> None:
    run = integrate(build_system(chain()), np.zeros((11, 3, 1)), 1e-3)
    assert "chain" in repr(run)
    assert run.coordinates.shape == (11, 3)
