"""Changes of distances between bodies: rows n . (J_a - J_b) against central differences and against Jacobians."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character import Box, Capsule, Character, Ellipsoid, Frame, Geometry, Shape, Sphere
from animato.mechanics.collision import CollisionModel, NearPairs, near_pairs, separation_rows
from animato.mechanics.tree import States, frame_jacobians, packed_tree
from animato.spatial import quaternions
from tests.gradients.test_rnea_derivatives import moved
from tests.tree_builders import random_states, tangled_character

pytest.importorskip("coal")


def solid_character(seed: int, floats: bool, shapes: tuple[Geometry, ...]) -> tuple[Character, States]:
    """Joints of many types, some walked backward, some with gears; on each body a shape somewhere."""
    rng = np.random.default_rng(seed)
    bare = tangled_character(rng, floats=floats)
    states = random_states(rng, bare, count=6)
    bodies = []
    for n, body in enumerate(bare.bodies):
        turn = quaternions.normalized(rng.normal(size=4))
        frame = Frame(tuple(0.2 * rng.normal(size=3)), tuple(turn))
        bodies.append(replace(body, shapes=(Shape(shapes[n % len(shapes)], frame),)))
    return replace(bare, bodies=tuple(bodies)), states


def slopes_of(model: CollisionModel, states: States, near: NearPairs, step: float) -> np.ndarray:
    """Central differences of the rows' distances along all columns of velocity, [row, dof]."""
    tree = packed_tree(model.character)
    row = {key: n for n, key in enumerate(zip(near.frames.tolist(), near.pairs.tolist(), strict=True))}
    out = np.zeros((len(near), len(tree.dof_names)))
    for column in range(out.shape[1]):
        for sign in (1.0, -1.0):
            found = near_pairs(model, moved(tree, states, column, sign * step), np.inf)
            order = [row[key] for key in zip(found.frames.tolist(), found.pairs.tolist(), strict=True)]
            out[order, column] += sign * found.distances / (2.0 * step)
    return out


@pytest.mark.parametrize("floats", [False, True])
@pytest.mark.parametrize(
    ("shapes", "step", "tolerance"),
    [
        ((Box((0.3, 0.4, 0.5)), Sphere(0.3), Capsule(0.1, 0.5)), 1e-6, 1e-7),
        # curved shapes are met to 1e-6 m only: so rough are differences, and normals by the square root of it
        ((Ellipsoid((0.2, 0.3, 0.5)), Box((0.3, 0.2, 0.5))), 1e-4, 2e-2),
    ],
    ids=["flat", "curved"],
)
def test_rows_are_slopes_of_distances(
    floats: bool, shapes: tuple[Geometry, ...], step: float, tolerance: float
) -> None:
    character, states = solid_character(1, floats, shapes)
    model = CollisionModel.of(character, apart=0)
    near = near_pairs(model, states, np.inf)
    assert len(near) == len(model.pairs) * len(states.times)
    assert np.any(near.distances < 0.0) and np.any(near.distances > 0.0)
    rows = separation_rows(model, states, near)
    np.testing.assert_allclose(rows, slopes_of(model, states, near, step), atol=tolerance)
    # the row of overlapping bodies is no weaker than that of others
    assert np.abs(rows[near.distances < 0.0]).max() > 0.1


@pytest.mark.parametrize("floats", [False, True])
def test_rows_are_made_of_jacobians_of_points(floats: bool) -> None:
    character, states = solid_character(2, floats, (Box((0.3, 0.4, 0.5)), Capsule(0.1, 0.5)))
    model, names = CollisionModel.of(character, apart=0), packed_tree(character).body_names
    near = near_pairs(model, states, 0.3, most=4)
    rows = separation_rows(model, states, near)
    for n, frame in enumerate(near.frames):
        ends = ((near.body_a[n], near.points_a[n]), (near.body_b[n], near.points_b[n]))
        first, second = (frame_jacobians(character, states, names[b], Frame(tuple(p)))[frame, :3] for b, p in ends)
        np.testing.assert_allclose(rows[n], near.normals[n] @ (first - second), atol=1e-12)
    if floats:
        np.testing.assert_array_equal(rows[:, :6], 0.0)  # moving the whole character parts nothing


def test_the_comparison_can_fail() -> None:
    """Negative control: rows of other states are no slopes of these distances."""
    character, states = solid_character(1, True, (Box((0.3, 0.4, 0.5)), Sphere(0.3)))
    model = CollisionModel.of(character, apart=0)
    near = near_pairs(model, states, np.inf)
    rows = separation_rows(model, replace(states, positions=states.positions[::-1].copy()), near)
    assert np.abs(rows - slopes_of(model, states, near, 1e-6)).max() > 0.1
