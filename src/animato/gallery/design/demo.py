"""The demos of design: a motion that a character cannot do, and the design that can."""

from __future__ import annotations

from pathlib import Path

from animato.design.freeing import baked
from animato.design.optimization import Solution, solve
from animato.errors import unknown_name
from animato.formats import load_character, save_character, save_motion
from animato.formats.character_yaml import save_joint_table
from animato.formats.files import write_whole
from animato.gallery.design.request import shipped_targets
from animato.outcome import Progress, announcer
from animato.report.design import chart_style, design_text, draw_before_after, draw_errors

DESIGN_DEMOS = ("four_bar", "kickbot", "legs", "bear", "biker")


def make_design_demo(name: str, folder: str | Path, *, progress: Progress | None = None) -> list[str]:
    """Fills a folder with one of the demos: a page, pictures, the design as a character and a table, the motion.

    Args:
        name: One of `DESIGN_DEMOS`.
        folder: Where the files go.
        progress: Told what is being worked on.

    Returns:
        Sentences for the person who waits.
    """
    if name not in DESIGN_DEMOS:
        raise unknown_name("demo", name, DESIGN_DEMOS, "design")
    made = shipped_targets()[name]

    say = announcer(progress)
    say(f"building {made.character}")
    problem = made.problem(load_character(made.character))
    solution = solve(problem, progress=progress)
    say("drawing")
    place, style = Path(folder), chart_style()
    write_whole(place / "errors.svg", draw_errors(solution, style))
    write_whole(place / "before-after.svg", draw_before_after(solution))
    page = solution.save_page(place / f"{name}.html")
    files = save_design(solution, place / f"{name}.yaml", table=place / "joints.csv", clip=place / f"{name}.npz")
    return [made.point, *design_text(solution), *files, f"The page: {page}"]


def save_design(
    solution: Solution,
    out: Path,
    *,
    table: Path | None = None,
    clip: Path | None = None,
    as_built: Path | None = None,
) -> list[str]:
    """Writes what was found, unless it cannot be used.

    Args:
        solution: With the optimized design.
        out: The character file of the design.
        table: Where its joints are, as a table for whoever builds it.
        clip: What its joints do, passive ones included; of several motions, one file each.
        as_built: The character file without configurable joints, see `design.baked`.

    Returns:
        Sentences that say what was written.
    """
    if not solution.outcome.usable:
        return [f"No design is written, because it cannot be used. {solution.outcome.reason}"]
    found = solution.optimized
    told = [f"The design: {save_character(out, found.character)}"]
    if as_built is not None:
        told.append(f"As built: {save_character(as_built, baked(found.character))}")
    if table is not None:
        told.append(f"The joints: {save_joint_table(table, found.character, before=solution.initial.character)}")
    if clip is not None:
        for motion, one in zip(solution.problem.motions, found.clips, strict=True):
            path = clip if len(found.clips) == 1 else clip.with_stem(f"{clip.stem}-{motion.name.replace(' ', '_')}")
            save_motion(path, one, found.character)
            told.append(f"The motion: {path}")
    return told
