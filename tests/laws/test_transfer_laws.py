"""Laws of copied angles: a robot's own motion comes back, whole turns mean nothing, and nothing winds."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from animato.motion.transfer.axis_angles import angles_about
from animato.motion.transfer.turn_splits import axes_seen, product_of_turns
from animato.spatial import quaternions

ORDERS = ((0, 1, 2), (1, 0, 2), (2, 0, 1), (2, 1, 0), (1, 2, 0), (0, 2, 1))
RANGES = np.tile((-1.2, 1.2), (3, 1))
seeds = st.integers(0, 2**32 - 1)


def own_motion(seed: int, size: float) -> tuple[np.ndarray, np.ndarray]:
    """Tilted axes of three hinges, and a smooth motion of them, shape [frame, 3]."""
    rng = np.random.default_rng(seed)
    tilt = quaternions.quaternion_from_rotation_vector(rng.normal(size=3))
    axes = quaternions.rotate(tilt, np.eye(3)[list(ORDERS[seed % len(ORDERS)])])
    t = np.linspace(0.0, 4.0, 160)[:, None]
    return axes, size * np.sin(t * rng.uniform(0.5, 3.0, 3) + rng.uniform(0.0, 6.0, 3))


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_a_robots_own_motion_comes_back(seed: int) -> None:
    axes, angles = own_motion(seed, 1.1)
    for count in (1, 2, 3):
        turns = product_of_turns(axes[:count], angles[:, :count])
        found, left = angles_about(axes[:count], turns, RANGES[:count])
        np.testing.assert_allclose(found, angles[:, :count], atol=1e-6)
        np.testing.assert_allclose(left, 0.0, atol=1e-6)


@given(seeds, st.integers(0, 7))
@settings(max_examples=40, deadline=None)
def test_whole_turns_and_the_sign_of_quaternions_mean_nothing(seed: int, whole: int) -> None:
    axes, angles = own_motion(seed, 1.1)
    turned = angles + 2.0 * np.pi * np.array([(whole >> bit) & 1 for bit in range(3)])
    turns = product_of_turns(axes, angles)
    flips = np.where(np.arange(len(turns)) % 3 == 0, -1.0, 1.0)[:, None]
    expected = angles_about(axes, turns, RANGES)[0]
    np.testing.assert_allclose(angles_about(axes, product_of_turns(axes, turned), RANGES)[0], expected, atol=1e-9)
    np.testing.assert_allclose(angles_about(axes, flips * turns, RANGES)[0], expected, atol=1e-9)


@given(seeds)
@settings(max_examples=40, deadline=None)
def test_angles_are_as_quick_as_the_bone_over_how_far_the_axes_are_from_a_lock(seed: int) -> None:
    """|dq| is at most the bone's turn over the smallest singular value of the axes, wherever nothing is calmed."""
    axes, angles = own_motion(seed, 1.1)
    turns = product_of_turns(axes, angles)
    found, _ = angles_about(axes, turns, RANGES)
    seen = axes_seen(axes, found)
    smallest = np.linalg.svd(seen, compute_uv=False)[:, -1]
    bone = quaternions.angle_between(turns[1:], turns[:-1])
    steps = np.linalg.norm(np.diff(found, axis=0), axis=1)
    assert (steps <= 1.2 * bone / np.minimum(smallest[1:], smallest[:-1]) + 1e-6).all()  # 1.2 as steps are not small


@given(seeds)
@settings(max_examples=40, deadline=None)
def test_no_motion_of_a_bone_makes_joints_leap_or_wind(seed: int) -> None:
    """Any rotation up to 120 degrees from neutral, at most 5 degrees a frame."""
    rng = np.random.default_rng(seed)
    axes = np.eye(3)[list(ORDERS[seed % len(ORDERS)])]
    t = np.linspace(0.0, 5.0, 600)[:, None]
    vectors = 1.2 * np.sin(t * rng.uniform(0.3, 1.5, 3) + rng.uniform(0.0, 6.0, 3))
    turns = quaternions.quaternion_from_rotation_vector(vectors)
    found, left = angles_about(axes, turns, np.tile((-2.0, 2.0), (3, 1)))
    assert np.degrees(np.abs(np.diff(found, axis=0)).max()) < 45.0
    assert np.degrees(np.abs(found).max()) < 270.0
    assert np.degrees(left.max()) < 45.0
