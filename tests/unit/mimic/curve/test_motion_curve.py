"""The curve of a motion: through poses, at its knots, and as a clip."""

from __future__ import annotations

import numpy as np
import pytest

from animato.mechanics.tree import packed_tree, states_of_clip
from animato.mimic.curve import ControlPoints, controls_through, knots_of, sampled_clip
from animato.spatial import quaternions
from tests.mimic_solved import pico

STEP = 1.0 / 30.0


def wandering(count: int, rng: np.random.Generator, turns: float = 0.3) -> ControlPoints:
    """Control points of a smooth motion."""
    phase = np.linspace(0.0, 3.0, count + 2)[:, None]
    width = len(packed_tree(pico()).coordinate_names)
    vectors = turns * np.sin(phase + rng.uniform(0, 6, 3))
    return ControlPoints(
        0.2 * np.sin(phase + rng.uniform(0, 6, 3)),
        quaternions.continuous(quaternions.quaternion_from_rotation_vector(vectors)),
        0.5 * np.sin(2.0 * phase + rng.uniform(0, 6, width)),
    )


def nothing(controls: ControlPoints) -> np.ndarray:
    return np.zeros((len(controls.places), 3))


def test_a_curve_goes_through_the_poses_that_it_was_made_for(rng: np.random.Generator) -> None:
    wanted = wandering(18, rng)
    controls = controls_through(wanted.places, wanted.turns_wxyz, wanted.joints)
    assert len(controls.places) == len(wanted.places) + 2
    knots = knots_of(controls, nothing(controls), STEP)
    np.testing.assert_allclose(knots.q, wanted.joints, atol=1e-12)
    np.testing.assert_allclose(knots.root[:, :3], wanted.places, atol=1e-12)
    # control points of turns have unit length, so the curve passes turns of 0.3 rad by 1e-4 rad only
    assert quaternions.angle_between(knots.root[:, 3:], wanted.turns_wxyz).max() < 1e-3
    np.testing.assert_allclose(knots.a[[0, -1], 6:], 0.0, atol=1e-8)


@pytest.mark.parametrize("count", [2, 3])
def test_few_poses_are_enough(count: int) -> None:
    places, turns = np.arange(3.0 * count).reshape(count, 3), np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
    controls = controls_through(places, turns, np.zeros((count, 2)))
    np.testing.assert_allclose(knots_of(controls, nothing(controls), STEP).root[:, :3], places, atol=1e-12)


def test_turns_of_either_sign_are_one_curve(rng: np.random.Generator) -> None:
    wanted = wandering(9, rng)
    flipped = wanted.turns_wxyz * np.where(np.arange(11) % 2, -1.0, 1.0)[:, None]
    one, other = (controls_through(wanted.places, turns, wanted.joints) for turns in (wanted.turns_wxyz, flipped))
    np.testing.assert_allclose(one.turns_wxyz, other.turns_wxyz, atol=1e-12)


def test_moved_by_nothing_and_back(rng: np.random.Generator) -> None:
    controls, x = wandering(7, rng), 0.2 * rng.normal(size=(9, 6 + len(packed_tree(pico()).coordinate_names)))
    there = controls.moved(x)
    # a right-hand turn is undone by its opposite, behind it
    back = there.moved(-x)
    for name in ("places", "turns_wxyz", "joints"):
        np.testing.assert_allclose(getattr(back, name), getattr(controls, name), atol=1e-12)
        np.testing.assert_allclose(getattr(controls.moved(0.0 * x), name), getattr(controls, name), atol=1e-15)


@pytest.mark.parametrize("rate_hz", [30.0, 60.0, 120.0, 100.0])
def test_a_clip_is_the_curve_itself(rate_hz: float, rng: np.random.Generator) -> None:
    """Its spline has positions, velocities and accelerations of the knots, and between them those of a cubic."""
    tree, controls = packed_tree(pico()), wandering(20, rng)
    clip = sampled_clip(tree, controls, STEP, rate_hz, start=0.5, source="made up")
    parts = round(STEP * rate_hz)
    assert len(clip.times) == 19 * parts + 1
    assert clip.times[0] == 0.5 and clip.duration == pytest.approx(19 * STEP)
    knots = knots_of(controls, nothing(controls), STEP)
    np.testing.assert_allclose(clip.positions[::parts], knots.q, atol=1e-12)
    np.testing.assert_allclose(clip.base_positions[::parts], knots.root[:, :3], atol=1e-12)
    np.testing.assert_allclose(clip.base_quaternions_wxyz[::parts], knots.root[:, 3:], atol=1e-12)
    # with one frame a knot the spline's ends are its own, not the curve's; a few knots inside they are forgotten
    inside, near = (slice(8, 12), 1e-3) if parts == 1 else (slice(0, 19), 1e-8)
    states = states_of_clip(pico(), clip, 0.5 + np.arange(20)[inside] * STEP)
    np.testing.assert_allclose(states.velocities[:, 6:], knots.v[inside, 6:], atol=near)
    np.testing.assert_allclose(states.accelerations[:, 6:], knots.a[inside, 6:], atol=near)
    # a clip's turns are between frames on a curve of their own, which is nearly the same
    np.testing.assert_allclose(states.velocities[:, :6], knots.v[inside, :6], atol=1e-5)
    np.testing.assert_allclose(states.accelerations[:, :6], knots.a[inside, :6], atol=1e-3)
    between = states_of_clip(pico(), clip, 0.5 + (np.arange(20)[inside] + 0.25) * STEP).accelerations
    straight = 0.75 * knots.a + 0.25 * np.roll(knots.a, -1, axis=0)
    np.testing.assert_allclose(between[:, 6:], straight[inside, 6:], atol=near)
    assert np.abs(between - knots.a[inside])[:, 6:].max() > 0.1  # a quarter of a knot elsewhere is seen


def test_velocities_and_accelerations_are_those_of_the_pose(rng: np.random.Generator) -> None:
    """Central differences of the pose along the curve, of linear and angular motion along the body's axes."""
    controls, h = wandering(5, rng, turns=0.8), 1e-4
    t, s = 2, np.array([-h, 0.0, h])[:, None]
    values = np.hstack([controls.places, controls.turns_wxyz])
    weights = (1.0 / 6.0 - s / 2.0 + s**2 / 2.0, 2.0 / 3.0 - s**2, 1.0 / 6.0 + s / 2.0 + s**2 / 2.0)
    poses = sum(w * values[t + k] for k, w in enumerate(weights))  # a cubic's second order about its knot
    places, turns = poses[:, :3], quaternions.normalized(poses[:, 3:])
    knots = knots_of(controls, nothing(controls), STEP)
    back = quaternions.conjugate(turns[1])
    early, late = (quaternions.rotation_vector_from_quaternion(quaternions.multiply(back, turns[k])) for k in (0, 2))
    wanted = np.concatenate([quaternions.rotate(back, places[2] - places[0]), late - early]) / (2.0 * h * STEP)
    np.testing.assert_allclose(knots.v[t, :6], wanted, rtol=1e-6, atol=1e-6)
    bend = np.concatenate([quaternions.rotate(back, places[2] - 2.0 * places[1] + places[0]), late + early])
    # of the rotation vector from the knot's own turn, the second derivative is the angular acceleration
    np.testing.assert_allclose(knots.a[t, :6], bend / (h * STEP) ** 2, rtol=1e-4, atol=1e-3)
