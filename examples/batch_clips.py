"""Checks forty swings of the lamp on all cores, stops nowhere for the broken one, and says which are too much.

Run it with the name of a folder for all files: python examples/batch_clips.py lamp_swings
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import animato as an


def write_swings(folder: Path, count: int) -> None:
    """Clips that swing all joints, from rest to rest, each more than the one before; and a file that is no clip.

    Args:
        folder: Where to.
        count: How many.
    """
    lamp = an.load_character("lamp")
    middle = an.Posture.named(lamp, "proud")
    times = np.arange(101) / 50.0
    there_and_back = np.sin(np.pi * times / times[-1])[:, None] ** 4
    for number in range(count):
        swing = 0.06 * (number + 1) * there_and_back * np.ones(len(middle.names))
        an.save(folder / f"swing_{number:02d}.csv", an.Clip(times, middle.names, middle.positions + swing), lamp)
    (folder / "broken.csv").write_text("time [s],turn [rad]\n0,zero\n", encoding="utf-8")


def main(folder: Path) -> an.batch.Summary:
    """Writes the clips, checks them, and prints the worst; running it again has nothing left to do."""
    write_swings(folder / "clips", 40)
    summary = an.batch.run_batch(folder / "clips", ["lamp"], "check", folder / "results", pages=3)
    table = an.batch.read_table(summary.out).sort_by([("worst", "descending")])
    for row in table.slice(0, 3).to_pylist():
        print(f"{row['clip']}: {row['worst']:.0%} of the {row['worst_kind']} of {row['worst_joint']}")
    for row in table.to_pylist():
        if row["status"] == "failed":
            print(f"{row['clip']} failed: {row['error']}")
    print(f"{summary.done} of {summary.total}, {summary.now} now; the page: {summary.out}/index.html")
    return summary


if __name__ == "__main__":  # processes that are started afresh import this file
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "lamp_swings"))
