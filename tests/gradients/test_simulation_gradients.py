"""Derivatives of simulations by what motors do: forward and adjoint, against central differences of whole runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import animato as an
from animato.character import Character, JointRole
from animato.errors import OptionError
from animato.mechanics.simulation import (
    IntegrationOptions,
    Integrator,
    State,
    Trajectory,
    build_system,
    integrate,
    simulate_and_linearize,
    solve_statics,
)
from animato.mechanics.simulation.system import System
from tests.simulation_builders import chain, heavy_five_bar

TIGHT = IntegrationOptions(integrator=Integrator.BDF2, tolerance_m=1e-14, gap_tolerance_m=1e-13)
STEP, COUNT = 2e-3, 60


def swaying_five_bar(rng: np.random.Generator) -> Character:
    """A five-bar that hangs on a passive hinge: a loop that is not determined by its motors."""
    bar = heavy_five_bar(rng)
    joints = tuple(
        replace(joint, role=JointRole.PASSIVE, damping=0.05) if joint.name == "E" else joint for joint in bar.joints
    )
    return replace(bar, joints=joints)


def system_of(name: str, rng: np.random.Generator) -> System:
    if name == "chain":
        return build_system(chain(motors=2, passive=2), tracked=("bar 1", "bar 3"))
    if name == "five-bar":
        return build_system(swaying_five_bar(rng), tracked=("left fore", "right"))
    return build_system(an.load_character(name), tracked=(an.load_character(name).bodies[-1].name,))


def profiles(system: System, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A smooth motion, and a smooth change of it whose derivatives are not those of its positions."""
    x = np.linspace(0.0, 1.0, COUNT)[:, None]
    total = STEP * (COUNT - 1)
    powers = [np.hstack([x**3, x**4, x**5]), np.hstack([3 * x**2, 4 * x**3, 5 * x**4]) / total]
    powers.append(np.hstack([6 * x, 12 * x**2, 20 * x**3]) / total**2)
    count = len(system.motor_names)
    weights = 0.1 * rng.normal(size=(3, count))
    motors = np.stack([power @ weights for power in powers], axis=1)
    waves = np.cos(np.pi * x * np.arange(4))
    change = np.stack([scale * waves @ rng.normal(size=(4, count)) for scale in (1.0, 10.0, 100.0)], axis=1)
    change[0, 1:] = 0.0  # the first moment is at rest
    return motors, change


def turned(run: Trajectory, other: Trajectory) -> np.ndarray:
    """Small turns from one run to another about the world's axes, [t, k, 3]."""
    R = np.einsum("tkij,tklj->tkil", other.rotations, run.rotations)
    return 0.5 * np.stack([R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]], -1)


@pytest.mark.parametrize("name", ["chain", "five-bar", "rod", "drummer"])
def test_forward_against_differences(name: str, rng: np.random.Generator) -> None:
    system = system_of(name, rng)
    motors, change = profiles(system, rng)
    run, linearization = simulate_and_linearize(system, motors, STEP, TIGHT)
    assert linearization is not None, run.outcome
    found = linearization.forward(*change.transpose(1, 0, 2))
    size = 1e-5
    ahead, behind = (integrate(system, motors + sign * size * change, STEP, TIGHT) for sign in (1.0, -1.0))
    pairs = {
        "points": (found.points, (ahead.points - behind.points) / (2 * size)),
        "turns": (found.turns, turned(behind, ahead) / (2 * size)),
        "torques": (found.torques, (ahead.torques - behind.torques) / (2 * size)),
    }
    for what, (ours, differences) in pairs.items():
        error = np.abs(ours - differences).max() / np.abs(differences).max()
        assert error < 1e-6, what


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("name", ["chain", "five-bar", "drummer"])
def test_adjoint_is_the_transpose(name: str, single: bool, rng: np.random.Generator) -> None:
    system = system_of(name, rng)
    motors, change = profiles(system, rng)
    _, linearization = simulate_and_linearize(system, motors, STEP, TIGHT, single_precision=single)
    assert linearization is not None
    found = linearization.forward(*change.transpose(1, 0, 2))
    outputs = [rng.normal(size=one.shape) for one in found]
    back = linearization.adjoint(*outputs)
    forward = sum(float(np.sum(y * one)) for y, one in zip(outputs, found, strict=True))
    backward = sum(float(np.sum(g * one)) for g, one in zip(back, change.transpose(1, 0, 2), strict=True))
    size = sum(float(np.linalg.norm(y) * np.linalg.norm(one)) for y, one in zip(outputs, found, strict=True))
    assert abs(forward - backward) < 1e-12 * size


def test_single_precision_and_no_torques(rng: np.random.Generator) -> None:
    system = system_of("chain", rng)
    motors, change = profiles(system, rng)
    _, whole = simulate_and_linearize(system, motors, STEP, TIGHT)
    _, small = simulate_and_linearize(system, motors, STEP, TIGHT, single_precision=True, torques=False)
    assert whole is not None and small is not None
    assert small.megabytes < 0.5 * whole.megabytes
    parts = change.transpose(1, 0, 2)
    exact = whole.forward(*parts).points
    # Factors are rounded to single precision; their error is carried on from step to step.
    np.testing.assert_allclose(small.forward(*parts).points, exact, atol=1e-3 * np.abs(exact).max())
    assert not np.any(small.forward(*parts).torques)
    with pytest.raises(OptionError, match="torques=True"):
        small.adjoint(torques=np.zeros((COUNT, 2)))


def test_a_given_start_is_held(rng: np.random.Generator) -> None:
    system = system_of("chain", rng)
    motors, change = profiles(system, rng)
    rest = solve_statics(system, motors[0, 0])
    start = State(rest.u[0], rest.v[0], rest.lam[0])
    change[0] = 0.0
    parts = change.transpose(1, 0, 2)
    _, held = simulate_and_linearize(system, motors, STEP, TIGHT, start=start)
    _, own = simulate_and_linearize(system, motors, STEP, TIGHT)
    assert held is not None and own is not None
    np.testing.assert_allclose(held.forward(*parts).points, own.forward(*parts).points, atol=1e-9)


def test_another_integrator_is_refused(rng: np.random.Generator) -> None:
    system = system_of("chain", rng)
    with pytest.raises(OptionError, match="bdf2"):
        simulate_and_linearize(system, profiles(system, rng)[0], STEP, IntegrationOptions())
