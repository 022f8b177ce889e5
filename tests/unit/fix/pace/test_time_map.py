"""Time maps: parts of a slow-down, exact durations, beats, and performing a clip."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import MotionError, OptionError
from animato.fix.pace import Pace
from animato.motion import Clip
from animato.spatial import quaternions

FRAMES = np.arange(201) / 50.0
SLOWNESS = 1.0 + np.exp(-(((FRAMES[1:] - 2.0) / 0.3) ** 2))  # half the tempo at 2 s
SLOWED = np.append(0.0, np.cumsum(SLOWNESS * np.diff(FRAMES)))


@pytest.fixture
def pace() -> Pace:
    return Pace(FRAMES, SLOWED)


@pytest.fixture
def roomy() -> Pace:
    """The same with room to be half as fast again where it is not slow."""
    return Pace(FRAMES, SLOWED, (2.0 + 4.0 * (SLOWNESS - 1.0)) / 3.0)


@pytest.fixture
def quickest(roomy: Pace) -> Pace:
    return Pace(FRAMES, np.append(0.0, np.cumsum(roomy.quickest * np.diff(FRAMES))))


@pytest.fixture
def clip() -> Clip:
    turn = quaternions.quaternion_from_rotation_vector(np.stack([0.3 * FRAMES, 0.1 * FRAMES, np.sin(FRAMES)], axis=1))
    names = ("hinge", "ball.qw", "ball.qx", "ball.qy", "ball.qz")
    positions = np.column_stack([np.sin(FRAMES), quaternions.continuous(turn)])
    return Clip(FRAMES, names, positions, np.stack([FRAMES, 0.0 * FRAMES, FRAMES**2], axis=1), turn)


def steepest(pace: Pace) -> float:
    """Largest change of the tempo [1/s]."""
    return float(np.abs(np.diff(pace.tempo) / np.diff(pace.robot_times)).max())


def test_tempo_is_the_slope(pace: Pace) -> None:
    middles = 0.5 * (pace.robot_times[1:] + pace.robot_times[:-1])
    slope = (pace.artist_at(middles + 1e-4) - pace.artist_at(middles - 1e-4)) / 2e-4
    assert slope == pytest.approx(1.0 / SLOWNESS, rel=1e-2)
    assert pace.tempo.min() == pytest.approx(0.5, abs=1e-3)
    assert pace.duration == SLOWED[-1]


def test_there_and_back(pace: Pace) -> None:
    artist = np.linspace(0.0, 4.0, 77)
    assert pace.artist_at(pace.robot_at(artist)) == pytest.approx(artist, abs=1e-9)
    assert pace.artist_at([-1.0, 99.0]).tolist() == [0.0, 4.0]


def test_blended_goes_from_the_artist_to_all_of_it(pace: Pace) -> None:
    assert pace.blended(0.0).is_identity
    assert pace.blended(1.0) is pace
    half = pace.blended(0.5)
    assert half.slowness == pytest.approx(np.sqrt(SLOWNESS), rel=1e-9)
    with pytest.raises(OptionError, match="`share`"):
        pace.blended(1.5)


@pytest.mark.parametrize("duration", [3.7, 4.0, 4.3, 5.0, 9.0])
def test_fitted_lasts_exactly(roomy: Pace, quickest: Pace, duration: float) -> None:
    found = roomy.fitted(duration)
    assert found.duration == pytest.approx(duration, abs=1e-12)
    assert np.all(found.slowness >= np.minimum(roomy.quickest, roomy.slowness) * (1.0 - 1e-9))
    assert steepest(found) < 1.1 * steepest(quickest)


def test_fitted_is_even_where_it_can_be(roomy: Pace) -> None:
    free = SLOWNESS < 1.01
    tempo = 1.0 / roomy.fitted(4.0).slowness[free]
    assert np.ptp(tempo) < 0.03  # the rounded corner of the maximum
    assert tempo.mean() > 1.1


def test_fitted_beyond_all_room_is_faster_by_one_factor(pace: Pace) -> None:
    assert pace.fitted(2.0).slowness / SLOWNESS == pytest.approx(np.full(200, 2.0 / pace.duration), rel=1e-9)
    with pytest.raises(OptionError, match="`duration_s`"):
        pace.fitted(0.0)


def test_beats_keep_their_time(roomy: Pace, quickest: Pace) -> None:
    beats = np.array([0.51, 1.0, 3.5])
    kept = roomy.keeping(beats)
    assert kept.robot_at(beats) == pytest.approx(beats, abs=1e-4)  # a cubic, not a line: 2 /s * (20 ms)^2 / 8
    assert kept.robot_times[-1] == pytest.approx(4.0, abs=1e-12)
    assert kept.slowness.min() > 1.0 / 1.5 - 1e-2
    assert steepest(kept) < 1.1 * steepest(quickest)
    on_frames = roomy.keeping([1.0, 3.5])
    assert on_frames.robot_at([1.0, 3.5]) == pytest.approx([1.0, 3.5], abs=1e-12)


def test_beats_without_the_end(roomy: Pace) -> None:
    kept = roomy.keeping([1.0], end=False)
    assert kept.robot_at(1.0) == pytest.approx(1.0, abs=1e-12)
    assert kept.slowness[100:].min() >= 1.0 - 1e-6  # nothing asks for making up after it


def test_performed_follows_the_same_path(pace: Pace, clip: Clip) -> None:
    found = pace.performed(clip)
    assert found.times[-1] == pace.robot_times[-1]
    assert found.frame_count == round(pace.duration * 50) + 1
    assert found.positions[-1] == pytest.approx(clip.positions[-1], abs=1e-12)
    assert found.positions[:, 0] == pytest.approx(np.sin(pace.artist_at(found.times)), abs=1e-6)
    for turns in (found.positions[:, 1:], found.base_quaternions_wxyz):
        assert np.linalg.norm(turns, axis=1) == pytest.approx(1.0, abs=1e-12)
    assert found.base_positions[:, 2] == pytest.approx(pace.artist_at(found.times) ** 2, abs=1e-9)


def test_identity_gives_the_clip_itself(clip: Clip) -> None:
    same = Pace(FRAMES, FRAMES)
    assert same.is_identity
    assert same.performed(clip) is clip
    assert np.all(same.tempo == 1.0)
    assert same.keeping([1.0]) is same


def test_one_frame() -> None:
    still = Pace([2.0], [2.0])
    clip = Clip([2.0], ("hinge",), [[0.1]])
    assert still.performed(clip) is clip
    assert still.fitted(3.0) is still
    assert still.blended(0.5).is_identity


def test_a_map_that_would_swing_back_does_not() -> None:
    slowness = np.ones(60)
    slowness[30] = 200.0
    harsh = Pace(FRAMES[:61], np.append(0.0, np.cumsum(slowness * np.diff(FRAMES[:61]))))
    fine = harsh.artist_at(np.linspace(0.0, harsh.duration, 5000))
    assert np.all(np.diff(fine) >= 0.0)


def test_what_does_not_fit_is_told(clip: Clip) -> None:
    with pytest.raises(MotionError, match="begins at the same moment"):
        Pace(FRAMES, SLOWED + 1.0)
    with pytest.raises(MotionError, match="robot's times of a pace must be finite and rise"):
        Pace(FRAMES, SLOWED[::-1])
    with pytest.raises(MotionError, match="200 numbers of more than 0"):
        Pace(FRAMES, SLOWED, np.ones(3))
    with pytest.raises(MotionError, match="Find the pace of that one"):
        Pace(FRAMES[:50], SLOWED[:50]).performed(clip)
