from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from animato.errors import OptionError
from animato.motion import Clip
from animato.stage.lines import DryLine, Feedback, LineError
from animato.stage.playing import ClipSource, FaultKind, Latest, Move, Options, Still, Stream
from animato.stage.playing.streaming import Braking, Clock, Watch
from tests.stage_builders import PER_RADIAN, rig_of_two


class _Wave:
    is_path = True
    duration_s = 0.8

    def __call__(self, time_s: float) -> np.ndarray | None:
        if time_s > self.duration_s + 1e-9:
            return None
        return np.full(2, 0.2 * (1.0 - np.cos(2.0 * np.pi * time_s / self.duration_s)))


class _Failing(DryLine):
    """Takes so many frames, and then is gone."""

    def __init__(self, frames: int) -> None:
        super().__init__(rig_of_two().buses[0])
        self._left = frames

    def send(self, told: np.ndarray, at_s: float) -> None:
        self._left -= 1
        if self._left < 0:
            raise LineError("Bus 'arm' is gone: was the cable pulled?")
        super().send(told, at_s)


def test_a_source_goes_out_frame_by_frame_and_the_line_hears_each_word_in_order() -> None:
    rig, line = rig_of_two(), DryLine(rig_of_two().buses[0])
    with Stream(rig, [line], record=True) as stream:
        stream.begin()
        report = stream.run(_Wave())
        stream.end("limp")
    assert report.fault is None
    assert report.told is not None
    assert np.array_equal(report.told, [told for _, told in line.told])
    assert line.words == ["prepare", "enable", "release", "close"]
    assert report.told.max() <= 2048.0 + 0.4 * PER_RADIAN + 1e-6
    assert np.abs(report.positions).max() < 1e-9  # its last pose, though that lies between two frames


def test_torque_comes_before_motion() -> None:
    with (
        Stream(rig_of_two(), [DryLine(rig_of_two().buses[0])]) as stream,
        pytest.raises(OptionError, match="torque is off"),
    ):
        stream.run(_Wave())


def test_what_still_has_torque_at_the_end_holds() -> None:
    line = DryLine(rig_of_two().buses[0])
    with Stream(rig_of_two(), [line]) as stream:
        stream.begin()
    assert line.words == ["prepare", "enable", "hold", "close"]


def test_a_wish_to_stop_stops_along_the_path() -> None:
    rig, line = rig_of_two(), DryLine(rig_of_two().buses[0])
    with Stream(rig, [line], record=True) as stream:
        stream.begin()
        threading.Timer(0.2, stream.stop).start()
        report = stream.run(_Wave())
        stream.end("limp")
    assert report.stopped
    assert report.fault is None
    assert report.told is not None
    angles = rig.read(report.told)[:, 0]
    assert 0.02 < angles[-1] < 0.4  # on its way, not at its end
    assert abs(angles[-1] - angles[-2]) < 5e-3


def test_a_line_that_is_gone_is_told() -> None:
    said: list[str] = []
    with Stream(rig_of_two(), [_Failing(20)], say=said.append) as stream:
        stream.begin()
        report = stream.run(_Wave())
    assert report.fault is not None
    assert report.fault.kind is FaultKind.LINE
    assert "cable" in said[0]
    assert report.unsent == 1


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_none_stop_it(bad: float) -> None:
    class Source:
        def __call__(self, time_s: float) -> np.ndarray:
            return np.full(2, 0.5 * time_s if time_s < 0.1 else bad)

    line = DryLine(rig_of_two().buses[0])
    with Stream(rig_of_two(), [line]) as stream:
        stream.begin()
        report = stream.run(Source())
    assert report.fault is not None
    assert report.fault.kind is FaultKind.SOURCE
    assert all(np.all(np.isfinite(told)) for _, told in line.told)


def test_moves_keep_speed_and_acceleration() -> None:
    rig = rig_of_two(3.0, 20.0)
    move = Move(rig, np.zeros(2), np.array([1.5, -9.0]), haste=0.5)
    times = np.linspace(0.0, move.duration_s, 400)
    path = np.array([move(one) for one in times])
    step = times[1]
    assert np.allclose(path[-1], [1.5, -2.0])  # inside the range
    assert np.abs(np.diff(path, axis=0)).max() / step <= 1.5 * 1.001
    assert np.abs(np.diff(path, n=2, axis=0)).max() / step**2 <= 10.0 * 1.001
    assert move(move.duration_s + 0.1) is None


def test_a_soft_stop_keeps_the_limits_of_acceleration_along_the_path() -> None:
    rig = rig_of_two(10.0, 15.0)

    class Fast:
        is_path = True

        def __call__(self, time_s: float) -> np.ndarray:
            return np.full(2, 3.0 * time_s - 1.0)

    brake = Braking(rig, Fast(), 0.1, np.full(2, -0.7), np.full(2, 3.0), 0.08)
    assert brake.duration_s >= 3.0 / 15.0 * 0.99
    times = np.linspace(0.0, brake.duration_s, 60)
    path = np.array([brake(one)[0] for one in times])
    assert np.abs(np.diff(path, n=2)).max() / times[1] ** 2 <= 15.0 * 1.02
    straight = Braking(rig, None, 0.1, np.full(2, -0.7), np.full(2, 3.0), 0.08)
    assert straight(9.0)[0] == pytest.approx(-0.7 + 3.0 * straight.duration_s / 2.0)


def test_frames_that_were_missed_stay_missed_and_late_ones_stand_for_now() -> None:
    clock = Clock(100.0)
    clock.start()
    first = clock.wait()
    time.sleep(0.034)
    late = clock.wait()
    following = clock.wait()
    assert first.time_s == 0.0
    assert late.missed >= 2
    assert late.time_s >= 0.034
    assert following.time_s - late.time_s >= 0.0049  # no burst: half a frame at least


def test_a_clip_is_a_source_and_what_it_does_not_name_stays() -> None:
    rig = rig_of_two()
    clip = Clip(np.linspace(3.0, 4.0, 11), ("right",), np.linspace(0.0, 1.0, 11)[:, None])
    source = ClipSource(clip, rig, np.array([0.3, 0.0]))
    assert source(0.5) == pytest.approx([0.3, 0.5])
    assert source(1.1) is None
    assert Still(np.zeros(2), 1.0)(1.5) is None


def test_what_comes_live_lies_between_two_that_came() -> None:
    latest = Latest(np.zeros(1), 0.05)
    assert latest(0.0) == 0.0
    latest.give(np.array([1.0]))
    time.sleep(0.02)
    latest.give(np.array([2.0]))
    time.sleep(0.04)
    between = latest(0.0)
    assert between is not None
    assert 1.0 <= between[0] <= 2.0
    time.sleep(0.05)
    assert latest(0.0) == 2.0
    latest.end()
    assert latest(0.0) is None


def _watch(**options: float) -> Watch:
    watch = Watch(rig_of_two(), Options(**options), 0.0)  # type: ignore[arg-type]
    watch.note(np.array([2048.0, 2048.0]), 0.0)
    return watch


@pytest.mark.parametrize(
    ("said", "kind", "word"),
    [
        (Feedback(1, temperature=75.0), FaultKind.HOT, "75 C"),
        (Feedback(1, position=2048.0 + 0.5 * PER_RADIAN), FaultKind.BEHIND, "0.50 rad"),
        (Feedback(1, fault="it is overloaded"), FaultKind.SERVO, "overloaded"),
        (Feedback(1, current=1.5), FaultKind.CURRENT, "1.50 A"),
    ],
)
def test_what_is_too_much_is_a_fault_but_not_at_once(said: Feedback, kind: FaultKind, word: str) -> None:
    watch = _watch()
    found = [watch.judge([(0, (said, Feedback(2)))], 0.01 * n) for n in range(15)]
    fault = next(one for one in found if one is not None)
    assert fault.kind is kind
    assert word in fault.what
    assert fault.servos == ("left",)
    if kind is not FaultKind.SERVO:
        assert found[0] is None


def test_voltage_is_held_against_that_of_the_beginning() -> None:
    watch = _watch()
    assert watch.judge([(0, (Feedback(1, voltage=12.0),))], 0.0) is None
    found = [watch.judge([(0, (Feedback(1, voltage=8.0),))], 0.01 * n) for n in (1, 2)]
    assert found[0] is None
    assert found[1] is not None
    assert found[1].kind is FaultKind.VOLTAGE


def test_only_those_who_once_answered_can_be_silent() -> None:
    watch = _watch(silence_s=0.05)
    assert watch.judge([(0, (Feedback(2),))], 0.0) is None
    found = [watch.judge([(0, ())], 0.01 * n) for n in range(1, 10)]
    fault = next(one for one in found if one is not None)
    assert fault.servos == ("right",)
    assert found[3] is None


@pytest.mark.parametrize("options", [{"send_rate_hz": 0.0}, {"after": "sleep"}, {"stop_s": float("nan")}, {"loops": 0}])
def test_options_without_meaning_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(OptionError, match=next(iter(options))):
        Options(**options)  # type: ignore[arg-type]


class _Shy(DryLine):
    """Is silent for a while."""

    def __init__(self, polls: range) -> None:
        super().__init__(rig_of_two().buses[0])
        self._polls, self._number = polls, -1

    def poll(self, budget_s: float) -> tuple[Feedback, ...]:
        self._number += 1
        return () if self._number in self._polls else super().poll(budget_s)


def test_it_waits_for_a_servo_that_is_silent_and_goes_on_along_the_path() -> None:
    rig, line = rig_of_two(), _Shy(range(20, 45))
    with Stream(rig, [line], record=True) as stream:
        stream.begin()
        report = stream.run(_Wave())
        stream.end("limp")
    assert report.fault is None
    assert report.pauses == 1
    assert report.paused_s > 0.15
    assert report.told is not None
    angles = rig.read(report.told)[:, 0]
    assert angles.max() == pytest.approx(0.4, abs=0.005)  # all of the wave was performed
    assert abs(angles[-1]) < 1e-6
    assert np.abs(np.diff(angles)).max() < 0.03
    assert any("waited" in line for line in report.lines())


def test_it_does_not_wait_for_ever() -> None:
    rig, line = rig_of_two(), _Shy(range(20, 10_000))
    with Stream(rig, [line], Options(wait_s=0.3)) as stream:
        stream.begin()
        report = stream.run(_Wave())
    assert report.fault is not None
    assert report.fault.kind is FaultKind.SILENT
    assert report.stop_s < 0.2
    assert report.seconds < 1.0
