"""A motion of constant jerk from frame to frame keeps its limits wherever it is cut off, saved or loaded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.character import Body, Character, Joint, JointType
from animato.character.limits import Limits
from animato.express.filter import follow
from animato.loading import load_clip, save
from animato.mechanics.limits import limit_usage
from animato.mechanics.limits.free_ends import free_ends
from animato.motion import Clip

LIMITS = {
    "calm": Limits(-1.2, 1.2, velocity=2.0, acceleration=10.0, jerk=100.0),
    "quick": Limits(-1.2, 1.2, velocity=1.0, acceleration=20.0, jerk=1000.0),
    "hard": Limits(-2.0, 2.0, velocity=6.0, acceleration=40.0),
}
KINDS = ("position", "velocity", "acceleration", "jerk")


def chain() -> Character:
    bodies = [Body("base", mass=1.0)]
    joints = [Joint("stand", JointType.GROUND, "world", "base")]
    for name, limits in LIMITS.items():
        joints.append(Joint(name, JointType.REVOLUTE, bodies[-1].name, name, stated_limits=(limits,)))
        bodies.append(Body(name, mass=0.1, centre=(0.0, 0.0, 0.1), inertia=(1e-4, 1e-4, 1e-4, 0, 0, 0)))
    return Character("chain", tuple(bodies), tuple(joints))


def filtered(rate: float, seed: int) -> Clip:
    goals = np.random.default_rng(seed).uniform(-1.0, 1.0, (8, 3))
    motion = follow(list(LIMITS.values()), rate, np.repeat(goals, int(0.23 * rate), axis=0))
    return Clip(np.arange(len(motion.positions)) / rate, tuple(LIMITS), motion.positions)


def cut(clip: Clip, first: int, last: int) -> Clip:
    return Clip(clip.times[first:last], clip.names, clip.positions[first:last])


@pytest.mark.parametrize("rate", [50.0, 333.0])
@pytest.mark.parametrize("ends", [(0, None), (7, None), (13, -11), (29, -40)])
def test_a_clip_of_the_motion_filter_keeps_every_limit(rate: float, ends: tuple[int, int], tmp_path: Path) -> None:
    character = chain()
    for seed in range(3):
        clip = cut(filtered(rate, seed), *ends)
        usage = limit_usage(character, clip)
        assert max(usage.peak(kind) for kind in KINDS) <= 1.0 + 1e-6
        assert usage.peak("jerk") > 0.99
    for suffix in ("npz", "csv"):
        save(tmp_path / f"clip.{suffix}", clip)
        loaded = limit_usage(character, load_clip(tmp_path / f"clip.{suffix}", character))
        assert max(loaded.peak(kind) for kind in KINDS) <= 1.0 + 1e-6


def test_the_clips_own_ends_would_not() -> None:
    """Negative control: what the free ends are for."""
    over = [np.abs(cut(filtered(50.0, seed), 7, None).jerk()[:, 0]).max() / 100.0 for seed in range(3)]
    assert max(over) > 1.004


def test_between_the_frames_only_and_only_near_the_ends() -> None:
    clip = cut(filtered(50.0, 0), 13, -11)
    ends = free_ends(clip, LIMITS)
    assert ends
    middle = (clip.times > clip.times[30]) & (clip.times < clip.times[-30])
    for end in ends:
        np.testing.assert_allclose(end.at(clip.times, 0), 0.0, atol=1e-15)
        assert np.abs(end.at(clip.times[middle], 2)).max() < 1e-9 * np.abs(end.at(clip.times, 2)).max()


def test_what_no_end_can_mend_is_told() -> None:
    """A jump in the middle, and one at the very beginning, ask for too much whatever the ends are."""
    character, times = chain(), np.arange(60) / 50.0
    for frame in (1, 2, 30, 58):
        positions = np.where(np.arange(60) < frame, 0.0, 0.1)
        usage = limit_usage(character, Clip(times, ("calm",), positions[:, None]))
        assert usage.peak("velocity") > 1.0 and usage.peak("jerk") > 10.0


def test_a_speed_that_is_broken_breaks_nothing_else() -> None:
    """Ends that lower the largest share by a hair, and raise that of jerk to it, are not taken."""
    times = np.linspace(0.0, 1.0, 31)
    clip = Clip(times, ("one",), np.sin(5.0 * times)[:, None])
    limits = Limits(velocity=2.0, acceleration=20.0, jerk=400.0)
    assert free_ends(clip, {"one": limits}) == ()
