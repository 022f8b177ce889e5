"""A robot that follows the pen while the stroke is still being drawn.

Run it with the file to write: python examples/trace_live.py live.npz
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from animato.formats.character_files import load_character
from animato.formats.motion_files import save_motion
from animato.trace.live.tracer import LiveFigures, LiveTracer, posture_at
from animato.trace.sketch.loading import load_sketch

RATE_HZ = 125.0


def main(path: Path, seconds: float = 12.2) -> LiveFigures:
    """Draws hello sample by sample, asks for a command after each, and saves what the robot did."""
    arm = load_character("arm6")
    hello = load_sketch("hello", arm, start="board")
    places, times = hello.positions[:, 0], hello.times
    tracer = LiveTracer(arm, "pen", start=posture_at(arm, "pen", places[0], "board"), delay_s=0.3)
    commands = []
    for place, time in zip(places, times, strict=True):
        if time > seconds:
            break
        tracer.add(place, time)  # from the tablet
        commands.append(tracer.command(time))  # to the drives
    tracer.finish()
    while not tracer.done:
        commands.append(tracer.advance(1.0 / RATE_HZ))
    figures = tracer.figures
    print(
        f"{len(commands)} commands, {figures.updates} plans, {np.median(figures.update_ms):.1f} ms each; "
        f"at rest {tracer.motion.ends - min(seconds, times[-1]):.2f} s after the pen"
    )
    save_motion(path, tracer.clip(RATE_HZ), arm)
    return figures


if __name__ == "__main__":
    main(Path(sys.argv[1]))
