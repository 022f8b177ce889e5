"""A hammer: down fast, up slowly. The more the timing counts (beta), the more the robot's strike looks like one.

Run it with a folder to write to: python examples/trace_hammer.py out
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

import animato as an

BETAS = (0.1, 1.0, 10.0, 100.0)


def main(folder: Path) -> dict[float, float]:
    """Traces three strikes with several weights of the timing; how alike the speed profiles are, by beta."""
    arm = an.load_character("planar_arm")
    options = an.trace.Options(beta=BETAS[0], tempo_lock=False)
    solution = an.trace.solve(an.trace.build(arm, an.load_strokes("hammer", arm), options, name="hammer"))
    likeness = {}
    for beta in BETAS:
        solution = an.trace.retimed(solution, replace(options, beta=beta))
        likeness[beta] = profile_likeness(solution)
        print(f"beta {beta:g}: {solution.scaling.duration:.2f} s, profiles alike by {likeness[beta]:.3f}")
    an.save(folder / "hammer.npz", solution.clip, arm)
    return likeness


def profile_likeness(solution: an.trace.Solution) -> float:
    """Correlation of the drawn and the performed speed along the path; 1 where one is a multiple of the other."""
    curves = an.report.trace.build_trace_curves(solution)
    return float(np.corrcoef(curves.drawn_speeds[:, 0], curves.performed_speeds[:, 0])[0, 1])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
