"""Derivatives in the facing solver against central differences."""

from __future__ import annotations

import numpy as np
import pytest

from animato.express.facing.arrays import FacingArrays
from animato.express.facing.descent import Aim, descent_memory, evaluate
from animato.express.facing.looking import NOWHERE, upright
from animato.express.facing.problem import FacingProblem, Roll, build_facing_problem
from animato.express.gaze import tip_pose
from animato.spatial import quaternions
from tests.unit.express.chains import random_chain, random_positions, random_wxyz, skeleton

STEP = 1e-5


def problems() -> list[FacingProblem]:
    rng = np.random.default_rng(3)
    chains = [skeleton("c"), skeleton("g"), *(random_chain(np.random.default_rng(seed), 5) for seed in range(3))]
    return [
        build_facing_problem(chain, random_positions(rng, chain), roll=roll, minimize=minimize)
        for chain in chains
        for roll, minimize in (("exact", "posture"), (0.3, "shape"))
    ]


@pytest.mark.parametrize("problem", problems())
def test_slopes_curvatures_and_axes(problem: FacingProblem) -> None:
    rng = np.random.default_rng(8)
    m = len(problem.psi)
    memory = descent_memory(m)
    target = random_wxyz(rng, 1)[0]
    aim = Aim(tuple(target), rng.uniform(-1, 1, m), 0.05, NOWHERE)
    low, high = np.maximum(problem.turns.lower, -3), np.minimum(problem.turns.upper, 3)
    for _ in range(5):
        q = rng.uniform(low, high)[None]
        # corners have no derivative; stay off them
        q = q + np.where(np.abs(q[0] - problem.arrays.kinks[:, 0]) < 0.01, 0.02, 0.0)
        _, e = evaluate(problem.arrays, aim, q, 0, memory, 0)
        axes, slope, bend = memory.axes[0].copy(), memory.slope[0].copy(), memory.bend[0].copy()
        for i in range(m):
            costs, slopes, turns = [], [], []
            for sign in (-1.0, 1.0):
                moved = q.copy()
                moved[0, i] += sign * STEP
                cost, left = evaluate(problem.arrays, aim, moved, 0, memory, 1)
                costs.append(cost)
                slopes.append(memory.slope[1, i])
                turns.append(quaternions.quaternion_from_rotation_vector(np.array(left)))
            np.testing.assert_allclose((costs[1] - costs[0]) / (2 * STEP), slope[i], rtol=1e-6, atol=1e-9)
            np.testing.assert_allclose((slopes[1] - slopes[0]) / (2 * STEP), bend[i], rtol=1e-6, atol=1e-9)
            # what is left to turn shrinks by a turn about the joint's axis
            change = quaternions.multiply(turns[0], quaternions.conjugate(turns[1]))
            left_axis = quaternions.rotation_vector_from_quaternion(change) / (2 * STEP)
            world = quaternions.rotate(quaternions.quaternion_from_rotation_vector(np.array(e)), axes[i])
            np.testing.assert_allclose(left_axis, world, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("problem", problems())
def test_the_gradient_of_the_orientation_error(problem: FacingProblem) -> None:
    """d/dq_i sqrt 2 sin(a / 4) = -(sqrt 2 / 4) cos(a / 4) (e / a) . J_i, which the compromise step relies on."""
    rng = np.random.default_rng(9)
    m = len(problem.psi)
    memory = descent_memory(m)
    aim = Aim(tuple(random_wxyz(rng, 1)[0]), np.zeros(m), 0.0, NOWHERE)
    q = rng.uniform(-1, 1, m)[None]
    _, left = evaluate(problem.arrays, aim, q, 0, memory, 0)
    e = np.array(left)
    angle = np.linalg.norm(e)
    wanted = -np.sqrt(2) / 4 * np.cos(angle / 4) * memory.axes[0] @ e / angle
    for i in range(m):
        errors = []
        for sign in (-1.0, 1.0):
            moved = q.copy()
            moved[0, i] += sign * STEP
            errors.append(
                np.sqrt(2) * np.sin(np.linalg.norm(evaluate(problem.arrays, aim, moved, 0, memory, 1)[1]) / 4)
            )
        np.testing.assert_allclose((errors[1] - errors[0]) / (2 * STEP), wanted[i], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("roll", ["free", 0.3, "exact"])
@pytest.mark.parametrize("name", ["c", "g", "random"])
def test_slopes_of_looking_at_a_point(name: str, roll: Roll) -> None:
    rng = np.random.default_rng(9)
    chain = random_chain(rng, 5, slides=False) if name == "random" else skeleton(name)
    problem = build_facing_problem(chain, random_positions(rng, chain), roll=roll)
    m, arrays = len(problem.psi), problem.arrays
    memory = descent_memory(m)
    for _ in range(5):
        q = rng.uniform(-1.0, 1.0, (1, m))
        tip, eye = tip_pose(chain, q[0, : len(chain.names)])
        point = eye + 0.7 * quaternions.rotate(tip, np.array(chain.end_point.forward))
        twist = quaternions.multiply(_upright(arrays, point - eye), _turned(arrays, q))
        aim = Aim(tuple(twist), q[0], 0.0, tuple(point))
        _, e = evaluate(arrays, aim, q, 0, memory, 0)
        np.testing.assert_allclose(e, 0.0, atol=1e-12)
        slopes = memory.axes[0, :, :3].copy()
        for i in range(m):
            left = []
            for sign in (-1.0, 1.0):
                moved = q.copy()
                moved[0, i] += sign * STEP
                left.append(np.array(evaluate(arrays, aim, moved, 0, memory, 1)[1]))
            found = (left[0] - left[1]) / (2 * STEP)
            across = np.eye(3)
            if roll == "free":  # a turn about the line of sight is none
                u = (point - eye) / 0.7
                across = np.eye(3) - np.outer(u, u)
            np.testing.assert_allclose(across @ found, across @ slopes[i], rtol=1e-5, atol=1e-7)


def _turned(arrays: FacingArrays, q: np.ndarray) -> np.ndarray:
    """The turn of a chain at angles [1, m], wxyz."""
    turn = np.array([1.0, 0.0, 0.0, 0.0])
    for axis, angle in zip(arrays.axis, q[0], strict=True):
        turn = quaternions.multiply(turn, quaternions.quaternion_about(axis, angle))
    return turn


def _upright(arrays: FacingArrays, direction: np.ndarray) -> np.ndarray:
    """The inverse of the turn that is upright, wxyz."""
    unit = direction / np.linalg.norm(direction)
    turn = upright(tuple(arrays.place[-2, :3]), tuple(arrays.place[-1, :3]), tuple(unit), 0.0)
    return quaternions.conjugate(np.array(turn))
