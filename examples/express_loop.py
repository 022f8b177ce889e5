"""A lamp that keeps its proud look while a moth flies around it.

Run it with the name of the clip to write: python examples/express_loop.py moth.npz
Then look at it: animato view lamp moth.npz
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import animato as an


def moth(time_s: float) -> np.ndarray:
    """Where the moth is [m]: it swings from side to side before the lamp, and up and down faster."""
    angle = 0.9 * np.sin(0.8 * time_s)
    return np.array([0.8 * np.cos(angle), 0.8 * np.sin(angle), 0.35 + 0.1 * np.sin(2.1 * time_s)])


def main(path: Path, seconds: float = 8.0) -> an.express.LoopReport:
    """Follows the moth, saves the motion, and says how well it went."""
    lamp = an.load_character("lamp")
    problem = an.express.build(lamp, "proud", options=an.express.Options(rate_hz=50.0))
    loop = an.express.Loop(problem, record=True)
    while loop.time_s <= seconds:
        loop.submit(moth(loop.time_s))  # here a camera would speak, from a thread of its own and at its own rate
        loop.step()  # here the servos would be told
    an.save(path, loop.clip(), lamp)
    report = loop.report()
    print("\n".join(report.lines()))
    return report


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "moth.npz"))
