"""The loop in real time and on a clock of our own, and what it reports."""

from __future__ import annotations

import json
import threading
import time

import numpy as np
import pytest

from animato.express.loop.command import Command
from animato.express.loop.live_loop import Loop
from animato.express.loop.report import Tally
from animato.express.problem import build
from animato.express.sources.target_sources import FileTargets
from animato.formats.character_files import load_character
from tests.unit.express.near_follower import NearFollower

PERIOD = 0.01


class HandClock:
    """Time passes only while somebody waits, or is made to."""

    def __init__(self) -> None:
        self.time = 100.0
        self.late = 0.0

    def now(self) -> float:
        return self.time

    def wait_until(self, moment: float) -> None:
        self.time = max(self.time, moment) + self.late


def loop_of(clock: HandClock | None = None, solve_s: float = 0.0) -> Loop:
    class Timed(NearFollower):
        def asked(self) -> None:
            if clock is not None:
                clock.time += solve_s

    return Loop(build(load_character("lamp"), "proud"), build=Timed)


def test_a_steady_clock_has_no_jitter() -> None:
    clock = HandClock()
    loop = loop_of(clock, solve_s=0.002)
    loop.submit([1.0, 0.5, 0.5])
    times: list[float] = []
    report = loop.run(lambda command: times.append(clock.now()), seconds=1.0, clock=clock, threaded=False)
    assert report.frames == 100
    assert report.deadline_misses == 0
    assert report.achieved_rate_hz == pytest.approx(100.0, rel=1e-10)
    assert report.jitter_ms.max < 1e-8
    np.testing.assert_allclose([report.solve_ms.p50, report.solve_ms.p99, report.solve_ms.max], 2.0, rtol=1e-9)
    np.testing.assert_allclose(times[-1] - times[0], 0.99, atol=1e-10)


def test_lateness_does_not_add_up() -> None:
    clock = HandClock()
    clock.late = 0.003
    began = clock.now()
    report = loop_of().run(seconds=1.0, clock=clock, threaded=False)
    np.testing.assert_allclose(clock.now() - began, 0.993, atol=1e-10)  # late by 3 ms at the end as at the start
    assert report.deadline_misses == 0
    assert report.jitter_ms.max < 1e-8  # always late by the same is a steady rate


def test_a_missed_deadline_is_counted_and_never_made_up_in_a_burst() -> None:
    clock = HandClock()
    began: list[float] = []

    def sink(command: Command) -> None:
        began.append(clock.now())
        if len(began) == 20:
            clock.time += 0.0355

    report = loop_of().run(sink, seconds=0.5, clock=clock, threaded=False)
    assert report.frames == 50
    assert report.deadline_misses == 1
    gaps = np.diff(began)
    np.testing.assert_allclose(gaps[19], 0.0355, atol=1e-10)
    np.testing.assert_allclose(gaps[20], 0.0045, atol=1e-10)  # back on the schedule, two frames left out
    np.testing.assert_allclose(np.delete(gaps, [19, 20]), PERIOD, atol=1e-10)
    np.testing.assert_allclose(report.jitter_ms.max, 25.5, atol=1e-6)


def test_the_report_is_text_and_json() -> None:
    loop = loop_of()
    loop.submit([1.0, 0.5, 0.5])
    loop.submit("nonsense")
    report = loop.play(seconds=0.2)
    text = "\n".join(report.lines())
    assert "20 commands for 0.20 s at 100 Hz" in text
    assert "warning: bad target, once" in text
    assert "rate" not in text  # nothing was asked of the real clock
    again = json.loads(json.dumps(report.as_json()))
    assert again["frames"] == 20
    assert again["achieved_rate_hz"] is None
    assert set(again["solve_ms"]) == {"p50", "p99", "max", "mean"}


def test_a_tally_knows_its_percentiles() -> None:
    tally = Tally()
    for value in range(101):
        tally.add(float(value))
    spread = tally.spread(2.0)
    assert (spread.p50, spread.p99, spread.max, spread.mean) == (100.0, 198.0, 200.0, 100.0)
    assert Tally().spread().max == 0.0


def test_real_time_with_targets_from_another_thread() -> None:
    loop, stop = loop_of(), threading.Event()

    def talk() -> None:
        n = 0
        while not stop.wait(0.003):
            loop.submit([1.0, 0.5 * np.sin(0.02 * n), 0.5] if n % 7 else [np.nan] * 3)
            n += 1

    talker = threading.Thread(target=talk)
    talker.start()
    before, commands = threading.active_count(), list[Command]()
    report = loop.run(commands.append, seconds=0.8)
    stop.set()
    talker.join()
    assert threading.active_count() == before - 1
    assert len(commands) == 80
    # a loaded machine may hold the loop up; that it keeps to its schedule otherwise is the clock's own test
    assert report.achieved_rate_hz is not None and 50.0 < report.achieved_rate_hz < 105.0
    assert report.solves > 10
    assert {"bad target"} <= {one.kind for one in report.warnings} <= {"bad target", "solver late"}


def test_the_output_does_not_wait_for_a_slow_solver() -> None:
    class Slow(NearFollower):
        nap_s = 0.0

        def asked(self) -> None:
            time.sleep(self.nap_s)

    loop = Loop(build(load_character("lamp"), "proud"), build=Slow)
    Slow.nap_s = 0.06
    loop.submit([1.0, 0.5, 0.5])
    report = loop.run(seconds=0.5)
    assert report.frames == 50
    assert report.solves < 12
    assert report.deadline_misses < 25
    assert [one.kind for one in report.warnings] == ["solver late"]


def test_the_loop_ends_when_the_input_has_and_the_joints_have_arrived() -> None:
    loop = loop_of()
    report = loop.play(source=FileTargets(["1 0.4 0.5", '{"point": [1, -0.4, 0.5], "time_s": 0.5}'], 100.0))
    assert 60 < report.frames < 400
    assert loop.arrived
    assert report.last_command_error_deg < 0.2
    nothing = loop_of().play(source=FileTargets([], 100.0))
    assert nothing.frames == 0


def test_stop_ends_a_run_from_another_thread() -> None:
    loop = loop_of()
    threading.Timer(0.1, loop.stop).start()
    began = time.perf_counter()
    loop.run()
    assert time.perf_counter() - began < 3.0


@pytest.mark.parametrize("threaded", [True, False])
def test_a_source_that_raises_is_survived(threaded: bool) -> None:
    class Broken:
        ended = False

        def poll(self, time_s: float) -> list[str]:
            raise OSError("unplugged")

    report = loop_of().run(seconds=0.05, source=Broken(), threaded=threaded)
    assert report.frames == 5
    assert report.warnings[0].kind == "source failed"
