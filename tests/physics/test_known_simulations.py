"""Simulations with known answers: springs, pendulums, orders of convergence, energy, loops."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ellipk

import animato as an
from animato.mechanics.simulation import (
    IntegrationOptions,
    Integrator,
    State,
    Trajectory,
    build_system,
    energy_balance,
    integrate,
    loop_gaps,
    quasi_static,
    solve_statics,
)
from tests.simulation_builders import cart, chain, eased, heavy_four_bar, pendulum

BOTH = pytest.mark.parametrize("integrator", list(Integrator))


@BOTH
def test_a_mass_on_a_moved_spring(integrator: Integrator) -> None:
    """M x'' + k (x - theta) = 0 with theta = A (1 - cos(w t)): the sum of two vibrations."""
    mass, stiffness, amplitude, w = 2.0, 800.0, 0.05, 7.0
    system = build_system(cart(mass), tracked=("cart",), joint_stiffness=stiffness)
    step, count = 5e-4, 2001
    t = step * np.arange(count)
    motors = np.stack(
        [amplitude * (1 - np.cos(w * t)), amplitude * w * np.sin(w * t), amplitude * w**2 * np.cos(w * t)], 1
    )
    run = integrate(system, motors[:, :, None], step, IntegrationOptions(integrator=integrator))
    own = np.sqrt(stiffness / mass)
    forced = amplitude * own**2 / (own**2 - w**2)
    # x = A - forced cos(w t) + (forced - A) cos(own t), at rest at the start
    known = amplitude - forced * np.cos(w * t) + (forced - amplitude) * np.cos(own * t)
    np.testing.assert_allclose(run.points[:, 0, 0], known, atol=5e-6 if integrator == "bdf2" else 2e-6)
    known_force = stiffness * (motors[:, 0] - known)
    np.testing.assert_allclose(run.torques[:, 0], known_force, atol=6e-3)


def test_period_of_a_pendulum() -> None:
    """T = 4 sqrt(l / g) K(sin^2(amplitude / 2)); that of small swings is off by 13 % at 80 degrees."""
    length, amplitude = 0.5, np.radians(80.0)
    system = build_system(pendulum(length), tracked=("bob",))
    period = 4.0 * np.sqrt(length / 9.81) * ellipk(np.sin(amplitude / 2.0) ** 2)
    step = 1e-3
    run = integrate(system, np.zeros((4001, 3, 0)), step, start=State(np.array([amplitude]), np.zeros(1), np.zeros(0)))
    assert run.outcome.solved
    u, t = run.u[:, 0], run.times
    up = np.flatnonzero((u[:-1] < 0.0) & (u[1:] >= 0.0))
    zeros = t[up] - u[up] * step / (u[up + 1] - u[up])
    assert np.mean(np.diff(zeros)) == pytest.approx(period, rel=1e-5)
    assert 2.0 * np.pi * np.sqrt(length / 9.81) < 0.9 * period


@BOTH
def test_order_of_convergence_is_two(integrator: Integrator) -> None:
    system = build_system(chain(), tracked=("bar 2",))

    def run(step: float) -> Trajectory:
        times = step * np.arange(round(0.8 / step) + 1)
        motors = 0.9 * eased(times, 0.5)[:, :, None]
        return integrate(system, motors, step, IntegrationOptions(integrator=integrator))

    fine = run(1e-4)
    errors = [np.linalg.norm(run(step).points[-1] - fine.points[-1]) for step in (4e-3, 2e-3)]
    torque_errors = [np.abs(run(step).torques[-1] - fine.torques[-1]).max() for step in (4e-3, 2e-3)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.15)  # the coarse steps are not yet all order
    assert np.log2(torque_errors[0] / torque_errors[1]) == pytest.approx(2.0, abs=0.3)


def test_a_rod_let_go_keeps_its_energy() -> None:
    """Motor held, undamped, bent by two and a half g to the side and released: default integrator, 0.5 ms, 10 s."""
    rod = an.load_character("rod")
    pulled = solve_statics(build_system(replace(rod, gravity=(25.0, 0.0, -9.81))), np.zeros(1))
    system = build_system(rod, tracked=("ball",))
    start = State(pulled.u[0], np.zeros_like(pulled.u[0]), pulled.lam[0])
    run = integrate(system, np.zeros((20001, 3, 1)), 5e-4, start=start)
    assert run.outcome.solved
    assert np.ptp(run.points[:, 0, 0]) > 0.2  # it swings by more than 20 cm
    assert energy_balance(run).relative_drift < 1e-5
    lossy = IntegrationOptions(integrator=Integrator.BDF2)
    damped = integrate(system, np.zeros((401, 3, 1)), 5e-3, lossy, start=start)
    assert energy_balance(damped).relative_drift > 1e-3  # negative control: BDF2 at 5 ms eats energy


def test_motors_and_damping_account_for_all_energy() -> None:
    system = build_system(chain())
    times = 5e-4 * np.arange(2001)
    run = integrate(system, 0.9 * eased(times, 0.5)[:, :, None], 5e-4)
    balance = energy_balance(run)
    assert balance.work[-1] > 0.05
    assert balance.dissipated[-1] > 1e-3
    assert balance.relative_drift < 1e-4


@BOTH
def test_loops_stay_closed(integrator: Integrator, rng: np.random.Generator) -> None:
    system = build_system(heavy_four_bar(rng), tracked=("rocker",))
    times = 1e-3 * np.arange(1001)
    motors = 6.0 * eased(times, 1.0)[:, :, None]
    run = integrate(system, motors, 1e-3, IntegrationOptions(integrator=integrator))
    assert run.outcome.solved
    assert np.abs(loop_gaps(run)).max() < 1e-10
    assert run.gaps.max() < 1e-10
    slow = quasi_static(system, motors[::50, 0])
    # One motor moves it all: slow or fast, the bodies are at the same places.
    np.testing.assert_allclose(run.points[::50], slow.points, atol=1e-9)
