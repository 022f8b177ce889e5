"""What must hold of the mechanics of steady: gradients, energy, closed loops."""

from __future__ import annotations

import numpy as np

import animato as an
from animato import steady
from animato.gallery.steady import DEMONSTRATORS
from animato.mechanics.simulation import State, build_system, energy_balance, integrate, simulate, solve_statics
from animato.mechanics.simulation.vibration import vibration_modes
from animato.motion import Clip
from animato.steady.optimization import Barrier, SteadyModel
from benchmarks.row import Row

STEP = 0.5e-3


def gradient_rows() -> list[Row]:
    """The adjoint's gradient of the whole objective, barriers included, against central differences."""
    worst = max(gradient_error(name) for name in ("rod", "bartender"))
    return [Row("gradient_error", worst, "relative", "lower")]


def gradient_error(name: str, *, directions: int = 3, change: float = 1e-4, seconds: float = 1.5) -> float:
    """Largest relative error of directional derivatives over the first part of a demonstrator's clip."""
    one = DEMONSTRATORS[name]
    whole = one.animate()
    count = int(np.searchsorted(whole.times, whole.times[0] + seconds))
    clip = Clip(whole.times[:count], whole.names, whole.positions[:count], source=whole.source)
    problem = steady.build(one.character, clip, tracked=one.tracked)
    model = SteadyModel(problem, Barrier(1e-6, 0.05))
    generator = np.random.default_rng(7)
    free = ~problem.basis.held
    gradient, _ = model.assemble(model.evaluate(problem.artist), exact=False)
    worst = 0.0
    for _ in range(directions):
        direction = np.where(free, generator.standard_normal(problem.basis.size), 0.0)
        ahead, behind = (model.evaluate(problem.artist + sign * change * direction).cost for sign in (1.0, -1.0))
        found, exact = (ahead - behind) / (2.0 * change), float(gradient @ direction)
        worst = max(worst, abs(found - exact) / abs(exact))
    return worst


def energy_rows(*, seconds: float = 10.0, bend_m: float = 0.1) -> list[Row]:
    """The undamped rod, released bent along its first two modes with the motor held, by the default integrator."""
    system = build_system(an.load_character("rod"), tracked=("ball",))
    held = np.zeros(1)
    rest = solve_statics(system, held)
    modes = vibration_modes(system, held, rest.u[0], rest.lam[0], count=4)
    first = modes.shapes[0, : system.unknown_count]
    start = rest.u[0] + first * bend_m * np.sqrt(0.1)  # of unit modal mass, which is about that of the ball
    motors = np.zeros((round(seconds / STEP) + 1, 3, 1))
    run = integrate(system, motors, STEP, start=State(start, np.zeros_like(start), rest.lam[0]))
    return [Row("energy_drift", energy_balance(run).relative_drift, "relative", "lower")]


def loop_rows(*, quick: bool) -> list[Row]:
    """The largest gap of a loop in simulations of characters that have one."""
    gaps = []
    for name in ("rapper",) if quick else ("rapper", "drummer", "boxer"):
        one = DEMONSTRATORS[name]
        gaps.append(simulate(an.load_character(one.character), one.animate()).closure_residual_m)
    return [Row("loop_residual_m", max(gaps), "m", "lower")]
