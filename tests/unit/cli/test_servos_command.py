"""`animato servos` on emulated servos, by answers from standard input and by keys on a terminal."""

from __future__ import annotations

import io
import os
import pty
import threading
import time
from pathlib import Path

import pytest

from animato.cli import run
from animato.errors import OptionError
from animato.stage.emulated import DynamixelEmulator


@pytest.fixture
def lamp_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A map of the lamp in an empty folder, all zeros at 2048, on a port that is given later."""
    monkeypatch.chdir(tmp_path)
    assert run(["servos", "map", "lamp", "--kind", "dynamixel", "--port", "/dev/null"]) == 0
    for joint in ("turn", "shoulder", "elbow", "nod", "tilt"):
        run(["servos", "set", "lamp", joint, "zero=2048", "--servos", "lamp.servos.yaml"])
    return "lamp.servos.yaml"


def test_a_map_is_made_filled_and_shown(lamp_map: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["servos", "show", "lamp", "--servos", lamp_map]) == 0
    assert "1024..3072" in capsys.readouterr().out
    run(["servos", "set", "lamp", "turn", "zero=100", "--servos", lamp_map])
    assert run(["servos", "show", "lamp", "--servos", lamp_map]) == 1
    assert "does not cover" in " ".join(capsys.readouterr().err.split())
    with pytest.raises(OptionError, match=r"lamp\.servos\.yaml"):
        run(["servos", "show", "lamp"])


def test_find_prints_a_map_to_paste(capsys: pytest.CaptureFixture[str]) -> None:
    with DynamixelEmulator((1, 4)) as bus:
        assert run(["servos", "find", "--port", bus.port, "--kind", "dynamixel"]) == 0
        told = capsys.readouterr()
        assert f"port: {bus.port}" in told.out
        assert "JOINT_4: {bus: bus, id: 4}" in told.out
        assert "Servos 1, 4: firmware 47" in " ".join(told.err.split())
        bus.mute()
        assert run(["servos", "find", "--port", bus.port, "--kind", "dynamixel"]) == 1


def test_jog_to_an_angle(lamp_map: str, capsys: pytest.CaptureFixture[str]) -> None:
    with DynamixelEmulator(range(1, 6)) as bus:
        words = ["servos", "jog", "lamp", "turn", "-4", "--servos", lamp_map, "--port", bus.port]
        with pytest.raises(OptionError, match="Nobody is there"):
            run(words)
        assert not bus.frames
        status = run([*words, "--yes"])
        told = capsys.readouterr().err
        assert status == 0, told
        assert round(bus.bodies[1].goal) == 2002
        assert "turn is at -4.0 degrees; its torque is off" in told


def test_calibrate_by_answers(
    lamp_map: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with DynamixelEmulator(range(1, 6)) as bus:
        words = ["servos", "calibrate", "lamp", "nod", "--servos", lamp_map, "--port", bus.port]
        monkeypatch.setattr("sys.stdin", io.StringIO("\n\n"))
        before = Path(lamp_map).read_text()
        with pytest.raises(OptionError, match="Nothing was written"):
            run(words)
        assert Path(lamp_map).read_text() == before
        monkeypatch.setattr("sys.stdin", _Moving(bus, 4, ["\n", 2148.0, 2048.0, "\n", "\n"]))
        assert run(words) == 0
        assert "nod: {bus: dynamixel, id: 4, zero: 2148, sign: -1}" in Path(lamp_map).read_text()
        assert "port: /dev/null" in Path(lamp_map).read_text().replace('"', "")  # the port was for this time only
        assert "as it was: lamp.servos.yaml.bak" in capsys.readouterr().err


class _Moving(io.StringIO):
    """Answers; a number moves the shaft there first."""

    def __init__(self, bus: DynamixelEmulator, id: int, answers: list[str | float]) -> None:
        super().__init__()
        self._bus, self._id, self._answers = bus, id, answers

    def readline(self, *_: object) -> str:  # type: ignore[override]
        answer = self._answers.pop(0)
        if isinstance(answer, str):
            return answer
        self._bus.bodies[self._id].position = answer
        return "\n"


def test_keys_on_a_terminal(lamp_map: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import termios

    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    with DynamixelEmulator(range(1, 6)) as bus, os.fdopen(slave, "r", closefd=False) as terminal:
        monkeypatch.setattr("sys.stdin", terminal)
        failed: list[BaseException] = []

        def press() -> None:
            try:
                until = time.monotonic() + 30.0
                while not bus.bodies[1].torque and time.monotonic() < until:
                    time.sleep(0.01)
                for key in (b"\x1b[A", b"+", b"-", b"."):
                    os.write(master, key)
                    time.sleep(0.05)
                while abs(bus.bodies[1].position - 2059.0) > 0.5 and time.monotonic() < until:
                    time.sleep(0.01)
                os.write(master, b"q")
            except BaseException as error:
                failed.append(error)

        person = threading.Thread(target=press)
        person.start()
        status = run(["servos", "jog", "lamp", "turn", "--servos", lamp_map, "--port", bus.port, "--yes"])
        person.join()
        assert not failed
        assert status == 0
        assert round(bus.bodies[1].goal) == 2059
        assert not bus.bodies[1].torque
        assert termios.tcgetattr(slave) == before
    os.close(master)
    os.close(slave)
