"""Long clips: seconds a frame and memory of minutes and of an hour, each in a process of its own."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from animato.fix import Options, build, solve
from benchmarks.fix_cases import named
from benchmarks.fix_clips import to_and_fro

CASE = "pico_bust.hello_1.5x"
"""What is played to and fro."""


@dataclass(frozen=True)
class Length:
    """A clip of some minutes.

    Attributes:
        minutes: How long.
        seconds_per_frame: Of processor time that the solve took: minutes are too long for a quiet machine.
        memory_mb: What the process held at most beyond what it held after a clip of ten seconds [MB].
    """

    minutes: float
    seconds_per_frame: float
    memory_mb: float


def measured(minutes: float) -> Length:
    """A clip of so many minutes, in a process of its own, so that memory is its own."""
    command = [sys.executable, "-m", "benchmarks.fix_growth", str(minutes)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return Length(**json.loads(done.stdout.splitlines()[-1]))


def _run(minutes: float) -> dict[str, float]:
    case = named(CASE)
    options = Options(collisions=False)
    solve(build(case.character, to_and_fro(case.clip, 10.0), options))
    before = _most_held_mb()
    clip = to_and_fro(case.clip, 60.0 * minutes)
    begin = time.process_time()
    solve(build(case.character, clip, options))
    seconds = time.process_time() - begin
    held = _most_held_mb() - before
    return {"minutes": minutes, "seconds_per_frame": seconds / clip.frame_count, "memory_mb": held}


def _most_held_mb() -> float:
    """The most that this process has held [MB]. What `resource` tells begins with what the parent held, on Linux."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    line = next(one for one in status.read_text().splitlines() if one.startswith("VmHWM"))
    return float(line.split()[1]) / 1024.0


if __name__ == "__main__":
    print(json.dumps(_run(float(sys.argv[1]))))
