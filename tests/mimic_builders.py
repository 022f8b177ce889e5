"""A solution of mimic that nobody solved for: pico's own dance beside a person's motion, for tests of what is told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from animato.loading import load_clip
from animato.mechanics.contact import zero_moment_points
from animato.mechanics.limits import limit_usage
from animato.mechanics.tree import states_of_clip
from animato.mimic.options import Options
from animato.mimic.problem import Problem, build
from animato.outcome import Outcome, Status

SCALE = 0.2


def made_up_solution(capture: str = "person_wave", *, usable: bool = True, slowed_percent: float = 0.0) -> Any:
    """Pico and a capture; key-points are 10 mm off, the left wrist 30 mm from 1 s on."""
    return solved_by_nobody(build("pico", capture, Options(scale=SCALE)), usable=usable, slowed_percent=slowed_percent)


def solved_by_nobody(problem: Problem, *, usable: bool = True, slowed_percent: float = 0.0) -> Any:
    """Has every field of a solution."""
    times = (1.0 + 0.01 * slowed_percent) * problem.times
    clip = load_clip("pico_hello").resampled(np.linspace(0.0, times[-1], int(times[-1] * 120.0) + 2))
    states = states_of_clip(problem.character, clip, times)
    errors = np.full((len(times), len(problem.landmarks)), 0.01)
    errors[times >= 1.0, problem.landmarks.index("left_wrist")] = 0.03
    corner_count = sum(len(part.points) for part in problem.plan.parts)
    status = Status.SOLVED if usable else Status.INFEASIBLE
    return SimpleNamespace(
        problem=problem,
        outcome=Outcome(status, "no step lowers it any more" if usable else "the left knee needs more torque", 12),
        clip=clip,
        usage=limit_usage(problem.character, clip),
        history=(),
        seconds=1.5,
        kinematic=clip,
        states=states,
        forces=np.broadcast_to([0.35, 0.0, 1.0], (len(times), corner_count, 3)),
        zmp=zero_moment_points(problem.character, states),
        errors=errors,
        slowed_percent=slowed_percent,
        scale=problem.scale,
        notes=("Nobody solved for this.",),
    )
