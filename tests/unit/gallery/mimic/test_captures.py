"""The made-up person: the shipped captures are what the keys make, feet stay planted, and the weight is over them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.errors import MotionError
from animato.formats import load_motion, shipped_clips
from animato.gallery.mimic import CAPTURES
from animato.gallery.mimic.acting import RATE_HZ, carried
from animato.gallery.mimic.captures import person_step, save_capture
from animato.gallery.mimic.limbs import reached
from animato.gallery.mimic.skeleton import FOREARM_M, HEEL, NAMES, SHIN_M, THIGH_M, UPPER_ARM_M, centre_of_mass
from animato.library import LIBRARY
from animato.motion import CapturedMotion
from animato.spatial import quaternions

FLAT = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.035], [0.0, 0.0, 0.015]])  # heel, ball and tip of a flat foot [m]
WRITTEN_M = 5e-6  # four decimals of a degree on a leg of a metre


def shipped(name: str) -> CapturedMotion:
    """A capture as it comes with animato."""
    motion = load_motion(name)
    assert isinstance(motion, CapturedMotion)
    return motion


def sole_points(capture: CapturedMotion, side: str) -> np.ndarray:
    """The heel, the ball and the tip of the toes [m], shape [frame, point, 3]."""
    positions, turns = capture.world_poses()
    foot = capture.bone(f"{side}Foot")
    heel = positions[:, foot] + quaternions.rotate(turns[:, foot], HEEL)
    ends = [positions[:, capture.bone(f"{side}{name}")] for name in ("ToeBase", "ToeBase.end")]
    return np.stack([heel, *ends], axis=1)


@pytest.mark.parametrize("name", CAPTURES)
def test_the_shipped_files_are_what_the_keys_make(name: str, tmp_path: Path) -> None:
    made = save_capture(tmp_path / f"{name}.bvh", CAPTURES[name]())
    file = LIBRARY / "clips" / f"{name}.bvh"
    assert name in shipped_clips()
    assert file.stat().st_size < 120_000
    mine, theirs = load_motion(made), shipped(name)
    assert isinstance(mine, CapturedMotion)
    assert mine.names == theirs.names == NAMES
    np.testing.assert_allclose(mine.world_poses()[0], theirs.world_poses()[0], atol=WRITTEN_M)


@pytest.mark.parametrize("name", CAPTURES)
def test_it_is_an_adult_of_1_75_m_whose_bones_keep_their_length(name: str) -> None:
    capture = shipped(name)
    assert 1.0 / np.diff(capture.times) == pytest.approx(RATE_HZ, rel=1e-6)
    assert 3.0 <= capture.times[-1] <= 5.0
    positions, _ = capture.world_poses()
    assert positions[0, :, 2].max() == pytest.approx(1.73, abs=0.02)
    for first, second, length in (
        ("LeftUpLeg", "LeftLeg", THIGH_M),
        ("RightLeg", "RightFoot", SHIN_M),
        ("RightArm", "RightForeArm", UPPER_ARM_M),
        ("LeftForeArm", "LeftHand", FOREARM_M),
    ):
        away = np.linalg.norm(positions[:, NAMES.index(first)] - positions[:, NAMES.index(second)], axis=1)
        np.testing.assert_allclose(away, length, atol=1e-9)


@pytest.mark.parametrize("name", [name for name in CAPTURES if name != "person_step"])
@pytest.mark.parametrize("side", ["Left", "Right"])
def test_feet_that_take_no_step_do_not_move(name: str, side: str) -> None:
    points = sole_points(shipped(name), side)
    assert np.ptp(points, axis=0).max() < WRITTEN_M


@pytest.mark.parametrize("side", ["Left", "Right"])
def test_in_a_step_what_is_on_the_floor_does_not_slide_and_nothing_is_below_it(side: str) -> None:
    capture = shipped("person_step")
    points = sole_points(capture, side) - FLAT
    assert points[..., 2].min() > -WRITTEN_M
    down = points[..., 2] < 1e-4
    both = down[1:] & down[:-1]
    moved = np.linalg.norm(np.diff(points[..., :2], axis=0), axis=2)
    assert (moved * both).max() < 3e-4  # in the frame in which it leaves or lands
    heel_only, toe_only = down[:, 0] & ~down[:, 1], down[:, 1] & ~down[:, 0]
    assert heel_only.sum() >= 3
    assert toe_only.sum() >= 5
    assert points[-1, 0, 0] - points[0, 0, 0] == pytest.approx(0.68, abs=1e-4)


@pytest.mark.parametrize("name", CAPTURES)
def test_the_pressure_is_under_the_feet(name: str) -> None:
    """As of a point mass, and by the soles that are on the floor."""
    capture = shipped(name)
    positions, _ = capture.world_poses()
    centre = centre_of_mass(positions)
    push = np.diff(centre, 2, axis=0) * RATE_HZ**2
    pressure = centre[1:-1, :2] - centre[1:-1, 2:] / (9.81 + push[:, 2:]) * push[:, :2]
    soles = [sole_points(capture, side)[1:-1] for side in ("Left", "Right")]
    down = [(points - FLAT)[..., 2].min(axis=1) < 1e-3 for points in soles]
    assert np.all(down[0] | down[1])
    for axis, room in ((0, 0.0), (1, 0.045)):
        ends = [(points[..., axis].max(axis=1), points[..., axis].min(axis=1)) for points in soles]
        most = np.max([np.where(on, high, -9.0) for on, (high, _) in zip(down, ends, strict=True)], axis=0)
        least = np.min([np.where(on, low, 9.0) for on, (_, low) in zip(down, ends, strict=True)], axis=0)
        assert np.all(pressure[:, axis] < most + room)
        assert np.all(pressure[:, axis] > least - room)


def test_hands_meet_in_the_clap_and_one_is_on_the_hip_in_the_reach() -> None:
    clap, _ = shipped("person_clap").world_poses()
    apart = np.linalg.norm(clap[:, NAMES.index("LeftHand")] - clap[:, NAMES.index("RightHand")], axis=1)
    assert apart.min() == pytest.approx(0.08, abs=1e-3)
    assert np.count_nonzero((apart[1:-1] < apart[2:]) & (apart[1:-1] < apart[:-2]) & (apart[1:-1] < 0.1)) == 4
    reach, _ = shipped("person_reach").world_poses()
    at = round(1.5 * RATE_HZ)
    assert np.linalg.norm(reach[at, NAMES.index("LeftHand")] - reach[at, NAMES.index("LeftUpLeg")]) < 0.25


def test_a_limb_that_is_too_short_is_refused() -> None:
    far = np.array([[0.0, 0.0, -0.9]])
    with pytest.raises(MotionError, match=r"left leg of 0\.86 m cannot reach 0\.9 m"):
        reached(np.zeros((1, 3)), far, np.array([[1.0, 0.0, 0.0]]), (THIGH_M, SHIN_M), "left leg")


def test_weight_that_does_not_move_is_under_the_centre_of_mass() -> None:
    pressure = np.tile([0.3, -0.1], (40, 1))
    np.testing.assert_allclose(carried(pressure, np.full(40, 0.9), 60.0), pressure, atol=1e-12)


def test_the_step_is_made_again_bit_for_bit() -> None:
    np.testing.assert_array_equal(person_step().rotations_wxyz, person_step().rotations_wxyz)
