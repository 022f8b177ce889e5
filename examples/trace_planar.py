"""A planar arm with four links: a smoother path is farther from the drawing and can be driven faster.

Run it with a folder to write to: python examples/trace_planar.py out
"""

from __future__ import annotations

import sys
from pathlib import Path

import animato as an

ALPHAS = (1e-10, 1e-8, 1e-6, 1e-5, 1e-4)


def main(folder: Path) -> list[an.trace.Solution]:
    """Traces a flourish as fast as the motors allow, with more and more smoothing."""
    arm = an.load_character("planar_arm")
    sketch = an.load_strokes("flourish", arm)
    traces = []
    print("alpha    mean distance from the drawing    shortest duration")
    for alpha in ALPHAS:
        options = an.trace.Options(alpha=alpha, beta=0.0, gamma=1.0, tempo_lock=False, control_point_count=40)
        solution = an.trace.solve(an.trace.build(arm, sketch, options, name="flourish"))
        traces.append(solution)
        print(f"{alpha:<8g} {1000 * solution.deviations.mean():10.1f} mm {solution.scaling.duration:24.2f} s")
    an.save(folder / "flourish.npz", traces[0].clip, arm)
    return traces


if __name__ == "__main__":
    main(Path(sys.argv[1]))
