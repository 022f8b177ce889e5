"""Whatever is sent to a loop, and however much of it, memory and the time of a frame stay bounded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from animato.express.loop.live_loop import Loop
from animato.express.problem import build, parse_line
from animato.express.sources import LiveTargets, StreamTargets, UdpTargets
from animato.formats.character_files import load_character
from tests.unit.express.near_follower import Near, NearFollower

TARGETS = b"\n".join(b"%.3f 0.4 0.5" % (1.0 + 1e-3 * n) for n in range(3000))
HOSTILE = (
    TARGETS,
    TARGETS[:20],
    os.urandom(60_000),
    b"\n" * 60_000,
    b"nan nan nan\n" * 5000,
    b'{"point": [NaN, Infinity, 1e999]}\n' * 1500,
    b'{"point": ' + b"[" * 15_000 + b"]" * 1000 + b"}",
    b'{"posture": "nobody\'s"}\n' * 2500,
    b'{"posture": {' + b",".join(b'"j%d": 0' % n for n in range(1000)) + b"}}",
    b'{"smoothness": 1e309, "orientation_weight": "much"}\n' * 1000,
    b"7" * 60_000,
    json.dumps({"direction": [1] * 8000}).encode(),
)


class Still(NearFollower):
    """Stays where it is, so that only the loop takes time."""

    def update(self, target_wxyz: np.ndarray) -> Near:
        return Near(self.q.copy())


@pytest.fixture(scope="module")
def loop() -> Loop:
    return Loop(build(load_character("lamp"), "proud"), build=Still)


FLOODER = """
import os, socket, sys
datagrams = [bytes.fromhex(line) for line in sys.stdin.readline().split()]
place = int(sys.argv[1])
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
while True:
    for data in datagrams:
        try:
            sender.sendto(data, ("127.0.0.1", place)) if place else os.write(1, data + b"\\n")
        except ConnectionRefusedError:
            pass
        except BrokenPipeError:
            sys.exit()
"""


@contextmanager
def flooder(port: int = 0) -> Iterator[subprocess.Popen[bytes]]:
    """A program that sends what is hostile, to a port or else to its standard output, until it is killed."""
    with subprocess.Popen([sys.executable, "-c", FLOODER, str(port)], stdin=-1, stdout=-1) as program:
        try:
            assert program.stdin is not None
            program.stdin.write(" ".join(data.hex() for data in HOSTILE).encode() + b"\n")
            program.stdin.close()
            yield program
        finally:
            program.kill()  # or leaving would wait for it


def seconds_of_a_thousand_lines() -> float:
    """Processor time for reading a thousand lines: how quick this machine is now, with what else it does."""
    lines = [line.decode() for line in TARGETS.split(b"\n")[:1000]]
    begin = time.thread_time()
    for line in lines:
        parse_line(line)
    return time.thread_time() - begin


def run_and_check(loop: Loop, source: LiveTargets) -> None:
    """A second and a half of flood."""
    before = loop.report()
    unit_s = seconds_of_a_thousand_lines()
    with source:
        begin = time.thread_time()
        report = loop.run(seconds=1.5, source=source)
        busy_s = time.thread_time() - begin
    assert report.frames == before.frames + 150
    assert loop.target is not None  # what was good among it was heard
    # a frame reads what two thousand good lines would take, at most; the flood sends a hundred times as many
    assert busy_s < 150 * 2.0 * unit_s
    assert {one.kind for one in report.warnings} >= {"bad line", "lines lost"}
    assert 100 < report.lost_lines - before.lost_lines <= source.losses.count  # the flood goes on after the report
    assert report.lost == 0
    assert np.isfinite(loop.step().positions).all()


def test_a_flood_of_datagrams(loop: Loop) -> None:
    source = UdpTargets(0)
    with flooder(source.port):
        run_and_check(loop, source)


@pytest.mark.skipif(os.name != "posix", reason="Windows cannot look whether a pipe has something")
def test_a_flood_through_a_pipe(loop: Loop) -> None:
    with flooder() as program:
        assert program.stdout is not None
        run_and_check(loop, StreamTargets(program.stdout.fileno()))


def test_a_flood_fills_no_memory() -> None:
    source = LiveTargets()
    tracemalloc.start()
    for n in range(3 * len(HOSTILE)):
        source._take(HOSTILE[n % len(HOSTILE)])
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 8e6
    assert peak < 30e6
