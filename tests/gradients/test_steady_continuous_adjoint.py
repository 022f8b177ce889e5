"""The published continuous adjoint beside the exact gradient of the discrete run: nearer with the step's square."""

import numpy as np
import pytest

import animato as an
from animato.motion import Clip
from animato.outcome import Iteration
from animato.steady import Options, Problem, build
from animato.steady.published import PublishedObjective, solve_published


def _problem(character: str, tracked: list[str], step_s: float, control_points: int = 18) -> Problem:
    """A short smooth move of all motors; knots fall on even steps, so that Simpson's rule sees no kinks."""
    model = an.load_character(character)
    names = model.actuated_coordinate_names
    times = np.linspace(0.0, 0.6, 121)
    x = np.clip((times - 0.04) / 0.3, 0.0, 1.0)
    heights = np.random.default_rng(0).uniform(-0.2, 0.2, len(names))
    clip = Clip(times, names, (x * x * (3.0 - 2.0 * x))[:, None] * heights)
    options = Options(step_s=step_s, control_points=control_points, limits=False, torque=False, acceleration_factor=0.0)
    return build(model, clip, options, tracked=tracked)


@pytest.mark.parametrize(
    ("character", "tracked"),
    [("rod", ["ball"]), ("drummer", ["head=1:upright", "pelvis"])],  # the drummer's legs close a loop
)
def test_the_continuous_adjoint_is_of_second_order(character: str, tracked: list[str]) -> None:
    errors = []
    for step_s in (4e-3, 2e-3):
        problem = _problem(character, tracked, step_s)
        objective = PublishedObjective(problem)
        value, gradient = objective.value_and_gradient(problem.artist)
        same, exact = objective.value_and_gradient(problem.artist, exact=True)
        assert value == same
        errors.append(np.linalg.norm(gradient - exact) / np.linalg.norm(exact))
    assert errors[1] < 5e-3
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.15)


def test_the_exact_gradient_of_the_published_objective() -> None:
    problem = _problem("rod", ["ball:upright"], 4e-3)
    objective = PublishedObjective(problem)
    rng = np.random.default_rng(1)
    x = problem.artist + 0.02 * rng.normal(size=problem.basis.size) * ~problem.basis.held
    along = rng.normal(size=problem.basis.size) * ~problem.basis.held
    _, gradient = objective.value_and_gradient(x, exact=True)
    h = 1e-4
    slope = (objective.value(x + h * along) - objective.value(x - h * along)) / (2.0 * h)
    assert gradient @ along == pytest.approx(slope, rel=1e-6)


def test_bfgs_descends_and_says_how() -> None:
    problem = _problem("rod", ["ball"], 4e-3)
    told: list[Iteration] = []
    found = solve_published(problem, iterations=12, progress=told.append)
    assert len(found.objectives) == len(found.gradient_norms) == len(told) <= 13
    assert np.all(np.diff(found.objectives) < 0.0)
    assert found.objectives[-1] < 0.2 * found.objectives[0]
    assert found.peak(found.after) < found.peak(found.before)
