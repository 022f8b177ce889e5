"""Commands as lines and as datagrams: whoever reads them or does not, the loop never waits."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from animato.errors import AnimatoError, OptionError
from animato.express.loop import command_lines
from animato.express.loop.command import Command
from animato.express.loop.command_lines import CommandLines
from animato.express.loop.command_sinks import CommandSinks, command_text
from animato.express.loop.udp_commands import UdpCommands
from animato.express.sources.losses import Losses

POSIX = pytest.mark.skipif(os.name != "posix", reason="only POSIX tells whether a pipe takes more")


def command(n: int, joints: int = 2) -> Command:
    values = np.full(joints, 0.25)
    return Command(n / 100, tuple(f"joint_{k}" for k in range(joints)), values, values, 0.0, False, ())


def nobody() -> None:
    raise AssertionError("the reader is still there")


def test_commands_are_lines_in_their_order() -> None:
    stream = io.StringIO()
    with CommandLines(stream, nobody) as sink:
        for n in range(60):
            sink(command(n))
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["time_s"] for line in lines] == [n / 100 for n in range(60)]
    assert lines[0]["positions"] == {"joint_0": 0.25, "joint_1": 0.25}
    assert sink.losses.count == 0


@POSIX
def test_a_reader_that_pauses_costs_commands_and_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_lines, "_PATIENCE_S", 5.0)
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as stream, os.fdopen(reading) as reader:
        sink, slowest = CommandLines(stream, nobody), 0.0
        for n in range(3000):  # far more than the pipe holds
            before = time.perf_counter()
            sink(command(n))
            slowest = max(slowest, time.perf_counter() - before)
        assert slowest < 1.0
        received: list[str] = []
        listener = threading.Thread(target=lambda: received.extend(reader))
        listener.start()
        sink.close()
        stream.close()
        listener.join(5.0)
    times = [json.loads(line)["time_s"] for line in received]  # no line is torn
    assert times == sorted(times)
    assert times[-1] == 29.99  # the newest is never the one that is lost
    assert sink.losses.count == 3000 - len(times) > 100
    assert "did not keep up" in sink.losses.first


@POSIX
def test_a_reader_that_never_comes_back_does_not_hold_the_end_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_lines, "_PATIENCE_S", 0.1)
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as stream, os.fdopen(reading, "rb") as reader:
        sink, threads = CommandLines(stream, nobody), threading.active_count()
        for n in range(2000):
            sink(command(n))
        began = time.perf_counter()
        sink.close()
        assert time.perf_counter() - began < 2.0
        assert threading.active_count() == threads - 1
        os.set_blocking(reading, False)
        whole = reader.read().count(b"\n")
    assert sink.losses.count == 2000 - whole


@POSIX
def test_a_reader_that_leaves_loses_nothing() -> None:
    reading, writing = os.pipe()
    left = threading.Event()
    with os.fdopen(writing, "w") as stream:
        sink = CommandLines(stream, left.set)
        sink(command(0))
        os.close(reading)
        for n in range(1, 90):
            sink(command(n))
        assert left.wait(5.0)
        sink(command(300))
        sink.close()
    assert sink.losses.count == 0


def test_a_stream_that_is_full_is_told() -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    with CommandLines(Full(), nobody) as sink:
        sink(command(0))
        sink(command(1))
    assert sink.losses.count == 2
    assert "No space left" in sink.losses.first


def test_commands_are_datagrams() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.settimeout(5.0)
        with UdpCommands("127.0.0.1", listener.getsockname()[1]) as sink:
            for n in range(3):
                sink(command(n))
        received = [listener.recv(65536).decode() for _ in range(3)]
    assert received == [command_text(command(n)) for n in range(3)]
    assert sink.losses.count == 0


def test_datagrams_that_nobody_takes_are_counted() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    with UdpCommands("127.0.0.1", port) as sink:
        began = time.perf_counter()
        for n in range(50):
            sink(command(n))
        assert time.perf_counter() - began < 1.0
        assert sink.losses.count >= 49  # of the last one, nobody has told yet
        assert "nobody listens at 127.0.0.1" in sink.losses.first
    with UdpCommands("127.0.0.1", port) as large:
        large(command(0, joints=5000))
    assert large.losses.count == 1


def test_hosts_and_ports_are_checked() -> None:
    with pytest.raises(OptionError, match="1 to 65535"):
        UdpCommands("127.0.0.1", 0)
    with pytest.raises(AnimatoError, match="Name another host"):
        UdpCommands("no host is called this", 9000)


def test_several_sinks_get_the_same_and_fail_alone() -> None:
    class Broken:
        losses = Losses()

        def __call__(self, command: Command) -> None:
            raise ValueError("no room")

        def close(self) -> None:
            pass

    stream = io.StringIO()
    with CommandSinks(Broken(), CommandLines(stream, nobody)) as sink:
        sink(command(0))
        sink(command(1))
    assert stream.getvalue().count("\n") == 2
    assert sink.losses.count == 2
    assert sink.losses.first == "Broken failed: no room"


@POSIX
def test_the_program_goes_on_while_its_reader_pauses_and_says_what_was_lost() -> None:
    """As a program with a pipe: 3 s at 1 kHz are more than a pipe holds."""
    words = [sys.executable, "-m", "animato.cli", "express", "skeleton_c", "--posture", "curious", "--targets", "-"]
    program = subprocess.Popen([*words, "--duration-s", "3", "--rate-hz", "1000"], stdin=-1, stdout=-1, stderr=-1)
    assert program.stdin and program.stdout and program.stderr
    program.stdin.write(b"1 0 1\n")
    program.stdin.close()
    said = program.stderr.read().decode()  # the commands are not read before it ends
    times = [json.loads(line)["time_s"] for line in program.stdout.read().splitlines()[:-1]]
    program.stdout.close()
    program.stderr.close()
    assert program.wait(timeout=30) == 1
    assert "3000 commands for 3.00 s" in said
    lost = int(said.split("LOST: ")[1].split()[0])
    assert "warning: commands lost" in said
    assert 0 <= 3000 - lost - len(times) <= 1  # the last line may be torn
