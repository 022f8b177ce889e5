"""Corners that touch, forces at them, and balance over a motion."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character import Body, Character, Joint, Sole
from animato.errors import CharacterError, MotionError
from animato.mechanics.contact import balance_of, corner_forces, corners_of, root_wrench, weight_share
from animato.mechanics.tree import inverse_dynamics, states_of_clip
from animato.motion import Clip

OUTLINE = ((0.1, 0.1, 0.0), (-0.1, 0.1, 0.0), (-0.1, -0.1, 0.0), (0.1, -0.1, 0.0))


def box(x: float = 0.0, mass: float = 5.0) -> Character:
    body = Body("box", mass=mass, centre=(x, 0, 0.3), inertia=(0.1, 0.1, 0.1, 0, 0, 0))
    return Character("box", (body,), soles=(Sole("sole", "box", OUTLINE),))


def path(places: np.ndarray) -> Clip:
    return Clip(np.arange(len(places)) / 10.0, (), np.zeros((len(places), 0)), places)


def test_corners_touch_where_they_are_low_and_slow() -> None:
    character = box()
    heights = np.array([(0.0, 0.0, z) for z in (0.0, 0.01, 0.02)])
    still = states_of_clip(character, path(np.repeat(heights[:1], 3, axis=0)))
    assert corners_of(character, still).touching.all()
    slide = states_of_clip(character, path(np.linspace((0, 0, 0), (0.2, 0, 0), 3)))
    moving = corners_of(character, slide)
    np.testing.assert_allclose(moving.velocities[..., 0], 1.0)
    assert not moving.touching.any()
    high = states_of_clip(character, path(np.repeat(heights[2:], 3, axis=0)))
    assert not corners_of(character, high).touching.any()


@pytest.mark.parametrize("x", [0.0, 0.07, 0.13])
def test_a_box_is_in_balance_over_its_sole(x: float) -> None:
    character = box(x)
    balance = balance_of(character, states_of_clip(character, path(np.zeros((3, 3)))))
    np.testing.assert_allclose(balance.zmp, np.tile((x, 0.0), (3, 1)), atol=1e-12)
    np.testing.assert_allclose(balance.outside, x - 0.1, atol=1e-12)
    np.testing.assert_allclose(balance.reach, x / 0.1, atol=1e-12)
    assert balance.lost_share == (1.0 if x > 0.1 else 0.0)
    assert not balance.flight.any()
    assert "out of balance" in balance.facts()
    lifted = balance.support.corner_forces.sum(axis=1)
    if x < 0.1:
        np.testing.assert_allclose(lifted, np.tile((0.0, 0.0, 5 * 9.81), (3, 1)), atol=1e-3)
        assert balance.residual_share.max() < 1e-5


def test_what_touches_may_be_given() -> None:
    character = box(0.05)
    states = states_of_clip(character, path(np.zeros((2, 3))))
    right = np.array([(True, False, False, True)] * 2)
    assert balance_of(character, states, right).lost.all()  # the line of the front corners, 5 cm away
    np.testing.assert_allclose(balance_of(character, states, right).outside, 0.05, atol=1e-12)
    nothing = balance_of(character, states, np.zeros((2, 4), dtype=bool))
    assert nothing.flight.all() and nothing.lost_share == 0.0
    np.testing.assert_allclose(nothing.residual_share, 1.0)


def test_a_slippery_floor_does_not_stop_a_box() -> None:
    """Braking at 5 m/s^2 takes a friction of 0.51."""
    character = box()
    times = np.arange(5) / 20.0
    places = np.stack([2.5 * (times - 0.1) ** 2, 0 * times, 0 * times], axis=1)
    clip = Clip(times, (), np.zeros((5, 0)), places)
    states = states_of_clip(character, clip)
    touching = np.ones((5, 4), dtype=bool)
    forces, corners = inverse_dynamics(character, states), corners_of(character, states)
    dry = corner_forces(character, corners, forces, touching, friction=0.7).imbalance[2, 0]
    wet = corner_forces(character, corners, forces, touching, friction=0.3).imbalance[2, 0]
    assert abs(dry) < 1e-2
    assert abs(wet) > 5.0


def test_bad_input() -> None:
    character = box()
    states = states_of_clip(character, path(np.zeros((2, 3))))
    with pytest.raises(MotionError, match=r"need \[2, 4\]"):
        balance_of(character, states, np.ones((2, 3), dtype=bool))
    held = Character("lamp", (Body("base", mass=1.0),), (Joint("hold", "ground", "world", "base"),))
    with pytest.raises(CharacterError, match="floating base"):
        root_wrench(held, states_of_clip(held, Clip([0.0], (), np.zeros((1, 0)))))
    light = box(mass=0.0)
    with pytest.raises(CharacterError, match="weighs nothing"):
        weight_share(light, states_of_clip(light, path(np.zeros((2, 3)))))
