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
    return [
        Row("gradient_error", max(gradient_error(name) for name in ("rod", "rapper", "drummer")), "relative", "lower")
    ]


def gradient_error(name: str, *, seconds: float = 1.5, length: float = 2e-5) -> float:
    """Error of derivatives along the gradient and two random directions, over the gradient's norm.

    Over the derivative itself it would be larger along a random direction, where that may be next to nothing.

    Args:
        name: Of a demonstrator.
        seconds: Of its clip, from the start.
        length: Of the step to each side, all unknowns together [rad].
    """
    one = DEMONSTRATORS[name]
    whole = one.animate()
    count = int(np.searchsorted(whole.times, whole.times[0] + seconds))
    clip = Clip(whole.times[:count], whole.names, whole.positions[:count], source=whole.source)
    problem = steady.build(one.character, clip, tracked=one.tracked)
    model = SteadyModel(problem, Barrier(1e-6, 0.05))
    free = ~problem.basis.held
    gradient = np.where(free, model.assemble(model.evaluate(problem.artist), exact=False)[0], 0.0)
    size = float(np.linalg.norm(gradient))
    generator, worst = np.random.default_rng(7), 0.0
    for direction in (gradient, *np.where(free, generator.standard_normal((2, problem.basis.size)), 0.0)):
        unit = direction / np.linalg.norm(direction)
        ahead, behind = (model.evaluate(problem.artist + sign * length * unit).cost for sign in (1.0, -1.0))
        worst = max(worst, abs((ahead - behind) / (2.0 * length) - float(gradient @ unit)) / size)
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
