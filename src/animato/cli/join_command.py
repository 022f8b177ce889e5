"""`animato join`."""

from __future__ import annotations

from dataclasses import replace
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
    OutFile,
    as_flags,
    check_suffix,
    console,
    say,
    working,
)
from animato.errors import OptionError

if TYPE_CHECKING:
    from animato.motion import Clip

ClipNames = Annotated[
    tuple[str, ...],
    arg(metavar="CLIP CLIP [CLIP ...]", help="Clips in order: .npz, .csv or .bvh files, or names of shipped clips."),
]
Stand = Annotated[str | None, arg(metavar="POSTURE", help_behavior_hint="")]


def join(
    character: Positional[CharacterName],
    clips: Positional[ClipNames],
    /,
    *,
    out: Annotated[Path, arg(metavar="FILE", aliases=["-o"])] = Path("joined.csv"),
    page: OutFile = None,
    json: OutFile = None,
    gap_s: Annotated[float | None, arg(metavar="S", help_behavior_hint="(default: as short as is natural)")] = None,
    quick: Annotated[bool, arg(help_behavior_hint="")] = False,
    carry_on: Annotated[bool, arg(help_behavior_hint="(default: where clips move the base)")] = True,
    start: Stand = None,
    end: Stand = None,
    base: Base = "auto",
    reading: HowToRead = AS_STATED,
) -> int:
    """Join clips without a jump, by transitions that the robot can do.

    Args:
        character: Who performs.
        clips: What it should do, one after another.
        out: The clip to write, .csv or .npz.
        page: Also write the page of its check.
        json: Also write the result of its check for machines.
        gap_s: How long each transition takes.
        quick: Make transitions as short as the robot's limits allow, even where that is livelier than the clips are.
        carry_on: Move and turn each clip on the floor so that it begins where the one before it ends.
        start: Begin at rest in this posture, its name or file; "rest" for the first clip's first pose.
        end: Come to rest in this posture; "rest" for wherever the last clip leads.
        base: Whether a URDF robot is held or floats.
        reading: How to read the motion.
    """
    from animato.fix.joining import TransitionError
    from animato.fix.joining import join as joined
    from animato.formats import load_character
    from animato.loading import load_clip, save
    from animato.report.check import check_text, save_json

    check_suffix(out, "the clip", ".csv", ".npz")
    check_suffix(page, "the page", ".html", ".htm")
    check_suffix(json, "the result", ".json")
    if not clips:
        raise OptionError("Give the clips that are to be joined, in order, behind the character.")
    try:
        with working("reading") as progress:
            model = load_character(character, base=base)
            motions = [_named(load_clip(clip, model, **reading.stated()), clip) for clip in clips]
            result = joined(
                model,
                motions,
                gap_s=gap_s,
                quick=quick,
                carry_on=None if carry_on else False,
                start=start,
                end=end,
                progress=progress,
            )
            progress.stage("checking")
            checked = result.checked
            save(out, result.clip, model)
            if json is not None:
                save_json(json, checked)
            if page is not None:
                result.save_page(page)
    except TransitionError as error:
        say(f"animato: {as_flags(str(error))}")
        return DOES_NOT_FIT
    console(stderr=False).print(check_text(checked))
    if not checked.outcome.usable and result.transitions_hold:
        say("Every transition keeps its limits; what is too much was so in the clips. Run animato fix on them.")
    say(f"The clip: {out}")
    if page is not None:
        say(f"The page: {page}")
    return FITS if checked.outcome.usable else DOES_NOT_FIT


def _named(clip: Clip, path: str) -> Clip:
    """A clip that is called after its file, in what is said of it."""
    return replace(clip, source=Path(path).stem)
