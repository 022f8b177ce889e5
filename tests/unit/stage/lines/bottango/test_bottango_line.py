"""A Bottango driver as a line, against its other side on a pty or calling over a network."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from animato.character import Bus, BusKind, Scale, Wire
from animato.errors import OptionError
from animato.stage.emulated import BottangoEmulator
from animato.stage.lines import Feedback, LineError, Slot, open_line
from animato.stage.lines.bottango import BottangoLine, bottango_line, calling, courier

SCALE = Scale(1500.0, 600.0, 500.0, 2500.0)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loaded machine is no silent driver."""
    monkeypatch.setattr(courier, "_SILENCE_S", (2.0, 2.0))
    monkeypatch.setattr(courier, "_LOST_S", (1.5, 1.5))
    monkeypatch.setattr(bottango_line, "_HOLD_S", 2.0)
    monkeypatch.setattr(bottango_line, "_LONGEST_AHEAD_S", 5.0)
    monkeypatch.setattr(BottangoLine, "patience_s", 5.0)


def slots(count: int, speed: float | None = 4000.0) -> list[Slot]:
    return [Slot(Wire(f"joint {n}", "arm", n, zero=1500.0), SCALE, speed, 600.0, 2400.0) for n in range(count)]


def opened(emulator: BottangoEmulator, options: str = "") -> BottangoLine:
    return BottangoLine(Bus("arm", BusKind.BOTTANGO, emulator.port + options), wait_s=10.0)


def play(line: BottangoLine, motion: Callable[[float], float], seconds: float, count: int) -> float:
    """Sends a motion at 100 Hz; when it began."""
    start = time.monotonic() + line.ahead_s
    for frame in range(round(seconds * 100.0) + 1):
        time.sleep(max(start - line.ahead_s + frame / 100.0 - time.monotonic(), 0.0))
        line.send(np.full(count, motion(frame / 100.0)), start + frame / 100.0)
    return start


def until(holds: Callable[[], bool]) -> bool:
    """Waits until something is so, for five seconds at most."""
    end = time.monotonic() + 5.0
    while not holds() and time.monotonic() < end:
        time.sleep(0.005)
    return holds()


@pytest.fixture
def driver() -> Iterator[BottangoEmulator]:
    with BottangoEmulator() as emulator:
        yield emulator


@pytest.fixture
def line(driver: BottangoEmulator) -> Iterator[BottangoLine]:
    made = opened(driver)
    yield made
    made.close()


def test_servos_are_made_known_when_they_are_switched_on(driver: BottangoEmulator, line: BottangoLine) -> None:
    notes = line.prepare(slots(3, speed=1000.0))
    assert "cannot tell" in notes[0]
    assert driver.board.motors == {}
    assert np.all(np.isnan(line.positions()))
    line.enable(np.array([1400.0, 1500.0, 1600.4]))
    assert {name: motor.pulse for name, motor in driver.board.motors.items()} == {"0": 1400, "1": 1500, "2": 1600}
    assert driver.board.motors["0"].step_us == 800  # 1250 microseconds a second
    np.testing.assert_allclose(line.positions(), [1400.0, 1500.0, 1600.0], atol=0.2)
    line.enable(np.array([1400.0, 1500.0, 1600.4]))  # a second time changes nothing
    line.release()
    assert driver.board.motors == {}


def test_a_motion_ends_where_it_was_told(driver: BottangoEmulator, line: BottangoLine) -> None:
    line.prepare(slots(12))
    line.enable(np.full(12, 1500.0))
    play(line, lambda t: 1500.0 + 200.0 * np.sin(np.pi * min(t / 0.4, 1.0) / 2.0) ** 2, 0.5, 12)
    assert until(lambda: {motor.pulse for motor in driver.board.motors.values()} == {1700})
    assert driver.board.strange == 0
    line.release()


def test_an_uno_never_loses_a_curve_that_it_still_needs() -> None:
    with BottangoEmulator(range(8), kind="uno") as emulator:
        line = opened(emulator, "?board=uno")
        line.prepare(slots(8))
        line.enable(np.full(8, 1500.0))
        play(line, lambda t: 1500.0 + 200.0 * np.sin(4.0 * t) ** 2, 1.0, 8)
        line.close()
        curves = [text for _, text in emulator.board.commands if text.startswith("sC,")]
        assert len(curves) > 8 * 10
        assert max(len(text) for text in curves) < 100  # what an Uno reads
        assert emulator.board.overwritten == 0


def test_when_nobody_speaks_any_more_servos_stand_within_the_time_ahead(
    driver: BottangoEmulator, line: BottangoLine
) -> None:
    line.prepare(slots(4))
    line.enable(np.full(4, 1000.0))
    play(line, lambda t: 1000.0 + 600.0 * t, 0.5, 4)
    stopped = time.monotonic()  # the process is gone here: curves that were sent play on
    line._courier._stopping.set()
    time.sleep(0.6)
    moved = max(at for record in driver.shafts().values() for at, where, goal in _changes(record))
    assert moved - stopped < line.ahead_s + 0.08  # 0.2 s, but where a loaded machine makes curves longer


def _changes(record: list[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    return [after for before, after in pairwise(record) if after[1] != before[1]]


def test_hold_stops_at_once_where_it_is(driver: BottangoEmulator, line: BottangoLine) -> None:
    line.prepare(slots(4))
    line.enable(np.full(4, 1000.0))
    play(line, lambda t: 1000.0 + 600.0 * t, 0.4, 4)
    line.hold()
    held = [motor.pulse for motor in driver.board.motors.values()]
    time.sleep(0.3)
    assert [motor.pulse for motor in driver.board.motors.values()] == held
    assert all(curve is None for motor in driver.board.motors.values() for curve in motor.curves)


def test_a_motion_that_comes_to_rest_is_played_to_its_end(driver: BottangoEmulator, line: BottangoLine) -> None:
    line.prepare(slots(2))
    line.enable(np.full(2, 1000.0))
    play(line, lambda t: 1000.0 + 100.0 * min(t / 0.2, 1.0), 0.22, 2)
    line.hold()
    assert until(lambda: {motor.pulse for motor in driver.board.motors.values()} == {1100})


def test_channels_of_pca9685_boards() -> None:
    with BottangoEmulator(range(18), pca9685=0x41) as emulator:
        line = opened(emulator, "?pca9685=0x41")
        one = slots(18)[17]
        line.prepare([one])
        line.enable(np.array([1500.0]))
        assert list(emulator.board.motors) == ["661"]
        play(line, lambda t: 1500.0 + 100.0 * min(t / 0.2, 1.0), 0.25, 1)
        assert until(lambda: emulator.board.motors["661"].pulse == 1600)
        line.close()


def test_a_driver_on_a_network_calls() -> None:
    with BottangoEmulator(address=f"127.0.0.1:{_free_port()}") as emulator:
        line = opened(emulator)
        assert line.find()[0].model == "Bottango driver 0.8.0c1"
        line.prepare(slots(2))
        line.enable(np.full(2, 1500.0))
        play(line, lambda t: 1500.0 + 100.0 * min(t / 0.2, 1.0), 0.25, 2)
        assert until(lambda: {motor.pulse for motor in emulator.board.motors.values()} == {1600})
        line.close()


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_clock_that_is_fast_is_set_again(driver: BottangoEmulator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bottango_line, "_SYNC_S", 0.1)
    with BottangoEmulator(drift=0.02) as emulator:
        line = opened(emulator)
        line.prepare(slots(1))
        line.enable(np.array([1500.0]))
        syncs = sum(text.startswith("tSYN") for _, text in emulator.board.commands)
        time.sleep(0.5)
        assert sum(text.startswith("tSYN") for _, text in emulator.board.commands) > syncs
        line.close()


def test_spoiled_commands_are_sent_again(driver: BottangoEmulator, line: BottangoLine) -> None:
    line.prepare(slots(4))
    line.enable(np.full(4, 1500.0))
    driver.garble(0.002, seed=3)
    play(line, lambda t: 1500.0 + 100.0 * min(t / 0.4, 1.0), 0.5, 4)
    driver.garble(0.0)
    assert line._courier.lost > 0
    # nothing that came through was obeyed wrongly
    assert all(600 <= motor.pulse <= 1601 for motor in driver.board.motors.values())


def test_a_session_that_another_program_left_is_ended(
    driver: BottangoEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calling, "_REPEAT_S", 0.1)
    monkeypatch.setattr(calling, "_STALE_S", 0.2)
    first = opened(driver)
    first.close()
    assert driver.board.is_greeted
    second = opened(driver)
    second.prepare(slots(1))
    second.close()


class TestRefusals:
    def test_more_motors_than_the_board_takes(self, line: BottangoLine, driver: BottangoEmulator) -> None:
        with pytest.raises(LineError, match=r"17 servos.*takes 16"):
            line.prepare(slots(17))
        line.close()
        driver.board.restart()
        for options, most in (("?board=uno", 8), ("?board=uno&pca9685", 6)):
            driver.board.restart()
            uno = opened(driver, options)
            with pytest.raises(LineError, match=f"{most + 1} servos.*Uno or Nano takes {most}"):
                uno.prepare(slots(most + 1))
            uno.close()

    def test_more_motors_than_the_board_has_room_for(self) -> None:
        """Nobody said that it is an Uno; the driver says so itself."""
        with BottangoEmulator(kind="uno") as emulator:
            line = opened(emulator)
            line.prepare(slots(9))
            with pytest.raises(LineError, match=r"'joint 8'.*no room"):
                line.enable(np.full(9, 1500.0))
            assert until(lambda: emulator.board.motors == {})
            line.close()

    def test_a_range_that_is_none(self, line: BottangoLine) -> None:
        one = Slot(Wire("joint", "arm", 1, zero=1500.0), SCALE, None, 1500.2, 1500.9)
        with pytest.raises(LineError, match="whole ones"):
            line.prepare([one])

    def test_unknown_options(self, driver: BottangoEmulator) -> None:
        for options, words in (("?bord=uno", "Did you mean 'board'"), ("?board=due", "'due'"), ("?pca9685=x", "0x40")):
            with pytest.raises(OptionError, match=words):
                opened(driver, options)

    def test_a_port_that_is_not_there(self) -> None:
        for port in ("/dev/nothing", "tcp://127.0.0.1:99999", "tcp://nowhere", "tcp://192.0.2.1:5000"):
            with pytest.raises(LineError):
                open_line(Bus("arm", BusKind.BOTTANGO, port))

    def test_nobody_calls(self) -> None:
        bus = Bus("arm", BusKind.BOTTANGO, f"tcp://127.0.0.1:{_free_port()}")
        with pytest.raises(LineError, match="no driver connected"):
            BottangoLine(bus, wait_s=0.1)

    def test_nobody_answers(self, driver: BottangoEmulator) -> None:
        driver.mute()
        with pytest.raises(LineError, match="nobody answers"):
            BottangoLine(Bus("arm", BusKind.BOTTANGO, driver.port), wait_s=0.3)

    def test_a_driver_that_goes_silent(
        self, driver: BottangoEmulator, line: BottangoLine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        line.prepare(slots(2))
        line.enable(np.full(2, 1500.0))
        monkeypatch.setattr(courier, "_SILENCE_S", (0.2, 0.2))
        driver.mute()
        with pytest.raises(LineError, match="does not answer"):
            play(line, lambda t: 1500.0 + 100.0 * t, 2.0, 2)

    def test_a_line_that_spoils_most(self, driver: BottangoEmulator, line: BottangoLine) -> None:
        line.prepare(slots(4))
        line.enable(np.full(4, 1500.0))
        driver.garble(0.05, seed=1)
        with pytest.raises(LineError, match="spoiled on their way"):
            play(line, lambda t: 1500.0 + 100.0 * t, 3.0, 4)

    def test_a_board_that_restarts(self, driver: BottangoEmulator, line: BottangoLine) -> None:
        line.prepare(slots(2))
        line.enable(np.full(2, 1500.0))
        driver.reboot()
        with pytest.raises(LineError, match="started anew"):
            play(line, lambda t: 1500.0 + 100.0 * t, 2.0, 2)

    def test_a_stop_button(self, driver: BottangoEmulator, line: BottangoLine) -> None:
        line.prepare(slots(2))
        line.enable(np.full(2, 1500.0))
        driver.press_stop()
        until = time.monotonic() + 3.0
        heard: tuple[Feedback, ...] = ()
        while not heard and time.monotonic() < until:
            heard = line.poll(0.01)
        assert [one.id for one in heard] == [0, 1]
        assert "stop button" in heard[0].fault

    def test_an_unplugged_cable(self, driver: BottangoEmulator, line: BottangoLine) -> None:
        line.prepare(slots(2))
        line.enable(np.full(2, 1500.0))
        driver.unplug()
        with pytest.raises(LineError, match="gone"):
            play(line, lambda t: 1500.0 + 100.0 * t, 2.0, 2)
        for call in (line.positions, line.hold, line.release, lambda: line.poll(0.0)):
            with pytest.raises(LineError, match="gone"):
                call()

    def test_nobody_reads(self, driver: BottangoEmulator, line: BottangoLine, monkeypatch: pytest.MonkeyPatch) -> None:
        line.prepare(slots(2))
        line.enable(np.full(2, 1500.0))
        monkeypatch.setattr(courier, "_SILENCE_S", (0.2, 0.2))
        driver.slow(60.0)
        with pytest.raises(LineError, match=r"does not (take|answer)"):
            play(line, lambda t: 1500.0 + 100.0 * t, 2.0, 2)


def test_no_hidden_files(tmp_path: Path) -> None:
    """A port that is a plain file is refused, not written into."""
    file = tmp_path / "port"
    file.write_text("mine")
    with pytest.raises(LineError):
        open_line(Bus("arm", BusKind.BOTTANGO, str(file)))
    assert file.read_text() == "mine"
