"""Animation warping: what faces already stays as it was, what does not is made to face, within limits."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from animato.character.character import Character
from animato.errors import MotionError, OptionError, UnknownNameError
from animato.express.warp.warped_clip import warp_clip
from animato.express.warp.warper import Warper
from animato.formats.character_files import load_character
from animato.loading.clips import load_clip
from animato.mechanics.tree.chains import Chain, build_chain, tip_orientations
from animato.motion.clip import Clip
from animato.spatial import quaternions

Z = np.array([0.0, 0.0, 1.0])


@functools.cache
def cast(name: str, end_point: str = "tip") -> tuple[Character, Chain]:
    character = load_character(name)
    return character, build_chain(character, end_point)


def swaying(chain: Chain, seed: int = 4, seconds: float = 4.0, rate: float = 50.0) -> Clip:
    """A clip of sines inside the limits."""
    times = np.arange(0.0, seconds, 1.0 / rate)
    count = len(chain.names)
    phases = np.random.default_rng(seed).uniform(0.0, 2.0 * np.pi, count)
    positions = 0.6 * np.sin(times[:, None] * np.linspace(1.0, 2.0, count) + phases)
    return Clip(times, chain.names, np.clip(positions, chain.arrays.lower, chain.arrays.upper))


def own_orientations(chain: Chain, clip: Clip) -> np.ndarray:
    tips = tip_orientations(chain, clip.selected(chain.names).positions)
    return tips if clip.base_quaternions_wxyz is None else quaternions.multiply(clip.base_quaternions_wxyz, tips)


def looking_around(time: float) -> np.ndarray:
    """Up to 50 degrees to both sides and up and down."""
    turn = quaternions.quaternion_about(Z, np.float64(0.9 * np.sin(0.9 * time)))
    return quaternions.multiply(
        turn, quaternions.quaternion_about([1.0, 0.0, 0.0], np.float64(0.9 * np.sin(0.7 * time)))
    )


@pytest.mark.parametrize("letter", "abcdefg")
def test_own_orientation_changes_nothing(letter: str) -> None:
    character, chain = cast(f"skeleton_{letter}")
    clip = swaying(chain)
    warped = warp_clip(character, clip, "tip", own_orientations(chain, clip), filter=False)
    assert np.abs(warped.clip.positions - clip.positions).max() < 1e-6
    assert warped.errors.orientation.max() < 1e-6


@pytest.mark.parametrize("letter", "bcdefg")
def test_faces_a_moving_target_without_jumps(letter: str) -> None:
    character, chain = cast(f"skeleton_{letter}")
    clip = swaying(chain)
    warped = warp_clip(character, clip, "tip", looking_around, filter=False)
    assert warped.errors.orientation.max() < 1e-6
    tips = tip_orientations(chain, warped.clip.positions)
    flipped = quaternions.multiply(tips, [0.0, 0.0, 0.0, 1.0])  # the tip is symmetric about z
    gap = np.minimum(
        quaternions.angle_between(tips, warped.targets_wxyz), quaternions.angle_between(flipped, warped.targets_wxyz)
    )
    assert gap.max() < 1e-5
    assert np.all(warped.clip.positions >= chain.arrays.lower) and np.all(warped.clip.positions <= chain.arrays.upper)
    assert np.abs(np.diff(warped.clip.positions, axis=0)).max() < 0.12  # 6 rad/s; a flip would be a radian
    # Negative control: the clip itself does not face.
    assert quaternions.angle_between(own_orientations(chain, clip), warped.targets_wxyz).max() > 0.5


def test_warp_goes_away_when_it_is_not_needed() -> None:
    character, chain = cast("skeleton_g")
    clip = swaying(chain)
    own = own_orientations(chain, clip)
    share = np.clip(2.0 - clip.times, 0.0, 1.0)  # of a turn by 0.5 rad, gone after 2 s
    targets = quaternions.multiply(quaternions.quaternion_about(Z, 0.5 * share), own)
    warped = warp_clip(character, clip, "tip", targets, filter=False)
    away = np.abs(warped.clip.positions - clip.positions).max(axis=1)
    assert away[:50].min() > 0.1
    assert away[-1] < 1e-3
    assert warped.errors.orientation.max() < 1e-6


def test_filter_keeps_every_limit() -> None:
    character, chain = cast("skeleton_g")
    warped = warp_clip(character, swaying(chain), "tip", looking_around, rate_hz=100.0, smoothness=0.1)
    clip = warped.clip
    steps = np.diff(clip.times)
    assert np.allclose(steps, 0.01, atol=1e-12)
    velocity, acceleration = clip.velocity(), clip.acceleration()
    for i, limits in enumerate(chain.limits):
        assert limits.velocity is not None and limits.acceleration is not None
        assert np.abs(velocity[:, i]).max() <= limits.velocity * (1.0 + 1e-6)
        # The clip's spline is not the filter's at its two ends.
        assert np.abs(acceleration[3:-3, i]).max() <= limits.acceleration * 1.05
    assert np.all(clip.positions >= chain.arrays.lower) and np.all(clip.positions <= chain.arrays.upper)
    assert np.abs(warped.wanted - clip.positions).max() > 1e-4  # it did something


def test_other_joints_pass_through_to_the_bit() -> None:
    character, chain = cast("pico", "eyes")
    clip = load_clip("pico_hello", character)
    warped = warp_clip(character, clip, "eyes", [1.0, 0.0, 0.0, 0.0])
    others = [name for name in clip.names if name not in chain.names]
    assert len(others) == 20
    assert warped.clip.selected(others).same_as(clip.selected(others))
    assert warped.clip.names == clip.names and warped.clip.has_base


def test_targets_are_in_the_world_where_the_base_moves() -> None:
    character, chain = cast("pico", "eyes")
    times = np.linspace(0.0, 1.0, 21)
    turned = quaternions.quaternion_about(Z, 0.4 * times)
    still = Clip(times, chain.names, np.zeros((21, 4)), np.tile([0.0, 0.0, 0.2], (21, 1)), turned)
    forward = own_orientations(chain, still)[0]
    warped = warp_clip(character, still, "eyes", forward, filter=False)
    assert quaternions.angle_between(own_orientations(chain, warped.clip), forward).max() < 1e-6
    assert np.abs(warped.clip.positions).max() > 0.05


def test_joints_that_the_clip_does_not_name_are_neutral_and_warped() -> None:
    character, chain = cast("lamp", "light")
    clip = load_clip("lamp_look", character)
    short = clip.selected(clip.names[:-1])
    warped = warp_clip(character, short, "light", own_orientations(chain, clip), filter=False)
    assert warped.clip.names == (*short.names, clip.names[-1])
    assert warped.errors.orientation.max() < 1e-6


def test_free_roll_leaves_more_of_the_clip() -> None:
    character, chain = cast("pico", "eyes")
    times = np.linspace(0.0, 1.0, 21)
    clip = Clip(times, chain.names, np.zeros((21, 4)))
    tilted = quaternions.quaternion_about([1.0, 0.0, 0.0], 1.2 * times)  # more than the neck can roll
    exact = warp_clip(character, clip, "eyes", tilted, filter=False)
    free = warp_clip(character, clip, "eyes", tilted, filter=False, roll="free")
    assert exact.errors.orientation.max() > 0.05
    assert free.errors.orientation.max() < 1e-6 and np.abs(free.clip.positions).max() < 1e-6


def test_live_steps_are_the_clip() -> None:
    character, chain = cast("skeleton_f")
    clip = swaying(chain, seconds=1.0)
    whole = warp_clip(character, clip, "tip", looking_around, smoothness=0.2)
    warper = Warper(character, clip, "tip", rate_hz=50.0, smoothness=0.2)
    live = np.array([warper.step(time, looking_around(time)) for time in clip.times])
    assert np.abs(live - whole.clip.positions).max() < 1e-9
    assert warper.names == clip.names


def test_live_loop_survives_what_is_not_a_number() -> None:
    character, chain = cast("skeleton_f")
    warper = Warper(character, swaying(chain), "tip", rate_hz=50.0)
    start = warper.step(0.0, [np.nan, 0.0, 0.0, 0.0])
    assert warper.held and np.abs(start - swaying(chain).positions[0]).max() < 1e-12  # not warped before a target came
    warper.step(0.0, [1.0, 0.0, 0.0, 0.0])
    assert not warper.held
    for time, target in (
        (0.02, [np.nan] * 4),
        (np.nan, [1.0, 0.0, 0.0, 0.0]),
        (0.06, [0.0] * 4),
        (99.0, [2.0, 0, 0, 0]),
    ):
        assert np.isfinite(warper.step(time, target)).all()


def test_unreachable_targets_stay_within_limits() -> None:
    character, chain = cast("pico", "eyes")
    behind = quaternions.quaternion_about(Z, np.float64(np.pi))
    times = np.linspace(0.0, 0.5, 11)
    warped = warp_clip(character, Clip(times, chain.names, np.zeros((11, 4))), "eyes", behind, filter=False)
    assert np.all(warped.wanted >= chain.arrays.lower) and np.all(warped.wanted <= chain.arrays.upper)
    assert warped.errors.orientation.max() < 0.5  # it turns as far as it can; not at all would be 1


def test_errors_say_what_to_do() -> None:
    character, chain = cast("skeleton_c")
    clip = swaying(chain, seconds=0.5)
    up = [1.0, 0.0, 0.0, 0.0]
    with pytest.raises(UnknownNameError, match="Did you mean 'tip'"):
        warp_clip(character, clip, "tipp", up)
    with pytest.raises(UnknownNameError, match="elbow"):
        warp_clip(character, Clip(clip.times, ("elbow",), clip.positions[:, :1]), "tip", up)
    with pytest.raises(MotionError, match="targets"):
        warp_clip(character, clip, "tip", np.ones((3, 4)))
    with pytest.raises(MotionError, match="no length"):
        warp_clip(character, clip, "tip", [0.0] * 4)
    with pytest.raises(OptionError, match="rate_hz"):
        warp_clip(character, clip, "tip", up, rate_hz=0.0)
    with pytest.raises(OptionError, match="settle_s"):
        warp_clip(character, clip, "tip", up, settle_s=-1.0)
    with pytest.raises(MotionError, match="one rate"):
        warp_clip(character, Clip(np.array([0.0, 0.1, 0.5]), clip.names, clip.positions[:3]), "tip", up)
    based = Clip(clip.times, clip.names, clip.positions, np.zeros((len(clip.times), 3)))
    with pytest.raises(MotionError, match="stands on the ground"):
        warp_clip(character, based, "tip", up)
    with pytest.raises(MotionError, match="four numbers"):
        Warper(character, clip, "tip", rate_hz=50.0).step(0.0, [1.0, 0.0, 0.0])
