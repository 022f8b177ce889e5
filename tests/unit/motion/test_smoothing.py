from __future__ import annotations

import numpy as np
import pytest

from animato.errors import OptionError
from animato.motion.clip import Clip
from animato.motion.smoothing import smoothed
from animato.spatial import quaternions

TIMES = np.linspace(0, 4, 481)


def test_noise_goes_and_the_motion_stays(rng: np.random.Generator) -> None:
    motion = np.sin(2 * np.pi * TIMES)
    clip = Clip(TIMES, ("a",), (motion + 1e-3 * rng.normal(size=481))[:, None])
    result = smoothed(clip, 6.0)
    assert np.abs(result.positions[:, 0] - motion).max() < 2e-3
    assert np.abs(clip.acceleration()).max() > 60.0
    inner = slice(30, -30)
    assert np.abs(result.acceleration()[inner, 0] + (2 * np.pi) ** 2 * motion[inner]).max() < 6.0


def test_what_is_slower_is_kept_and_what_is_faster_is_not() -> None:
    for hertz, share in ((1.0, 0.99), (20.0, 0.1)):
        clip = Clip(TIMES, ("a",), np.sin(2 * np.pi * hertz * TIMES)[:, None])
        left = np.abs(smoothed(clip, 6.0).positions[60:-60]).max()
        assert left > share if hertz < 6.0 else left < share


def test_turns_stay_unit_quaternions() -> None:
    turns = quaternions.quaternion_from_rotation_vector(np.column_stack([np.sin(TIMES), TIMES, 0 * TIMES]))
    names = ("s.qw", "s.qx", "s.qy", "s.qz")
    clip = Clip(TIMES, names, -turns, np.column_stack([TIMES] * 3), turns)
    result = smoothed(clip, 6.0)
    np.testing.assert_allclose(np.linalg.norm(result.positions, axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(quaternions.angle_between(result.base_quaternions_wxyz, turns), 0.0, atol=1e-5)


def test_coarse_clips_are_left_alone_and_nonsense_is_refused() -> None:
    clip = Clip([0.0, 0.5, 1.0], ("a",), [[0.0], [1.0], [0.0]])
    assert smoothed(clip, 6.0) is clip
    with pytest.raises(OptionError, match="above 0 Hz"):
        smoothed(clip, -1.0)


def at_the_ends_and_inside(curve: np.ndarray, noise: np.ndarray) -> tuple[float, float]:
    """Root mean square of the acceleration that noise becomes at both ends, and between them."""
    clean = Clip(TIMES, ("a",), curve[:, None]).acceleration()
    names = tuple(f"a{n}" for n in range(noise.shape[1]))
    wrong = smoothed(Clip(TIMES, names, curve[:, None] + noise), 6.0).acceleration() - clean
    return tuple(float(np.sqrt(np.mean(wrong[part] ** 2))) for part in ([0, -1], slice(120, -120)))  # type: ignore[return-value]


@pytest.mark.parametrize(("degree", "most"), [(0, 1.0), (1, 1.0), (2, 1.5), (3, 2.0)])
def test_noise_on_a_polynomial_is_no_more_acceleration_at_the_ends_than_inside(
    degree: int, most: float, rng: np.random.Generator
) -> None:
    """Plain least squares makes 9 times as much of it; the jerk of a cubic must be found from one side."""
    ends, inside = at_the_ends_and_inside(TIMES**degree, 1e-2 * rng.normal(size=(481, 40)))
    assert ends < most * inside


def test_lively_motions_cut_off_ask_for_no_more_at_their_ends_than_inside() -> None:
    """Harmonics as of a walk, what is too fast among them; plain least squares gives 2.9 times the rest there."""
    rng = np.random.default_rng(5)
    hertz, phases = np.arange(1, 25), rng.uniform(0.0, 2 * np.pi, (24, 60))
    curves = np.einsum("h,thc->tc", hertz**-2.0, np.sin(2 * np.pi * hertz[:, None] * TIMES[:, None, None] + phases))
    found = smoothed(Clip(TIMES, tuple(f"a{n}" for n in range(60)), curves), 6.0).acceleration()
    ends, inside = (np.sqrt(np.mean(found[part] ** 2)) for part in ([0, -1], slice(60, -60)))
    assert 0.3 * inside < ends < 1.1 * inside


@pytest.mark.parametrize("hertz", [0.3, 0.7, 1.0])
@pytest.mark.parametrize("phase", [0.0, 0.8, 1.5])
def test_a_smooth_clip_keeps_its_accelerations_to_the_ends(hertz: float, phase: float) -> None:
    clip = Clip(TIMES, ("a",), np.sin(2 * np.pi * hertz * TIMES + phase)[:, None])
    off = np.abs(smoothed(clip, 6.0).acceleration() - clip.acceleration())
    assert off.max() < 0.03 * (2 * np.pi * hertz) ** 2
