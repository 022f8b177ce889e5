"""Chains of any axes: words without corners of their own, planar arms, rounded axes, long chains, slides."""

from __future__ import annotations

import numpy as np
import pytest

from animato.express.facing.facing import Facing
from animato.express.facing.packed_turns import pack_turns, ways_of_turning, with_locked_turns
from animato.express.facing.problem import Roll, build_facing_problem
from animato.express.facing.solver import solve_facing
from animato.formats.character_files import load_character
from animato.mechanics.tree.kinematics.chains import Chain, build_chain, tip_orientations
from benchmarks.express_axis_words import BUILDS, Build, inside, multi_start, word_chain, words
from tests.unit.express.chains import random_chain, random_positions, random_wxyz


def cold(chain: Chain, rng: np.random.Generator, roll: Roll = "exact") -> Facing:
    """The answer to a target that can be faced, from a cold start."""
    posture, somewhere = inside(chain, rng, 2)
    return solve_facing(build_facing_problem(chain, posture, roll=roll), tip_orientations(chain, somewhere[None])[0])


@pytest.mark.parametrize("build", BUILDS, ids=str)
def test_every_axis_word_faces_what_it_can(build: Build, rng: np.random.Generator) -> None:
    for word in words(2, 3, 4):
        answer = cold(word_chain(word, build, rng), rng, build.roll)
        assert answer.reached, word


def test_the_planar_arm_faces_what_it_can(rng: np.random.Generator) -> None:
    chain = build_chain(load_character("planar_arm"), "pen")
    assert all(cold(chain, rng).reached for _ in range(20))


def test_what_cannot_be_faced_is_said_and_met_halfway(rng: np.random.Generator) -> None:
    chain = build_chain(load_character("planar_arm"), "pen")
    problem = build_facing_problem(chain, inside(chain, rng, 1)[0])
    for n, target in enumerate(random_wxyz(rng, 8)):
        answer = solve_facing(problem, target)
        assert not answer.reached and answer.complete
        assert "out of reach; the best compromise found is" in answer.status
        assert answer.error.combined <= 1.02 * multi_start(problem, target, 40, n)[0]


def test_axes_that_are_parallel_but_for_rounding(rng: np.random.Generator) -> None:
    """As with a right angle written 1.5708 in a file: what the true chain faces is nearly faced."""
    chain = word_chain("zyy", Build(), rng)
    exact = chain.arrays.rotation
    for _ in range(10):
        c, s = np.cos(4e-6), np.sin(4e-6)
        rounded = exact.copy()
        rounded[2] = exact[2] @ np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
        askew = Chain(chain.arrays._replace(rotation=rounded), chain.names, chain.limits, chain.end_point)
        posture, somewhere = inside(chain, rng, 2)
        problem = build_facing_problem(askew, posture)
        answer = solve_facing(problem, tip_orientations(chain, somewhere[None])[0])
        assert answer.error.orientation < 1e-5
        assert solve_facing(problem, tip_orientations(askew, somewhere[None])[0]).reached


def test_joints_are_locked_until_a_chain_turns_in_three_ways(rng: np.random.Generator) -> None:
    for word, locked in (("zyx", 0), ("zyyz", 0), ("zyy", 1), ("zzyy", 1), ("xx", 2), ("yyyy", 2)):
        turns = pack_turns(word_chain(word, Build(tilted=True), rng), 0.0)
        full = with_locked_turns(turns)
        assert len(full.axis) - len(turns.axis) == locked
        assert ways_of_turning(full)[-1] >= 2
        assert (full.lower[len(word) :] == 0.0).all() and (full.upper[len(word) :] == 0.0).all()
        np.testing.assert_array_equal(full.place[-3:], turns.place[-3:])


def test_slides_hold_the_posture_and_change_nothing(rng: np.random.Generator) -> None:
    for seed in range(5):
        chain = random_chain(np.random.default_rng(seed), 4)
        slides = chain.arrays.slides
        one, other = random_positions(rng, chain, 2)
        other[~slides] = one[~slides]
        target = random_wxyz(rng, 1)[0]
        answers = [solve_facing(build_facing_problem(chain, posture), target).positions for posture in (one, other)]
        np.testing.assert_array_equal(answers[0][~slides], answers[1][~slides])
        np.testing.assert_array_equal(answers[1][slides], other[slides])


def test_long_chains_are_near_the_best_known() -> None:
    rng = np.random.default_rng(8)
    ours, known = [], []
    for count in (9, 10, 11, 12):
        for symmetric in (False, True):
            chain = word_chain("".join(rng.choice(list("xyz"), count)), Build(limit=np.nan, symmetric=symmetric), rng)
            problem = build_facing_problem(chain, inside(chain, rng, 1)[0])
            for target in tip_orientations(chain, inside(chain, rng, 2)):
                answer = solve_facing(problem, target)
                assert answer.reached
                ours.append(answer.error.combined)
                known.append(min(ours[-1], multi_start(problem, target, 60, count)[0]))
    assert np.mean(ours) <= 1.5 * np.mean(known)


def test_a_long_chain_with_few_corners_has_some(rng: np.random.Generator) -> None:
    """All but two joints turn the same way, so nearly all triples of joints have no closed form."""
    for word in ("zzzzzzzzzzyx", "yxxxxxxxxxxz", "zyxxxxxxxxxx"):
        chain = word_chain(word, Build(), rng)
        assert len(build_facing_problem(chain, inside(chain, rng, 1)[0]).vertices.records) > 10
        assert cold(chain, rng).reached


def test_a_budget_ends_the_exchange_of_a_long_chain(rng: np.random.Generator) -> None:
    chain = word_chain("zyxzyxzyxzyx", Build(limit=0.6), rng)
    posture, somewhere = inside(chain, rng, 2)
    problem, target = build_facing_problem(chain, posture), tip_orientations(chain, somewhere[None])[0]
    short, whole = solve_facing(problem, target, budget_s=0.0), solve_facing(problem, target, budget_s=10.0)
    assert not short.complete and whole.complete
    assert whole.reached and whole.error.combined <= short.error.combined
    assert short.iterations < whole.iterations


def test_another_posture_of_a_planar_arm(rng: np.random.Generator) -> None:
    chain = build_chain(load_character("planar_arm"), "pen")
    first, second, somewhere = inside(chain, rng, 3)
    held, fresh = build_facing_problem(chain, first).holding(second), build_facing_problem(chain, second)
    target = tip_orientations(chain, somewhere[None])[0]
    np.testing.assert_array_equal(solve_facing(held, target).positions, solve_facing(fresh, target).positions)
