"""The scorer on motions whose figures are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from animato.errors import MotionError
from animato.mimic.anatomy import Anatomy
from animato.mimic.judging import score
from animato.mimic.person import Person
from animato.motion import Clip
from tests.judging_builders import moved

PersonLike = Callable[..., Person]


def test_who_stands_like_the_person_has_a_clean_sheet(anatomy: Anatomy, stand: Clip, person_like: PersonLike) -> None:
    found = score(anatomy, stand, person_like(stand, 1.7))
    assert found.scale == pytest.approx(1.0 / 1.7)
    assert found.zmp_out_percent == found.zmp_strict_out_percent == found.zmp_120_out_percent == 0.0
    assert found.flight_frames == 0 and found.frames == stand.frame_count
    for figure in ("keypoint_mm", "skate_worst_cm_s", "penetration_mm", "float_mm", "laplacian_cm2"):
        assert getattr(found, figure) == pytest.approx(0.0, abs=1e-6), figure
    assert 0.0 < found.torque_share < 1.0 and found.wrench_residual_share < 1e-4
    assert found.velocity_share == pytest.approx(0.0, abs=1e-9)
    assert np.isnan(found.swing_clearance_share)  # nothing swings


def test_who_leans_has_the_zmp_outside(anatomy: Anatomy, stand: Clip, person_like: PersonLike) -> None:
    leaning = moved(stand, turn=np.array((0.0, 0.5, 0.0)))
    found = score(anatomy, leaning, person_like(stand))
    assert found.zmp_out_percent == found.zmp_120_out_percent == 100.0
    assert found.zmp_strict_out_percent == 100.0
    assert found.wrench_residual_share > 0.02  # of a weight with a lever of centimetres


def test_hovering_soles_carry_nobody_strictly(anatomy: Anatomy, stand: Clip, person_like: PersonLike) -> None:
    found = score(anatomy, moved(stand, up=0.006), person_like(stand))
    assert found.zmp_out_percent == 0.0 and found.zmp_strict_out_percent == 100.0
    assert found.float_mm == pytest.approx(6.0, abs=1e-6) and found.penetration_mm == 0.0
    sunk = score(anatomy, moved(stand, up=-0.006), person_like(stand))
    assert sunk.penetration_mm == pytest.approx(6.0, abs=1e-6) and sunk.float_mm == 0.0


def test_a_millimetre_a_frame_is_three_centimetres_a_second(
    anatomy: Anatomy, stand: Clip, person_like: PersonLike
) -> None:
    along = 0.001 * np.arange(stand.frame_count)[:, None] * np.array((0.6, 0.8, 0.0))
    found = score(anatomy, moved(stand, by=along), person_like(stand))
    assert (found.skate_mean_cm_s, found.skate_worst_cm_s) == pytest.approx((3.0, 3.0))
    assert found.zmp_strict_out_percent == 0.0  # slower than 5 cm/s counts as touching
    quicker = score(anatomy, moved(stand, by=2.0 * along), person_like(stand))
    assert quicker.skate_mean_cm_s == pytest.approx(6.0) and quicker.zmp_strict_out_percent == 100.0


def test_a_falling_robot_flies(anatomy: Anatomy, stand: Clip, person_like: PersonLike) -> None:
    fall = -0.5 * 9.81 * stand.times**2
    found = score(anatomy, moved(stand, by=np.outer(fall, (0.0, 0.0, 1.0))), person_like(stand))
    assert found.flight_frames == stand.frame_count - 4
    assert np.isnan(found.zmp_out_percent)
    assert found.torque_share < 1e-6  # nothing to hold


def test_key_points_hands_and_mesh_see_a_lifted_arm(anatomy: Anatomy, stand: Clip, person_like: PersonLike) -> None:
    bent = stand.positions.copy()
    bent[:, stand.column("left_shoulder_pitch")] -= 0.5
    other = Clip(stand.times, stand.names, bent, stand.base_positions, stand.base_quaternions_wxyz)
    found = score(anatomy, other, person_like(stand))
    assert found.keypoint_mm > 1.0 and found.laplacian_cm2 > 0.1
    assert found.hands_gap_mm > 1.0  # the small robot's hands are always within 0.3 m
    assert score(anatomy, other, person_like(other)).hands_gap_mm == pytest.approx(0.0, abs=1e-6)
    far = score(anatomy, other, person_like(stand, 4.0))
    assert np.isnan(far.hands_gap_mm)  # hands of a larger person are never together


def test_limits_are_seen_between_the_frames(anatomy: Anatomy, stand: Clip, person_like: PersonLike) -> None:
    shaken = stand.positions.copy()
    column = stand.column("left_elbow")
    shaken[:, column] -= 0.3 * (-1.0) ** np.arange(stand.frame_count)
    found = score(
        anatomy,
        Clip(stand.times, stand.names, shaken, stand.base_positions, stand.base_quaternions_wxyz),
        person_like(stand),
    )
    assert found.velocity_share == pytest.approx(0.0, abs=1e-9)  # central differences of a zigzag are zero
    assert found.velocity_fine_share > 1.0
    assert found.torque_120_share > 0.0


def test_soles_are_seen_between_the_frames(anatomy: Anatomy, stand: Clip, person_like: PersonLike) -> None:
    fine = stand.resampled(np.linspace(stand.times[0], stand.times[-1], 4 * (stand.frame_count - 1) + 1))
    between = np.where(np.arange(fine.frame_count) % 4 == 2, 1.0, 0.0)  # 0 at all frames
    curve = moved(fine, by=np.outer(between, (0.002, 0.0, -0.003)))
    found = score(anatomy, stand, person_like(stand), curve=curve)
    assert found.penetration_mm == pytest.approx(0.0, abs=1e-6) and found.skate_worst_cm_s < 1e-6
    assert found.penetration_120_mm == pytest.approx(3.0, abs=1e-6)
    assert found.skate_120_worst_cm_s == pytest.approx(0.2 * 120.0)


def lifted(person: Person, height: float) -> Person:
    """The person with its left foot swung for eight frames, quickly enough not to support."""
    swing = np.zeros(len(person.times))
    swing[8:16] = height * np.array((0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.5))
    positions = person.positions.copy()
    for name in ("left_ankle", "left_toe", "left_heel"):
        positions[:, person.names.index(name), 2] += swing
    return replace(person, positions=positions)


def test_feet_that_drag_are_seen(anatomy: Anatomy, stand: Clip, person_like: PersonLike) -> None:
    person = lifted(person_like(stand, 4.0), 0.4)
    dragging = score(anatomy, stand, person)
    assert dragging.swing_clearance_share == pytest.approx(0.0, abs=1e-6)
    hop = np.zeros((stand.frame_count, 3))
    hop[8:16, 2] = 0.05
    half = score(anatomy, moved(stand, by=hop), person)
    assert half.swing_clearance_share == pytest.approx(0.05 / (half.scale * 0.4), rel=1e-6)
    assert half.swing_worst_share == half.swing_clearance_share


def test_frames_must_match(anatomy: Anatomy, stand: Clip, person_like: PersonLike) -> None:
    with pytest.raises(MotionError, match="24 frames and the person 23"):
        score(anatomy, stand, person_like(stand.resampled(stand.times[:-1])))
