from __future__ import annotations

import numpy as np
import pytest

from animato.express.facing import NOWHERE
from animato.express.facing.descent import descent_memory
from animato.express.facing.kernel import targets_of
from animato.express.facing.problem import FacingProblem, build_facing_problem
from animato.express.gaze.gaze_objective import facing_azimuth
from animato.express.tracking.band import HERE, NEXT, begin_band, new_band, predict, relax
from animato.express.tracking.branches import cost_ahead, held_at, own_turn, seek
from animato.express.tracking.detour import FOUND, SEARCHING, grow, new_trees, path_cost, plant, shorten, write_path
from animato.express.tracking.kernel import Setting
from animato.formats.character_files import load_character
from animato.mechanics.tree.kinematics.chains import build_chain
from animato.spatial import quaternions

STEP = 0.4  # [rad]


@pytest.fixture(scope="module")
def problem() -> FacingProblem:
    chain = build_chain(load_character("skeleton_g"), "tip")
    return build_facing_problem(chain, np.random.default_rng(3).uniform(-0.9, 0.9, 8))


@pytest.fixture
def setting(problem: FacingProblem) -> Setting:
    arrays = problem.arrays._replace(limits=problem.arrays.limits.copy())
    return Setting(arrays, np.ascontiguousarray(arrays.limits[:, :2]), 8, descent_memory(8))


def aims_at(problem: FacingProblem, azimuth: float) -> np.ndarray:
    target = facing_azimuth(problem.chain.end_point, azimuth)
    return np.asarray(targets_of(target[None], problem.frame[0:1], problem.frame[1:2], True))


def left_to_turn(setting: Setting, target: np.ndarray, rows: np.ndarray) -> float:
    turns = np.array([own_turn(setting, rows, n) for n in range(len(rows))])
    return float(quaternions.angle_between(turns, np.broadcast_to(target, turns.shape)).max())


def kind_after_seeking(setting: Setting, target: np.ndarray, here: np.ndarray, q: np.ndarray) -> int:
    kinds = np.zeros(1, np.int64)
    seek(setting, target, NOWHERE, here, q, kinds)
    return int(kinds[0])


def two_ends(problem: FacingProblem, setting: Setting, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two configurations of the same kind that face a target, far apart."""
    rng = np.random.default_rng(1)
    found: list[np.ndarray] = []
    for _ in range(400):
        q = rng.uniform(setting.full[:, 0], setting.full[:, 1])[None]
        here = found[0] if found else q.copy()
        kind = kind_after_seeking(setting, target, here, q)
        if kind == -1 or (found and (kind == 0 or np.abs(q - found[0]).max() < 2.0)):
            continue
        found.append(q.copy())
        if len(found) == 2:
            return found[0][0], found[1][0]
    raise AssertionError("no two branches")


def test_the_own_turn_tells_kinds_of_configurations_apart(problem: FacingProblem, setting: Setting) -> None:
    turn = np.array(own_turn(setting, np.zeros((1, 8)), 0))
    np.testing.assert_allclose(turn, [1, 0, 0, 0], atol=1e-15)
    # all joints that twist at one limit, and at the other: the same turn but for half of it
    q = np.zeros((1, 8))
    q[0, [0, 4]] = np.pi / 2
    np.testing.assert_allclose(np.abs(own_turn(setting, q, 0)), [0, 0, 0, 1], atol=1e-12)
    assert np.dot(own_turn(setting, q, 0), own_turn(setting, -q, 0)) == pytest.approx(-1.0)


def test_a_detour_faces_all_the_way_and_gets_cheaper(problem: FacingProblem, setting: Setting) -> None:
    target = aims_at(problem, 0.6)[:1]
    start, goal = two_ends(problem, setting, target)
    trees = new_trees(8, STEP)
    plant(trees, start, goal)
    rng = np.random.default_rng(2)
    said = SEARCHING
    for _ in range(300):
        said = grow(setting, target, NOWHERE, trees, rng.uniform(setting.full[:, 0], setting.full[:, 1], (10, 8)))
        if said != SEARCHING:
            break
    assert said == FOUND
    path = np.zeros((200, 8))
    count = write_path(trees, path)
    before = path_cost(setting, target, NOWHERE, path, count)
    shorter = shorten(setting, target, NOWHERE, path, count, STEP, rng.random((60, 3)))
    assert shorter <= count
    assert path_cost(setting, target, NOWHERE, path, shorter) + 1e-3 * shorter <= before + 1e-3 * count + 1e-12
    way = path[:shorter]
    np.testing.assert_allclose(way[[0, -1]], [start, goal], atol=0.05)
    assert np.abs(np.diff(way, axis=0)).max() <= 2.0 * STEP + 1e-9
    assert left_to_turn(setting, target[0], way) < 1e-6
    assert np.all(way >= setting.full[:, 0] - 1e-12)
    assert np.all(way <= setting.full[:, 1] + 1e-12)


def test_a_band_that_is_made_anew_is_never_faster_than_the_joints(problem: FacingProblem, setting: Setting) -> None:
    band, move = new_band(60, 8, 2), np.full(8, STEP)
    aims = aims_at(problem, 0.0)
    q = np.random.default_rng(4).uniform(-0.5, 0.5, (1, 8))
    assert kind_after_seeking(setting, aims[:1], q.copy(), q) >= 0
    begin_band(band, q, 0)
    spin = np.array([0.0, 0.0, np.radians(25.0)])
    assert predict(band, aims, NOWHERE, (0.0, 0.0, 0.0), spin, 0.0, 0.1, 100.0) > 0.2
    assert predict(band, aims, NOWHERE, (0.0, 0.0, 0.0), spin, 0.0, 0.1, 100.0) == pytest.approx(0.0, abs=1e-7)
    relax(setting, band, NEXT, 60, move, NEXT)
    for _ in range(3):
        relax(setting, band, NEXT, 60, move, 60)
    assert np.abs(np.diff(band.angles[HERE:], axis=0)).max() <= STEP + 1e-9
    expected = [held_at(setting, band.targets[k, :1], NOWHERE, band.angles[k : k + 1]) for k in range(NEXT, 60)]
    np.testing.assert_allclose(band.error[NEXT:], expected, atol=1e-12)
    ahead = cost_ahead(setting, band, 0, HERE, q, move, np.inf)
    assert ahead == pytest.approx(np.mean(expected), abs=0.05)
    assert cost_ahead(setting, band, 0, HERE, q, move, 0.5 * ahead) == np.inf
