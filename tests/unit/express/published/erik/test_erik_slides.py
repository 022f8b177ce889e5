"""Sliding joints in ERIK: they keep the posture's value, and change nothing of how the others turn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from animato.express.facing.errors import facing_errors, weights_of
from animato.express.published.erik.solver import ErikStatus, build_erik, solve_erik, solve_erik_batch
from animato.express.sweep.samples import build_sweep, random_samples
from animato.mechanics.tree.kinematics.chains import Chain
from tests.unit.express.chains import random_chain, random_positions, random_wxyz, skeleton


def with_slide(chain: Chain, k: int) -> Chain:
    """The chain with a joint before joint k that slides along the segment there."""
    arrays = chain.arrays
    along = arrays.segment[max(k - 1, 0)]
    put: dict[str, Any] = {
        "slides": True,
        "axis": along,
        "rotation": np.eye(3),
        "position": np.zeros(3),
        "segment": along,
        "twister": False,
        "lower": 0.0,
        "upper": 0.5,
    }
    longer = {name: np.insert(getattr(arrays, name), k, value, axis=0) for name, value in put.items()}
    names = (*chain.names[:k], "slide", *chain.names[k:])
    limits = (*chain.limits[:k], chain.limits[0], *chain.limits[k:])
    return Chain(arrays._replace(**longer), names, limits, chain.end_point)


@pytest.mark.parametrize("k", [0, 2, 5])
def test_a_slide_along_a_segment_changes_no_turn(k: int) -> None:
    chain = skeleton("c")
    part = random_samples(build_sweep(chain), 100, 3)
    even = {"error_aggravation": 1.0}  # otherwise a slide makes the joints after it count more, as any joint does
    plain = solve_erik_batch(build_erik(chain, **even), part.postures, part.targets_wxyz)
    postures = np.insert(part.postures, k, np.linspace(0.0, 0.5, 100), axis=1)
    slid = solve_erik_batch(build_erik(with_slide(chain, k), **even), postures, part.targets_wxyz)
    np.testing.assert_array_equal(slid.positions[:, k], postures[:, k])
    np.testing.assert_allclose(np.delete(slid.positions, k, axis=1), plain.positions, atol=1e-12)


def test_any_chain_with_slides_keeps_limits_and_has_true_errors(rng: np.random.Generator) -> None:
    for turning in (1, 2, 4, 6):
        chain = random_chain(rng, turning)
        postures, targets = random_positions(rng, chain, 20), random_wxyz(rng, 20)
        found = solve_erik_batch(build_erik(chain), postures, targets)
        arrays = chain.arrays
        assert (found.positions >= arrays.lower).all() and (found.positions <= arrays.upper).all()
        np.testing.assert_array_equal(found.positions[:, arrays.slides], postures[:, arrays.slides])
        errors = facing_errors(chain, found.positions, postures, targets, weights_of(chain))
        np.testing.assert_allclose(found.combined, errors.combined, atol=1e-7)
        np.testing.assert_allclose(found.shape, errors.shape, atol=1e-9)


def test_a_target_within_reach_is_faced_while_the_slide_stays(rng: np.random.Generator) -> None:
    chain = with_slide(skeleton("d"), 3)
    posture = np.array([0.0, 0.4, -0.3, 0.25, 0.6, 0.0])
    for target in random_wxyz(rng, 20):
        answer = solve_erik(build_erik(chain), posture, target)
        assert answer.errors.orientation < 0.04
        assert answer.positions[3] == 0.25


def test_a_slide_that_is_no_number_makes_the_posture_none() -> None:
    chain = with_slide(skeleton("c"), 2)
    before = np.array([0.1, 0.2, 0.3, 0.1, 0.1, 0.0])
    posture = before.copy()
    posture[2] = np.nan
    answer = solve_erik(build_erik(chain), posture, (1.0, 0.0, 0.0, 0.0), before)
    assert answer.status is ErikStatus.INVALID_INPUT
    np.testing.assert_array_equal(answer.positions, before)


def test_the_shape_error_is_lower_where_it_is_the_error_function() -> None:
    chain = skeleton("c")
    part = random_samples(build_sweep(chain), 300, 5)
    usual = solve_erik_batch(build_erik(chain), part.postures, part.targets_wxyz)
    signed = solve_erik_batch(build_erik(chain, shape_error=True), part.postures, part.targets_wxyz)
    assert signed.shape.mean() < usual.shape.mean()
    errors = facing_errors(chain, signed.positions, part.postures, part.targets_wxyz)
    np.testing.assert_allclose(signed.combined, errors.combined, atol=1e-7)
