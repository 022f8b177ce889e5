"""Bottango's own driver plays what our line sends, and our emulator does what their driver does."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from animato.stage.emulated.bottango_board import BottangoBoard
from animato.stage.lines.bottango import BottangoLine, courier, hashed
from benchmarks.stage_bottango import play_curves, wave
from benchmarks.stage_bottango_driver import RunningDriver, driver_folder, free_port, lacking

pytestmark = pytest.mark.skipif(bool(lacking()), reason=lacking() or "it is here")

SECONDS = 1.0


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loaded machine is no silent driver."""
    monkeypatch.setattr(courier, "_SILENCE_S", (3.0, 3.0))
    monkeypatch.setattr(courier, "_LOST_S", (2.0, 2.0))
    monkeypatch.setattr(BottangoLine, "patience_s", 5.0)


def lull_s() -> float:
    """How late this machine wakes a process up, at its worst in a moment [s]: what no driver can be better than."""
    late = 0.0
    for _ in range(50):
        before = time.monotonic()
        time.sleep(0.002)
        late = max(late, time.monotonic() - before - 0.002)
    return late


def test_every_servo_follows_and_ends_where_it_was_told() -> None:
    before = lull_s()
    port = free_port()
    with RunningDriver(port) as driver:
        start = play_curves(port, wave, SECONDS)
        time.sleep(0.2)
        signals = driver.signals()
    late = max(before, lull_s())
    assert len(signals) == 12
    for record in signals.values():
        at, sent = np.array(record).T
        assert sent[-1] == round(wave(SECONDS))
        inside = (at > start + 0.1) & (at < start + SECONDS - 0.1)
        wanted = np.array([wave(one - start) for one in at[inside]])
        # their driver meets the time of a curve to a millisecond, and its signal is whole microseconds
        speed = 2100.0
        behind = np.abs(sent[inside] - wanted) / speed
        assert np.median(behind) < 0.005 + late
        assert np.all(np.diff(at) >= 0.0)


class Clock:
    """Stands in for `datetime` in their modules: time is what the test says."""

    seconds = 1000.0

    @classmethod
    def now(cls) -> Clock:
        moment = cls()
        moment.seconds = cls.seconds
        return moment

    def timestamp(self) -> float:
        return self.seconds


@pytest.fixture
def theirs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Their modules, in this process, with a clock that stands."""
    monkeypatch.syspath_prepend(str(driver_folder()))
    modules = {name: importlib.import_module(f"src.{name}") for name in ("MainLoop", "CommandParse", "Effector")}
    modules["SocketDriverTime"] = importlib.import_module("src.SocketDriverTime")
    settings: Any = importlib.import_module("src.CallbacksAndConfiguration")
    modules["CommandParse"].log = settings.log = False  # type: ignore[attr-defined]
    for name in ("CommandParse", "Effector", "SocketDriverTime"):
        monkeypatch.setattr(modules[name], "datetime", Clock)
    yield modules["CommandParse"]
    for name in [one for one in sys.modules if one == "src" or one.startswith("src.")]:
        del sys.modules[name]


def test_our_emulator_does_what_their_driver_does(theirs: Any) -> None:
    """The same commands to both, at the same times; their clock is stepped by hand."""
    commands = ["rSVPin,3,600,2400,8300,1500", "rSVPin,4,600,2400,450,1500", "tSYN,5000"]
    commands += ["sC,3,200,300,4096,100,900,6000,-100,300", "sC,3,500,200,6000,67,-900,3000,-67,0"]
    commands += ["sC,4,200,200,4096,67,0,4500,-67,0", "sC,4,400,10,4500,0,0,6500,0,0"]
    board = BottangoBoard()
    effectors: dict[str, Any] = {}
    Clock.seconds = start = 1000.0
    for one in commands:
        assert theirs.parseCommand(hashed(one).decode().strip(), effectors) == "OK\n"
        assert board.hear(hashed(one), start) == "OK\n"
    sent: dict[str, list[tuple[float, float]]] = {"3": [], "4": []}
    for step in range(900):
        Clock.seconds = start + 0.002 * step
        board.tick(Clock.seconds)
        for name, effector in effectors.items():
            effector.update()
            sent[name].append((effector.currentSignal, board.motors[name].pulse))
    them, us = np.array(sent["3"]).T
    assert them[-1] == us[-1]
    assert them.max() > 1800.0
    for number in range(2, len(us) - 2):
        # both meet the time of a curve to a millisecond, each in its own way; signals are whole microseconds
        near = them[number - 2 : number + 3]
        assert near.min() - 2.0 <= us[number] <= near.max() + 2.0, number
    # a motor at its speed limit: both count in whole microseconds, so that a step more or less at the start stays
    them, us = np.array(sent["4"]).T
    assert them.max() > 1700.0
    for level in (1550.0, 1580.0, 1620.0, 1700.0):
        assert abs(int(np.argmax(them >= level)) - int(np.argmax(us >= level))) <= 10, level
