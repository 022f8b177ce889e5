"""Long clips in windows."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from animato.mimic.curve import ControlPoints, controls_through, knots_of
from animato.mimic.optimization import solve, windows
from animato.mimic.optimization.windows import LONGEST, Window, joined, part_of, windows_of
from animato.mimic.options import Options
from tests.mimic_solved import key_points, problem_of, solved, stepping_person


@pytest.mark.parametrize("count", [8, 600, 690, 691, 1200, 1290, 1291, 5000])
def test_every_knot_is_decided_once(count: int) -> None:
    found = windows_of(count)
    decided = np.concatenate([one.first + np.arange(one.last - one.first)[one.own] for one in found])
    np.testing.assert_array_equal(decided, np.arange(count))
    assert found[0].first == 0 and found[-1].last == found[-1].ends == count
    for before, after in pairwise(found):
        assert after.first < before.ends < before.last  # it begins on decided knots, and solves the rest again
        assert after.kept == before.ends - after.first
    assert max(one.last - one.first for one in found) <= windows.LONGEST + windows.OVERLAP


def test_joined_windows_are_the_curve_that_was_cut(rng: np.random.Generator) -> None:
    count = 1500
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
    whole = controls_through(rng.normal(size=(count, 3)), turns, rng.normal(size=(count, 4)))
    pieces = []
    for one in windows_of(count):
        cut = slice(one.first, one.last + 2)
        pieces.append((one, ControlPoints(whole.places[cut], whole.turns_wxyz[cut], whole.joints[cut])))
    back = joined(pieces)
    for name in ("places", "turns_wxyz", "joints"):
        np.testing.assert_array_equal(getattr(back, name), getattr(whole, name))


def test_a_window_begins_where_the_one_before_has_decided(rng: np.random.Generator) -> None:
    """Whatever it finds behind its decided control points, the states of all decided knots stay as they were."""
    count, step = LONGEST + 300, 1.0 / 30.0
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
    standing = controls_through(np.zeros((count, 3)), turns, np.zeros((count, 4)))
    first, second = windows_of(count)

    def random_like(controls: ControlPoints, held: int) -> ControlPoints:
        moves = 0.1 * rng.normal(size=controls.joints.shape)
        moves[:held] = 0.0
        return ControlPoints(controls.places + moves[:, :3], controls.turns_wxyz, controls.joints + moves)

    begin, held = first.first_controls(standing, [], [])
    assert held == 0
    one = random_like(begin, 0)
    begin, held = second.first_controls(standing, [one], [first])
    other = random_like(begin, held)
    together = joined([(first, one), (second, other)])
    assert len(together.places) == count + 2
    nothing = np.zeros((count + 2, 3))
    before = knots_of(one, nothing[: len(one.places)], step)
    after = knots_of(together, nothing, step)
    later = knots_of(other, nothing[: len(other.places)], step)
    for name in ("q", "v", "a"):
        np.testing.assert_allclose(getattr(after, name)[: first.ends], getattr(before, name)[: first.ends], atol=1e-9)
        np.testing.assert_allclose(getattr(after, name)[first.ends :], getattr(later, name)[second.own], atol=1e-9)


def test_a_part_of_a_problem_has_its_knots_alone() -> None:
    problem = problem_of(stepping_person())
    piece = part_of(problem, Window(10, 20, 3, 20))
    assert len(piece.times) == len(piece.person.times) == len(piece.plan.planted) == len(piece.emphasis) == 10
    np.testing.assert_array_equal(piece.targets, problem.targets[10:20])
    np.testing.assert_array_equal(piece.plan.support, problem.plan.support[10:20])
    assert piece.step == pytest.approx(problem.step)
    assert part_of(problem, Window(0, 31, 0, 31)) is problem


def test_two_windows_are_close_to_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "LONGEST", 20)
    monkeypatch.setattr(windows, "OVERLAP", 10)
    problem = problem_of(stepping_person(), Options(collisions=False, scale=solved("step").scale))
    assert len(windows_of(len(problem.times))) == 2
    cut, whole = solve(problem), solved("step")
    assert cut.outcome.usable
    assert cut.forces.shape == whole.forces.shape and cut.torques.shape == whole.torques.shape
    apart = np.linalg.norm(key_points(cut) - key_points(whole), axis=2)
    assert np.median(apart) < 1e-3 and apart.max() < 6e-3
    # there is no jerk at the seam, which is at knot 15; the whole clip has accelerations of 150 elsewhere
    seam = slice(13, 18)
    assert np.abs(cut.states.accelerations - whole.states.accelerations)[seam, 6:].max() < 40.0
