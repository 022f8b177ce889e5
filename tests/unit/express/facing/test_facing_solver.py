from __future__ import annotations

import time
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from animato.errors import MotionError, OptionError
from animato.express.facing.errors import ErrorWeights, facing_errors
from animato.express.facing.facing import status_of
from animato.express.facing.kernel import Effort
from animato.express.facing.problem import build_facing_problem
from animato.express.facing.solver import Reach, solve_facing, solve_facings
from animato.express.options import METHODS
from animato.express.published.methods import solve_facing_by
from animato.express.sweep.samples import build_sweep, random_samples
from animato.mechanics.tree.kinematics.chains import tip_orientations
from animato.spatial import quaternions
from tests.unit.express.chains import SKELETONS, random_chain, random_positions, random_wxyz, skeleton

REACHABLE = "bcdefg"


@pytest.mark.parametrize("letter", SKELETONS)
def test_a_target_that_the_posture_faces_is_the_posture(letter: str, rng: np.random.Generator) -> None:
    chain = skeleton(letter)
    for posture in random_positions(rng, chain, 10):
        answer = solve_facing(build_facing_problem(chain, posture), tip_orientations(chain, posture[None])[0])
        assert answer.error.combined < 1e-9
        assert answer.reached and answer.complete
        assert answer.status == "Faces the target exactly."


def test_the_shape_itself_is_found_where_mirrors_cost_the_same(rng: np.random.Generator) -> None:
    chain = skeleton("g")
    for posture in random_positions(rng, chain, 10):
        problem = build_facing_problem(chain, posture, minimize="shape")
        answer = solve_facing(problem, tip_orientations(chain, posture[None])[0])
        assert answer.error.shape < 1e-7


@pytest.mark.parametrize("letter", REACHABLE)
def test_every_target_is_faced_exactly(letter: str) -> None:
    chain = skeleton(letter)
    part = random_samples(build_sweep(chain), 60, 3)
    for posture, target in zip(part.postures, part.targets_wxyz, strict=True):
        answer = solve_facing(build_facing_problem(chain, posture), target)
        assert answer.error.orientation < 1e-6, (posture, target)
        assert (answer.positions >= chain.arrays.lower).all() and (answer.positions <= chain.arrays.upper).all()


def test_errors_are_those_of_the_batch_kernel(rng: np.random.Generator) -> None:
    for seed, roll in ((0, "exact"), (1, 0.3), (2, "free")):
        chain = random_chain(np.random.default_rng(seed), 5)
        problem = build_facing_problem(chain, random_positions(rng, chain), roll=roll)  # type: ignore[arg-type]
        for target in random_wxyz(rng, 20):
            answer = solve_facing(problem, target)
            found = facing_errors(
                chain, answer.positions, problem.posture, target, problem.weights, roll_tolerance=problem.roll_tolerance
            )
            for name in ("combined", "orientation", "posture", "shape"):
                np.testing.assert_allclose(getattr(answer.error, name), getattr(found, name)[0], atol=1e-9)


@given(st.integers(0, 10_000), st.integers(2, 8), st.sampled_from(["exact", 0.2, "free"]), st.booleans())
@settings(max_examples=60, deadline=None)
def test_limits_are_never_broken(seed: int, turning: int, roll: str | float, shape: bool) -> None:
    rng = np.random.default_rng(seed)
    chain = random_chain(rng, turning)
    posture = random_positions(rng, chain)
    problem = build_facing_problem(chain, posture, roll=roll, minimize="shape" if shape else "posture")  # type: ignore[arg-type]
    previous = random_positions(rng, chain)
    lower, upper = chain.arrays.lower, chain.arrays.upper
    slides = chain.arrays.slides
    for options in ({}, {"previous": previous, "closeness": 0.01}, {"previous": previous, "reach": "local"}):
        answer = solve_facing(problem, random_wxyz(rng, 1)[0], **options)  # type: ignore[arg-type]
        assert np.isfinite(answer.positions).all()
        assert (answer.positions >= lower).all() and (answer.positions <= upper).all()
        assert 0.0 <= answer.error.orientation <= 1.0
        np.testing.assert_array_equal(answer.positions[slides], posture[slides])


@given(st.integers(0, 10_000), st.integers(3, 7))
@settings(max_examples=40, deadline=None)
def test_what_a_chain_can_do_is_found(seed: int, turning: int) -> None:
    """A target made from a configuration inside the limits is faced exactly, at no more than that one's error."""
    rng = np.random.default_rng(seed)
    chain = random_chain(rng, turning)
    known, posture = random_positions(rng, chain), random_positions(rng, chain)
    target = tip_orientations(chain, known[None])
    answer = solve_facing(build_facing_problem(chain, posture), target[0])
    assert answer.reached
    assert answer.error.posture <= facing_errors(chain, known, posture, target).posture[0] + 1e-6


def test_roll_that_costs_nothing_can_only_help(rng: np.random.Generator) -> None:
    chain = skeleton("a")
    posture = random_positions(rng, chain)
    problems = [build_facing_problem(chain, posture, roll=roll) for roll in (0.0, 0.4, 1.5, "free")]  # type: ignore[arg-type]
    for target in random_wxyz(rng, 30):
        errors = [solve_facing(problem, target).error.combined for problem in problems]
        assert all(b <= a + 1e-6 for a, b in pairwise(errors))


def test_targets_out_of_reach_get_the_best_compromise() -> None:
    chain = skeleton("a")
    problem = build_facing_problem(chain, [0.0, 0.5, 0.0])
    down = quaternions.quaternion_about((1.0, 0.0, 0.0), np.pi * 0.9)
    answer = solve_facing(problem, down)
    assert not answer.reached and answer.complete
    assert "out of reach; the best compromise found is" in answer.status
    # brute force over all three joints
    grid = np.stack(np.meshgrid(*[np.linspace(-np.pi / 2, np.pi / 2, 61)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    least = facing_errors(chain, grid, problem.posture, np.tile(down, (len(grid), 1))).combined.min()
    assert answer.error.combined <= least + 1e-9
    assert answer.error.combined >= least - 0.02  # the grid is 3 degrees wide


def test_two_joints_face_what_they_can(rng: np.random.Generator) -> None:
    for seed in range(5):
        chain = random_chain(np.random.default_rng(seed), 2)
        problem = build_facing_problem(chain, random_positions(rng, chain))
        known = random_positions(rng, chain)
        answer = solve_facing(problem, tip_orientations(chain, known[None])[0])
        assert answer.reached


def test_targets_that_are_no_rotation_keep_the_last_answer() -> None:
    problem = build_facing_problem(skeleton("c"), np.zeros(5))
    previous = np.full(5, 0.1)
    for target in ([np.nan, 0, 0, 0], [0, 0, 0, 0], [np.inf, 0, 0, 0], [1e-12, 0, 0, 0]):
        answers = [
            solve_facing(problem, target, previous),
            solve_facing(problem, target, previous, budget_s=1e-3),
            solve_facing(problem, target, previous, reach="local"),
            solve_facing_by("dls", problem, target, previous),
        ]
        for answer in answers:
            np.testing.assert_array_equal(answer.positions, previous)
            assert not answer.reached and not answer.complete
            assert "no rotation" in answer.status and "previous answer is kept" in answer.status
            assert np.isnan(answer.error.combined)
        np.testing.assert_array_equal(solve_facing(problem, target).positions, problem.posture)


def test_previous_positions_that_are_no_numbers_are_not_used() -> None:
    problem = build_facing_problem(skeleton("c"), np.zeros(5))
    target = random_wxyz(np.random.default_rng(1), 1)[0]
    bad = solve_facing(problem, target, np.full(5, np.nan))
    np.testing.assert_array_equal(bad.positions, solve_facing(problem, target).positions)


def test_a_target_of_any_length_is_the_same_target(rng: np.random.Generator) -> None:
    problem = build_facing_problem(skeleton("c"), np.full(5, 0.3))
    target = random_wxyz(rng, 1)[0]
    short, long = solve_facing(problem, 0.01 * target), solve_facing(problem, -7.0 * target)
    np.testing.assert_allclose(short.positions, long.positions, atol=1e-9)


def test_the_same_arguments_give_the_same_answer(rng: np.random.Generator) -> None:
    problem = build_facing_problem(skeleton("g"), random_positions(rng, skeleton("g")))
    for target in random_wxyz(rng, 20):
        first, again = solve_facing(problem, target), solve_facing(problem, target)
        np.testing.assert_array_equal(first.positions, again.positions)
        assert first.error == again.error
        assert first.iterations == again.iterations


def test_the_answer_does_not_depend_on_where_the_chain_was(rng: np.random.Generator) -> None:
    chain = skeleton("c")
    part = random_samples(build_sweep(chain), 40, 5)
    for posture, target in zip(part.postures, part.targets_wxyz, strict=True):
        problem = build_facing_problem(chain, posture)
        errors = [solve_facing(problem, target, random_positions(rng, chain)).error.combined for _ in range(3)]
        assert np.ptp(errors) < 0.02 * max(errors) + 1e-6


def test_closeness_draws_the_answer_to_the_previous_one(rng: np.random.Generator) -> None:
    chain = skeleton("g")
    nearer = 0
    for _ in range(20):
        problem = build_facing_problem(chain, random_positions(rng, chain))
        previous, target = random_positions(rng, chain), random_wxyz(rng, 1)[0]
        free = solve_facing(problem, target, previous)
        close = solve_facing(problem, target, previous, closeness=0.1)
        assert close.error.orientation < 1e-6
        nearer += np.linalg.norm(close.positions - previous) <= np.linalg.norm(free.positions - previous) + 1e-6
    assert nearer == 20


@pytest.mark.parametrize("reach", ["global", "local"])
def test_closeness_does_not_hold_a_roll_that_is_free(reach: Reach, rng: np.random.Generator) -> None:
    chain, thorough = skeleton("g"), Effort(long=60, tolerance=1e-13)
    for _ in range(10):
        problem = build_facing_problem(chain, 0.5 * random_positions(rng, chain), roll="free")
        previous = 0.5 * random_positions(rng, chain)
        turn = quaternions.quaternion_from_rotation_vector(0.3 * rng.normal(size=3))
        target = quaternions.multiply(turn, tip_orientations(chain, previous[None])[0])
        forward = np.array(chain.end_point.forward)
        costs = []
        for roll in (0.0, 0.4, 1.2):
            rolled = quaternions.multiply(target, quaternions.quaternion_about(forward, roll))
            answer = solve_facing(problem, rolled, previous, closeness=0.1, reach=reach, effort=thorough)
            assert answer.reached
            costs.append(answer.error.combined + 0.05 * np.sum((answer.positions - previous) ** 2))
        assert max(costs) < 1.05 * min(costs)  # other starts may end in another minimum; pulling the roll doubles it


def test_holding_another_posture_is_the_problem_of_that_posture(rng: np.random.Generator) -> None:
    chain = skeleton("g")
    first = build_facing_problem(chain, random_positions(rng, chain), roll=0.3, minimize="shape")
    posture, target = random_positions(rng, chain), random_wxyz(rng, 1)[0]
    fresh = build_facing_problem(chain, posture, roll=0.3, minimize="shape")
    held, light = first.holding(posture), first.holding(posture, corners=False)
    np.testing.assert_array_equal(solve_facing(held, target).positions, solve_facing(fresh, target).positions)
    near = solve_facing(fresh, target, posture, reach="local")
    np.testing.assert_array_equal(solve_facing(light, target, posture, reach="local").positions, near.positions)
    with pytest.raises(MotionError, match="outside its limits"):
        first.holding(np.full(8, 9.0), corners=False)


def test_local_reach_stays_on_its_branch() -> None:
    chain = skeleton("g")
    problem = build_facing_problem(chain, np.zeros(8))
    previous = solve_facing(problem, quaternions.quaternion_about((1.0, 0.0, 0.0), 0.5)).positions
    for step in range(1, 40):
        target = quaternions.quaternion_about((1.0, 0.0, 0.0), 0.5 + 0.01 * step)
        answer = solve_facing(problem, target, previous, reach="local")
        assert answer.reached
        assert np.abs(answer.positions - previous).max() < 0.1
        previous = answer.positions


def test_whole_turns_are_taken_near_the_previous_answer() -> None:
    rng = np.random.default_rng(12)
    chain = random_chain(rng, 6, slides=False)
    wide = chain.arrays._replace(lower=np.full(6, -20.0), upper=np.full(6, 20.0))
    problem = build_facing_problem(type(chain)(wide, chain.names, chain.limits, chain.end_point), np.zeros(6))
    previous = np.full(6, 4.0 * np.pi)
    for target in random_wxyz(rng, 10):
        answer = solve_facing(problem, target, previous)
        assert answer.reached
        assert np.abs(answer.positions - previous).max() <= np.pi + 1e-6


@pytest.mark.parametrize("letter", "cg")
def test_a_budget_is_kept(letter: str) -> None:
    chain = skeleton(letter)
    part = random_samples(build_sweep(chain), 1000, 6)
    problem = build_facing_problem(chain, part.postures[0])
    solve_facing(problem, part.targets_wxyz[0], budget_s=1.0)
    seconds = []
    for target in part.targets_wxyz:
        start = time.thread_time()
        answer = solve_facing(problem, target, budget_s=2e-4)
        seconds.append(time.thread_time() - start)
        assert (answer.positions >= chain.arrays.lower).all() and (answer.positions <= chain.arrays.upper).all()
    # the processor's own time: whoever shares the machine is not counted
    assert np.quantile(seconds, 0.99) < 4e-4


def test_no_time_at_all_still_gives_an_answer(rng: np.random.Generator) -> None:
    chain = skeleton("f")
    problem = build_facing_problem(chain, random_positions(rng, chain))
    previous = random_positions(rng, chain)
    for target in random_wxyz(rng, 20):
        answer = solve_facing(problem, target, previous, budget_s=0.0)
        before = facing_errors(chain, previous, problem.posture, target, problem.weights).combined[0]
        assert answer.error.combined <= before + 1e-9 or answer.reached
    answer = solve_facing(problem, target, previous, budget_s=1.0)
    np.testing.assert_array_equal(answer.positions, solve_facing(problem, target, previous).positions)


def test_many_targets_at_once(rng: np.random.Generator) -> None:
    chain = skeleton("e")
    problem = build_facing_problem(chain, random_positions(rng, chain))
    targets = random_wxyz(rng, 30)
    batch = solve_facings(problem, np.vstack([targets, np.full(4, np.nan)]))
    for n, target in enumerate(targets):
        one = solve_facing(problem, target)
        np.testing.assert_array_equal(batch.positions[n], one.positions)
        assert batch.errors.combined[n] == one.error.combined
    np.testing.assert_array_equal(batch.positions[-1], problem.posture)
    assert np.isnan(batch.errors.combined[-1])


def test_all_methods_answer(rng: np.random.Generator) -> None:
    chain = skeleton("c")
    problem = build_facing_problem(chain, random_positions(rng, chain))
    target = random_wxyz(rng, 1)[0]
    errors = {}
    for method in METHODS:
        answer = solve_facing_by(method, problem, target)  # type: ignore[arg-type]
        found = facing_errors(chain, answer.positions, problem.posture, target, problem.weights)
        np.testing.assert_allclose(answer.error.combined, found.combined[0], atol=1e-7)
        errors[method] = answer.error.combined
    assert errors["animato"] <= min(errors.values()) + 1e-9


def test_options_that_are_not_allowed() -> None:
    problem = build_facing_problem(skeleton("c"), np.zeros(5))
    for options, why in (
        ({"reach": "far"}, "'global' or 'local', not 'far'"),
        ({"closeness": -1.0}, "`closeness` must be a number 0 or more"),
        ({"closeness": np.nan}, "`closeness` must be a number 0 or more"),
        ({"closeness": "x"}, "`closeness` must be a number 0 or more"),
        ({"budget_s": np.nan}, "`budget_s` must be a number of seconds"),
        ({"budget_s": "x"}, "`budget_s` must be a number of seconds"),
        ({"effort": Effort(faced=0)}, "at least one start of each kind"),
    ):
        with pytest.raises(OptionError, match=why):
            solve_facing(problem, [1, 0, 0, 0], **options)  # type: ignore[arg-type]
    with pytest.raises(MotionError, match=r"4 numbers; given an array of shape \(3,\)"):
        solve_facing(problem, [1, 0, 0])
    with pytest.raises(MotionError, match=r"must be of shape \(5,\); given \(4,\)"):
        solve_facing(problem, [1, 0, 0, 0], np.zeros(4))
    with pytest.raises(MotionError, match=r"\[m, 4\]; given an array of shape \(4,\)"):
        solve_facings(problem, [1, 0, 0, 0])
    with pytest.raises(OptionError, match="one of animato, dls, erik, not 'magic'"):
        solve_facing_by("magic", problem, [1, 0, 0, 0])  # type: ignore[arg-type]


def test_sentences() -> None:
    assert status_of(0.0, complete=True) == "Faces the target exactly."
    assert "time ran out" in status_of(1e-9, complete=False)
    assert status_of(np.sqrt(2) * np.sin(np.radians(20.0) / 4), complete=True).endswith("20 deg off.")
    assert status_of(0.1, complete=False).startswith("Time ran out;")


def test_a_heavier_posture_never_costs_the_orientation(rng: np.random.Generator) -> None:
    """Facing exactly comes first, whatever the weights."""
    chain = skeleton("c")
    problem = build_facing_problem(chain, random_positions(rng, chain), weights=ErrorWeights(0.01, 5.0))
    for target in random_wxyz(rng, 20):
        assert solve_facing(problem, target).reached


@pytest.mark.parametrize("letter", "abce")
def test_differential_evolution_finds_nothing_better(letter: str) -> None:
    from scipy.optimize import differential_evolution

    chain = skeleton(letter)
    part = random_samples(build_sweep(chain), 4, 17)
    bounds = list(zip(chain.arrays.lower, chain.arrays.upper, strict=True))
    for posture, target in zip(part.postures, part.targets_wxyz, strict=True):

        def combined(columns: np.ndarray, posture: np.ndarray = posture, target: np.ndarray = target) -> np.ndarray:
            targets = np.tile(target, (columns.shape[1], 1))
            return facing_errors(chain, columns.T, posture, targets).combined

        other = differential_evolution(
            combined, bounds, seed=1, vectorized=True, updating="deferred", maxiter=150, popsize=20, polish=False
        )
        ours = solve_facing(build_facing_problem(chain, posture), target).error.combined
        assert ours <= other.fun + 1e-9
