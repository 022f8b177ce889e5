"""A figure on a bicycle: one motor turns the crank, one the handlebar, and nothing is free to be animated.

So the design is. Three refinements, each from the design before it: the torso rolls evenly and farther, then leans
forward, then elbows come in and feet calm down. The motors keep their motion.

Run it with a folder to write to: python examples/design_biker.py out
With OPENBLAS_NUM_THREADS=1 in the environment it is several times faster: matrices are small, threads only wait.
"""

from __future__ import annotations

import sys
from pathlib import Path

from animato.design.problem.build import build
from animato.design.optimization.solution import Solution
from animato.design.optimization.solve import solve
from animato.design.options import DesignWeights, Options
from animato.formats.character_files import load_character, save_character
from animato.formats.character_yaml.table import save_joint_table
from animato.gallery.design.biker import EDITS
from animato.gallery.design.demonstrators import biker_motion
from animato.report.design.page import save_design_page
from animato.report.design.words import design_verdict


def main(folder: Path) -> list[Solution]:
    """Finds a design for every refinement, and writes pages, the last design and the table to build it by."""
    first = load_character("biker")
    start, found = None, []
    for edit in EDITS:
        # targets are edits of what the first design does
        problem = build(
            first, biker_motion(edit)(first), optimize="design", weights=DesignWeights(design=1e-4)
        )
        solution = solve(problem, start=start)
        print(f"{edit}: {design_verdict(solution)}")
        save_design_page(folder / f"biker_{edit.replace(' ', '_')}.html", solution)
        start = solution.optimized.point  # the next refinement goes on from here
        found.append(solution)
    last = found[-1].optimized.character
    save_character(folder / "biker.yaml", last)
    save_joint_table(folder / "biker_joints.csv", last, before=first)
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]))
