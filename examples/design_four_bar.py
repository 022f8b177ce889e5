"""Five lengths of a four-bar linkage, found from the curve that its pen should draw.

The curve comes from a linkage with other lengths, so the answer is known: it is found again to less than a nanometre.

Run it with a folder to write to: python examples/design_four_bar.py out
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import animato as an

# How much longer crank, coupler and rocker are, and where the pen sits to the side and above [m].
ANSWER = np.array([0.006, 0.012, -0.009, 0.012, -0.020])


def main(folder: Path) -> an.design.Solution:
    """Draws the curve, forgets the lengths, finds them again."""
    linkage = an.load_character("adjustable_four_bar")
    mechanism = an.mechanics.loops.assembly.build_mechanism(linkage)
    crank = np.linspace(0.0, 2.0 * np.pi, 120)[:, None]
    curve = an.mechanics.loops.loop_kinematics(mechanism, crank, ANSWER).positions("pen_holder")

    pen = an.design.TrackingTarget("pen_holder", np.zeros(3), curve, position_weights=np.full(3, 100.0), name="pen")
    weights = an.design.DesignWeights(design=1e-6, limits=1e-6)
    motion = an.design.TargetMotion((pen,), controls=crank, name="curve")
    solution = an.design.solve(an.design.build(linkage, motion, an.design.Options(optimize="design", weights=weights)))

    for name, found, wanted in zip(mechanism.design_names, solution.optimized.point.design, ANSWER, strict=True):
        print(f"{name}: {1000 * found:.6f} mm, should be {1000 * wanted:.6f} mm")
    an.save(folder / "four_bar.yaml", solution.optimized.character)
    solution.save_page(folder / "four_bar.html")
    return solution


if __name__ == "__main__":
    main(Path(sys.argv[1]))
