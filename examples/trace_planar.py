"""A planar arm with four links: a smoother path is farther from the drawing and can be driven faster.

Run it with a folder to write to: python examples/trace_planar.py out
"""

from __future__ import annotations

import sys
from pathlib import Path

from animato.formats.character_files import load_character
from animato.formats.motion_files import save_motion
from animato.trace.sketch.loading import load_sketch
from animato.trace.solution import Traced
from animato.trace.solve import trace_strokes

ALPHAS = (1e-10, 1e-8, 1e-6, 1e-5, 1e-4)


def main(folder: Path) -> list[Traced]:
    """Traces a flourish as fast as the motors allow, with more and more smoothing."""
    arm = load_character("planar_arm")
    sketch = load_sketch("flourish", arm)
    traces = []
    print("alpha    mean distance from the drawing    shortest duration")
    for alpha in ALPHAS:
        traced = trace_strokes(
            arm,
            sketch,
            alpha=alpha,
            beta=0.0,
            gamma=1.0,
            tempo_lock=False,
            path_options={"control_point_count": 40},
            name="flourish",
        )
        traces.append(traced)
        print(f"{alpha:<8g} {1000 * traced.deviations.mean():10.1f} mm {traced.scaling.duration:24.2f} s")
    save_motion(folder / "flourish.npz", traces[0].clip, arm)
    return traces


if __name__ == "__main__":
    main(Path(sys.argv[1]))
