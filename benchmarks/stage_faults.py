"""Faults injected while servos move: whether every shaft stands in time, by the emulators' own records, and is told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from animato.stage.emulated import EmulatorProcess
from animato.stage.lines import Line, open_line
from animato.stage.playing import Options, Stream, StreamReport
from benchmarks.row import Row
from benchmarks.stage_fault_cases import CASES, SIGNALS, Case, Setting
from benchmarks.stage_playing import PER_RADIAN, Waves, goes_first, measure_of, rig_on

IN_TIME_MS = 200.0
AS_USUAL = Setting()
_STILL_RAD = 1.5 / PER_RADIAN  # a shaft that moves by less stands
_SPEED_RAD = 4.0  # of the rig [rad/s]
_INTO_THE_CLIP_S = 2.3  # from the first dozens of frames to where the lamp looks around fastest
_STRAINED = 0.85  # of the following error that is allowed: a blocked servo may draw too much before it is that far off
_MOVES = 60.0  # counts/s: a shaft that is so fast moves

Shafts = dict[int, list[tuple[float, float, float]]]


class Verdict(NamedTuple):
    """What became of a fault.

    Attributes:
        name: Of the fault.
        stop_ms: From the fault to the last motion of any shaft [ms]; 0 where it was borne.
        calm: Whether limits of speed held at the servos' side, and goals were what was told.
        held: Whether that, and everything stood in time or went on as it should.
        said: Whether it was told.
        words: What was told.
    """

    name: str
    stop_ms: float
    calm: bool
    held: bool
    said: bool
    words: str

    @property
    def safe(self) -> bool:
        """Both."""
        return self.held and self.said


def tried(case: Case, setting: Setting = AS_USUAL) -> Verdict:
    """Streams waves, injects the fault, and judges by the emulators' records."""
    buses = case.buses + setting.more_buses
    ids = range(24) if case.kind == "maestro" else range(1, setting.servos + 1)  # those that number from 0
    emulators = [EmulatorProcess(case.kind, ids) for _ in range(buses)]
    try:
        for emulator in emulators:
            goes_first(emulator)
        ports = {f"arm{n}": one.port for n, one in enumerate(emulators)}
        rig = rig_on(ports, case.kind, setting.servos, current=0.9, acceleration=setting.acceleration)
        lines: list[Line] = [open_line(bus) for bus in rig.buses]
        if case.line is not None:
            lines[0] = case.line(lines[0], setting.at_s)
        words: list[str] = []
        with Stream(rig, lines, Options(), say=words.append, record=True) as stream:
            stream.begin()
            began = time.monotonic()
            injected: list[float] = []

            def inject() -> None:
                injected.append(time.monotonic())
                if case.inject is not None:
                    case.inject(emulators, setting)

            timer = threading.Timer(setting.at_s, inject)
            timer.start()
            waves = Waves(len(rig.names), setting.at_s + 1.0)
            report = stream.run(waves if case.source is None else case.source(waves, setting.at_s))
            timer.join()
            stream.end("hold")
            time.sleep(0.25)  # whatever still moved would move on
        shafts = [one.shafts() for one in emulators]
    finally:
        for emulator in emulators:
            emulator.stop()
    return judged(case, report, words, shafts, injected[0] if case.inject else began + setting.at_s, began)


def judged(
    case: Case, report: StreamReport, words: list[str], shafts: list[Shafts], fault_s: float, began_s: float = 0.0
) -> Verdict:
    """Limits of speed at the servos' side, the time to standing still, and what was told.

    A stop is told where a sentence that went to the person has all of the case's words; what was borne, or waited for,
    where the report counts it.
    """
    name = f"{case.name}, {case.kind}"
    every = [
        [entry for entry in one if entry[0] >= began_s] or one[-1:] for bus in shafts for one in bus.values() if one
    ]
    measure = measure_of(case.kind)
    still, most = _STILL_RAD * measure.per_radian, 1.05 * _SPEED_RAD * measure.per_radian
    calm = all(fastest(one) <= most for one in every)
    counts = " ".join(report.lines())
    if report.fault is None and not case.stops and not report.pauses:
        counted = report.unanswered + report.held_back + report.unsent > 0
        told = counted and all(one in counts for one in case.words)
        return Verdict(name, 0.0, calm, calm and _as_told(case, report, every), told, counts)
    if not case.stops and report.fault is not None:  # borne until a servo was silent for too long
        fault_s = max(fault_s, report.fault.at_s - Options().silence_s - 0.01)
    if case.blocks:
        behind = _STRAINED * Options().following_error_rad * PER_RADIAN
        fault_s = next(at for at, place, goal in shafts[0][1] if at > fault_s and abs(goal - place) > behind)
    paused = report.fault is None and report.pauses > 0  # it stood, waited, and went on
    stood = max(standing(one, fault_s, still) if paused else last_motion(one, still) for one in every)
    stop_ms = 1e3 * max(stood - fault_s, 0.0)
    told = "waited" in counts if paused else any(all(word in one for word in case.words) for one in words)
    return Verdict(name, stop_ms, calm, calm and stop_ms <= IN_TIME_MS, told, " ".join([*words, counts]))


def _as_told(case: Case, report: StreamReport, records: list[list[tuple[float, float, float]]]) -> bool:
    """Whether every goal at the servos' side is one that was told, to the count.

    A driver of Bottango's makes its own positions from curves: they lie between those that were told.
    """
    assert report.told is not None
    step = measure_of(case.kind).step
    told = np.round(report.told / step) * step
    if case.kind == "bottango":
        low, high = told.min() - 2.0, told.max() + 2.0
        return all(low <= goal <= high for one in records for _, _, goal in one)
    known = {measure_of(case.kind).zero, *told.ravel().tolist()}
    return all(goal in known for one in records for _, _, goal in one)


def fastest(record: list[tuple[float, float, float]]) -> float:
    """The mean speed of a shaft over any 20 ms [counts/s]."""
    times, places = np.array([one[0] for one in record]), np.array([one[1] for one in record])
    if len(times) < 2:
        return 0.0
    grid = np.arange(times[0], times[-1], 0.02)
    return float(np.max(np.abs(np.diff(np.interp(grid, times, places))), initial=0.0)) / 0.02


def last_motion(record: list[tuple[float, float, float]], still: float = _STILL_RAD * PER_RADIAN) -> float:
    """When a shaft was last elsewhere than where it stands at the end [s]."""
    end = record[-1][1]
    return max((at for at, place, _ in record if abs(place - end) > still), default=record[0][0])


def standing(record: list[tuple[float, float, float]], from_s: float, still: float) -> float:
    """When a shaft first stands for 0.1 s, from a moment on [s]; infinite where it does not."""
    times, places = np.array([one[0] for one in record]), np.array([one[1] for one in record])
    grid = np.arange(from_s, times[-1], 0.002)
    there = np.interp(grid, times, places)
    windows = np.lib.stride_tricks.sliding_window_view(there, 51) if len(there) > 51 else np.zeros((0, 51))
    stands = np.nonzero(np.ptp(windows, axis=1) <= still)[0]
    return float(grid[stands[0]]) if len(stands) else np.inf


_MAP = """animato: 1
buses: {arm: {kind: KIND, baud: 1000000}}
servos:
  turn: {bus: arm, id: 1, zero: 2048}
  shoulder: {bus: arm, id: 2, zero: 2048}
  elbow: {bus: arm, id: 3, zero: 1500}
  nod: {bus: arm, id: 4, zero: 2048}
  tilt: {bus: arm, id: 5, zero: 2048}
"""


def signalled(name: str, number: int, word: str, kind: str = "dynamixel") -> Verdict:
    """Plays a clip in a process of its own, sends it a signal, and judges by the emulator's record."""
    with tempfile.TemporaryDirectory() as folder, EmulatorProcess(kind, range(1, 6)) as emulator:
        goes_first(emulator)
        servos = Path(folder) / "servos.yaml"
        servos.write_text(_MAP.replace("KIND", kind))
        words = ["play", "lamp_look", "--robot", "lamp", "--servos", str(servos), "--to", emulator.port, "--yes"]
        player = subprocess.Popen(
            [sys.executable, "-m", "animato.cli", *words, "--after", "hold"],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )
        try:
            _wait_until_it_moves(emulator)
            fault_s = time.monotonic()
            player.send_signal(number)
            time.sleep(0.6)
            shafts = emulator.shafts()
            if number == signal.SIGSTOP:
                player.send_signal(signal.SIGCONT)
            assert player.stderr is not None
            said = player.stderr.read()
            player.wait(20.0)
        finally:
            if player.poll() is None:
                player.kill()
    before = [[one for one in record if fault_s - 0.1 < one[0] < fault_s] for record in shafts.values()]
    moved = max(fastest(one) for one in before if one) > _MOVES
    stood = max(last_motion(one) for one in shafts.values())
    stop_ms = 1e3 * max(stood - fault_s, 0.0)
    told = word in said if word else player.returncode == -number
    return Verdict(f"{name}, {kind}", stop_ms, moved, moved and stop_ms <= IN_TIME_MS, told, said)


def _wait_until_it_moves(emulator: EmulatorProcess) -> None:
    """Comes back in the midst of the clip; to look at the shafts would keep the emulator from its work."""
    deadline = time.monotonic() + 60.0
    while emulator.heard < 3000 and time.monotonic() < deadline:
        time.sleep(0.03)
    time.sleep(_INTO_THE_CLIP_S)


def replugged(setting: Setting = AS_USUAL) -> Verdict:
    """The cable is pulled, and back while everything stops: the same path is another device then.

    Nothing may be told to what is there now before somebody begins anew, and that must work.
    """
    words: list[str] = []
    ids = range(1, setting.servos + 1)
    with (
        tempfile.TemporaryDirectory() as folder,
        EmulatorProcess("dynamixel", ids) as first,
        EmulatorProcess("dynamixel", ids) as second,
    ):
        goes_first(first)
        path = Path(folder) / "port"
        path.symlink_to(first.port)
        rig = rig_on({"arm0": str(path)}, servos=setting.servos)
        injected: list[float] = []

        def pull() -> None:
            injected.append(time.monotonic())
            first.unplug()
            path.unlink()
            path.symlink_to(second.port)

        with Stream(rig, [open_line(rig.buses[0])], Options(), say=words.append) as stream:
            stream.begin()
            timer = threading.Timer(setting.at_s, pull)
            timer.start()
            report = stream.run(Waves(setting.servos, setting.at_s + 1.0))
            timer.join()
            stream.end("hold")
        time.sleep(0.25)
        stood = max(last_motion(one) for one in first.shafts().values())
        untouched = second.heard == 0
        with Stream(rig, [open_line(rig.buses[0])], Options()) as stream:
            stream.begin()
            again = stream.run(Waves(setting.servos, 0.3))
            stream.end("limp")
    stop_ms = 1e3 * max(stood - injected[0], 0.0)
    told = report.fault is not None and any("'arm0'" in one and "gone" in one for one in words)
    held = stop_ms <= IN_TIME_MS and untouched and again.fault is None
    return Verdict("unplugged and back", stop_ms, untouched, held, told, " ".join(words))


def settings(count: int, seed: int) -> list[Setting]:
    """Robots of 3 to 12 servos, faults at any moment, other noise."""
    dice = np.random.default_rng(seed)
    return [
        Setting(float(dice.uniform(0.8, 2.2)), int(dice.integers(3, 13)), seed=int(dice.integers(1000)))
        for _ in range(count)
    ]


def verdicts(*, quick: bool, seed: int = 1) -> list[Verdict]:
    """All faults, one after the other; each at another moment and on another robot where there is time."""
    where = [AS_USUAL] * len(CASES) if quick else settings(len(CASES), seed)
    found = [tried(case, one) for case, one in zip(CASES, where, strict=True)]
    found += [replugged(), *(signalled(*one) for one in SIGNALS)]
    return found if quick else [*found, signalled(*SIGNALS[0], kind="feetech")]


def rows(*, quick: bool) -> list[Row]:
    """How many ended safe, and the slowest stop; no fault is left out."""
    found = verdicts(quick=quick)
    for one in found:
        if not one.safe:
            print(f"not safe: {one}", file=sys.stderr)
    return [
        Row("faults.count", len(found), "faults", "higher"),
        Row("faults.safe_share", sum(one.safe for one in found) / len(found), "", "higher"),
        Row("faults.worst_stop_ms", max(one.stop_ms for one in found), "ms", "lower"),
    ]
