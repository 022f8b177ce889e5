"""What the machine itself does to frames: plain bytes through a pty, by two processes with nothing else to do."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

PERIOD_S = 0.01
_FRAME = 92  # bytes, as of twelve Dynamixel servos


class Bystander:
    """Sends a frame every 10 ms through a pty while something else is measured; both ends run in real time.

    Attributes:
        p99_ms: How late 99 of 100 of its frames were on the other side [ms].
        worst_ms: And the last one.
        missed: Moments at which it was to send and slept for more than half a frame longer.
    """

    def __enter__(self) -> Self:
        self.p99_ms, self.worst_ms, self.missed = np.nan, np.nan, 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.stage_bystander"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[1],
        )
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        said, _ = self._process.communicate(timeout=30.0)
        late, worst, missed = said.decode().split()
        self.p99_ms, self.worst_ms, self.missed = float(late), float(worst), int(missed)


def _in_real_time() -> None:
    if hasattr(os, "sched_setscheduler"):
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))


def _hear(master: int, out: int) -> None:
    """Reads until an odd byte comes, and writes when each frame was there [s]."""
    _in_real_time()
    got: list[float] = []
    heard = 0
    while True:
        data = os.read(master, 4096)
        now = time.monotonic()
        heard += len(data)
        got += [now] * (heard // _FRAME - len(got))
        if data.endswith(b"x"):
            break
    data = np.array(got).tobytes()
    while data:
        data = data[os.write(out, data) :]


def main() -> None:
    """Sends until its input ends; prints how late 99 of 100 and the last were [ms], and how many were missed."""
    import pty
    import select
    import tty

    master, slave = pty.openpty()
    tty.setraw(slave)
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        _hear(master, theirs)
        os._exit(0)
    os.close(theirs)
    _in_real_time()
    due: list[float] = []
    missed, start, number = 0, time.monotonic(), 0
    while not select.select([sys.stdin], [], [], 0.0)[0]:
        at = start + number * PERIOD_S
        time.sleep(max(0.0, at - time.monotonic()))
        skipped = int((time.monotonic() - at) / PERIOD_S + 0.5)
        missed, number = missed + skipped, number + skipped + 1
        due.append(at + skipped * PERIOD_S)
        os.write(slave, b"a" * _FRAME)
    os.write(slave, b"x")
    data = b""
    while chunk := os.read(ours, 1 << 16):
        data += chunk
    os.waitpid(child, 0)
    late = np.sort(1e3 * np.abs(np.frombuffer(data) - np.array(due)))
    print(late[int(0.99 * (len(late) - 1))], late[-1], missed)


if __name__ == "__main__":
    main()
