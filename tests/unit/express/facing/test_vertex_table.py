"""Corner configurations face their target in closed form, and no corner costs less than its block says."""

from __future__ import annotations

import numpy as np
import pytest

from animato.express.facing.arrays import COS_PHASE, LEVEL, LOWER, SIN_PHASE, UPPER, WEIGHT
from animato.express.facing.kernel import targets_of
from animato.express.facing.problem import FacingProblem, build_facing_problem
from animato.express.facing.vertex_table import (
    ALONG,
    ANGLES,
    COS_ANGLE,
    FOUND_ROWS,
    FREE,
    LANES,
    MINUS,
    PER_RADIUS,
    ROUNDING,
    SHARED,
    SIN_ANGLE,
    TURNED,
    P,
    S,
    U,
    W,
    price_block,
)
from animato.express.facing.vertices import MISS
from animato.express.options import Minimized
from animato.spatial import quaternions
from tests.unit.express.chains import random_chain, random_positions, random_wxyz, skeleton


def turned_to(problem: FacingProblem, angles: np.ndarray) -> np.ndarray:
    """exp(a_1 q_1) ... exp(a_m q_m) as a matrix."""
    total = np.eye(3)
    for axis, angle in zip(problem.arrays.axis, angles, strict=True):
        half = 0.5 * angle
        turn = np.append(np.cos(half), np.sin(half) * axis)
        total = total @ quaternions.matrix_from_quaternion(turn)
    return total


def cost_of_joint(problem: FacingProblem, i: int, q: float) -> float:
    cost = problem.arrays.cost[i]
    if problem.arrays.signed:
        return float(cost[WEIGHT] * abs(np.sin(0.5 * q) * cost[COS_PHASE] - np.cos(0.5 * q) * cost[SIN_PHASE]))
    return float(cost[WEIGHT] * abs(np.cos(q) * cost[COS_PHASE] + np.sin(q) * cost[SIN_PHASE] - cost[LEVEL]))


def angle_about(axis: np.ndarray, start: np.ndarray, end: np.ndarray) -> float:
    return float(np.arctan2(axis @ np.cross(start, end), start @ end - (axis @ start) * (axis @ end)))


def brought_inside(q: float, lower: float, upper: float) -> tuple[float, float]:
    """The equal angle that misses the limits least, at the limit it misses, and by how much [rad]."""
    ways = q + 2.0 * np.pi * np.arange(-2, 3)
    inside = np.clip(ways, lower, upper)
    best = int(np.argmin(np.abs(ways - inside)))
    return float(inside[best]), float(abs(ways[best] - inside[best]))


@pytest.mark.parametrize("minimize", ["posture", "shape"])
@pytest.mark.parametrize("name", ["c", "f", "random"])
def test_no_corner_costs_less_than_its_block_says(name: str, minimize: Minimized, rng: np.random.Generator) -> None:
    chain = random_chain(np.random.default_rng(3), 5) if name == "random" else skeleton(name)
    problem = build_facing_problem(chain, random_positions(rng, chain), minimize=minimize)
    targets = targets_of(random_wxyz(rng, 1), problem.frame[0:1], problem.frame[1:2], problem.weights.symmetric)
    matrices, rate = quaternions.matrix_from_quaternion(targets), MISS * problem.arrays.posture
    found, doubt = np.empty(FOUND_ROWS * LANES, dtype=np.float32), ROUNDING * problem.arrays.posture
    exact = 0
    for n, record in enumerate(problem.vertices.records):
        if n % LANES == 0:
            signed, two = problem.arrays.signed, len(targets) == 2
            price_block(problem.vertices.blocks, n // LANES, tuple(targets[0]), two, signed, rate, found)
        rows = found.reshape(FOUND_ROWS, LANES)[:, n % LANES]
        for root in range(2):
            for up in range(len(targets) if record[SHARED] else 1):
                T = matrices[up if record[SHARED] else int(record[TURNED])]
                angles, price, far, reached = corner(problem, record, matrices[0], root, up)
                if reached:
                    np.testing.assert_allclose(turned_to(problem, angles), T, atol=1e-6)
                    exact += 1
                assert rows[MINUS + root] <= price + rate * far + doubt
    assert exact > 10


def corner(
    problem: FacingProblem, record: np.ndarray, T: np.ndarray, root: int, up: int
) -> tuple[np.ndarray, float, float, bool]:
    """Angles of a corner [rad], its price with joints inside their limits, its miss [rad], whether it reaches."""
    p, s = record[P : P + 3], record[S : S + 3]
    wanted = (p @ T @ s - record[ALONG]) * record[PER_RADIUS]
    cosine = float(np.clip(wanted, -1.0, 1.0))
    sine = np.sqrt(1.0 - cosine**2) * (1.0 if root else -1.0)
    qj = float(np.arctan2(record[SIN_ANGLE], record[COS_ANGLE]) + np.arctan2(sine, cosine))
    fan = np.array((1.0, np.cos(qj), np.sin(qj)))
    w, u = fan @ record[W : W + 9].reshape(3, 3), fan @ record[U : U + 9].reshape(3, 3)
    angles = record[ANGLES:].copy()
    joints = record[FREE : FREE + 3].astype(int)
    angles[joints] = angle_about(p, w, T @ s), qj, np.pi * up - angle_about(s, u, T.T @ p)
    price, far = 0.0, abs(wanted - cosine) / record[PER_RADIUS]
    for i, q in enumerate(angles):
        at = q
        if i in joints:
            limits = problem.arrays.limits[i]
            at, miss = brought_inside(q, limits[LOWER], limits[UPPER])
            far += miss
        price += cost_of_joint(problem, i, q if i == joints[1] else at)
    return angles, price, far, wanted == cosine
