"""Steady a rod: the same motion by hand, by an input shaper, by `steady`, and by `steady` for a spread of stiffness.

Run: python examples/steady_rod.py [folder]
"""

import sys
from pathlib import Path

import animato as an


def main(folder: str = "out/steady") -> dict[str, float]:
    """Writes profiles and a page; returns the largest deviations that it prints [cm]."""
    place = Path(folder)
    rod = an.load_character("rod")
    swing = an.load_clip("rod_swing", rod)
    options = an.steady.Options(step_s=4e-3)
    nominal = an.steady.solve(an.steady.build(rod, swing, options, tracked=("ball",)))
    wide = an.steady.Options(step_s=4e-3, stiffness_spread=0.1, hold_weight=10.0)
    robust = an.steady.solve(an.steady.build(rod, swing, wide, tracked=("ball",)), start=nominal)

    figures = {one.name: 100.0 * one.peak for one in an.steady.compared(nominal)}
    for name, solution in (("nominal", nominal), ("robust", robust)):
        tried = an.steady.sensitivity(solution, (0.9, 1.0, 1.1))
        figures[f"{name}, ringing for E within 10 %"] = 100.0 * tried.worst_hold()
        an.save(place / f"{name}.csv", solution.clip)
    for name, value in figures.items():
        print(f"{name:36s} {value:6.2f} cm")
    nominal.save_page(place / "rod.html")
    return figures


if __name__ == "__main__":
    main(*sys.argv[1:])
