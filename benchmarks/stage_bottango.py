"""How far behind its time a servo on a Bottango driver is: our curves beside plain positions."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np

from animato.character import Bus, BusKind, Scale, Wire
from animato.stage.emulated import BottangoEmulator
from animato.stage.lines import Slot
from animato.stage.lines.bottango import BottangoLine, hashed
from animato.stage.lines.pulses import open_port
from benchmarks.row import Row
from benchmarks.stage_bottango_driver import RunningDriver, free_port, lacking

COUNT = 12
RATE_HZ = 100.0
SECONDS = 3.0
_LOWEST, _HIGHEST, _SPEED = 600.0, 2400.0, 4000.0

Signals = dict[str, list[tuple[float, float]]]


def slots(count: int = COUNT) -> list[Slot]:
    """Servos on pins, from 600 to 2400 microseconds."""
    scale = Scale(1500.0, 600.0, 500.0, 2500.0)
    return [Slot(Wire(f"joint {n}", "bus", n, zero=1500.0), scale, _SPEED, _LOWEST, _HIGHEST) for n in range(count)]


def wave(time_s: float) -> float:
    """A motion that starts and ends at rest: up to 2000 microseconds a second [microseconds]."""
    share = float(np.clip(time_s / SECONDS, 0.0, 1.0))
    return 1500.0 + 320.0 * np.sin(2.0 * np.pi * time_s) * np.sin(np.pi * share) ** 2


def play_curves(port: int, motion: Callable[[float], float], seconds: float = SECONDS) -> float:
    """Plays a motion on all servos by our line; when it began [s, of time.monotonic]."""
    line = BottangoLine(Bus("bus", BusKind.BOTTANGO, f"tcp://127.0.0.1:{port}"))
    try:
        line.prepare(slots())
        line.enable(np.full(COUNT, motion(0.0)))
        start = time.monotonic() + line.ahead_s
        for frame in range(round(seconds * RATE_HZ) + 1):
            _sleep_until(start - line.ahead_s + frame / RATE_HZ)
            line.send(np.full(COUNT, motion(frame / RATE_HZ)), start + frame / RATE_HZ)
            line.poll(0.0)
        _sleep_until(start + seconds + 0.1)
    finally:
        line.close()
    return start


def play_positions(port: int, motion: Callable[[float], float], seconds: float = SECONDS) -> float:
    """The peer: each position is told when it is due, as an instant move; when it began [s]."""
    bus = Bus("bus", BusKind.BOTTANGO, f"tcp://127.0.0.1:{port}")
    link = open_port(bus, 115_200, 0.5)
    span = _HIGHEST - _LOWEST
    try:
        link.write(hashed("hRQ,1") + hashed("tSYN,1000"))
        for pin in range(COUNT):
            link.write(hashed(f"rSVPin,{pin},{_LOWEST:.0f},{_HIGHEST:.0f},{_SPEED:.0f},{motion(0.0):.0f}"))
        _sleep_until(time.monotonic() + 0.3)
        start = time.monotonic()
        for frame in range(round(seconds * RATE_HZ) + 1):
            _sleep_until(start + frame / RATE_HZ)
            height = round((motion(frame / RATE_HZ) - _LOWEST) / span * 8192)
            link.write(b"".join(hashed(f"sCI,{pin},{height}") for pin in range(COUNT)))
            link.drain()
        _sleep_until(start + seconds + 0.1)
    finally:
        link.close()
    return start


def lag_ms(signals: Signals, motion: Callable[[float], float], start: float, seconds: float = SECONDS) -> float:
    """By how much the worst motor is behind, or ahead [ms]: the shift of time that explains its signal best.

    The signal stands until it changes, so it is looked at every millisecond.
    """
    times = np.arange(0.2, seconds - 0.2, 0.001)
    shifts = np.arange(-0.1, 0.1, 0.0002)
    wanted = np.array([motion(one) for one in np.arange(0.0, seconds, 0.0002)])
    worst = 0.0
    for record in signals.values():
        at, sent = np.array(record).T
        held = sent[np.maximum(np.searchsorted(at - start, times, side="right") - 1, 0)]
        errors = [
            float(np.mean((held - wanted[np.round((times - shift) / 0.0002).astype(int)]) ** 2)) for shift in shifts
        ]
        worst = max(worst, abs(float(shifts[int(np.argmin(errors))])) * 1000.0)
    return worst


class EmulatedDriver:
    """Our own other side, in the place of their driver where that is not on this machine."""

    def __init__(self, port: int) -> None:
        self._emulator = BottangoEmulator(range(COUNT), address=f"127.0.0.1:{port}")

    def signals(self) -> Signals:
        """What each motor was sent: (time [s], signal [microseconds])."""
        return {str(id): [(at, where) for at, where, _ in one] for id, one in self._emulator.shafts().items()}

    def __enter__(self) -> EmulatedDriver:
        self._emulator.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._emulator.stop()


def bottango_lag_ms() -> tuple[float, float]:
    """Ours and the peer's, in one run, on their driver where it is, else on our emulator [ms]."""
    measured = []
    for play in (play_curves, play_positions):
        port = free_port()
        driver: AbstractContextManager[RunningDriver | EmulatedDriver]
        driver = EmulatedDriver(port) if lacking() else RunningDriver(port)
        with driver as running:
            start = play(port, wave)
            time.sleep(0.1)
            signals = running.signals()
        measured.append(lag_ms(signals, wave, start))
    return measured[0], measured[1]


def rows(*, quick: bool = False) -> list[Row]:
    """The row of the stage's benchmark; it takes ten seconds, quick or not."""
    ours, theirs = bottango_lag_ms()
    return [Row("bottango.lag_ms", ours, "ms", "lower", "positions at 100 Hz", theirs)]


def _sleep_until(time_s: float) -> None:
    time.sleep(max(time_s - time.monotonic(), 0.0))
