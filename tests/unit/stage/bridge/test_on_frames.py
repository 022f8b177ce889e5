"""A fix on the frames of an editor: what is keyed there, in single precision, holds the limits."""

from __future__ import annotations

import numpy as np
import pytest

from animato.findings import check
from animato.fix import Options
from animato.formats import load_character
from animato.motion import Clip
from animato.stage.bridge import answer_to_fix
from animato.stage.bridge.on_frames import on_frames, tightened


def _wild(rate_hz: float) -> Clip:
    times = np.arange(int(2.0 * rate_hz) + 1) / rate_hz
    swing = np.where(times > 0.8, 0.9 * np.sin(2 * np.pi * 2.0 * (times - 0.8)), 0.0)
    return Clip(times, ("turn", "elbow"), np.column_stack([swing, 0.5 + 0.1 * np.sin(times)]))


@pytest.mark.parametrize(("rate_hz", "time"), [(24.0, 0.0), (24.0, 1.0), (30.0, 1.0)])
def test_what_is_keyed_fits(rate_hz: float, time: float) -> None:
    lamp = load_character("lamp")
    answer = answer_to_fix(lamp, _wild(rate_hz), rate_hz, options=Options(time=time, keep_reference_pose=True))
    assert answer.fits, answer.sentence
    noise = np.random.default_rng(1).uniform(-1e-7, 1e-7, size=answer.values.shape)  # of single precision
    keyed = Clip(np.arange(len(answer.values)) / rate_hz, answer.coordinates, answer.values + noise)
    assert check(lamp, keyed).outcome.usable
    assert answer.marks == ()
    assert not check(lamp, _wild(rate_hz)).outcome.usable  # there was something to do


def test_the_end_falls_on_a_frame_without_a_stop() -> None:
    times = np.arange(50) / 23.3
    clip = Clip(times, ("turn",), np.sin(times)[:, None])
    framed = on_frames(clip, 24.0)
    assert framed.times[-1] - clip.duration < 1.0 / 24.0
    assert framed.positions[-1] == pytest.approx(clip.positions[-1])
    assert np.abs(framed.velocity()).max() <= 1.001 * np.abs(clip.velocity()).max()


def test_ranges_are_not_tightened() -> None:
    lamp = load_character("lamp")
    small = tightened(lamp, 0.1)
    for mine, theirs in zip(small.joint("nod").limits, lamp.joint("nod").limits, strict=True):
        assert mine.range == theirs.range
        assert theirs.jerk is not None
        assert mine.jerk == pytest.approx(0.9 * theirs.jerk)
        assert theirs.torque is not None
        assert mine.torque == pytest.approx(0.9 * theirs.torque)
