"""A robot that follows the pen while the stroke is still being drawn.

Run it with the file to write: python examples/trace_live.py live.npz
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import animato as an

RATE_HZ = 125.0


def main(path: Path, seconds: float = 12.2) -> an.trace.LiveFigures:
    """Draws hello sample by sample, asks for a command after each, and saves what the robot did."""
    arm = an.load_character("arm6")
    hello = an.load_strokes("hello", arm, start="board")
    places, times = hello.positions[:, 0], hello.times
    loop = an.trace.Loop(arm, "pen", start=an.trace.posture_at(arm, "pen", places[0], "board"), delay_s=0.3)
    commands = []
    for place, time in zip(places, times, strict=True):
        if time > seconds:
            break
        loop.add(place, time)  # from the tablet
        commands.append(loop.command(time))  # to the drives
    loop.finish()
    while not loop.done:
        commands.append(loop.advance(1.0 / RATE_HZ))
    figures = loop.figures
    print(
        f"{len(commands)} commands, {figures.updates} plans, {np.median(figures.update_ms):.1f} ms each; "
        f"at rest {loop.motion.ends - min(seconds, times[-1]):.2f} s after the pen"
    )
    an.save(path, loop.clip(RATE_HZ), arm)
    return figures


if __name__ == "__main__":
    main(Path(sys.argv[1]))
