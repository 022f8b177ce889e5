"""Whatever the states and limits: an eased track meets its end and keeps its limits at every moment."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from animato.fix.joining.tracks import Pieces, Track, TrackBounds, TrackState, eased, states_along

small = st.floats(-1.0, 1.0, allow_nan=False, width=32)


@settings(max_examples=60, deadline=None)
@given(
    ends=st.tuples(small, small, small, small, small, small),
    room=st.floats(0.05, 2.0),
    frames=st.integers(3, 60),
    step=st.sampled_from([0.004, 0.02, 1 / 30]),
)
def test_an_eased_track_keeps_its_limits(ends: tuple[float, ...], room: float, frames: int, step: float) -> None:
    bounds = TrackBounds(-1.0 - room, 1.0 + room, 4.0, 30.0, 600.0)
    begin = TrackState(ends[0], 2.0 * ends[1], 10.0 * ends[2])
    end = TrackState(ends[3], 2.0 * ends[4], 10.0 * ends[5])
    jerks = eased(Track("a", begin, end, bounds), Pieces(np.full(frames, step)))
    if jerks is None:
        return
    fine = states_along(begin, np.repeat(jerks, 100), np.full(100 * frames, step / 100))
    assert np.abs(fine[-1] - end).max() < 1e-7
    assert np.abs(jerks).max() <= 600.0 * (1 + 1e-6)
    assert np.abs(fine[:, 2]).max() <= 30.0 * (1 + 1e-6)
    assert np.abs(fine[:, 1]).max() <= 4.0 * (1 + 1e-6)
    assert np.abs(fine[:, 0]).max() <= (1.0 + room) * (1 + 1e-6)
