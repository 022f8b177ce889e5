"""Faults on emulated servos, judged by the emulators' own records; all of them are rows of the benchmark."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from animato.stage.playing import Fault, FaultKind, StreamReport
from benchmarks.stage_bystander import Bystander
from benchmarks.stage_fault_cases import CASES, Setting
from benchmarks.stage_faults import IN_TIME_MS, Verdict, judged, last_motion, replugged, tried

QUICK = ("one servo mute", "one of two buses unplugged")
SOON = Setting(at_s=0.6)
_BUSY_MS = 30.0  # a machine that keeps plain bytes on a pty for longer keeps answers of servos back as well
_TRIALS = 3


def _fairly(trial: Callable[[], Verdict]) -> Verdict:
    """What comes of it while the machine moves bytes in time; skips where it does not, three times."""
    for _ in range(_TRIALS):
        with Bystander() as bystander:
            verdict = trial()
        if verdict.safe or (bystander.worst_ms < _BUSY_MS and bystander.missed == 0):
            return verdict
    pytest.skip(f"the machine is too busy to emulate servos: it kept plain bytes back for {bystander.worst_ms:.0f} ms")


@pytest.mark.parametrize("name", QUICK)
def test_every_shaft_stands_and_it_is_told(name: str) -> None:
    case = next(case for case in CASES if case.name == name)
    verdict = _fairly(lambda: tried(case, SOON))
    assert verdict.said, verdict
    assert verdict.calm, verdict
    assert verdict.stop_ms <= IN_TIME_MS, verdict


def test_a_cable_that_comes_back_is_another_device() -> None:
    verdict = _fairly(lambda: replugged(SOON))
    assert verdict.safe, verdict


def test_a_shaft_that_moves_on_is_not_safe() -> None:
    case = next(one for one in CASES if one.name == "unplugged")
    report = StreamReport(1, 1.0, 0, 0, 0, 0, np.zeros(1), np.zeros(1), fault=Fault(FaultKind.LINE, 1.0, "gone"))
    runs_on = [(0.01 * n, 2048.0 + 5.0 * n, 2048.0) for n in range(200)]
    told = ["Bus 'arm0' is gone"]
    assert not judged(case, report, told, [{1: runs_on}], 1.0).safe
    stands = [(at, min(place, 2548.0), goal) for at, place, goal in runs_on]
    assert judged(case, report, told, [{1: stands}], 1.0).safe
    assert not judged(case, report, ["a bus is gone"], [{1: stands}], 1.0).safe
    assert last_motion(stands) == pytest.approx(0.99)
