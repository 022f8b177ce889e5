"""`animato design`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from tyro.conf import Positional, arg

from animato.cli.options import DOES_NOT_FIT, FITS, Base, CharacterName
from animato.cli.terminal import console, say
from animato.errors import AnimatoError


def design(
    character: Positional[CharacterName],
    /,
    *,
    target: Annotated[str, arg(metavar="TARGET")],
    optimize: Annotated[
        Literal["design", "control", "both"] | None, arg(metavar="{design,control,both}", help_behavior_hint="")
    ] = None,
    weight: Annotated[tuple[str, ...], arg(metavar="NAME=FACTOR", help_behavior_hint="(default: 1 each)")] = (),
    follow: Annotated[tuple[str, ...], arg(metavar="NAME", help_behavior_hint="(default: all)")] = (),
    map: Annotated[dict[str, str] | None, arg(metavar="NAME COLUMN", help_behavior_hint="")] = None,
    performer: Annotated[str | None, arg(metavar="CHARACTER", help_behavior_hint="")] = None,
    controls: Annotated[str | None, arg(metavar="CLIP", help_behavior_hint="")] = None,
    rate_hz: Annotated[float | None, arg(metavar="HZ", help_behavior_hint="(default: the file's)")] = None,
    method: Literal["arrow", "riccati", "ldlt"] = "arrow",
    hessian: Literal["gauss-newton", "exact"] = "gauss-newton",
    iterations: Annotated[int, arg(metavar="N")] = 100,
    out: Annotated[Path, arg(metavar="FILE", aliases=["-o"])] = Path("design.yaml"),
    table: Annotated[Path | None, arg(metavar="FILE", help_behavior_hint="(default: not saved)")] = None,
    clip: Annotated[Path | None, arg(metavar="FILE", help_behavior_hint="(default: not saved)")] = None,
    page: Annotated[Path | None, arg(metavar="FILE", help_behavior_hint="(default: beside the design)")] = None,
    base: Base = "auto",
) -> int:
    """Place the joints so that the character can do the motion.

    Args:
        character: Whose configurable joints are placed.
        target: Paths of its end-points, markers or bodies (.csv, .json, .npz, .trc). Or a shipped target: kickbot,
            legs, bear and biker for the characters of these names, four_bar for adjustable_four_bar.
        optimize: What may change; both where not given, or what a shipped target is made for.
        weight: Targets that count more or less, such as torso=2.
        follow: Only these points of the file.
        map: Which point of the file a point of the character follows, where names differ.
        performer: Of a clip: who performs it, such as a rig; its points of the same names are followed.
        controls: A clip of what the motors do now; they keep to it. Found where not given.
        rate_hz: Steps a second.
        method: How search directions are found; the result is the same.
        hessian: Second derivatives left out or exact.
        iterations: At most.
        out: The character file of the design, .yaml.
        table: Its joints as a table for whoever builds it, .csv.
        clip: The motion of all its joints, .npz or .csv.
        page: The page to write.
        base: Whether a URDF robot is held or floats.
    """
    from animato.design.solve import solve_design
    from animato.formats import load_character
    from animato.gallery.design import parsed_weights, requested_problem, save_design
    from animato.loading import load_clip
    from animato.report.design import DesignProgress, design_text, save_design_page

    check_suffix(out, "the design", ".yaml", ".yml")
    check_suffix(table, "the joints", ".csv")
    check_suffix(clip, "the motion", ".npz", ".csv")
    with console().status("reading"):
        model = load_character(character, base=base)
        problem = requested_problem(
            model,
            target,
            optimize=optimize,
            weights=parsed_weights(weight),
            controls=None if controls is None else load_clip(controls, model),
            performer=None if performer is None else load_character(performer, base=base),
            follow=follow,
            mapping=map,
            rate_hz=rate_hz,
        )
    with DesignProgress(console()) as progress:
        solution = solve_design(problem, method=method, hessian=hessian, max_iterations=iterations, callback=progress)
    with console().status("writing the page"):
        where = save_design_page(page or out.with_suffix(".html"), solution)
        written = save_design(solution, out, table=table, clip=clip)
    for sentence in (*design_text(solution), *written, f"The page: {where}"):
        say(sentence)
    return FITS if solution.accepted else DOES_NOT_FIT


def check_suffix(path: Path | None, what: str, *allowed: str) -> None:
    """Refuses a file to write before anything is computed."""
    if path is not None and path.suffix.lower() not in allowed:
        raise AnimatoError(f"Cannot save {what} as '{path}': it is a {' or '.join(allowed)} file.")
