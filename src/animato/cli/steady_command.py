"""`animato steady`."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tyro.conf import Positional, UseAppendAction, arg

from animato.cli.line import (
    DOES_NOT_FIT,
    FITS,
    Base,
    CharacterName,
    MotionName,
    OtherMotion,
    OutFile,
    check_suffix,
    flags,
    say,
    unset,
    working,
)
from animato.steady import Options

if TYPE_CHECKING:
    SteadyFlags = Options
else:
    SteadyFlags = flags(Options)
AS_USUAL: Options = unset(SteadyFlags)
FILMS = (".gif", ".mp4")


def steady(
    character: Positional[CharacterName],
    clip: Positional[MotionName],
    /,
    *,
    track: Annotated[
        tuple[str, ...], arg(metavar="NAME[=WEIGHT][@START-END]", help_behavior_hint=""), UseAppendAction
    ] = (),
    robust: Annotated[float | None, arg(metavar="SHARE", help_behavior_hint="")] = None,
    steadying: SteadyFlags = AS_USUAL,
    start: OtherMotion = None,
    out: Annotated[Path, arg(metavar="FILE", aliases=["-o"])] = Path("steadied.csv"),
    page: Annotated[Path | None, arg(metavar="FILE", help_behavior_hint="(default: beside the profiles)")] = None,
    json: OutFile = None,
    film: OutFile = None,
    base: Base = "auto",
) -> int:
    """Change the motor profiles so that a character that bends does not wobble.

    Args:
        character: With flexible parts.
        clip: The artist's motion of its motors, from rest.
        track: Bodies that are to follow their targets: head, left_hand=2, glass:upright, left_hand=100@2.5-4.5 for 100
            times the weight from 2.5 to 4.5 s. The ends of the character where not given.
        robust: Short for `--stiffness-spread`: 0.1 also counts models that are 10 % softer and stiffer.
        steadying: What is wanted.
        start: Profiles to go on from, as an earlier run has written them.
        out: The motor profiles to write, .csv or .npz.
        page: The page to write.
        json: Also write the result for machines.
        film: Also write a film, .gif or .mp4, with the artist's motion as a ghost.
        base: Whether a URDF robot is held or floats.
    """
    from animato.formats import load_character, save_motion
    from animato.loading import load_clip
    from animato.report.steady import gather_evidence, save_film, save_json, save_page, steady_text
    from animato.steady import build, solve

    check_suffix(out, "the profiles", ".csv", ".npz")
    check_suffix(page, "the page", ".html", ".htm")
    check_suffix(json, "the result", ".json")
    check_suffix(film, "the film", *FILMS)
    with working("reading") as progress:
        model = load_character(character, base=base)
        motion = load_clip(clip, model)
        first = None if start is None else load_clip(start, model)
        progress.stage("building the models")
        problem = build(model, motion, _options(steadying, robust), tracked=track)
        solution = solve(problem, start=first, progress=progress)
        save_motion(out, solution.clip, model)
        written = [f"The profiles: {out}"]
        interrupted = "interrupted" in solution.outcome.reason
        if not interrupted:
            evidence = gather_evidence(solution, progress=progress)
            where = save_page(page or out.with_suffix(".html"), solution, evidence=evidence, progress=progress)
            written.append(f"The page: {where}")
            if json is not None:
                save_json(json, solution, evidence)
            if film is not None:
                written.append(f"The film: {save_film(film, evidence, progress=progress)}")
    if interrupted:
        written.append(f"Interrupted: to go on, the same command with --start {out}")
    for sentence in (*steady_text(solution), *written):
        say(sentence)
    return FITS if solution.outcome.usable else DOES_NOT_FIT


def _options(given: Options, robust: float | None) -> Options:
    """The options as the library has them, the short flag included."""
    plain = Options(**{one.name: getattr(given, one.name) for one in fields(Options)})
    return plain if robust is None else replace(plain, stiffness_spread=robust)
