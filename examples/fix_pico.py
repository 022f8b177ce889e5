"""pico is asked to cheer faster than it can: three ways to make it performable, and what each of them costs.

Run it with a folder to fill: python examples/fix_pico.py out
"""

from __future__ import annotations

import sys
from pathlib import Path

import animato as an

WAYS = {
    "shape": an.fix.Options(),  # as long as the artist's
    "both": an.fix.Options(time=0.5),
    "time": an.fix.Options(time=1.0),
}


def main(folder: Path) -> dict[str, an.fix.Solution]:
    """Fixes the cheer, and writes each clip and its page.

    Returns:
        The fixes by what gives way.
    """
    pico = an.load_character("pico")
    cheer = an.gallery.fix.pico_cheer(pico)
    print(f"asked: {an.check(pico, cheer).outcome.reason}")
    made = {}
    for name, options in WAYS.items():
        solution = an.fix.solve(an.fix.build(pico, cheer, options))
        far, point, when = solution.deviation.largest
        off = f"{1000.0 * solution.deviation.mean_m:.2f} mm on average, {1000.0 * far:.1f} mm at most"
        print(f"{name} gives way: {solution.clip.duration:.2f} s, off by {off} ({point} at {when:.2f} s).")
        an.save(folder / f"cheer_{name}.csv", solution.clip, pico)
        made[name] = solution
    made["shape"].save_page(folder / "cheer.html")
    return made


if __name__ == "__main__":
    place = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
    place.mkdir(parents=True, exist_ok=True)
    main(place)
