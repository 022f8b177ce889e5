"""Characters with closed loops are fixed through what their motors do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.signal import butter, sosfiltfilt

import animato as an
from animato.character import Limits
from animato.errors import MechanismError
from animato.fix.loops import LoopMechanics, LoopReference, loop_moving_of
from animato.fix.shape import Motion
from animato.mechanics.limits import limit_usage
from animato.mechanics.loops import clip_with_loops
from tests.simulation_builders import heavy_five_bar

_FINE = 100


@pytest.fixture(scope="module")
def four_bar() -> an.Character:
    return an.load_character("four_bar")


def swinging(size: float, *, duration: float = 2.0, frames: int = 101) -> an.Clip:
    """A crank that swings to and fro, ever quicker."""
    times = np.linspace(0.0, duration, frames)
    x = times / duration
    return an.Clip(times, ("crank_axle",), (size * np.sin(np.pi * x) ** 2 * np.sin(14.0 * x + 8.0 * x * x))[:, None])


def limited(character: an.Character, **limits: Limits) -> an.Character:
    joints = tuple(
        replace(joint, stated_limits=(limits[joint.name],)) if joint.name in limits else joint
        for joint in character.joints
    )
    return replace(character, joints=joints)


def test_a_fine_clip_stays_to_the_last_bit(four_bar: an.Character) -> None:
    clip = swinging(0.1)
    found = an.fix.solve(an.fix.build(four_bar, clip))
    assert found.outcome.usable and not found.changed
    assert np.array_equal(found.clip.positions, clip.positions)


def test_a_crank_that_is_too_quick_is_fixed_between_frames_too(four_bar: an.Character) -> None:
    clip = swinging(1.4)
    found = an.fix.solve(an.fix.build(four_bar, clip))
    assert max(found.before.peak(kind) for kind in found.before.shares) > 2.0
    assert found.outcome.usable
    fine = limit_usage(four_bar, found.clip, oversampling=_FINE)
    for kind in fine.shares:
        assert fine.peak(kind) <= 1.0 + 1e-6


def test_the_pen_is_nearer_than_with_a_filter(four_bar: an.Character) -> None:
    """A Butterworth filter, forth and back, at the highest cut-off that keeps every limit."""
    clip = swinging(1.4)
    found = an.fix.solve(an.fix.build(four_bar, clip))
    reference = LoopReference(four_bar, clip, (("coupler", np.array([0.032, -0.01, 0.124])),))

    def pen(motors: np.ndarray) -> np.ndarray:
        return reference.linkage.places(reference.linkage.followed(motors)[0])[:, 0]

    def filtered(cut: float) -> an.Clip:
        sections = butter(2, cut, fs=(clip.frame_count - 1) / clip.duration, output="sos")
        passed = sosfiltfilt(sections, clip.positions, axis=0)
        return an.Clip(clip.times, clip.names, passed)

    keeping = [cut for cut in np.geomspace(0.2, 20.0, 40) if limit_usage(four_bar, filtered(cut)).holds]
    peer = filtered(max(keeping))
    away = [
        float(np.linalg.norm(pen(one.positions) - pen(clip.positions), axis=1).mean()) for one in (found.clip, peer)
    ]
    assert away[0] == pytest.approx(found.deviation.mean_m, abs=1e-6)
    assert away[0] < 0.5 * away[1]


def test_limits_of_passive_joints_hold(four_bar: an.Character) -> None:
    """In the tree of the loop, and where they would close it."""
    clip = swinging(0.5)
    for name, limits in (
        ("rocker_axle", Limits(lower=-0.08, upper=0.05, velocity=0.5, acceleration=8.0)),
        ("rocker_pin", Limits(lower=-0.1, upper=0.1, velocity=2.0)),
    ):
        narrow = limited(four_bar, **{name: limits})
        found = an.fix.solve(an.fix.build(narrow, clip))
        assert found.before.peak("position") > 1.1
        fine = limit_usage(narrow, found.clip, oversampling=_FINE)
        assert name in [axis.name for axis in fine.axes]
        assert found.outcome.usable
        assert max(fine.peak(kind) for kind in fine.shares) <= 1.0 + 1e-6


def test_passive_columns_of_a_clip_follow_its_motors(four_bar: an.Character) -> None:
    whole = clip_with_loops(four_bar, swinging(1.4))
    found = an.fix.solve(an.fix.build(four_bar, whole))
    assert found.changed and found.outcome.usable
    np.testing.assert_allclose(found.clip.positions, clip_with_loops(four_bar, found.clip).positions, atol=1e-9)


def test_several_motors_of_which_one_drives_a_loop() -> None:
    verse = an.load_clip("rapper_verse")
    part = verse.resampled(verse.times[:100])
    quick = an.Clip(part.times / 2.5, part.names, part.positions)
    found = an.fix.solve(an.fix.build("rapper", quick))
    assert found.before.peak("torque") > 1.5
    assert found.outcome.usable
    fine = limit_usage(an.load_character("rapper"), found.clip, oversampling=20)
    assert max(fine.peak(kind) for kind in fine.shares) <= 1.0 + 1e-6


def test_rows_and_their_derivatives(four_bar: an.Character) -> None:
    """Against central differences."""
    narrow = limited(four_bar, rocker_axle=Limits(lower=-0.3, upper=0.2, velocity=2.0, acceleration=9.0))
    clip = swinging(0.6)
    reference = LoopReference(narrow, clip, ())
    moving = loop_moving_of(narrow, reference.linkage.system.motor_names, clip.names)
    mechanics = LoopMechanics(reference, clip.times, moving)
    parts = [clip.spline(clip.times, derivative=order) for order in range(3)]
    assert mechanics.row_names[-1] == "loops" and mechanics.row_names.count("rocker_axle") == 6

    def rows(*change: float) -> np.ndarray:
        moved = (part + by for part, by in zip(parts, change, strict=True))
        return mechanics.loads(Motion(slice(0, clip.frame_count), *moved))

    found = mechanics.load_rows(Motion(slice(0, clip.frame_count), *parts))
    np.testing.assert_allclose(found.values, rows(0.0, 0.0, 0.0), atol=1e-9)
    h = 1e-4
    for exact, way in zip((found.by_q, found.by_v, found.by_a), np.eye(3) * h, strict=True):
        rate = (rows(*way) - rows(*-way)) / (2.0 * h)
        off = np.abs(rate - exact[:, :, 0]) > 1e-5 * np.abs(exact).max()
        # Friction turns within a hundredth of a radian a second, which differences see as a corner.
        assert not off[np.abs(parts[1][:, 0]) > 0.1].any()


def test_a_motion_out_of_reach_is_told_by_finite_rows() -> None:
    arms = heavy_five_bar(np.random.default_rng(3))
    times = np.linspace(0.0, 1.0, 21)
    clip = an.Clip(times, ("A", "E"), np.zeros((21, 2)))
    reference = LoopReference(arms, clip, ())
    moving = loop_moving_of(arms, reference.linkage.system.motor_names, clip.names)
    mechanics = LoopMechanics(reference, times, moving)
    apart = times[:, None] * np.array([[1.5, -1.5]])
    motion = Motion(slice(0, 21), apart, np.ones((21, 2)), np.ones((21, 2)))
    found = mechanics.load_rows(motion)
    assert found.values[0, -1] == 0.0 and found.values[-1, -1] > 1.0
    for numbers in (found.values, found.by_q, found.by_v, found.by_a, mechanics.places(motion)):
        assert np.isfinite(numbers).all()


def test_what_cannot_be_fixed_says_why(four_bar: an.Character) -> None:
    bear = an.load_character("bear")
    still = an.Clip(np.linspace(0.0, 1.0, 11), bear.actuated_coordinate_names, np.zeros((11, 12)))
    with pytest.raises(MechanismError, match="more motors than they leave free"):
        LoopReference(bear, still, ())
    arms = heavy_five_bar(np.random.default_rng(3))
    times = np.linspace(0.0, 1.0, 21)
    apart = an.Clip(times, ("A", "E"), times[:, None] * np.array([[1.5, -1.5]]))
    with pytest.raises(MechanismError, match="do not close at"):
        an.fix.solve(an.fix.build(arms, apart))
