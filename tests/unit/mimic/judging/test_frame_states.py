from __future__ import annotations

import numpy as np
import pytest

from animato.errors import MotionError
from animato.mechanics.tree import inverse_dynamics, states_of_clip
from animato.mimic.anatomy import Anatomy
from animato.mimic.judging import frame_states
from animato.motion import Clip
from animato.spatial import quaternions


def turning(stand: Clip, rate: float) -> Clip:
    """A base that screws: turns about a fixed axis and slides along it, joints at a constant acceleration."""
    t = (stand.times - stand.times[0])[:, None]
    axis = np.array((0.0, 0.0, 1.0))
    turns = quaternions.quaternion_from_rotation_vector(rate * t * axis)
    places = quaternions.rotate(turns, np.array((0.3, 0.0, 0.0))) + 0.2 * t * axis
    return Clip(stand.times, stand.names, stand.positions + 0.5 * t * t, places, turns)


def test_a_screw_and_a_parabola_are_exact(anatomy: Anatomy, stand: Clip) -> None:
    found = frame_states(anatomy.character, turning(stand, 1.5))
    inner = slice(1, -1)
    # in its own axes the base moves sideways at 0.3 m times 1.5 rad/s, and its origin is pulled to the axis
    assert found.velocities[inner, :6] == pytest.approx(np.tile((0.0, 0.45, 0.2, 0.0, 0.0, 1.5), (22, 1)), abs=1e-10)
    pulled = np.tile((-0.3 * 1.5**2, 0.0, 0.0, 0.0, 0.0, 0.0), (22, 1))
    assert found.accelerations[inner, :6] == pytest.approx(pulled, abs=1e-9)
    assert found.accelerations[inner, 6:] == pytest.approx(1.0, abs=1e-9)
    assert found.velocities[inner, 6:] == pytest.approx(np.tile(stand.times[inner, None], (1, 24)), abs=1e-10)


def test_differences_come_near_to_the_curve_as_frames_get_closer(anatomy: Anatomy, stand: Clip) -> None:
    errors = []
    for rate in (60.0, 120.0):
        times = np.arange(int(rate)) / rate
        wave = 0.3 * np.sin(4.0 * times)[:, None]
        turns = quaternions.quaternion_from_rotation_vector(wave * np.array((0.5, 1.0, -0.3)))
        places = wave * np.array((0.4, -0.2, 0.1))
        clip = Clip(times, stand.names, stand.positions[0] + wave, places, turns)
        exact = inverse_dynamics(anatomy.character, states_of_clip(anatomy.character, clip)).values
        found = inverse_dynamics(anatomy.character, frame_states(anatomy.character, clip)).values
        middle = slice(len(times) // 3, 2 * len(times) // 3)
        errors.append(np.abs(found - exact)[middle].max())
    assert errors[1] < 0.3 * errors[0]  # second order


def test_what_cannot_be_judged_is_said(anatomy: Anatomy, stand: Clip) -> None:
    uneven = stand.times.copy()
    uneven[3] += 0.01
    with pytest.raises(MotionError, match="even rate"):
        frame_states(
            anatomy.character,
            Clip(uneven, stand.names, stand.positions, stand.base_positions, stand.base_quaternions_wxyz),
        )
    with pytest.raises(MotionError, match="floating base"):
        frame_states(anatomy.character, Clip(stand.times, stand.names, stand.positions))
    with pytest.raises(MotionError, match=stand.names[0]):
        frame_states(anatomy.character, stand.selected(stand.names[1:]))
    with pytest.raises(MotionError, match="2 frames"):
        frame_states(anatomy.character, stand.resampled(stand.times[:2]))
