"""The demos of mimic: a small humanoid does what a made-up person did, and stays on its feet."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.errors import unknown_name
from animato.formats import save_motion
from animato.formats.files import write_whole
from animato.mimic.optimization import solve
from animato.mimic.problem import build
from animato.outcome import Progress, announcer
from animato.report.mimic import (
    draw_errors,
    draw_footprints,
    gather,
    mimic_text,
    render_pair,
    save_exports,
    save_film,
    save_page,
)
from animato.view import save_png

MIMIC_DEMOS = ("wave", "step", "squat", "reach", "clap")
ROBOT = "pico"


def make_mimic_demo(name: str, folder: str | Path, *, film: bool = True, progress: Progress | None = None) -> list[str]:
    """Fills a folder with one of the demos: a page, pictures, a film, the clip and files for training tools.

    Args:
        name: One of `MIMIC_DEMOS`.
        folder: Where the files go.
        film: Whether to make the film.
        progress: Told what is being worked on.

    Returns:
        Sentences for the person who waits.
    """
    if name not in MIMIC_DEMOS:
        raise unknown_name("demo", name, MIMIC_DEMOS, "mimic")
    place = Path(folder)
    announcer(progress)(f"building {ROBOT} and person_{name}")
    problem = build(ROBOT, f"person_{name}")
    solution = solve(problem, progress=progress)
    shown = gather(solution)
    page = save_page(place / f"{name}.html", solution, shown=shown, progress=progress)
    write_whole(place / "footprints.svg", draw_footprints(shown))
    write_whole(place / "errors.svg", draw_errors(shown))
    telling = int(np.argmax(np.linalg.norm(shown.person - shown.person[:1], axis=2).max(axis=1)))
    save_png(place / "moment.png", render_pair(shown, float(shown.times[telling])))
    save_motion(place / f"{name}.csv", solution.clip, problem.character)
    exports = save_exports(solution, csv=place / f"{name}_training.csv", npz=place / f"{name}_training.npz")
    told = [*mimic_text(shown), f"The page: {page}", f"The clip: {place / f'{name}.csv'}", *exports]
    if film:
        told.append(f"The film: {save_film(place / f'{name}.gif', shown, progress=progress)}")
    return told
