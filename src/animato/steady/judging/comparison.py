"""Beside what else could be done: input shapers for the modes that ring, and taking more time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from animato.mechanics.simulation.vibration import Modes, vibration_modes
from animato.motion import Clip
from animato.steady.baselines import shaped, slowed
from animato.steady.judging.trial import Trial, nominal_trials, try_clip
from animato.steady.optimization import Solution
from animato.steady.problem import Problem
from animato.steady.profiles import ProfileBasis

_SHAPERS: tuple[Literal["zv", "zvd", "ei"], ...] = ("zv", "zvd", "ei")


@dataclass(frozen=True)
class Compared:
    """A way to deal with vibration, and what comes of it.

    Attributes:
        name: For people.
        peak: Largest deviation from the target [m].
        rms: Root mean square of the body that is off most [m].
        hold: Largest deviation late in pauses [m]; not a number where there is none.
        acceleration: Largest of any motor [rad/s^2].
        note: What it costs.
    """

    name: str
    peak: float
    rms: float
    hold: float
    acceleration: float
    note: str = ""


def compared(solution: Solution, *, shaped_modes: int = 1) -> tuple[Compared, ...]:
    """The artist's motion, shapers on the slowest modes, a slower motion and ours, on the nominal model.

    Args:
        solution: Ours.
        shaped_modes: How many modes shapers are made for, the slowest first.
    """
    problem = solution.problem
    before, after = nominal_trials(problem, solution.before.x, solution.after.x)
    found = [_row("as the artist made it", before)]
    modes = modes_at_start(problem, shaped_modes)
    pairs = [
        (float(frequency), float(np.clip(damping, 0.0, 0.9)))
        for frequency, damping in zip(modes.frequencies_hz, modes.damping_ratios, strict=True)
        if np.isfinite(frequency)
    ]
    words = ", ".join(f"{frequency:.3g} Hz" for frequency, _ in pairs)
    for kind in _SHAPERS if pairs else ():
        trial = try_clip(problem, shaped(problem.clip, pairs, kind), target=before.target)
        found.append(_row(f"{kind.upper()} shaper", trial, f"for {words}"))
    found.append(_slower(problem))
    found.append(_row("steadied", after))
    return tuple(found)


def modes_at_start(problem: Problem, count: int = 6) -> Modes:
    """Modes of the nominal model in the clip's first pose."""
    scenario = problem.scenarios[0]
    theta = problem.basis.control_points(problem.artist)[0]
    return vibration_modes(scenario.system, theta, scenario.start, scenario.start_forces, count)


def _row(name: str, trial: Trial, note: str = "") -> Compared:
    return Compared(name, trial.peak, trial.rms, trial.hold_peak, float(np.abs(trial.run.motors[:, 2]).max()), note)


def _slower(problem: Problem) -> Compared:
    """Twice as slow, against a target that is twice as slow too."""
    slow: Clip = slowed(problem.clip, 2.0)
    basis = problem.basis
    longer = ProfileBasis.over(basis.names, basis.start, 2.0 * basis.duration, basis.count)
    times = np.linspace(0.0, 2.0 * basis.duration, 2 * len(problem.times) - 1)
    stretched = replace(problem, clip=slow, basis=longer, times=times, artist=longer.fitted(slow))
    (trial,) = nominal_trials(stretched, stretched.artist)
    return _row("twice as slow", trial, "and not at the artist's tempo")
