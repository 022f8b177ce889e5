"""Every kind of page that animato makes, each in the smallest form that still has all of its parts."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import animato as an
from animato.cli import COMMANDS, main
from animato.formats import save_motion
from animato.mechanics.simulation import State, build_system, integrate, solve_statics
from tests.mimic_builders import solved_by_nobody


def animato(*arguments: str | Path) -> None:
    """Runs a command; what it says of the motion is not the matter here, only that it did its work."""
    with patch.object(sys, "argv", ["animato", *map(str, arguments)]):
        try:
            main()
        except SystemExit as stop:
            assert stop.code in (0, 1, None), f"animato {' '.join(map(str, arguments))}: {stop.code}"


def check(folder: Path) -> Path:
    animato("check", "pico", "pico_hello", "--page", folder / "check.html")
    return folder / "check.html"


def check_beside_the_artist(folder: Path) -> Path:
    """A second motion as a ghost: the one that is checked lags behind the artist's."""
    hello = an.load_clip("pico_hello")
    late = hello.resampled(np.linspace(0.0, hello.times[-1], len(hello.times)) * 0.9)
    save_motion(folder / "late.csv", replace(late, times=hello.times), an.load_character("pico"))
    page = folder / "ghost.html"
    animato("check", "pico", folder / "late.csv", "--artist", "pico_hello", "--page", page)
    return page


def express(folder: Path) -> Path:
    (folder / "targets.txt").write_text("0.5 0.2 0.4\n")
    heard = ("--targets", folder / "targets.txt", "--posture", "curious", "--fast", "--quiet")
    animato("express", "lamp", *heard, "--page", folder / "express.html")
    return folder / "express.html"


def trace(folder: Path) -> Path:
    animato("trace", "hammer", "--robot", "arm6", "--out", folder / "hammer.csv")
    return folder / "hammer.html"


def trace_live(folder: Path) -> Path:
    stroke = folder / "drawn.csv"
    stroke.write_text("t,x,y,z\n" + "\n".join(f"{0.02 * n:.2f},0.4,{0.002 * n:.3f},0.3" for n in range(40)))
    animato("trace", stroke, "--robot", "arm6", "--live", "--quiet", "--out", folder / "drawn_live.csv")
    return folder / "drawn_live.html"


def design(folder: Path) -> Path:
    animato("design", "adjustable_four_bar", "--target", "four_bar", "--out", folder / "design.yaml")
    return folder / "design.html"


def steady(folder: Path) -> Path:
    quick = ("--step-s", "0.004", "--control-points", "25", "--check-step-s", "0.002")
    animato("steady", "rod", _lean(folder), "--out", folder / "steadied.csv", *quick)
    return folder / "steadied.html"


def simulate(folder: Path) -> Path:
    animato("simulate", "rod", _lean(folder), "--page", folder / "simulated.html")
    return folder / "simulated.html"


def fit(folder: Path) -> Path:
    """A rod that was pulled sideways and let go, as its tip was recorded."""
    rod = an.load_character("rod")
    system = build_system(rod, tracked=("ball",))
    pulled = build_system(replace(rod, gravity=(0.0, 3.9, -9.81)), tracked=("ball",))
    bent = solve_statics(pulled, [0.0])
    run = integrate(system, np.zeros((1501, 3, 1)), 1e-3, start=State(bent.u[0], 0.0 * bent.u[0], bent.lam[0]))
    rows = [f"{time:.4f},{x:.7f},{y:.7f},{z:.7f}" for time, (x, y, z) in zip(run.times, run.points[:, 0], strict=True)]
    (folder / "tip.csv").write_text("time,x,y,z\n" + "\n".join(rows[::4]))
    animato("fit", "rod", folder / "tip.csv", "--page", folder / "fit.html")
    return folder / "fit.html"


def mimic(folder: Path) -> Path:
    """With a motion that nobody solved for: solving takes longer than all other pages."""

    def solve(problem: Any, **_: Any) -> Any:
        return solved_by_nobody(problem)

    with patch("animato.mimic.optimization.solve", solve):
        wished = ("--robot", "pico", "--scale", "0.2", "--end-s", "1.5")
        animato("mimic", "person_wave", *wished, "--out", folder / "mimicked.csv")
    return folder / "mimicked.html"


def demo_house(folder: Path) -> Path:
    animato("demo", "house", "--out", folder / "house")
    return folder / "house" / "performed.html"


def demo_express(folder: Path) -> Path:
    from animato.gallery.express import make_express_demo

    make_express_demo(folder / "demo", samples=10, seconds=2.0)
    return folder / "demo" / "express.html"


def fix(folder: Path) -> Path:
    animato("fix", "pico", "pico_hello", "--out", folder / "fixed.csv", "--page", folder / "fixed.html")
    return folder / "fixed.html"


def _lean(folder: Path) -> Path:
    """A clip of the rod: 10 degrees in a fifth of a second."""
    times = np.linspace(0.0, 1.0, 101)
    angle = np.radians(10.0) * np.clip((times - 0.2) / 0.2, 0.0, 1.0)
    save_motion(folder / "lean.csv", an.Clip(times, ("motor",), angle[:, None]), an.load_character("rod"))
    return folder / "lean.csv"


KINDS: dict[str, Callable[[Path], Path]] = {
    make.__name__: make
    for make in (
        check, check_beside_the_artist, express, trace, trace_live, design, steady, simulate, fit, mimic, demo_house,
        demo_express, *((fix,) if "fix" in COMMANDS else ()),
    )
}  # fmt: skip
"""What makes each kind of page in a folder, and says where it is."""
