"""A solution of mimic that nobody solved for: pico's own dance beside a person's motion, for tests of what is told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.loading import load_clip
from animato.mimic import Options, Problem, Solution, build
from animato.mimic.optimization.starting import controls_of_clip
from animato.outcome import Outcome, Status

SCALE = 0.2


def made_up_solution(
    capture: str = "person_wave", *, usable: bool = True, slowed_percent: float = 0.0, options: Options | None = None
) -> Solution:
    """Pico and a capture: key-points are 10 mm off, the left wrist 30 mm from 1 s on.

    Without balance the left knee would be 5 mm off. Each motor gives a newton millimetre.
    """
    wanted = replace(options or Options(), scale=SCALE)
    return solved_by_nobody(build("pico", capture, wanted), usable=usable, slowed_percent=slowed_percent)


def solved_by_nobody(problem: Problem, *, usable: bool = True, slowed_percent: float = 0.0) -> Solution:
    """Has every field of a solution."""
    times = (1.0 + 0.01 * slowed_percent) * problem.times
    slower = replace(problem, times=times, slowed_percent=slowed_percent)
    clip = load_clip("pico_hello").resampled(np.linspace(0.0, times[-1], int(times[-1] * 120.0) + 2))
    errors = np.full((len(times), len(problem.landmarks)), 0.01)
    before = errors.copy()
    errors[times >= 1.0, problem.landmarks.index("left_wrist")] = 0.03
    before[:, problem.landmarks.index("left_knee")] = 0.005
    corner_count = sum(len(part.points) for part in problem.plan.parts)
    status = Status.SOLVED if usable else Status.INFEASIBLE
    return Solution(
        problem=slower,
        outcome=Outcome(status, "no step lowers it any more" if usable else "the left knee needs more torque", 12),
        controls=controls_of_clip(slower, clip),
        kinematic=clip,
        errors=errors,
        kinematic_errors=before,
        forces=np.tile([0.35, 0.0, 1.0], (len(times), corner_count, 1)),
        planted=problem.plan.planted,
        torques=np.full((len(times), 6 + len(problem.character.coordinate_names)), 1e-3),
        scale=problem.scale,
        slowed_percent=slowed_percent,
        history=(),
        seconds=1.5,
        notes=("Nobody solved for this.",),
    )
