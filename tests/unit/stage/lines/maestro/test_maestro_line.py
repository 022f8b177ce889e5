"""A Maestro as a line, against its other side on a pty."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pytest

from animato.character import Bus, BusKind, Scale, Wire
from animato.errors import OptionError
from animato.stage.emulated import MaestroEmulator
from animato.stage.lines import LineError, Slot, open_line
from animato.stage.lines.maestro import MaestroLine, inquiry

SCALE = Scale(1500.0, 600.0, 500.0, 2500.0)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loaded machine is no silent Maestro."""
    monkeypatch.setattr(inquiry, "_SILENCE_S", 2.0)


def slot(channel: int, speed: float | None = None, ends: tuple[float, float] = (600.0, 2400.0)) -> Slot:
    return Slot(Wire(f"joint {channel}", "arm", channel, zero=1500.0), SCALE, speed, *ends)


def bus(emulator: MaestroEmulator, options: str = "") -> Bus:
    return Bus("arm", BusKind.MAESTRO, emulator.port + options)


@pytest.fixture
def maestro() -> Iterator[MaestroEmulator]:
    with MaestroEmulator() as emulator:
        yield emulator


@pytest.fixture
def line(maestro: MaestroEmulator) -> Iterator[MaestroLine]:
    opened = MaestroLine(bus(maestro))
    opened.patience_s = 2.0  # a loaded machine is no silent Maestro
    yield opened
    opened.close()


def arrived(emulator: MaestroEmulator, count: int) -> None:
    """Waits until so many frames are there."""
    until = time.monotonic() + 5.0
    while len(emulator.frames) < count and time.monotonic() < until:
        time.sleep(0.002)


def test_pulses_arrive_to_the_quarter_microsecond_and_in_order(maestro: MaestroEmulator, line: MaestroLine) -> None:
    line.prepare([slot(channel) for channel in range(12)])
    line.enable(np.full(12, 1500.0))
    rng = np.random.default_rng(7)
    told = rng.uniform(600.0, 2400.0, (40, 12))
    for one in told:
        line.send(one, 0.0)
    arrived(maestro, 41)
    heard = np.array([[goals[channel] for channel in range(12)] for _, goals in maestro.frames[1:]])
    np.testing.assert_allclose(heard, np.round(told * 4) / 4, atol=0.0)
    assert maestro.errors == 0


def test_what_is_told_never_leaves_the_range(maestro: MaestroEmulator, line: MaestroLine) -> None:
    line.prepare([slot(0, ends=(1000.1, 1999.9))])
    line.enable(np.array([1000.1]))
    line.send(np.array([1999.9]), 0.0)
    arrived(maestro, 2)
    assert [goals[0] for _, goals in maestro.frames] == [1000.25, 1999.75]


def test_the_maestro_keeps_the_speed_limit_by_itself(maestro: MaestroEmulator, line: MaestroLine) -> None:
    line.prepare([slot(0, speed=1010.0)])
    line.enable(np.array([1000.0]))
    line.send(np.array([1200.0]), 0.0)
    time.sleep(0.4)
    record = np.array(maestro.shafts()[0])
    record = record[record[:, 1] > 0.0]
    speeds = np.diff(record[:, 1])[1:] / np.diff(record[:, 0])[1:]
    assert record[-1, 1] == 1200.0
    assert speeds.max() <= 1025.0 + 1e-6  # 1010 microseconds a second, rounded up to steps of 25


def test_positions_are_pulses_and_unknown_while_off(maestro: MaestroEmulator, line: MaestroLine) -> None:
    line.prepare([slot(0), slot(3)])
    assert np.all(np.isnan(line.positions()))
    line.enable(np.array([1400.0, 1600.25]))
    np.testing.assert_array_equal(line.positions(), [1400.0, 1600.25])
    line.release()
    assert np.all(np.isnan(line.positions()))


def test_hold_stops_on_the_way(maestro: MaestroEmulator, line: MaestroLine) -> None:
    line.prepare([slot(0, speed=100.0)])
    line.enable(np.array([1000.0]))
    line.send(np.array([2000.0]), 0.0)
    time.sleep(0.1)
    line.hold()
    time.sleep(0.1)  # it goes back by what it moved between being asked and told
    stopped = line.positions()[0]
    time.sleep(0.1)
    assert 1000.0 < stopped < 1900.0
    assert line.positions()[0] == stopped


def test_polls_go_round_and_tell_errors_in_words(maestro: MaestroEmulator, line: MaestroLine) -> None:
    line.prepare([slot(0), slot(1)])
    line.enable(np.array([1500.0, 1600.0]))
    heard = [one for _ in range(10) for one in line.poll(0.02)]
    assert {one.id: one.position for one in heard} == {0: 1500.0, 1: 1600.0}
    maestro.errors = 1 << 5
    heard = [one for _ in range(10) for one in line.poll(0.02)]
    assert not any(one.fault for one in heard)  # answers have no check sum: once, and all pulses right, is noise
    assert line.lost >= 1
    end, heard = time.monotonic() + 5.0, []
    while not any("timeout" in one.fault for one in heard):
        assert time.monotonic() < end
        maestro.errors = 1 << 5
        heard = list(line.poll(0.02))


def test_neighbours_go_together_only_where_it_is_no_micro() -> None:
    for ids, many in ((range(24), True), (range(6), False)):
        with MaestroEmulator(ids) as emulator:
            line = MaestroLine(bus(emulator))
            line.patience_s = 2.0
            channels = [slot(channel) for channel in list(ids)[-6:]]
            line.prepare(channels)
            line.enable(np.full(6, 1500.0))
            before = emulator.heard
            line.send(np.full(6, 1510.0), 0.0)
            arrived(emulator, 2)
            assert emulator.heard - before == (3 + 12 if many else 24)
            assert emulator.errors == 0
            line.close()


def test_one_of_several_on_a_line_is_addressed(maestro: MaestroEmulator) -> None:
    for device, answers in (("12", True), ("13", False)):
        line = MaestroLine(bus(maestro, f"?device={device}"))
        if answers:
            line.patience_s = 2.0
            line.prepare([slot(0)])
        else:
            with pytest.raises(LineError, match="does not answer"):
                line.prepare([slot(0)])
        line.close()


def test_with_check_sums_spoiled_commands_are_not_obeyed() -> None:
    with MaestroEmulator(checks=True, home=dict.fromkeys(range(12), 1500.0)) as emulator:
        line = MaestroLine(bus(emulator, "?crc"))
        line.patience_s = 2.0
        line.prepare([slot(channel) for channel in range(12)])
        line.enable(np.full(12, 1500.0))
        emulator.garble(0.02, seed=5)
        for number in range(200):
            line.send(np.full(12, 1500.0 + number % 3), 0.0)
            time.sleep(0.001)
        emulator.garble(0.0)
        time.sleep(0.1)
        assert emulator.errors
        told = {goal for _, goals in emulator.frames for goal in goals.values()}
        # a check sum of seven bits lets one of 128 spoiled commands through; none of these
        assert told <= {1500.0, 1501.0, 1502.0}
        line.close()


def test_a_maestro_that_wants_check_sums_and_gets_none_says_so() -> None:
    with MaestroEmulator(checks=True) as emulator:
        line = MaestroLine(bus(emulator))
        with pytest.raises(LineError):
            line.prepare([slot(0)])
        line.close()


def test_a_serial_timeout_sends_it_home() -> None:
    with MaestroEmulator(timeout_s=0.5, home={0: 1500.0}) as emulator:
        line = MaestroLine(bus(emulator))
        line.patience_s = 2.0
        line.prepare([slot(0)])
        line.enable(np.array([1800.0]))
        time.sleep(0.8)  # the process is gone
        assert emulator.shafts()[0][-1][1] == 1500.0
        line.close()


class TestRefusals:
    def test_a_port_that_is_not_there(self) -> None:
        with pytest.raises(LineError, match="cannot be opened"):
            open_line(Bus("arm", BusKind.MAESTRO, "/dev/nothing"))

    def test_an_unknown_option(self, maestro: MaestroEmulator) -> None:
        with pytest.raises(OptionError, match=r"'devise'.*Did you mean 'device'"):
            MaestroLine(bus(maestro, "?devise=3"))
        with pytest.raises(OptionError, match="0 to 127"):
            MaestroLine(bus(maestro, "?device=300"))

    def test_a_pulse_that_it_cannot_send(self, line: MaestroLine) -> None:
        with pytest.raises(LineError, match=r"4095\.75"):
            line.prepare([slot(0, ends=(500.0, 5000.0))])

    def test_a_channel_that_it_has_not(self) -> None:
        with MaestroEmulator(range(12)) as emulator:
            line = MaestroLine(bus(emulator))
            with pytest.raises(LineError):
                line.prepare([slot(20)])
            line.close()

    def test_its_own_settings_narrow_the_range(self) -> None:
        with MaestroEmulator(ends=(992.0, 2000.0)) as emulator:
            line = MaestroLine(bus(emulator))
            line.patience_s = 2.0
            line.prepare([slot(0)])
            with pytest.raises(LineError, match="Maestro Control Center"):
                line.enable(np.array([2300.0]))
            assert np.all(np.isnan(line.positions()))  # it was switched off again
            line.close()

    def test_silence(self, maestro: MaestroEmulator, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(inquiry, "_SILENCE_S", 0.03)
        line = MaestroLine(bus(maestro))
        maestro.mute()
        for call in (lambda: line.prepare([slot(0)]), lambda: line.find([0])):
            with pytest.raises(LineError, match="does not answer"):
                call()
        line.close()

    def test_silence_in_polls(
        self, maestro: MaestroEmulator, line: MaestroLine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(inquiry, "_SILENCE_S", 0.03)
        line.prepare([slot(0)])
        maestro.mute()
        with pytest.raises(LineError, match="does not answer"):
            for _ in range(100):
                line.poll(0.01)

    def test_an_unplugged_cable(self, maestro: MaestroEmulator, line: MaestroLine) -> None:
        line.prepare([slot(0)])
        line.enable(np.array([1500.0]))
        maestro.unplug()
        for call in (lambda: line.send(np.array([1501.0]), 0.0), line.positions, line.hold, line.release):
            with pytest.raises(LineError, match="gone"):
                call()
        line.close()
        line.close()

    def test_nobody_reads(self, maestro: MaestroEmulator, line: MaestroLine) -> None:
        line.prepare([slot(channel) for channel in range(24)])
        maestro.slow(60.0)
        with pytest.raises(LineError, match="does not take"):
            for _ in range(10_000):
                line.send(np.full(24, 1500.0), 0.0)
