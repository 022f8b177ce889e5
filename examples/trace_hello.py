"""A 6-axis arm writes "hello": 3.68 m of cursive in 12.13 s, with the rhythm of the hand.

Run it with a folder to write to, and perhaps a robot of your own: python examples/trace_hello.py out robot.urdf tool0
"""

from __future__ import annotations

import sys
from pathlib import Path

import animato as an


def main(folder: Path, robot: str = "arm6", point: str = "pen") -> an.trace.Solution:
    """Traces the word and writes the clip and its page; any other robot writes it where it can."""
    arm = an.load_character(robot)
    start = "board" if robot == "arm6" else None
    sketch = an.load_strokes("hello", arm, point=point, start=start)
    solution = an.trace.solve(an.trace.build(arm, sketch, an.trace.Options(start=start), name="hello"))
    an.save(folder / "hello.npz", solution.clip, arm)
    solution.save_page(folder / "hello.html")
    shares = an.trace.timing.shares_between(arm, solution.path, solution.scaling)
    scaling, off = solution.scaling, solution.deviations
    print(
        f"{arm.name} writes {sketch.length:.2f} m in {scaling.duration:.2f} s (drawn: {sketch.duration:.2f} s), "
        f"{1000 * off.mean():.2f} mm off the line and {1000 * solution.timing_error:.0f} ms off the rhythm "
        f"on average; largest share of a limit {max(shares.values()):.3f}, optimal to {100 * scaling.gap:.3f} %"
    )
    return solution


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
