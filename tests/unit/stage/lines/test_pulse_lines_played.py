"""Boards for hobby servos, played to like any other servos."""

from __future__ import annotations

import time

import numpy as np
import pytest

from animato.character import Bus, BusKind, Scale, Wire
from animato.stage.emulated import EmulatorProcess
from animato.stage.lines import Slot, open_line
from animato.stage.lines.bottango import BottangoLine, bottango_line, courier
from animato.stage.lines.maestro import MaestroLine, inquiry
from animato.stage.playing import Options, Stream
from animato.stage.rig import Rig

COUNT = 6


def rig_on(kind: str, port: str) -> Rig:
    scale = Scale(1500.0, 400.0, 500.0, 2500.0)
    slots = tuple(Slot(Wire(f"joint {n}", "arm", n, zero=1500.0), scale, 1600.0, 700.0, 2300.0) for n in range(COUNT))
    side, fast = np.full(COUNT, 2.0), np.full(COUNT, 4.0)
    names = tuple(slot.wire.coordinate for slot in slots)
    return Rig(names, (Bus("arm", BusKind(kind), port),), slots, (tuple(range(COUNT)),), -side, side, fast, fast * 15)


@pytest.mark.parametrize("kind", ["maestro", "bottango"])
def test_a_move_arrives_within_the_limits(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # a loaded machine is no silent board
    monkeypatch.setattr(courier, "_SILENCE_S", (3.0, 3.0))
    monkeypatch.setattr(courier, "_LOST_S", (2.0, 2.0))
    monkeypatch.setattr(inquiry, "_SILENCE_S", 3.0)
    monkeypatch.setattr(bottango_line, "_LONGEST_AHEAD_S", 5.0)
    monkeypatch.setattr(BottangoLine, "patience_s", 5.0)
    monkeypatch.setattr(MaestroLine, "patience_s", 5.0)
    with EmulatorProcess(kind, range(COUNT)) as board:
        rig = rig_on(kind, board.port)
        options = Options(silence_s=5.0, following_error_rad=3.0, longest_lag_s=5.0)
        with Stream(rig, [open_line(rig.buses[0])], options) as stream:
            stream.begin()
            report = stream.move_to(np.linspace(-0.5, 0.5, COUNT))
            stream.end("limp")
        assert report.fault is None
        time.sleep(0.2)
        shafts = board.shafts()
    step = 0.25 if kind == "maestro" else 1.0
    for number in range(COUNT):
        pulses = np.array(shafts[number])[:, 1]
        pulses = pulses[pulses > 0.0]
        assert abs(pulses[0] - 1500.0) <= step
        assert abs(pulses[-1] - (1500.0 + 400.0 * np.linspace(-0.5, 0.5, COUNT)[number])) <= step
        assert pulses.min() >= 700.0
        assert pulses.max() <= 2300.0
