"""Targets from files, standard input and UDP."""

from __future__ import annotations

import os
import socket
import threading
import time
from pathlib import Path

import pytest

from animato.errors import AnimatoError, FileFormatError, OptionError
from animato.express.problem.target import Target
from animato.express.sources import target_sources
from animato.express.sources.live_targets import LiveTargets, StreamTargets, UdpTargets
from animato.express.sources.target_sources import FileTargets, open_targets


def wait_for(source: LiveTargets, count: int) -> list[str]:
    news: list[str] = []
    until = time.perf_counter() + 5.0
    while len(news) < count and time.perf_counter() < until:
        news += source.poll(0.0)
        time.sleep(0.005)
    return news


def test_a_file_plays_its_times_and_its_rate() -> None:
    lines = ["# a comment", "", "1 0 0", "2 0 0", '{"point": [3, 0, 0], "time_s": 1.0}', "4 0 0", "what?"]
    source = FileTargets(lines, 10.0)
    assert source.poll(0.0) == ["1 0 0"]
    assert source.poll(0.05) == []
    assert source.poll(0.9) == ["2 0 0"]
    assert not source.ended
    assert source.poll(2.0) == lines[4:]
    assert source.ended


def test_all_that_a_line_can_say_has_its_time() -> None:
    lines = ['{"posture": "sad", "time_s": 0.5}', "1 0 0", '{"smoothness": 0.2, "time_s": 0.1}', '{"time_s": NaN}']
    source = FileTargets([*lines, Target(point=(1, 2, 3), time_s=0.3)], 10.0)
    assert source.poll(0.2) == [lines[2], lines[3]]  # a time that is none is as good as none: the loop will say so
    assert source.poll(0.5) == [Target(point=(1, 2, 3), time_s=0.3), lines[0]]
    assert source.last_s == 0.6


def test_files_that_hold_no_targets(tmp_path: Path) -> None:
    empty, binary = tmp_path / "empty.txt", tmp_path / "binary.txt"
    empty.write_text("# nothing\n\nhello\n")
    binary.write_bytes(b"\xff\xfe\x00")
    for path, words in ((empty, "no target"), (binary, "cannot be read"), (tmp_path / "missing", "cannot be read")):
        with pytest.raises(FileFormatError, match=words):
            FileTargets.of_file(path, 100.0)
    with pytest.raises(OptionError, match="greater than 0"):
        FileTargets(["1 2 3"], 0.0)


def test_a_recording_without_an_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target_sources, "_LARGEST_RECORDING", 100_000)
    monkeypatch.setattr(target_sources, "_MOST_LINES", 1000)
    large, long = tmp_path / "large.txt", tmp_path / "long.txt"
    large.write_text("0" * 100_001)
    long.write_text("1 2 3\n" * 1001)
    for path, said in ((large, "100,000 characters"), (long, "in 1,000 lines"), ("/dev/zero", "Play a part of it")):
        if Path(path).exists():
            with pytest.raises(FileFormatError, match=said):
                FileTargets.of_file(path, 100.0)
    long.write_text("1 2 3\n" * 1000)
    assert FileTargets.of_file(long, 100.0).last_s == pytest.approx(9.99)
    with (tmp_path / "endless.txt").open("w+") as stream:
        stream.write("1 2 3\n" * 1001)
        stream.seek(0)
        monkeypatch.setattr("sys.stdin", stream)
        with pytest.raises(FileFormatError, match="standard input"):
            open_targets("-", None, rate_hz=100.0, whole=True)


def test_lines_come_from_a_pipe_in_pieces() -> None:
    reading, writing = os.pipe()
    with StreamTargets(reading) as source:
        os.write(writing, b"1 0")
        os.write(writing, b" 1\n0 1 1\n# x\n\n")
        assert wait_for(source, 2) == ["1 0 1", "0 1 1"]
        for _ in range(20):
            os.write(writing, b"z" * 20_000)  # a line as long as ten
        os.write(writing, b"\n5 5 5\nlast")
        assert wait_for(source, 1) == ["5 5 5"]
        assert source.losses.count == 1
        assert "16384 bytes" in source.losses.first
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


@pytest.mark.skipif(os.name != "posix", reason="named pipes are of POSIX")
def test_a_named_pipe_and_a_device_are_live(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with open_targets(str(pipe), None, rate_hz=10.0) as source:
        assert isinstance(source, StreamTargets)
        assert source.poll(0.0) == []
        assert not source.ended
        with pipe.open("w") as writing:
            writing.write("1 2 3\n")
        assert wait_for(source, 1) == ["1 2 3"]
        until = time.perf_counter() + 5.0
        while not source.ended and time.perf_counter() < until:
            time.sleep(0.005)
        assert source.ended
    with open_targets("/dev/zero", None, rate_hz=10.0) as zeros:
        time.sleep(0.1)
        assert zeros.poll(0.0) == []
        assert isinstance(zeros, StreamTargets)
        assert len(zeros._begun) <= 65536
        assert zeros.losses.count == 1  # it is one line, however long


def test_nobody_asking_does_not_fill_the_memory() -> None:
    source = LiveTargets()
    source._take(b"\n".join(b"%d 0 0" % n for n in range(12_000)))
    assert len(source._lines) <= 400
    news = source.poll(0.0)
    assert len(news) <= 50
    assert news[-1] == "11999 0 0"
    assert source.poll(0.0) == []
    assert source.losses.count > 11_000


def test_a_frame_hears_the_newest_target_and_all_else() -> None:
    source, posture = LiveTargets(), '{"posture": "sad", "point": [1, 2, 3]}'
    elsewhere = '{"point": [1, 2, 3], "end_point": "left"}'
    source._take("\n".join([posture, elsewhere, *(f'{{"point": [{n}, 0, 0]}}' for n in range(200))]).encode())
    news = source.poll(0.0)
    assert news[:2] == [posture, elsewhere]
    assert news[-1] == '{"point": [199, 0, 0]}'
    assert len(news) <= 50
    assert source.losses.count == 0  # an older target is not lost, a newer one counts
    assert source.poll(0.0) == []


def test_what_no_newer_line_makes_up_for_waits_for_the_next_frame() -> None:
    source = LiveTargets()
    lines = [f'{{"posture": "p{n}"}}' for n in range(120)]
    source._take("\n".join(lines).encode())
    assert [source.poll(0.0) for _ in range(4)] == [lines[:50], lines[50:100], lines[100:], []]
    long = ['{"posture": "' + "x" * 15_000 + '"}'] * 3
    source._take("\n".join(long).encode())
    assert [len(source.poll(0.0)) for _ in range(3)] == [2, 1, 0]
    source._take(("\n".join(lines) + "\n").encode() * 10)
    assert len(source._lines) <= 400
    assert source.losses.count >= 800
