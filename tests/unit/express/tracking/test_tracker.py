from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.errors import MotionError, OptionError
from animato.express.facing.problem import FacingProblem, build_facing_problem
from animato.express.options import Options
from animato.express.tracking.tracker import Tracked, Tracker
from animato.formats.character_files import load_character
from animato.mechanics.tree.chains import Chain, build_chain
from animato.spatial import quaternions

RATE = 50.0
OPTIONS = Options(rate_hz=RATE)


def chain_of(letter: str) -> Chain:
    return build_chain(load_character(f"skeleton_{letter}"), "tip")


def problem_of(letter: str, seed: int = 3) -> FacingProblem:
    chain = chain_of(letter)
    rng = np.random.default_rng(seed)
    return build_facing_problem(chain, rng.uniform(-0.9, 0.9, len(chain.names)))


def facing_horizontally(chain: Chain, azimuth: float) -> np.ndarray:
    """The orientation that faces along the horizon with its up side up."""
    forward, up = np.array(chain.end_point.forward), np.array(chain.end_point.up)
    own = np.column_stack([forward, up, np.cross(forward, up)])
    ahead = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    world = np.column_stack([ahead, (0, 0, 1), np.cross(ahead, (0, 0, 1))])
    return quaternions.quaternion_from_matrix(world @ own.T)


def circle(problem: FacingProblem, seconds: float, **options: float) -> tuple[np.ndarray, list[Tracked]]:
    tracker = Tracker(problem, replace(OPTIONS, **options))
    azimuths = np.radians(25.0) * np.arange(int(seconds * RATE)) / RATE
    frames = [tracker.update(facing_horizontally(problem.chain, azimuth)) for azimuth in azimuths]
    return np.array([frame.positions for frame in frames]), frames


@pytest.mark.parametrize("letter", ["c", "g"])
def test_nothing_pops_while_a_target_circles(letter: str) -> None:
    problem = problem_of(letter)
    positions, frames = circle(problem, 20.0)
    moves = np.diff(positions, axis=0)
    assert np.degrees(np.abs(moves).max()) < 5.0
    assert np.abs(np.diff(moves, axis=0)).max() * RATE < 2.0
    arrays = problem.chain.arrays
    assert np.all(positions >= arrays.lower)
    assert np.all(positions <= arrays.upper)
    if letter == "g":  # a chain with freedom to spare goes on facing, and holds its posture
        assert np.mean([frame.error.orientation for frame in frames]) < 0.002
        assert np.mean([frame.error.combined for frame in frames]) < 0.012


def test_looking_ahead_pays() -> None:
    """Negative control: without it the chain runs into its limits and gets stuck."""
    problem = problem_of("g", seed=5)
    mean = [
        np.mean([frame.error.combined for frame in circle(problem, 30.0, horizon_s=horizon)[1]])
        for horizon in (12.0, 0.0)
    ]
    assert mean[0] < 0.2 * mean[1]


@pytest.mark.parametrize("letter", ["c", "g"])
def test_changes_are_short_and_counted(letter: str) -> None:
    _, frames = circle(problem_of(letter, seed=5), 24.0)
    changing = np.array([frame.changing for frame in frames])
    begun = int(changing[0]) + int(np.sum(changing[1:] & ~changing[:-1]))
    assert frames[-1].changes == begun > 0
    assert frames[-1].leaps <= frames[-1].changes
    assert changing.mean() < 0.3


def test_a_target_that_stands_still_is_faced_exactly() -> None:
    problem = problem_of("g")
    tracker = Tracker(problem, OPTIONS)
    target = facing_horizontally(problem.chain, 0.4)
    for _ in range(50):
        frame = tracker.update(target)
    assert frame.error.orientation < 1e-6
    assert not frame.changing


@pytest.mark.parametrize("letter", ["c", "g"])
def test_a_target_that_jumps_and_trembles_is_faced_again(letter: str) -> None:
    problem = problem_of(letter, seed=11)
    tracker = Tracker(problem, OPTIONS)
    rng = np.random.default_rng(0)
    positions, settled = [], []
    for jump in range(8):
        middle = 1.2 * rng.normal(size=3)
        for frame in range(200):
            shaken = middle + (0.01 * rng.normal(size=3) if jump >= 4 else 0.0)
            tracked = tracker.update(quaternions.quaternion_from_rotation_vector(shaken))
            positions.append(tracked.positions)
            if frame >= 150:
                settled.append(tracked.error.orientation)
    moves = np.diff(positions, axis=0)
    assert np.degrees(np.abs(moves).max()) < 5.0
    assert np.abs(np.diff(moves, axis=0)).max() * RATE < 2.0
    assert np.median(settled) < 1e-6
    assert np.mean(settled) < 0.03


def test_it_starts_where_it_is_told_and_goes_there_gently() -> None:
    problem = problem_of("g")
    tracker = Tracker(problem, OPTIONS)
    tracker.reset(np.zeros(8))
    first = tracker.update(facing_horizontally(problem.chain, 1.0))
    assert np.abs(first.positions).max() <= 80.0 / RATE**2 + 1e-12


def test_nonsense_leaves_the_last_target_in_force() -> None:
    problem = problem_of("g")
    tracker = Tracker(problem, OPTIONS)
    assert np.isnan(tracker.update([np.nan] * 4).error.combined)
    good = [tracker.update(facing_horizontally(problem.chain, 0.4)) for _ in range(30)][-1]
    for nonsense in ([np.nan] * 4, [0.0] * 4, [1.0, 2.0], [np.inf, 0, 0, 0]):
        again = tracker.update(nonsense)
        np.testing.assert_allclose(again.positions, good.positions, atol=1e-3)  # it still settles


def test_the_same_targets_give_the_same_motion() -> None:
    first, _ = circle(problem_of("c"), 6.0)
    second, _ = circle(problem_of("c"), 6.0)
    np.testing.assert_array_equal(first, second)


def test_bad_options_are_refused() -> None:
    problem = problem_of("c")
    with pytest.raises(OptionError, match="`rate_hz` must be a number greater than 0"):
        replace(OPTIONS, rate_hz=0.0)
    with pytest.raises(MotionError, match="5 finite positions"):
        Tracker(problem, OPTIONS).reset([0.0, np.nan])
    with pytest.raises(MotionError, match="A target must be numbers, not 'up'"):
        Tracker(problem, OPTIONS).update("up")
