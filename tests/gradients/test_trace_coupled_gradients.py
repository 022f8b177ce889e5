"""Derivatives of the coupled problem of trace against central differences."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from animato.formats.character_files import load_character
from animato.mechanics.tree.kinematics.packing import SLIDE, TURN, packed_tree
from animato.mechanics.tree.path_torques.joint_chain import build_joint_chain, carried
from animato.mechanics.tree.path_torques.torques import PlaceTorques, build_place_torques, torques_kernel
from animato.mechanics.tree.path_torques.walk import build_walk
from animato.outcome import Stage
from animato.solvers.interior_rows import RowWeights
from animato.spatial.basis import clamped_knots
from animato.trace.coupled.point import CoupledModel
from animato.trace.path.joint_path import JointPath
from animato.trace.published.iterative import PathValue
from animato.trace.timing.path_dynamics import path_dynamics
from tests.unit.trace.coupled_cases import dragged_problem, problem

STEP = 1e-5
PLACES = 4


@pytest.mark.parametrize(("name", "moving"), [("planar_arm", 4), ("arm6", 6), ("arm6", 3), ("torso29", 29)])
def test_torques_and_all_their_derivatives(name: str, moving: int, rng: np.random.Generator) -> None:
    tree = packed_tree(load_character(name))
    arrays, limited = tree.arrays, len(tree.dof_names)
    columns = list(range(0, len(tree.coordinate_names), len(tree.coordinate_names) // moving))[:moving]
    one_axis = np.isin(arrays.kind, (TURN, SLIDE))
    column = np.array(
        [columns.index(c) if axis and c in columns else -1 for c, axis in zip(arrays.coordinate, one_axis, strict=True)]
    )
    resting = tree.neutral + 0.1 * rng.normal(size=len(tree.neutral))
    root = np.concatenate([tree.root_rest.position, tree.root_rest.quaternion_wxyz])
    chain = build_joint_chain(arrays, resting, root, column, np.arange(limited))
    dof_column = np.array([columns.index(d) if d in columns else -1 for d in range(limited)])
    walk, carries = build_walk(len(chain.parent)), carried(chain)
    samples, b = rng.normal(size=(3, PLACES, moving)), np.append(0.0, rng.uniform(0.2, 2.0, PLACES - 1))
    mu, kappa = rng.normal(size=(PLACES, limited)), rng.normal(size=(PLACES, limited))

    def torques(at: np.ndarray, order: int) -> PlaceTorques:
        out = build_place_torques(PLACES, limited, moving)
        torques_kernel(chain, walk, carries, tree.armature, dof_column, arrays.gravity, at, b, mu, kappa, order, out)
        return out

    def slope(t: PlaceTorques) -> np.ndarray:
        by_q = np.einsum("gm,gmn->gn", kappa, t.a_q) + np.einsum("gm,gmn->gn", mu, t.t_q)
        by_v = np.einsum("gm,gmn->gn", kappa, t.a_v) + np.einsum("gm,gmn->gn", mu, t.t_v)
        return np.hstack([by_q, by_v, b[:, None] * np.einsum("gm,gmn->gn", mu, t.a_v)])

    exact = torques(samples, 2)
    np.testing.assert_allclose(exact.hessian, exact.hessian.transpose(0, 2, 1), atol=1e-10)
    for part in range(3):
        for i in range(moving):
            before, after = samples.copy(), samples.copy()
            before[part, :, i] -= STEP
            after[part, :, i] += STEP
            low, high = torques(before, 1), torques(after, 1)
            a_slope = (high.a - low.a) / (2 * STEP)
            held = ((high.d - low.d) * b[:, None] + high.c - low.c) / (2 * STEP)
            wanted = [(exact.a_q, exact.t_q), (exact.a_v, exact.t_v), (0 * exact.a_v, b[:, None, None] * exact.a_v)]
            np.testing.assert_allclose(a_slope, wanted[part][0][:, :, i], rtol=1e-6, atol=1e-7)
            np.testing.assert_allclose(held, wanted[part][1][:, :, i], rtol=1e-6, atol=1e-7)
            bend = (slope(high) - slope(low)) / (2 * STEP)
            np.testing.assert_allclose(bend, exact.hessian[:, :, part * moving + i], rtol=1e-6, atol=1e-6)
            by_b = np.sum(mu * (high.d - low.d), axis=1)[1:] / (2 * STEP)
            np.testing.assert_allclose(by_b, exact.by_b[1:, part * moving + i], rtol=1e-6, atol=1e-6)


def test_torques_agree_with_inverse_dynamics(rng: np.random.Generator) -> None:
    arm = load_character("arm6")
    tree = packed_tree(arm)
    path = JointPath(arm.coordinate_names, clamped_knots(np.linspace(0.0, 1.0, 4)), rng.normal(size=(6, 6)))
    places = np.linspace(0.0, 1.0, PLACES)
    wanted = path_dynamics(arm, path, places)
    samples = path.samples(places)
    column = np.array(
        [c if k in (TURN, SLIDE) else -1 for c, k in zip(tree.arrays.coordinate, tree.arrays.kind, strict=True)]
    )
    root = np.concatenate([tree.root_rest.position, tree.root_rest.quaternion_wxyz])
    chain = build_joint_chain(tree.arrays, tree.neutral, root, column, np.arange(6))
    out, nothing = build_place_torques(PLACES, 6, 6), np.zeros((PLACES, 6))
    torques_kernel(
        chain,
        build_walk(6),
        carried(chain),
        tree.armature,
        np.arange(6),
        tree.arrays.gravity,
        np.stack([samples.q, samples.dq, samples.ddq]),
        np.ones(PLACES),
        nothing,
        nothing,
        0,
        out,
    )
    for mine, theirs in ((out.a, wanted.a), (out.d, wanted.d), (out.c, wanted.c)):
        np.testing.assert_allclose(mine, theirs, rtol=1e-10, atol=1e-10 * np.abs(theirs).max())


@pytest.mark.parametrize("kind", ["plain", "duration", "damping and motor curves"])
def test_slope_and_curvature_of_the_whole_problem(kind: str, rng: np.random.Generator) -> None:
    """Objective and weighted rows, along random directions, away from the optimum."""
    found = problem(duration_s=5.0 if kind == "duration" else None)
    if kind == "damping and motor curves":
        found = dragged_problem()
        assert np.count_nonzero(found.arrays.drag) == len(found.arrays.drag) == 2 * len(found.torque_dofs)
    model = CoupledModel(found)
    x = np.concatenate([found.start_points.ravel(), 0.9 * found.start_b])
    x[: model.start] += 0.01 * rng.normal(size=model.start)
    point = model.at(x)
    push = rng.normal(size=point.rows.shape)
    weights = RowWeights(np.zeros_like(push), push, push, 0.0)

    def slope(at: np.ndarray) -> np.ndarray:
        system = model.newton_system(model.at(at), weights)
        return system.gradient + system.pressed

    def value(at: np.ndarray) -> float:
        there = model.at(at)
        return there.cost + float(push @ there.rows)

    lower = model.newton_system(point, weights).matrix.lower
    H = np.tril(lower) + np.tril(lower, -1).T
    first = slope(x)
    moves = np.concatenate([np.ones(model.start, dtype=bool), found.arrays.timing.moves])
    for _ in range(4):
        d = np.where(moves, rng.normal(size=len(x)), 0.0)
        d[model.start :] *= x[model.start :]
        by_value = (value(x + 1e-6 * d) - value(x - 1e-6 * d)) / 2e-6
        assert by_value == pytest.approx(first @ d, rel=1e-6)
        by_slope = (slope(x + 1e-6 * d) - slope(x - 1e-6 * d)) / 2e-6
        np.testing.assert_allclose(by_slope[moves], (H @ d)[moves], rtol=1e-6, atol=1e-6 * np.abs(H @ d).max())
        change = model.newton_system(point, weights).change(d)
        high, low = model.at(x + 1e-6 * d), model.at(x - 1e-6 * d)
        ends = np.cumsum([0, point.speeds.size, point.pushes.size, point.durations.size])
        for part in (slice(*two) for two in pairwise(ends) if two[0] < two[1]):  # each against its own size
            by_rows = (high.rows - low.rows)[part] / 2e-6
            np.testing.assert_allclose(by_rows, change[part], atol=1e-6 * np.abs(change[part]).max())


def test_the_value_of_a_path_changes_as_its_gradient_says(rng: np.random.Generator) -> None:
    found = problem()
    value = PathValue(found, Stage("paths", None))
    points = found.start_points.ravel() + 0.003 * rng.normal(size=found.start_points.size)
    _, gradient = value(points)
    for _ in range(3):
        d = rng.normal(size=len(points))
        slope = (value(points + 1e-5 * d)[0] - value(points - 1e-5 * d)[0]) / 2e-5
        # the inner problem is solved to 1e-8 of the objective
        assert slope == pytest.approx(gradient @ d, rel=1e-3, abs=1e-5)
