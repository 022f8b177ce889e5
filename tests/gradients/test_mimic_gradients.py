"""Derivatives of the whole-clip problem of mimic against central differences, row by row, and its Newton matrix."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pytest

from animato.mimic.curve import ControlPoints, knots_of
from animato.mimic.optimization.leaning import EDGES, Leaning
from animato.mimic.optimization.model import _BEND, ClipModel, ClipPoint
from animato.mimic.optimization.packing import terms_of
from animato.mimic.optimization.starting import standing_controls
from animato.mimic.optimization.terms import NearRows, Weights
from animato.mimic.options import Options
from animato.solvers import RowWeights
from animato.spatial import quaternions
from tests.mimic_solved import pico, problem_of, stepping_person

STEP = 1e-6
FRAMES = ("torso", "left_forearm", "right_forearm")
GROUPS = ("dynamic", "speed", "range", "height", "skate", "hands", "near")


@lru_cache
def clip_model(dynamics: bool = True) -> ClipModel:
    """Nine knots of a step, with hands together, bodies that are near each other and edges to lean from."""
    rng = np.random.default_rng(7)
    problem = problem_of(stepping_person(), Options(rate_hz=8.0, touch_m=3.0))
    count = len(problem.times)
    normals = rng.normal(size=(7, 3))
    near = NearRows(
        np.array([0, 0, 2, 3, 3, 3, count - 1]),
        np.array([[0, 1], [0, 2], [1, 2], [0, 1], [2, 0], [1, 2], [2, 1]]),
        0.1 * rng.normal(size=(7, 2, 3)),
        normals / np.linalg.norm(normals, axis=1, keepdims=True),
        np.full(7, 2e-3),
    )
    terms = terms_of(problem, scale=0.2, dynamics=dynamics, weights=Weights(), near=near, frames=FRAMES)
    emphasis = rng.uniform(0.5, 2.0, terms.emphasis.shape)
    corners = terms.packed.corners
    leaning = Leaning(0.05 * rng.normal(size=(count, EDGES, corners)), np.full((count, EDGES), -0.1))
    return ClipModel(pico(), replace(terms, emphasis=emphasis), standing_controls(problem), leaning)


def somewhere(model: ClipModel, seed: int = 1) -> np.ndarray:
    """Unknowns far from the answer; forces only where they may act."""
    rng = np.random.default_rng(seed)
    x = np.concatenate([0.1 * rng.normal(size=model.size), rng.uniform(0.01, 0.1, model.force_size)])
    return np.where(model.free, x, 0.0)


@dataclass(frozen=True)
class Slopes:
    """By central differences: of the cost [N], rows [m, N], places [t, point, 3, N], q and a [t, dof, N]."""

    cost: np.ndarray
    rows: np.ndarray
    places: np.ndarray
    q: np.ndarray
    a: np.ndarray


@lru_cache
def differences(dynamics: bool = True) -> Slopes:
    model = clip_model(dynamics)
    x = somewhere(model)
    ways: tuple[list[np.ndarray], ...] = ([], [], [], [], [])
    for n in range(len(x)):
        before, after = (model.at(x + sign * STEP * (np.arange(len(x)) == n)) for sign in (-1.0, 1.0))
        pairs = (
            (before.cost, after.cost),
            (before.rows, after.rows),
            (before.motion.places, after.motion.places),
            (before.motion.knots.q, after.motion.knots.q),
            (before.motion.knots.a, after.motion.knots.a),
        )
        for way, (low, high) in zip(ways, pairs, strict=True):
            way.append(np.asarray((high - low) / (2.0 * STEP)))
    return Slopes(*(np.where(model.free, np.stack(way, axis=-1), 0.0) for way in ways))


def weights_of(model: ClipModel, stiffness: np.ndarray | float, force: np.ndarray | float) -> RowWeights:
    rows = np.zeros(len(model.row_lower))
    return RowWeights(rows + stiffness, rows + force, rows + force, 0.0)


def rows_of(model: ClipModel, group: str) -> slice:
    begins = (0, *model.limits.ends)
    return slice(begins[GROUPS.index(group)], model.limits.ends[GROUPS.index(group)])


def dense(model: ClipModel, point: ClipPoint, stiffness: np.ndarray | float) -> np.ndarray:
    """The matrix, 0 where an unknown may not move."""
    matrix = model.newton_system(point, weights_of(model, stiffness, 0.0)).matrix
    return np.stack([matrix.product(row) for row in np.eye(len(point.x))]) * np.outer(model.free, model.free)


@pytest.mark.parametrize("dynamics", [True, False])
def test_the_gradient_of_the_objective(dynamics: bool) -> None:
    model = clip_model(dynamics)
    gradient = model.newton_system(model.at(somewhere(model)), weights_of(model, 1.0, 0.0)).gradient
    wanted = differences(dynamics).cost
    np.testing.assert_allclose(gradient, wanted, rtol=1e-6, atol=1e-7 * np.abs(wanted).max())


@pytest.mark.parametrize("dynamics", [True, False])
@pytest.mark.parametrize("group", GROUPS)
def test_what_rows_of_each_group_press(group: str, dynamics: bool, rng: np.random.Generator) -> None:
    """J^T force of random forces on the rows of one group alone."""
    model = clip_model(dynamics)
    chosen = rows_of(model, group)
    force = np.zeros(len(model.row_lower))
    force[chosen] = rng.normal(size=len(force[chosen]))
    assert force.any() == (dynamics or group != "dynamic")
    pressed = model.newton_system(model.at(somewhere(model)), weights_of(model, 0.0, force)).pressed
    wanted = force @ differences(dynamics).rows
    np.testing.assert_allclose(pressed, wanted, rtol=1e-6, atol=1e-8 * max(1.0, np.abs(wanted).max()))


def test_every_row_moves_with_something() -> None:
    """No row of a group is left out of the comparison above because it is constant."""
    model, slopes = clip_model(), differences()
    idle = np.abs(slopes.rows).max(axis=1) == 0.0
    assert model.row_speed.any()  # motors with less to give the faster they turn are among them
    assert not idle.any()


@pytest.mark.parametrize("dynamics", [True, False])
@pytest.mark.parametrize("group", GROUPS)
def test_the_matrix_of_stiff_rows(group: str, dynamics: bool, rng: np.random.Generator) -> None:
    """J^T stiffness J of one group, as what the matrix gains when these rows become stiffer."""
    model = clip_model(dynamics)
    point, chosen = model.at(somewhere(model)), rows_of(model, group)
    more = np.zeros(len(model.row_lower))
    more[chosen] = rng.uniform(1.0, 2.0, len(more[chosen]))
    if group == "skate":  # both directions of a corner are as stiff as each other
        more[chosen] = np.repeat(more[chosen][::2], 2)
    gained = dense(model, point, 1e-6 + more) - dense(model, point, 1e-6)
    J = differences(dynamics).rows
    wanted = J.T @ (more[:, None] * J)
    np.testing.assert_allclose(gained, wanted, rtol=1e-5, atol=1e-6 * max(1.0, np.abs(wanted).max()))


def test_the_matrix_of_the_objective() -> None:
    """Squares of landmarks, less along their errors; path, posture, mesh, accelerations; spread and load."""
    model, slopes = clip_model(), differences()
    point, terms = model.at(somewhere(model)), clip_model().terms
    landmarks = slopes.places[:, 1 : terms.packed.first_corner] - slopes.places[:, :1]
    away = point.errors / point.softened[..., None]
    flat = np.eye(3) - (1.0 - np.sqrt(1.0 - _BEND)) * away[..., :, None] * away[..., None, :]
    squares = flat @ flat * (terms.emphasis / point.softened)[..., None, None]
    wanted = np.einsum("tkin,tkij,tkjm->nm", landmarks, squares, landmarks, optimize=True)
    for weight, J in (
        (terms.weights.path, slopes.places[:, 0]),
        (terms.posture_weights[..., None], slopes.q),
        (terms.acceleration[..., None], slopes.a),
    ):
        wanted += np.einsum("tin,tim->nm", weight * J, J, optimize=True)
    assert terms.mesh is not None
    shown = slopes.places[:, : terms.packed.first_corner]
    wanted += np.einsum("tkin,tkl,tlim->nm", shown, terms.mesh, shown, optimize=True)
    count = terms.knot_count
    forces = np.arange(len(point.x)) >= model.size
    wanted[np.ix_(forces, forces)] += np.diag(np.where(model.free[forces], terms.weights.spread, 0.0))
    together = model.active.reshape(count, -1)
    for t in range(count):
        begin = model.size + t * together.shape[1]
        cut = slice(begin, begin + together.shape[1])
        wanted[cut, cut] += model.load_weights[t] * np.outer(together[t], together[t])
    ours = dense(model, point, 1e-9)
    np.testing.assert_allclose(ours, wanted, rtol=1e-5, atol=1e-6 * np.abs(wanted).max())


@pytest.mark.parametrize("increment", [0.0, 1e-5, 0.5, 2.0])
def test_states_of_the_root(increment: float, rng: np.random.Generator) -> None:
    """Tangents of pose, velocity and acceleration by control points whose turns are far from their references."""
    count, step = 6, 1.0 / 30.0
    reference = ControlPoints(
        rng.normal(size=(count + 2, 3)),
        quaternions.continuous(quaternions.quaternion_from_rotation_vector(0.3 * rng.normal(size=(count + 2, 3)))),
        np.zeros((count + 2, 0)),
    )
    turned = increment * (rng.normal(size=3) + 0.1 * rng.normal(size=(count + 2, 3)))
    x = np.hstack([rng.normal(size=(count + 2, 3)), turned])
    knots = knots_of(reference.moved(x), x[:, 3:], step)
    for t, c, j in np.ndindex(count, 3, 6):
        near = np.zeros_like(x)
        near[t + c, j] = STEP
        before, after = (knots_of(reference.moved(x + s * near), (x + s * near)[:, 3:], step) for s in (-1, 1))
        back = quaternions.conjugate(knots.root[t, 3:])
        turn = quaternions.multiply(quaternions.conjugate(before.root[t, 3:]), after.root[t, 3:])
        place = quaternions.rotate(back, after.root[t, :3] - before.root[t, :3])
        pose = np.concatenate([place, quaternions.rotation_vector_from_quaternion(turn)])
        wanted = np.concatenate([pose, after.v[t] - before.v[t], after.a[t] - before.a[t]]) / (2.0 * STEP)
        tangent = knots.tangents[t, :, 6 * c + j]
        np.testing.assert_allclose(tangent, wanted, rtol=1e-5, atol=1e-6 * max(1.0, np.abs(wanted).max()))


def test_a_wrong_reference_is_seen() -> None:
    """Negative control: tangents by increments that are not those of the turns do not agree."""
    turns = quaternions.quaternion_from_rotation_vector(np.array([[0.5, 0.2, 0.1]] * 5))
    controls = ControlPoints(np.zeros((5, 3)), turns, np.zeros((5, 0)))
    right = knots_of(controls, np.tile([0.5, 0.2, 0.1], (5, 1)), 0.1).tangents
    wrong = knots_of(controls, np.zeros((5, 3)), 0.1).tangents
    assert np.abs(right - wrong).max() > 1e-2
