"""`animato view`."""

from __future__ import annotations

from typing import Annotated

from tyro.conf import Positional, arg

from animato.cli.options import AS_STATED, FITS, Base, CharacterName, HowToRead, OtherMotion, OutFile
from animato.cli.terminal import progress_bar, say
from animato.errors import AnimatoError


def view(
    character: Positional[CharacterName],
    clip: Positional[OtherMotion] = None,
    /,
    *,
    posture: Annotated[str | None, arg(metavar="NAME")] = None,
    ghost: OtherMotion = None,
    png: OutFile = None,
    gif: OutFile = None,
    mp4: OutFile = None,
    time_s: Annotated[float | None, arg(metavar="S")] = None,
    names: bool = False,
    width: int = 960,
    height: int = 720,
    port: int = 8080,
    base: Base = "auto",
    how: HowToRead = AS_STATED,
) -> int:
    """Play a clip in the browser, or render it to a file.

    Args:
        character: What to show.
        clip: What it does; without one it stands still.
        posture: A posture of the character's, instead of a clip.
        ghost: Another clip, drawn translucent.
        png: Render one picture; of a clip, the moment `--time-s` or the whole motion as a strobe.
        gif: Render the clip.
        mp4: Render the clip.
        time_s: Moment of the picture.
        names: Write the names of bodies, joints and end-points into the picture.
        width: Of pictures, in pixels.
        height: Of pictures, in pixels.
        port: Of the player in the browser, on this machine only.
        base: Whether a URDF robot is held or floats.
        how: How to read the motion.
    """
    from animato.formats import load_character
    from animato.loading import load_clip
    from animato.motion import Posture
    from animato.view import film, picture
    from animato.view.browser import player as browser
    from animato.view.scene import annotated

    model = load_character(character, base=base)
    motion = None if clip is None else load_clip(clip, character=model, **how.stated())
    other = None if ghost is None else load_clip(ghost, character=model, **how.stated())
    pose = None if posture is None else Posture.named(model, posture)
    if png is not None:
        if names:
            image = annotated.render_annotated(model, posture=pose, width=width, height=height)
        elif motion is not None and time_s is None and other is None:
            image = picture.render_strobe(model, motion, width=width, height=height)
        else:
            image = picture.render_picture(
                model, motion, posture=pose, ghost=other, time=time_s, width=width, height=height
            )
        picture.save_png(png, image)
        say(f"The picture: {png}")
    for path, save in ((gif, film.save_gif), (mp4, film.save_mp4)):
        if path is None:
            continue
        if motion is None:
            raise AnimatoError("A film needs a clip: animato view CHARACTER CLIP --gif FILE.")
        with progress_bar("rendering") as advance:
            save(path, model, motion, ghost=other, width=width, height=height, progress=advance)
        say(f"The film: {path}")
    if png is None and gif is None and mp4 is None:
        browser.play(model, motion, posture=pose, ghost=other, port=port)
    return FITS
