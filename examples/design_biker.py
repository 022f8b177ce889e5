"""A figure on a bicycle: one motor turns the crank, one the handlebar, and nothing is free to be animated.

So the design is. Three refinements, each from the design before it: the torso rolls evenly and farther, then leans
forward, then elbows come in and feet calm down. The motors keep their motion.

Run it with a folder to write to: python examples/design_biker.py out
"""

from __future__ import annotations

import sys
from pathlib import Path

import animato as an


def main(folder: Path) -> list[an.design.Solution]:
    """Finds a design for every refinement, and writes pages, the last design and the table to build it by."""
    first = an.load_character("biker")
    options = an.design.Options(optimize="design", weights=an.design.DesignWeights(design=1e-4))
    start, found = None, []
    for edit in an.gallery.design.EDITS:
        # targets are edits of what the first design does
        motion = an.gallery.design.biker_motion(edit)(first)
        solution = an.design.solve(an.design.build(first, motion, options), start=start)
        print(f"{edit}: {solution.outcome}")
        solution.save_page(folder / f"biker_{edit.replace(' ', '_')}.html")
        start = solution.optimized.point  # the next refinement goes on from here
        found.append(solution)
    last = found[-1].optimized.character
    an.save(folder / "biker.yaml", last)
    an.formats.character_yaml.save_joint_table(folder / "biker_joints.csv", last, before=first)
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]))
