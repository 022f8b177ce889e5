"""Five lengths of a four-bar linkage, found from the curve that its pen should draw.

The curve comes from a linkage with other lengths, so the answer is known: it is found again to less than a nanometre.

Run it with a folder to write to: python examples/design_four_bar.py out
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from animato.design.problem.build import build
from animato.design.optimization.solution import Solution
from animato.design.optimization.solve import solve
from animato.design.terms.target import TrackingTarget
from animato.design.options import DesignWeights, Options
from animato.formats.character_files import load_character, save_character
from animato.mechanics.loops.assembly.build import build_mechanism
from animato.mechanics.loops.kinematics import loop_kinematics
from animato.report.design.page import save_design_page

# How much longer crank, coupler and rocker are, and where the pen sits to the side and above [m].
ANSWER = np.array([0.006, 0.012, -0.009, 0.012, -0.020])


def main(folder: Path) -> Solution:
    """Draws the curve, forgets the lengths, finds them again."""
    linkage = load_character("adjustable_four_bar")
    mechanism = build_mechanism(linkage)
    crank = np.linspace(0.0, 2.0 * np.pi, 120)[:, None]
    curve = loop_kinematics(mechanism, crank, ANSWER).positions("pen_holder")

    pen = TrackingTarget("pen_holder", np.zeros(3), curve, position_weights=np.full(3, 100.0), name="pen")
    weights = DesignWeights(design=1e-6, limits=1e-6)
    problem = build(linkage, [pen], controls=crank, optimize="design", weights=weights)
    solution = solve(problem)

    for name, found, wanted in zip(mechanism.design_names, solution.optimized.point.design, ANSWER, strict=True):
        print(f"{name}: {1000 * found:.6f} mm, should be {1000 * wanted:.6f} mm")
    save_character(folder / "four_bar.yaml", solution.optimized.character)
    save_design_page(folder / "four_bar.html", solution)
    return solution


if __name__ == "__main__":
    main(Path(sys.argv[1]))
