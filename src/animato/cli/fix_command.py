"""`animato fix`."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tyro.conf import Positional, arg

from animato.cli.line import (
    AS_STATED,
    DOES_NOT_FIT,
    FITS,
    Base,
    CharacterName,
    HowToRead,
    MotionName,
    OutFile,
    as_flags,
    check_suffix,
    flags,
    say,
    unset,
    working,
)
from animato.fix import Options

if TYPE_CHECKING:
    FixFlags = Options
else:
    FixFlags = flags(Options, time="SHARE", accents="PART", protect="PART", start="POSTURE", end="POSTURE")
AS_USUAL: Options = unset(FixFlags)


def fix(
    character: Positional[CharacterName],
    clip: Positional[MotionName],
    /,
    *,
    fixing: FixFlags = AS_USUAL,
    out: Annotated[Path, arg(metavar="FILE", aliases=["-o"])] = Path("fixed.csv"),
    page: Annotated[Path | None, arg(metavar="FILE", help_behavior_hint="(default: beside the clip)")] = None,
    json: OutFile = None,
    trade: bool = True,
    base: Base = "auto",
    reading: HowToRead = AS_STATED,
) -> int:
    """Change a clip as little as can be seen, so that the robot can do it.

    Args:
        character: What the robot is.
        clip: What the artist wants it to do.
        fixing: What is wanted.
        out: The clip to write, .csv or .npz; none is written where the robot cannot do it.
        page: The page to write: both motions to be played, what changed, and if it cannot be done, why.
        json: Also write the result for machines.
        trade: Also try what it would cost with more or less time; for clips of up to 3000 frames.
        base: Whether a URDF robot is held or floats.
        reading: How to read the motion.
    """
    from animato.fix import build, solve
    from animato.formats import load_character, save_motion
    from animato.loading import load_clip_and_losses
    from animato.report.fix import fix_text, gather_evidence, save_json, save_page

    check_suffix(out, "the clip", ".csv", ".npz")
    check_suffix(page, "the page", ".html", ".htm")
    check_suffix(json, "the result", ".json")
    wanted = Options(**{one.name: getattr(fixing, one.name) for one in fields(Options)})
    with working("reading") as progress:
        model = load_character(character, base=base)
        motion, losses = load_clip_and_losses(clip, model, **reading.stated())
        solution = solve(build(model, motion, wanted), progress=progress)
        usable = solution.outcome.usable
        evidence = gather_evidence(solution, name=Path(clip).stem, remarks=losses, trade=trade, progress=progress)
        where = save_page(page or out.with_suffix(".html"), solution, evidence=evidence, progress=progress)
        if json is not None:
            save_json(json, evidence)
        if usable:
            save_motion(out, solution.clip, model)
    for sentence in (*fix_text(evidence), *(f"Note: {one}" for one in losses)):
        say(as_flags(sentence))
    say(f"The clip: {out}" if usable else "No clip was written.")
    say(f"The page: {where}")
    return FITS if usable else DOES_NOT_FIT
