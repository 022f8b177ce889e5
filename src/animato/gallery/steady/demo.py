"""The demos of steady: an animation that shakes its character, and the one that does not."""

from __future__ import annotations

from pathlib import Path

from animato.formats import save_motion
from animato.formats.files import write_whole
from animato.gallery.steady.demonstrators import DEMONSTRATORS, demonstrator
from animato.outcome import Progress, announcer
from animato.report.steady import (
    draw_sensitivity,
    draw_steady_errors,
    gather_evidence,
    render_worst,
    save_film,
    save_page,
    steady_text,
)
from animato.steady import build, solve
from animato.view import save_png

STEADY_DEMOS = tuple(DEMONSTRATORS)


def make_steady_demo(
    name: str, folder: str | Path, *, film: bool = True, progress: Progress | None = None
) -> list[str]:
    """Fills a folder with one of the demos: a page, pictures, a film and the motor profiles.

    Args:
        name: One of `STEADY_DEMOS`.
        folder: Where the files go.
        film: Whether to make the film.
        progress: Told what is being worked on.

    Returns:
        Sentences for the person who waits.
    """
    made, say, place = demonstrator(name), announcer(progress), Path(folder)
    say(f"building {made.character}")
    problem = build(made.character, made.clip, made.options, tracked=made.tracked)
    solution = solve(problem, progress=progress)
    evidence = gather_evidence(solution, progress=progress)
    page = save_page(place / f"{name}.html", solution, evidence=evidence, progress=progress)
    write_whole(place / "errors.svg", draw_steady_errors(solution))
    write_whole(place / "stiffness.svg", draw_sensitivity(evidence.sensitivity))
    save_png(place / "worst.png", render_worst(solution, evidence))
    save_motion(place / f"{name}.csv", solution.clip, problem.character)
    told = [made.point, *steady_text(solution), f"The page: {page}", f"The profiles: {place / f'{name}.csv'}"]
    if film:
        told.append(f"The film: {save_film(place / f'{name}.gif', evidence, progress=progress)}")
    return told
