"""A 6-axis arm writes "hello": 3.68 m of cursive in 12.13 s, with the rhythm of the hand.

Run it with a folder to write to, and perhaps a robot of your own: python examples/trace_hello.py out robot.urdf tool0
"""

from __future__ import annotations

import sys
from pathlib import Path

from animato.formats.character_files import load_character
from animato.formats.motion_files import save_motion
from animato.report.trace.page import save_trace_page
from animato.trace.sketch.loading import load_sketch
from animato.trace.solution import Traced
from animato.trace.solve import trace_strokes
from animato.trace.timing.between_grid import shares_between


def main(folder: Path, robot: str = "arm6", point: str = "pen") -> Traced:
    """Traces the word and writes the clip and its page; any other robot writes it where it can."""
    arm = load_character(robot)
    start = "board" if robot == "arm6" else None
    sketch = load_sketch("hello", arm, point=point, start=start)
    traced = trace_strokes(arm, sketch, start=start, name="hello")
    save_motion(folder / "hello.npz", traced.clip, arm)
    save_trace_page(folder / "hello.html", traced)
    shares = shares_between(arm, traced.path, traced.scaling)
    print(
        f"{arm.name} writes {sketch.length:.2f} m in {traced.scaling.duration:.2f} s (drawn: {sketch.duration:.2f} s), "
        f"{1000 * traced.deviations.mean():.2f} mm off the line and {1000 * traced.timing_error:.0f} ms off the rhythm "
        f"on average; largest share of a limit {max(shares.values()):.3f}, optimal to {100 * traced.scaling.gap:.3f} %"
    )
    return traced


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
