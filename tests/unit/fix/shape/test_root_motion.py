"""A root moved away from its reference: its velocities are those of its poses."""

from __future__ import annotations

import numpy as np
import pytest

import animato as an
from animato.fix.shape.root_motion import RootMotion, crossing, moved_root
from animato.mechanics.tree import States, states_of_clip
from animato.spatial import quaternions
from tests.joining_builders import hinge

H = 1e-4


def tumbling() -> tuple[an.Character, an.Clip]:
    """A base that flies and turns about all axes."""
    times = np.linspace(0.0, 1.0, 21)
    places = np.column_stack([np.sin(3.0 * times), times**2, 0.5 * np.cos(2.0 * times)])
    spins = np.column_stack([np.sin(4.0 * times), 2.0 * times, times**2 - times])
    turns = quaternions.continuous(quaternions.quaternion_from_rotation_vector(spins))
    return hinge(floats=True), an.Clip(times, ("elbow",), np.sin(times)[:, None], places, turns)


def deviation(times: np.ndarray, size: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(d, h) of a smooth change, and its rates, [moment, 6] each."""
    rates, phases = np.array([3.0, 5.0, 2.0, 4.0, 3.5, 6.0]), np.arange(6.0)
    angle = times[:, None] * rates + phases
    return size * np.sin(angle), size * rates * np.cos(angle), -size * rates**2 * np.sin(angle)


def moved(times: np.ndarray, size: float) -> tuple[RootMotion, States]:
    character, clip = tumbling()
    reference = states_of_clip(character, clip, times)
    return moved_root(reference, *deviation(times, size)), reference


TIMES = np.linspace(0.031, 0.967, 40)
"""Away from frames, where the reference's jerk jumps."""


@pytest.mark.parametrize("size", [0.0, 1e-9, 1e-3, 0.009, 0.3, 1.0])
def test_velocities_are_those_of_the_poses(size: float) -> None:
    """At h = 0, small and large turns, on both sides of where formulas change."""
    here, after, before = (moved(TIMES + shift, size)[0] for shift in (0.0, H, -H))
    turn = here.pose[:, 3:]
    world = (after.pose[:, :3] - before.pose[:, :3]) / (2.0 * H)
    back = quaternions.conjugate(turn)
    np.testing.assert_allclose(here.velocity[:, :3], quaternions.rotate(back, world), atol=1e-6)
    ahead = quaternions.multiply(quaternions.conjugate(before.pose[:, 3:]), after.pose[:, 3:])
    spin = quaternions.rotation_vector_from_quaternion(ahead) / (2.0 * H)
    np.testing.assert_allclose(here.velocity[:, 3:], spin, atol=1e-5)


@pytest.mark.parametrize("size", [0.0, 1e-9, 1e-3, 0.009, 0.3, 1.0])
def test_accelerations_are_those_of_the_velocities(size: float) -> None:
    """The linear one is of the origin in space, along the root's axes: v' + w x v; the angular one is w'."""
    here, after, before = (moved(TIMES + shift, size)[0] for shift in (0.0, H, -H))
    rate = (after.velocity - before.velocity) / (2.0 * H)
    linear = rate[:, :3] + np.cross(here.velocity[:, 3:], here.velocity[:, :3])
    scale = 1.0 + np.abs(here.acceleration).max()
    np.testing.assert_allclose(here.acceleration[:, :3], linear, atol=1e-5 * scale)
    np.testing.assert_allclose(here.acceleration[:, 3:], rate[:, 3:], atol=1e-5 * scale)


def test_nothing_moved_is_the_reference() -> None:
    found, reference = moved(TIMES, 0.0)
    np.testing.assert_allclose(found.pose, reference.root, atol=1e-15)
    np.testing.assert_allclose(found.velocity, reference.velocities[:, :6], atol=1e-12)
    np.testing.assert_allclose(found.acceleration, reference.accelerations[:, :6], atol=1e-12)


def test_the_pose_is_the_reference_turned_about_its_own_axes() -> None:
    found, reference = moved(TIMES, 0.4)
    d_h = deviation(TIMES, 0.4)[0]
    by = quaternions.matrix_from_quaternion(quaternions.quaternion_from_rotation_vector(d_h[:, 3:]))
    own = quaternions.matrix_from_quaternion(reference.root[:, 3:])
    np.testing.assert_allclose(found.turned, own @ by, atol=1e-12)
    np.testing.assert_allclose(found.pose[:, :3], reference.root[:, :3] + d_h[:, :3], atol=1e-15)


def test_crossing_is_the_cross_product() -> None:
    one, other = np.random.default_rng(0).normal(size=(2, 7, 3))
    np.testing.assert_allclose(np.matmul(crossing(one), other[..., None])[..., 0], np.cross(one, other), atol=1e-14)
