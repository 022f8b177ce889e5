"""Buses of which one wants positions ahead of their time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from animato.character import Bus, BusKind, Scale, Wire
from animato.stage.lines import DryLine, Slot
from animato.stage.playing import Options, Stream
from animato.stage.playing.streaming.ensemble import Ensemble
from animato.stage.rig import Rig


class _Early(DryLine):
    """Knows only when it is prepared how far ahead it must be told, and is always that far behind its word."""

    ahead_s = 0.12

    def prepare(self, slots: Sequence[Slot]) -> tuple[str, ...]:
        self.ahead_s = 0.16
        return super().prepare(slots)

    def positions(self) -> np.ndarray:
        return self.told[-17][1].copy() if len(self.told) > 16 else super().positions()


def rig() -> Rig:
    buses = Bus("early", BusKind.BOTTANGO, "a"), Bus("prompt", BusKind.MAESTRO, "b")
    scale = Scale(1500.0, 400.0, 500.0, 2500.0)
    slots = tuple(Slot(Wire(bus.name, bus.name, 1, zero=1500.0), scale, 1600.0, 700.0, 2300.0) for bus in buses)
    side = np.full(2, 2.0)
    return Rig(("early", "prompt"), buses, slots, ((0,), (1,)), -side, side, 2.0 * side, 30.0 * side)


def test_lines_say_how_far_ahead_when_they_are_prepared() -> None:
    lines = [_Early(rig().buses[0]), DryLine(rig().buses[1])]
    ensemble = Ensemble(rig(), lines, 100.0)
    ensemble.prepare()
    assert ensemble.ahead_s == 0.16
    assert ensemble.delay_frames == 16
    ensemble.enable(np.zeros(2))
    for frame in range(40):
        ensemble.send(np.full(2, 0.01 * frame), 5.0 + 0.01 * frame + ensemble.ahead_s)
    for early_at, early in lines[0].told:
        for prompt_at, prompt in lines[1].told[16:]:  # before that it stands and waits
            if abs(early_at - prompt_at) < 1e-6:
                assert early[0] == pytest.approx(prompt[0], abs=1e-9)


class _Ramp:
    def __init__(self) -> None:
        self.stream: Stream | None = None

    def __call__(self, time_s: float) -> np.ndarray | None:
        assert self.stream is not None
        if time_s > 0.6:
            self.stream.hold_now()
        return np.full(2, min(time_s, 0.4) * time_s)


def test_after_a_hold_it_is_where_servos_stand() -> None:
    lines = [_Early(rig().buses[0]), DryLine(rig().buses[1])]
    source = _Ramp()
    with Stream(rig(), lines, Options(following_error_rad=3.0, longest_lag_s=5.0)) as stream:
        source.stream = stream
        stream.begin()
        report = stream.run(source)
        stands = rig().read(np.array([lines[0].positions()[0], lines[1].told[-1][1][0]]))
        assert report.stopped
        np.testing.assert_allclose(stream.positions, stands, atol=1e-9)
        assert stream.positions[0] < rig().read(np.array([lines[0].told[-1][1][0], 1500.0]))[0] - 0.02
