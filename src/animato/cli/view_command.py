"""`animato view`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from tyro.conf import Positional, arg

from animato.cli.line import AS_STATED, FITS, Base, CharacterName, HowToRead, OtherMotion, check_suffix, say, working
from animato.errors import OptionError

PICTURE, FILMS = ".png", (".gif", ".mp4")


def view(
    character: Positional[CharacterName],
    clip: Positional[OtherMotion] = None,
    /,
    *,
    out: Annotated[tuple[Path, ...], arg(metavar="FILE", aliases=["-o"], help_behavior_hint="")] = (),
    posture: Annotated[str | None, arg(metavar="NAME", help_behavior_hint="")] = None,
    ghost: OtherMotion = None,
    time_s: Annotated[float | None, arg(metavar="S", help_behavior_hint="")] = None,
    names: bool = False,
    width: Annotated[int | None, arg(metavar="PIXELS", help_behavior_hint="(default: 960, of a GIF 480)")] = None,
    height: Annotated[int | None, arg(metavar="PIXELS", help_behavior_hint="(default: 720, of a GIF 360)")] = None,
    port: int = 8080,
    base: Base = "auto",
    reading: HowToRead = AS_STATED,
) -> int:
    """Play a clip in the browser, or render it to files.

    Args:
        character: What to show.
        clip: What it does; without one it stands still.
        out: Files to render: .png is one picture (of a clip the moment `--time-s`, or the whole motion as a strobe),
            .gif and .mp4 are films. Without one the browser plays.
        posture: A posture of the character's, instead of a clip.
        ghost: Another clip, drawn translucent.
        time_s: Moment of the picture.
        names: Write the names of bodies, joints and end-points into the picture.
        width: Of pictures and films.
        height: Of pictures and films.
        port: Of the player in the browser, on this machine only.
        base: Whether a URDF robot is held or floats.
        reading: How to read the motion.
    """
    from animato.formats import load_character
    from animato.loading import load_clip
    from animato.motion import Posture
    from animato.view import render_picture, render_strobe, save_gif, save_mp4, save_png
    from animato.view.browser import play
    from animato.view.scene import missing_meshes, render_annotated

    for path in out:
        check_suffix(path, "the view", PICTURE, *FILMS)
    model = load_character(character, base=base)
    motion = None if clip is None else load_clip(clip, model, **reading.stated())
    other = None if ghost is None else load_clip(ghost, model, **reading.stated())
    pose = None if posture is None else Posture.named(model, posture)
    if missing := missing_meshes(model):
        shown = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
        say(f"Meshes that are not there or cannot be read, drawn as boxes or bones: {shown}")
    for path in out:
        is_small = path.suffix.lower() == ".gif"
        across, down = width or (480 if is_small else 960), height or (360 if is_small else 720)
        if path.suffix.lower() == PICTURE:
            if names:
                image = render_annotated(model, posture=pose, width=across, height=down)
            elif motion is not None and time_s is None and other is None:
                image = render_strobe(model, motion, width=across, height=down)
            else:
                image = render_picture(model, motion, posture=pose, ghost=other, time=time_s, width=across, height=down)
            save_png(path, image)
            say(f"The picture: {path}")
            continue
        if motion is None:
            raise OptionError(f"A film needs a clip: animato view {character} CLIP --out {path}.")
        film = save_gif if path.suffix.lower() == ".gif" else save_mp4
        with working("drawing frames") as progress:
            film(path, model, motion, ghost=other, progress=progress, width=across, height=down)
        say(f"The film: {path}")
    if not out:
        play(model, motion, posture=pose, ghost=other, port=port)
    return FITS
