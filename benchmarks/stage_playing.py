"""Frames at the servos' side: when they arrive, whether all do, in order and to the count."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from animato.character import Bus, BusKind, Scale, Wire
from animato.stage.emulated import EmulatorProcess
from animato.stage.lines import Slot, open_line
from animato.stage.playing import Options, Stream
from animato.stage.rig import Rig
from benchmarks.row import Row
from benchmarks.stage_bystander import Bystander

BAUD = 1_000_000
SERVOS = 12
PER_RADIAN = 4096.0 / (2.0 * np.pi)


class Measure(NamedTuple):
    """What servos of a kind are told: at 0, for a radian, from and to, and the smallest step."""

    zero: float
    per_radian: float
    lowest: float
    highest: float
    step: float


COUNTS, PULSES = Measure(2048.0, PER_RADIAN, 0.0, 4095.0, 1.0), Measure(1500.0, 400.0, 500.0, 2500.0, 0.25)


def measure_of(kind: str) -> Measure:
    """Counts for servos on a bus, microseconds for pulses."""
    return PULSES if kind in ("maestro", "bottango") else COUNTS


def rig_on(
    ports: dict[str, str],
    kind: str = "dynamixel",
    servos: int = SERVOS,
    current: float | None = None,
    acceleration: float = 60.0,
) -> Rig:
    """Servos that move 2 rad to both sides at 4 rad/s, on buses by name; ids begin at 1 on each."""
    measure = measure_of(kind)
    baud, current = (BAUD, current) if measure is COUNTS else (None, None)
    buses = tuple(Bus(name, BusKind(kind), port, baud, 100.0) for name, port in ports.items())
    slots: list[Slot] = []
    members: list[tuple[int, ...]] = []
    zero, each, lowest, highest, _ = measure
    for bus in buses:
        members.append(tuple(range(len(slots), len(slots) + servos)))
        for id in range(1, servos + 1):
            wire = Wire(f"{bus.name}{id}", bus.name, id, zero=zero, current=current)
            scale = Scale(zero, each, lowest, highest)
            slots.append(Slot(wire, scale, 4.0 * each, zero - 2.0 * each, zero + 2.0 * each))
    count = len(slots)
    names = tuple(slot.wire.coordinate for slot in slots)
    side = np.full(count, 2.0)
    return Rig(
        names, buses, tuple(slots), tuple(members), -side, side, np.full(count, 4.0), np.full(count, acceleration)
    )


class Waves:
    """Sines of a radian to both sides, one a servo, that begin at rest at 0 and are never all at rest together.

    Args:
        count: Of servos.
        seconds: How long.
    """

    is_path = True

    def __init__(self, count: int, seconds: float) -> None:
        self.duration_s = seconds
        self._rates = 2.0 + 0.05 * np.arange(count)

    def __call__(self, time_s: float) -> np.ndarray | None:
        """Where they are; the first second swells."""
        if time_s > self.duration_s + 1e-9:
            return None
        x = min(time_s, 1.0)
        return x * x * (3.0 - 2.0 * x) * np.sin(self._rates * time_s)


def goes_first(emulator: EmulatorProcess) -> None:
    """Lets emulated servos run before other programs where the system allows it: hardware waits for no one.

    The emulator's first thread, which only hands out records, does not: while it did, the kernel could not move bytes.
    """
    if not hasattr(os, "sched_setscheduler"):
        return
    for thread in Path(f"/proc/{emulator.pid}/task").glob("*"):
        if int(thread.name) != emulator.pid:
            with contextlib.suppress(OSError):
                os.sched_setscheduler(int(thread.name), os.SCHED_RR, os.sched_param(1))


class Arrivals(NamedTuple):
    """How late frames came to the servos' side [ms], and how many did not come, not in order or not to the count.

    `written_p99_ms` is how late they were written: what lies between the two is the system's.
    """

    median_ms: float
    p99_ms: float
    worst_ms: float
    lost: int
    written_p99_ms: float


def ours(kind: str, seconds: float) -> Arrivals:
    """The stream, with polls."""
    with EmulatorProcess(kind, range(1, SERVOS + 1)) as emulator:
        goes_first(emulator)
        rig = rig_on({"arm": emulator.port}, kind)
        with Stream(rig, [open_line(rig.buses[0])], Options(), record=True) as stream:
            stream.begin()
            began = time.monotonic()
            report = stream.run(Waves(SERVOS, seconds))
            frames = [one for one in emulator.frames if one[0] >= began]
            stream.end("limp")
    assert report.told is not None
    assert report.due_s is not None
    assert report.sent_s is not None
    if report.fault is not None:
        print(f"stopped: {report.fault.sentence()}", file=sys.stderr)
    left = int(100 * seconds) - len(report.told)
    step = measure_of(kind).step
    told = np.round(report.told / step) * step
    return _judged(frames, told, report.due_s, report.sent_s, max(report.missed, left))


def _judged(
    frames: list[tuple[float, dict[int, float]]],
    told: np.ndarray,
    due_s: np.ndarray,
    sent_s: np.ndarray,
    missed: int,
) -> Arrivals:
    """Against the due times [s]; frames that were never sent are lost, too."""
    written = 1e3 * np.sort(np.abs(sent_s - due_s))
    got = np.array([[goals.get(id, np.nan) for id in range(1, told.shape[1] + 1)] for _, goals in frames])
    count = min(len(got), len(told))
    arrived = np.array([at for at, _ in frames[:count]])
    late = 1e3 * np.sort(np.abs(arrived - due_s[:count]))
    wrong = int(np.sum(np.any(got[:count] != told[:count], axis=1)))
    lost = abs(len(told) - len(got)) + wrong + missed
    p99, written_p99 = (float(one[int(0.99 * (len(one) - 1))]) for one in (late, written))
    return Arrivals(float(np.median(late)), p99, float(late[-1]), lost, written_p99)


def plain(seconds: float) -> Arrivals:
    """The loop that a user writes: the vendor's kit, a read of all positions and `time.sleep`."""
    import dynamixel_sdk as sdk

    with EmulatorProcess("dynamixel", range(1, SERVOS + 1)) as emulator:
        goes_first(emulator)
        port, packets = sdk.PortHandler(emulator.port), sdk.PacketHandler(2.0)
        port.openPort()
        port.setBaudRate(BAUD)
        for id in range(1, SERVOS + 1):
            packets.write1ByteTxRx(port, id, 64, 1)
        write = sdk.GroupSyncWrite(port, packets, 116, 4)
        read = sdk.GroupSyncRead(port, packets, 132, 4)
        for id in range(1, SERVOS + 1):
            read.addParam(id)
        source, told, sent = Waves(SERVOS, seconds), [], []
        began = time.monotonic()
        for number in range(int(100 * seconds) + 1):
            values = source(number / 100.0)
            assert values is not None
            goals = np.round(2048.0 + PER_RADIAN * values).astype(int)
            write.clearParam()
            for id, goal in enumerate(goals, start=1):
                write.addParam(id, int(goal).to_bytes(4, "little"))
            sent.append(time.monotonic())
            write.txPacket()
            told.append(goals)
            read.txRxPacket()
            time.sleep(max(0.0, 0.01 - (time.monotonic() - sent[-1])))
        frames = [one for one in emulator.frames if one[0] >= began]
        port.closePort()
    due = sent[0] + 0.01 * np.arange(len(told))
    return _judged(frames, np.array(told, dtype=np.float64), due, np.array(sent), 0)


def rows(*, quick: bool) -> list[Row]:
    """Of each kind of bus that is told positions one by one; the peer is the plain loop of the vendor's kit.

    Beside each runs a bystander, who sends plain bytes through a pty of his own: what he suffers is the machine's.
    """
    seconds = 5.0 if quick else 30.0
    found: list[Row] = []
    peers: dict[str, Callable[[float], Arrivals]] = {"dynamixel": plain}
    for kind in ("dynamixel", "feetech", "maestro"):
        with Bystander() as bystander:
            own = ours(kind, seconds)
        peer = peers[kind](seconds) if kind in peers else None
        name = "dynamixel-sdk and time.sleep" if peer else ""
        for what in ("median_ms", "p99_ms", "worst_ms", "written_p99_ms"):
            other = None if peer is None else getattr(peer, what)
            found.append(Row(f"{kind}.{what}", getattr(own, what), "ms", "lower", name, other))
        found.append(Row(f"{kind}.lost", own.lost, "frames", "lower", name, None if peer is None else peer.lost))
        found.append(Row(f"{kind}.bystander_p99_ms", bystander.p99_ms, "ms", "lower"))
        found.append(Row(f"{kind}.bystander_missed", bystander.missed, "frames", "lower"))
    return found
