"""Which columns a tree has, and what follows what."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import MotionError, UnknownNameError
from animato.mechanics.tree import build_contact_points, contact_torques
from animato.mechanics.tree.kinematics.packing import packed_tree
from animato.mechanics.tree.step_columns import step_columns
from tests.tree_builders import random_states, tangled_character


@pytest.mark.parametrize("floats", [False, True])
def test_slots_are_columns_of_velocity_and_followers_stand_behind(rng: np.random.Generator, floats: bool) -> None:
    tree = packed_tree(tangled_character(rng, floats=floats))
    columns, dofs, first = step_columns(tree), len(tree.dof_names), 6 if floats else 0
    leads = columns.slot < dofs
    np.testing.assert_array_equal(np.sort(columns.slot), np.arange(first, dofs + 2))
    np.testing.assert_array_equal(columns.slot[leads], columns.dof[leads])
    assert [tree.dof_names[leader] for leader in columns.leader] == ["j1", "j1"]
    assert np.all(columns.previous < np.arange(len(columns.previous)))


def test_points_must_be_on_bodies_and_forces_at_points(rng: np.random.Generator) -> None:
    character = tangled_character(rng, floats=True)
    tree, states = packed_tree(character), random_states(rng, character)
    with pytest.raises(UnknownNameError, match="b99"):
        build_contact_points(tree, [("b99", (0, 0, 0))])
    points = build_contact_points(tree, [("b1", (0, 0, 0))])
    with pytest.raises(MotionError, match="need \\[11, 1, 3\\]"):
        contact_torques(tree, states.positions, states.root, points, np.zeros((11, 2, 3)))
    none = contact_torques(tree, states.positions, states.root, build_contact_points(tree, []), np.zeros((11, 0, 3)))
    np.testing.assert_array_equal(none.values, 0.0)
    np.testing.assert_array_equal(none.by_q, 0.0)
