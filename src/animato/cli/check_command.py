"""`animato check`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from tyro.conf import Positional, arg

from animato.cli.line import (
    AS_STATED,
    DOES_NOT_FIT,
    FITS,
    Base,
    CharacterName,
    HowToRead,
    MotionName,
    OtherMotion,
    OutFile,
    as_flags,
    check_suffix,
    console,
    say,
    working,
)

Bodies = Annotated[
    tuple[str, ...],
    arg(metavar="BODY", aliases=("--sole",), help_behavior_hint="(default: as stated, or guessed)"),
]


def check(
    character: Positional[CharacterName],
    clip: Positional[MotionName],
    /,
    *,
    page: Annotated[Path, arg(metavar="FILE")] = Path("report.html"),
    json: OutFile = None,
    artist: OtherMotion = None,
    base: Base = "auto",
    soles: Bodies = (),
    keep_reference_pose: Annotated[bool, arg(help_behavior_hint="")] = False,
    reading: HowToRead = AS_STATED,
) -> int:
    """Say, before anything moves, whether the robot can do this.

    Args:
        character: What the robot is.
        clip: What it should do.
        page: The page to write.
        json: Also write the result for machines.
        artist: The artist's own clip, drawn as a ghost beside the one that is checked.
        base: Whether a URDF robot is held or floats.
        soles: Bodies to stand on, by the flat bottoms of their shapes.
        keep_reference_pose: Check a pose in front or behind from which the motion leaps, too.
        reading: How to read the motion.
    """
    from animato.findings import check as checked
    from animato.formats import load_character
    from animato.loading import load_clip, load_clip_and_losses
    from animato.report.check import check_text, save_json

    check_suffix(page, "the page", ".html", ".htm")
    check_suffix(json, "the result", ".json")
    with working("reading") as progress:
        model = load_character(character, base=base)
        motion, losses = load_clip_and_losses(clip, model, **reading.stated())
        ghost = None if artist is None else load_clip(artist, model, **reading.stated())
        result = checked(
            model,
            motion,
            ghost,
            clip_name=Path(clip).stem,
            remarks=losses,
            keep_reference_pose=keep_reference_pose,
            soles=soles or None,
            progress=progress,
        )
        result = replace(result, remarks=tuple(as_flags(remark) for remark in result.remarks))
        progress.stage("writing the page")
        if json is not None:
            save_json(json, result)
        result.save_page(page)
    console(stderr=False).print(check_text(result))
    say(f"The page: {page}")
    return FITS if result.outcome.usable else DOES_NOT_FIT
