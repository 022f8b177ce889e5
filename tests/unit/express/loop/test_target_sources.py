"""Targets from files, standard input and UDP."""

from __future__ import annotations

import os
import socket
import threading
import time
from pathlib import Path

import pytest

from animato.errors import AnimatoError, FileFormatError, OptionError
from animato.express.loop.target_sources import FileTargets, LiveTargets, StreamTargets, UdpTargets, open_targets
from animato.express.problem.target import Target


def wait_for(source: LiveTargets, count: int) -> list[Target | str]:
    news: list[Target | str] = []
    until = time.perf_counter() + 5.0
    while len(news) < count and time.perf_counter() < until:
        news += source.poll(0.0)
        time.sleep(0.005)
    return news


def test_a_file_plays_its_times_and_its_rate() -> None:
    lines = ["# a comment", "", "1 0 0", "2 0 0", '{"point": [3, 0, 0], "time_s": 1.0}', "4 0 0", "what?"]
    source = FileTargets(lines, 10.0)
    assert source.poll(0.0) == [Target(point=(1, 0, 0))]
    assert source.poll(0.05) == []
    assert source.poll(0.9) == [Target(point=(2, 0, 0))]
    assert not source.ended
    last = source.poll(2.0)
    assert [one if isinstance(one, str) else one.point for one in last] == [(3.0, 0.0, 0.0), (4.0, 0.0, 0.0), "what?"]
    assert source.ended


def test_files_that_hold_no_targets(tmp_path: Path) -> None:
    empty, binary = tmp_path / "empty.txt", tmp_path / "binary.txt"
    empty.write_text("# nothing\n\nhello\n")
    binary.write_bytes(b"\xff\xfe\x00")
    for path, words in ((empty, "no target"), (binary, "cannot be read"), (tmp_path / "missing", "cannot be read")):
        with pytest.raises(FileFormatError, match=words):
            FileTargets.of_file(path, 100.0)
    with pytest.raises(OptionError, match="greater than 0"):
        FileTargets(["1 2 3"], 0.0)


def test_lines_come_from_a_pipe_in_pieces() -> None:
    reading, writing = os.pipe()
    with StreamTargets(reading) as source:
        os.write(writing, b"1 0")
        os.write(writing, b" 1\n0 1 1\n# x\n\n")
        assert wait_for(source, 2) == ["1 0 1", "0 1 1"]
        os.write(writing, b"z" * 70_000 + b"\n5 5 5\nlast")
        news = wait_for(source, 2)
        assert news[-1] == "5 5 5"
        assert not source.ended
        os.close(writing)
        assert wait_for(source, 1) == ["last"]
        assert source.ended
    os.close(reading)


def test_a_quiet_pipe_does_not_hold_the_end_up() -> None:
    reading, writing = os.pipe()
    before, began = threading.active_count(), time.perf_counter()
    with StreamTargets(reading):
        pass
    assert time.perf_counter() - began < 0.9
    assert threading.active_count() == before
    os.close(writing)
    os.close(reading)


def test_datagrams_are_lines() -> None:
    began = time.perf_counter()
    with UdpTargets(0) as source, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"1 0 1", ("127.0.0.1", source.port))
        assert wait_for(source, 1) == ["1 0 1"]
        sender.sendto(b"1 2 3\n4 5 6\n", ("127.0.0.1", source.port))
        sender.sendto(b"\xff\x00", ("127.0.0.1", source.port))
        assert wait_for(source, 3)[:2] == ["1 2 3", "4 5 6"]
        assert not source.ended
        with pytest.raises(AnimatoError, match=f"port {source.port}"):
            UdpTargets(source.port)
        port = source.port
    UdpTargets(port).close()  # the port is free again
    assert time.perf_counter() - began < 5.0


def test_ports_and_addresses_are_checked() -> None:
    with pytest.raises(OptionError, match="0 to 65535"):
        UdpTargets(70_000)
    with pytest.raises(AnimatoError, match="Cannot listen"):
        UdpTargets(0, "203.0.113.7")  # an address of nobody's


def test_options_name_one_source(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("1 2 3\n")
    assert isinstance(open_targets(str(file), None, rate_hz=10.0), FileTargets)
    for name, whole in (("a.txt", False), (None, True)):
        with pytest.raises(OptionError, match="live"):
            open_targets(name, 0, rate_hz=10.0, whole=whole)
    source = open_targets(None, 0, rate_hz=10.0)
    assert isinstance(source, UdpTargets)
    source.close()


def test_nobody_asking_does_not_fill_the_memory() -> None:
    source = LiveTargets()
    source._take("\n".join(f"{n} 0 0" for n in range(12_000)))
    news = source.poll(0.0)
    assert len(news) == 10_000
    assert news[-1] == "11999 0 0"
