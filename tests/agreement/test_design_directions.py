"""Three search directions, one answer, on the programs of the demonstrators."""

from __future__ import annotations

import numpy as np
import pytest

from animato.design.optimization.evaluation import References, evaluated
from animato.design.optimization.initial import initial_point
from animato.design.optimization.program import ProgramBuilder
from animato.design.problem.build import build
from animato.design.problem.problem import Problem
from animato.design.problem.target_motion import TargetMotion
from animato.design.terms.target import TrackingTarget
from animato.formats.character_files import load_character
from animato.gallery.design import bear, biker, kickbot, legs
from animato.solvers.stage_qp.direction import Method, search_direction
from animato.solvers.stage_qp.program import StageQP

NAMES = ("dp", "du", "dv", "ds", "lambda_v", "lambda_p", "lambda_u", "lambda_c")
TARGETS = {"kickbot": kickbot.kickbot_targets, "legs": legs.legs_targets, "bear": bear.bear_targets}


def demonstrator(name: str, steps: int) -> Problem:
    """The first steps of a demonstrator; the directions do not know how long a motion is."""
    character = load_character(name)
    controls = None
    if name == "biker":
        given, controls = biker.biker_targets(character), biker.biker_controls()[:steps]
    else:
        given = TARGETS[name](character)
    targets = tuple(
        TrackingTarget(
            one.body,
            one.point,
            None if one.positions is None else one.positions[:steps],
            None if one.orientations_wxyz is None else one.orientations_wxyz[:steps],
            one.position_weights[:steps],
            np.asarray(one.orientation_weight)[:steps],
            one.name,
        )
        for one in given
    )
    return build(character, TargetMotion(targets, 60.0, controls))


def program(problem: Problem, *, exact: bool) -> StageQP:
    start = initial_point(problem)
    references = References(start.design, start.controls, 1e-4)
    builder = ProgramBuilder(problem)
    rng = np.random.default_rng(5)
    multipliers = 1e-3 * rng.standard_normal((problem.step_count, builder.size)) if exact else None
    at = evaluated(problem, start, references)
    return builder.program(at, references, damping=1.0, multipliers=multipliers)


@pytest.mark.parametrize("exact", [False, True], ids=["gauss-newton", "exact"])
@pytest.mark.parametrize("name", ["kickbot", "legs", "bear", "biker"])
def test_directions_agree(name: str, exact: bool) -> None:
    qp = program(demonstrator(name, 12), exact=exact)
    methods: tuple[Method, ...] = ("arrow", "riccati", "ldlt")
    found = {method: search_direction(qp, method=method) for method in methods}
    for part in NAMES:
        expected = getattr(found["ldlt"], part)
        size = max(np.abs(expected).max(initial=0.0), 1e-12)
        for method in ("arrow", "riccati"):
            gap = np.abs(getattr(found[method], part) - expected).max(initial=0.0)
            assert gap <= 1e-9 * size, (part, method, gap / size)
