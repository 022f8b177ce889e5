"""Laws of keys: what is set is kept, what is not set is left alone, nothing goes beyond the keys."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline

from animato.motion import Clip
from animato.spatial import quaternions
from animato.studio.keys import Ease, Key, Keyed

NAMES = ("shoulder", "slide", "ball.qw", "ball.qx", "ball.qy", "ball.qz")
FRAMES = 201
PASSING = ((Ease.THROUGH,), (Ease.FLOW,), (Ease.THROUGH, Ease.FLOW, Ease.SMOOTH))
seeds = st.integers(0, 2**32 - 1)


def _rows(rng: np.random.Generator, count: int, size: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    poses, roots = size * rng.normal(size=(count, 6)), size * rng.normal(size=(count, 7))
    poses[:, 2:] = quaternions.normalized(rng.normal(size=(count, 4)))
    roots[:, 3:] = quaternions.normalized(rng.normal(size=(count, 4)))
    return poses, roots


def _moving(rng: np.random.Generator) -> Clip:
    """A base that goes up and down and turns."""
    times = np.arange(FRAMES) / 50.0
    waves = np.sin(np.outer(times, rng.uniform(0.5, 3.0, 8)))
    turns = [quaternions.quaternion_from_rotation_vector(waves[:, n : n + 3]) for n in (2, 5)]
    positions = np.hstack([waves[:, :2], turns[0]])
    return Clip(times, NAMES, positions, waves[:, 2:5], turns[1])


def _keys(rng: np.random.Generator, count: int, eases: tuple[Ease, ...] = tuple(Ease)) -> tuple[Key, ...]:
    poses, roots = _rows(rng, count)
    frames = rng.choice(FRAMES, count, replace=False)
    return tuple(
        Key(frame / 50.0, pose, root, Ease(rng.choice(eases)))
        for frame, pose, root in zip(frames, poses, roots, strict=True)
    )


def _apart(found: np.ndarray, wanted: np.ndarray) -> float:
    """Largest difference of quaternions that may have either sign."""
    signs = np.sign(np.sum(found * wanted, axis=-1, keepdims=True))
    return float(np.abs(found - signs * wanted).max())


@settings(deadline=None, max_examples=40)
@given(seeds, st.integers(1, 12), st.booleans())
def test_poses_are_kept_exactly_at_their_keys(seed: int, count: int, blank: bool) -> None:
    rng = np.random.default_rng(seed)
    keyed = Keyed(_moving(rng), _keys(rng, count), blank=blank)
    clip, frames = keyed.clip, keyed.frames
    poses, roots = np.array([key.pose for key in keyed.keys]), np.array([key.root for key in keyed.keys])
    assert clip.base_positions is not None
    assert clip.base_quaternions_wxyz is not None
    assert np.abs(clip.positions[frames, :2] - poses[:, :2]).max() < 1e-12
    assert np.abs(clip.base_positions[frames] - roots[:, :3]).max() < 1e-12
    assert _apart(clip.positions[frames, 2:], poses[:, 2:]) < 1e-12
    assert _apart(clip.base_quaternions_wxyz[frames], roots[:, 3:]) < 1e-12


@settings(deadline=None, max_examples=20)
@given(seeds)
def test_without_keys_it_is_the_base_and_a_key_of_the_base_changes_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    keyed = Keyed.of(_moving(rng))
    assert keyed.clip is keyed.base
    same = keyed.with_keys([keyed.key_here(time) for time in rng.uniform(0.0, 4.0, 5)])
    assert np.abs(same.clip.positions - keyed.base.positions).max() < 1e-12


@settings(deadline=None, max_examples=20)
@given(seeds, st.floats(0.1, 2.0))
def test_beyond_the_reach_of_keys_the_base_is_kept_to_the_bit(seed: int, reach: float) -> None:
    rng = np.random.default_rng(seed)
    base = _moving(rng)
    keyed = Keyed(base, (_keys(rng, 1)[0],), reach=reach)
    far = np.abs(base.times - keyed.keys[0].time) > reach + 0.021
    assert np.array_equal(keyed.clip.positions[far, :2], base.positions[far, :2])
    assert _apart(keyed.clip.positions[far, 2:], base.positions[far, 2:]) < 1e-12 if far.any() else True


@settings(deadline=None, max_examples=60)
@given(seeds, st.integers(2, 10))
def test_between_two_keys_nothing_goes_beyond_them(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    base = Clip(np.arange(FRAMES) / 50.0, NAMES[:2], np.zeros((FRAMES, 2)))
    bound = tuple(ease for ease in Ease if ease is not Ease.FLOW)
    keys = tuple(Key(key.time, key.pose[:2], None, key.ease) for key in _keys(rng, count, bound))
    keyed = Keyed(base, keys, blank=True)
    for (first, last), (before, after) in zip(
        zip(keyed.frames[:-1], keyed.frames[1:], strict=True),
        zip(keyed.keys[:-1], keyed.keys[1:], strict=True),
        strict=True,
    ):
        way = keyed.clip.positions[first : last + 1]
        assert np.all(way >= np.minimum(before.pose, after.pose) - 1e-12)
        assert np.all(way <= np.maximum(before.pose, after.pose) + 1e-12)


@settings(deadline=None, max_examples=30)
@given(
    seeds, st.integers(3, 8), st.sampled_from([(Ease.THROUGH,), (Ease.FLOW,), (Ease.THROUGH, Ease.FLOW, Ease.SMOOTH)])
)
def test_keys_are_passed_without_jumps_of_speed_and_acceleration(
    seed: int, count: int, eases: tuple[Ease, ...]
) -> None:
    """A finer grid of frames has smaller steps of the acceleration; a corner would keep them."""
    rng = np.random.default_rng(seed)
    moments = np.sort(rng.choice(np.arange(1, 40), count, replace=False)) * 0.1
    values = rng.normal(size=(count, 1))
    reached = [Ease(one) for one in rng.choice(eases, count)]
    steps = []
    for rate in (200.0, 800.0):
        times = np.arange(round(4.0 * rate) + 1) / rate
        base = Clip(times, ("shoulder",), np.zeros((len(times), 1)))
        keys = (Key(t, v, None, e) for t, v, e in zip(moments, values, reached, strict=True))
        keyed = Keyed(base, tuple(keys), blank=True)
        bends = np.diff(keyed.clip.positions[:, 0], 2) * rate**2
        steps.append(np.abs(np.diff(bends)).max())
    assert steps[1] < 0.4 * steps[0] + 1e-6


@settings(deadline=None, max_examples=20)
@given(seeds)
def test_keys_that_flow_are_the_cubic_spline_between_them(seed: int) -> None:
    """Away from both ends, where it comes from rest and goes to rest."""
    rng = np.random.default_rng(seed)
    times = np.arange(FRAMES) / 50.0
    keys = tuple(Key(0.4 * n, rng.normal(size=1), None, Ease.FLOW) for n in range(11))
    keyed = Keyed(Clip(times, ("shoulder",), np.zeros((FRAMES, 1))), keys, blank=True)
    spline = CubicSpline([key.time for key in keys], [key.pose for key in keys], bc_type="clamped")
    inner = (times >= 0.4) & (times <= 3.6)
    assert np.abs(keyed.clip.positions[inner] - spline(times[inner])).max() < 1e-12


def test_a_held_key_waits_and_an_even_one_has_one_speed() -> None:
    base = Clip(np.arange(FRAMES) / 50.0, ("shoulder",), np.zeros((FRAMES, 1)))
    for ease, moved in ((Ease.HOLD, 0.0), (Ease.EVEN, 0.5), (Ease.SNAP, 0.26), (Ease.LAUNCH, 0.74), (Ease.SMOOTH, 0.5)):
        keyed = Keyed(base, (Key(0.0, np.zeros(1)), Key(4.0, np.ones(1), None, ease)), blank=True)
        assert abs(keyed.clip.positions[100, 0] - moved) < 0.01
