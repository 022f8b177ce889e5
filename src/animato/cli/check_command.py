"""`animato check`."""

from __future__ import annotations

from pathlib import Path

from tyro.conf import Positional

from animato.cli.options import (
    AS_STATED,
    DOES_NOT_FIT,
    FITS,
    Base,
    CharacterName,
    HowToRead,
    MotionName,
    OtherMotion,
    OutFile,
)
from animato.cli.terminal import console, say


def check(
    character: Positional[CharacterName],
    clip: Positional[MotionName],
    /,
    *,
    out: Path = Path("report.html"),
    json: OutFile = None,
    artist: OtherMotion = None,
    base: Base = "auto",
    how: HowToRead = AS_STATED,
) -> int:
    """Say, before anything moves, whether the robot can do this.

    Args:
        character: What the robot is.
        clip: What it should do.
        out: The page to write.
        json: Also write the result for machines.
        artist: The artist's own clip, drawn as a ghost beside the one that is checked.
        base: Whether a URDF robot is held or floats.
        how: How to read the motion.
    """
    from animato.findings import check_clip
    from animato.formats import load_character
    from animato.loading import load_clip, load_clip_and_losses
    from animato.report.check import check_text, save_check_json, save_check_page

    with console().status("reading") as status:
        model = load_character(character, base=base)
        motion, losses = load_clip_and_losses(clip, model, **how.stated())
        ghost = None if artist is None else load_clip(artist, model, **how.stated())
        result = check_clip(model, motion, ghost, clip_name=Path(clip).stem, remarks=losses, progress=status.update)
        status.update("writing the page")
        if json is not None:
            save_check_json(json, result)
        save_check_page(out, result)
    console(stderr=False).print(check_text(result))
    say(f"The page: {out}")
    return FITS if result.fits else DOES_NOT_FIT
