"""The main job: pico is asked for too much, and fix makes it performable."""

from __future__ import annotations

from pathlib import Path

from animato.fix import build, solve
from animato.formats import load_character, save_motion
from animato.formats.files import write_whole
from animato.gallery.fix.cheer import pico_cheer
from animato.outcome import Progress, announcer
from animato.report.fix import draw_deviations, fix_text, gather_evidence, save_film, save_json, save_page


def make_fix_demo(folder: str | Path, *, film: bool = True, progress: Progress | None = None) -> list[str]:
    """Fills a folder with the demo.

    `fix.html` plays what was asked for and what pico does now side by side, says what changed, where and by how much,
    and shows the check before and after; `changes.svg` is its chart, `asked.csv` and `fixed.csv` are the clips.

    Args:
        folder: Where the files go.
        film: Whether to draw `fix.webp`, too, which takes longer than all else.
        progress: Told what is being worked on.

    Returns:
        Sentences for the person who waits.
    """
    say, place = announcer(progress), Path(folder)
    say("pico is asked for too much")
    pico = load_character("pico")
    asked = pico_cheer(pico)
    save_motion(place / "asked.csv", asked, pico)
    solution = solve(build(pico, asked), progress=progress)
    evidence = gather_evidence(solution, name="cheer", progress=progress)
    save_motion(place / "fixed.csv", solution.clip, pico)
    save_json(place / "fix.json", evidence)
    write_whole(place / "changes.svg", draw_deviations(evidence, ""))
    page = save_page(place / "fix.html", solution, evidence=evidence, progress=progress)
    told = [
        *fix_text(evidence),
        f"The page that plays both: {page}",
        f"The clip that pico can do: {place / 'fixed.csv'}",
    ]
    if film:
        told.append(f"A film of both: {save_film(place / 'fix.webp', evidence, progress=progress)}")
    return told
