"""One number from a state to a state inside its limits, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from animato.fix.joining.tracks import Pieces, Track, TrackBounds, TrackState, eased, states_along

H = 0.02
REST = TrackState(0.0, 0.0, 0.0)


def shortest(track: Track, most: int = 400) -> int:
    return next(n for n in range(1, most) if eased(track, Pieces(np.full(n, H))) is not None)


def to(position: float, **bounds: float) -> Track:
    return Track("a", REST, TrackState(position, 0.0, 0.0), TrackBounds(**bounds))


@pytest.mark.parametrize("frames", [3, 5, 12])
def test_from_rest_to_rest_under_jerk_alone_takes_the_closed_form_time(frames: int) -> None:
    # four phases of length s: distance 2 J s^3, time 4 s
    jerk, s = 80.0, frames * H
    assert shortest(to(2.0 * jerk * s**3, jerk=jerk)) == 4 * frames


def test_a_little_farther_takes_a_frame_more() -> None:
    jerk, s = 80.0, 5 * H
    assert shortest(to(2.0 * jerk * s**3 * 1.001, jerk=jerk)) == 21


def test_under_jerk_and_acceleration_the_closed_form_time() -> None:
    # phases s, c, s, s, c, s: with A = J s the distance is A (s + c) (2 s + c), the time 4 s + 2 c
    jerk, s, c = 100.0, 4 * H, 6 * H
    most = jerk * s
    assert shortest(to(most * (s + c) * (2 * s + c), jerk=jerk, acceleration=most)) == 28


def test_under_all_three_limits_the_closed_form_time() -> None:
    # speeding up takes 2 s + c and ends at V = A (s + c), then p at V, and the same back
    jerk, s, c, p = 100.0, 4 * H, 3 * H, 10 * H
    acceleration = jerk * s
    speed = acceleration * (s + c)
    distance = speed * (2 * s + c + p)
    track = to(distance, jerk=jerk, acceleration=acceleration, velocity=speed)
    assert shortest(track) == round((2 * (2 * s + c) + p) / H)


def test_without_limits_from_rest_to_rest_it_is_the_minimum_jerk_move() -> None:
    jerks = eased(to(1.0), Pieces(np.full(50, H)))
    assert jerks is not None
    s = np.linspace(0.0, 1.0, 51)
    way = states_along(REST, jerks, np.full(50, H))[:, 0]
    # the pieces have constant jerk, so that it is that move to the second order of a piece only
    assert np.abs(way - s**3 * (10 - 15 * s + 6 * s**2)).max() < 1e-3


def test_a_range_is_kept_between_knots_too() -> None:
    begin, end = TrackState(0.0, 1.5, 0.0), TrackState(0.0, -1.0, 0.0)
    free = eased(Track("a", begin, end), Pieces(np.full(25, H)))
    tight = eased(Track("a", begin, end, TrackBounds(upper=0.16)), Pieces(np.full(25, H)))
    assert free is not None and tight is not None
    fine = np.full(2500, H / 100)
    assert states_along(begin, np.repeat(free, 100), fine)[:, 0].max() > 0.17  # it would leave
    assert states_along(begin, np.repeat(tight, 100), fine)[:, 0].max() <= 0.16 * (1 + 1e-6)


def test_there_is_no_way_where_it_cannot_stop_before_the_end_of_its_range() -> None:
    track = Track("a", TrackState(0.9, 2.0, 0.0), REST, TrackBounds(upper=1.0, acceleration=5.0))  # needs 0.4
    assert all(eased(track, Pieces(np.full(n, H))) is None for n in (10, 30, 80))


def test_a_free_end_comes_to_rest() -> None:
    begin = TrackState(0.2, 1.0, 3.0)
    track = Track("a", begin, TrackState(0.4, 0.0, 0.0), TrackBounds(acceleration=6.0), free_end=True)
    jerks = eased(track, Pieces(np.full(40, H)))
    assert jerks is not None
    states = states_along(begin, jerks, np.full(40, H))
    assert np.abs(states[-1, 1:]).max() < 1e-9
    assert np.abs(states[:, 2]).max() <= 6.0 * (1 + 1e-6)
