"""`animato bridge`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

from tyro.conf import Positional, arg

from animato.cli.line import DOES_NOT_FIT, FITS, Base, CharacterName, OutFile, as_flags, check_suffix, say
from animato.errors import OptionError

Clip = Annotated[str | None, arg(metavar="CLIP", help_behavior_hint="(for check and fix)")]


def bridge(
    what: Positional[Annotated[Literal["describe", "check", "fix"], arg(metavar="WHAT")]],
    character: Positional[CharacterName],
    clip: Positional[Clip] = None,
    /,
    *,
    out: Annotated[Path, arg(metavar="FILE", aliases=["-o"])] = Path("bridge.json"),
    page: OutFile = None,
    rate_hz: Annotated[float, arg(metavar="HZ")] = 24.0,
    time: Annotated[float, arg(metavar="SHARE")] = 0.0,
    protect: Annotated[tuple[str, ...], arg(metavar="PART")] = (),
    base: Base = "auto",
) -> int:
    """Speak with an editor such as Blender: files that it reads, progress on the error stream.

    Args:
        what: describe the character as bones, check a clip or fix it.
        character: What the robot is.
        clip: What it should do.
        out: The .json file to write.
        page: Also write the page of the check or fix.
        rate_hz: Frames a second of the editor, on which the answer comes.
        time: For fix: how much time gives way, from 0 to 1.
        protect: For fix: what does not change, such as 1.2-1.6 (seconds), a joint, or neck_pan:1.2-1.6.
        base: Whether a URDF robot is held or floats.
    """
    from animato.formats import load_character, shipped_characters
    from animato.stage.bridge import ProgressLines, answer_to_check, answer_to_fix, describe, save_bridge_file

    check_suffix(out, "what is told", ".json")
    check_suffix(page, "the page", ".html", ".htm")
    if (clip is None) != (what == "describe"):
        raise OptionError(f"'{what}' takes {'a character alone' if clip else 'a character and a clip'}.")
    progress = ProgressLines(sys.stderr)
    progress.stage("reading")
    model = load_character(character, base=base)
    if clip is None:
        source = character if character in shipped_characters() else str(Path(character).absolute())
        save_bridge_file(out, "character", describe(model, source))
        say(f"Written: {out}")
        return FITS
    from animato.fix import Options
    from animato.loading import load_clip_and_losses

    motion, losses = load_clip_and_losses(clip, model)
    name = Path(clip).stem
    if what == "check":
        answer = answer_to_check(model, motion, rate_hz, name=name, remarks=losses, page=page, progress=progress)
    else:
        wanted = Options(time=time, protect=protect, keep_reference_pose=True)
        answer = answer_to_fix(
            model, motion, rate_hz, options=wanted, name=name, remarks=losses, page=page, progress=progress
        )
    save_bridge_file(out, "answer", {**answer.to_dict(), "rate_hz": rate_hz, "page": str(page) if page else None})
    say(as_flags(answer.sentence))
    say(f"Written: {out}")
    return FITS if answer.fits else DOES_NOT_FIT
