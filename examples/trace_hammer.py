"""A hammer: down fast, up slowly. The more the timing counts (beta), the more the robot's strike looks like one.

Run it with a folder to write to: python examples/trace_hammer.py out
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from animato.formats.character_files import load_character
from animato.formats.motion_files import save_motion
from animato.report.trace.curves import build_trace_curves
from animato.trace.sketch.loading import load_sketch
from animato.trace.solution import Traced
from animato.trace.solve import retimed, trace_strokes

BETAS = (0.1, 1.0, 10.0, 100.0)


def main(folder: Path) -> dict[float, float]:
    """Traces three strikes with several weights of the timing; how alike the speed profiles are, by beta."""
    arm = load_character("planar_arm")
    traced = trace_strokes(arm, load_sketch("hammer", arm), beta=BETAS[0], tempo_lock=False, name="hammer")
    likeness = {}
    for beta in BETAS:
        traced = retimed(traced, beta=beta)
        likeness[beta] = profile_likeness(traced)
        print(f"beta {beta:g}: {traced.scaling.duration:.2f} s, profiles alike by {likeness[beta]:.3f}")
    save_motion(folder / "hammer.npz", traced.clip, arm)
    return likeness


def profile_likeness(traced: Traced) -> float:
    """Correlation of the drawn and the performed speed along the path; 1 where one is a multiple of the other."""
    curves = build_trace_curves(traced)
    return float(np.corrcoef(curves.drawn_speeds[:, 0], curves.performed_speeds[:, 0])[0, 1])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
