"""A made-up person waves, and pico does the same on its feet.

    python examples/mimic_wave.py

Writes wave.csv and wave.html, and checks that balance and torque hold between the frames too.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import animato as an


def main(folder: Path, end_s: float | None = None) -> float:
    """Solves, checks and saves; returns the mean error of the key-points [m].

    Args:
        folder: Where the files go.
        end_s: Where to end; at the capture's end where not given.
    """
    problem = an.mimic.build("pico", "person_wave", an.mimic.Options(end_s=end_s))
    solution = an.mimic.solve(problem)
    print(solution)

    assert solution.outcome.usable, solution.outcome
    for kind in ("position", "velocity", "torque"):
        assert solution.usage.peak(kind) < 1.001  # of each limit, at the knots
    error, clip = float(solution.errors.mean()), solution.clip
    balance = an.mechanics.contact.balance_of(
        problem.character, an.mechanics.tree.states_of_clip(problem.character, clip)
    )
    print(f"key-points {1e3 * error:.1f} mm off, {balance}")

    soles = [foot.sole.body for foot in problem.anatomy.feet]
    poses = an.mechanics.tree.forward_kinematics(problem.character, clip)
    slid = max(float(np.ptp(poses.of(body).position, axis=0).max()) for body in soles)
    print(f"soles moved by {1e3 * slid:.2f} mm")
    assert slid < 1e-3  # who waves does not walk

    folder.mkdir(parents=True, exist_ok=True)
    an.save(folder / "wave.csv", clip, problem.character)
    solution.save_page(folder / "wave.html")
    return error


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/mimic_wave"))
