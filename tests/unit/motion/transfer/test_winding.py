"""Angles near places where axes fall together: no jumps, no winding, and little lost."""

from __future__ import annotations

import numpy as np
import pytest

from animato.motion.transfer.axis_angles import angles_about
from animato.motion.transfer.turn_splits import splits_of
from animato.spatial import quaternions

AXES = np.eye(3)[[1, 0, 2]]  # pitch, roll and yaw of a shoulder
RANGES = np.radians([[-180.0, 120.0], [-100.0, 100.0], [-150.0, 150.0]])


def arm_circles(radius_degrees: float, rounds: float, frames: int = 600) -> np.ndarray:
    """An arm held out to the side that draws circles about the axis of pitch, never turned along itself."""
    round_angle = np.linspace(0.0, 2.0 * np.pi * rounds, frames)
    tip = np.radians(radius_degrees)
    out = np.column_stack(
        [np.sin(tip) * np.sin(round_angle), np.full(frames, np.cos(tip)), np.sin(tip) * np.cos(round_angle)]
    )
    down = quaternions.quaternion_about(np.array((1.0, 0, 0)), 0.5 * np.pi)  # from hanging to the side
    return quaternions.multiply(np.array([quaternions.shortest_turn((0.0, 1.0, 0.0), way) for way in out]), down)


@pytest.mark.parametrize("radius", [2.0, 8.0, 15.0])
def test_circles_around_a_lock_do_not_wind(radius: float) -> None:
    turns = arm_circles(radius, 3.0)
    splits = splits_of(AXES, turns)
    assert splits is not None
    plain = np.unwrap(splits.angles[:, 0], axis=0)
    assert np.degrees(np.ptp(plain[:, 0])) > 1000.0, "each way alone winds by a turn a round"
    angles, left = angles_about(AXES, turns, RANGES)
    assert np.degrees(np.ptp(angles, axis=0)).max() < 360.0
    assert np.degrees(left.max()) < 1.5 * radius + 1.0
    assert np.degrees(np.abs(np.diff(angles, axis=0)).max()) < 15.0


def test_circles_that_are_wide_are_meant_and_wind() -> None:
    """The control: pitch itself turns round, which no other way can make."""
    turns = quaternions.quaternion_about(AXES[0], np.linspace(0.0, 4.0 * np.pi, 400))
    angles, left = angles_about(AXES, turns, RANGES)
    assert np.ptp(angles[:, 0]) == pytest.approx(4.0 * np.pi)
    np.testing.assert_allclose(left, 0.0, atol=1e-6)


def test_what_leaves_its_range_is_kept() -> None:
    lean = np.radians(160.0) * np.sin(np.linspace(0.0, 3.0, 200))
    turns = quaternions.quaternion_about(AXES[0], lean)
    angles, _ = angles_about(AXES, turns, np.radians([[-90.0, 90.0], [-20.0, 20.0], [-20.0, 20.0]]))
    np.testing.assert_allclose(angles[:, 0], lean, atol=1e-9)


def test_away_from_locks_angles_are_exact_and_no_faster_than_the_axes_allow(rng: np.random.Generator) -> None:
    t = np.linspace(0.0, 6.0, 500)[:, None]
    angles = np.sin(t * rng.uniform(0.5, 2.0, 3)) * (1.2, 1.1, 1.2)  # roll stays 27 degrees away
    turns = quaternions.multiply(
        quaternions.multiply(
            quaternions.quaternion_about(AXES[0], angles[:, 0]), quaternions.quaternion_about(AXES[1], angles[:, 1])
        ),
        quaternions.quaternion_about(AXES[2], angles[:, 2]),
    )
    found, left = angles_about(AXES, turns, np.tile((-1.5, 1.5), (3, 1)))
    np.testing.assert_allclose(found, angles, atol=1e-9)
    np.testing.assert_allclose(left, 0.0, atol=1e-7)


def test_the_frame_rate_does_not_matter() -> None:
    slow = angles_about(AXES, arm_circles(8.0, 1.0, 151), RANGES, rate_hz=30.0)[0]
    quick = angles_about(AXES, arm_circles(8.0, 1.0, 601), RANGES, rate_hz=120.0)[0]
    assert np.degrees(np.abs(quick[::4] - slow).max()) < 10.0


def test_two_axes_that_never_come_near_stay_calm() -> None:
    """A bone turned right over about what two axes do not have: all ways are as far off."""
    over = np.linspace(0.0, 2.0 * np.pi, 400)
    turns = quaternions.quaternion_about(np.array((0.0, 0.0, 1.0)), over)
    angles, _ = angles_about(AXES[:2], turns, np.radians([[-90.0, 90.0], [-90.0, 90.0]]))
    assert np.degrees(np.abs(np.diff(angles, axis=0)).max()) < 60.0
    assert np.degrees(np.ptp(angles, axis=0)).max() < 400.0


def test_one_frame_and_none_too_many() -> None:
    angles, left = angles_about(AXES, np.array([[1.0, 0.0, 0.0, 0.0]]))
    np.testing.assert_allclose(angles, 0.0, atol=1e-12)
    assert left.shape == (1,)


def test_a_pose_that_the_motion_leaps_away_from_changes_nothing_else() -> None:
    """Arms that hang are at the lock of such a shoulder; a T-pose in front must not be blended into the motion."""
    axes = np.eye(3)[[2, 0, 2]]
    sway = 0.1 * np.sin(np.linspace(0.0, 6.0, 120))
    turns = quaternions.quaternion_from_rotation_vector(np.column_stack([sway, 0.5 * sway, 0.0 * sway]))
    pose = quaternions.quaternion_about(np.array((1.0, 0.0, 0.0)), 0.5 * np.pi)
    alone = angles_about(axes, turns, RANGES)[0]
    leaps = np.arange(121) == 1
    behind, left = angles_about(axes, np.vstack([pose, turns]), RANGES, leaps=leaps)
    np.testing.assert_allclose(behind[1:], alone, atol=1e-9)
    assert left[0] < 1e-6
    blended = angles_about(axes, np.vstack([pose, turns]), RANGES)[0]
    assert np.abs(blended[1:] - alone).max() > 0.1, "the control: without the leap they are one motion"
