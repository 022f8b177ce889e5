"""One file into another format."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack, cast

from animato.errors import OptionError
from animato.formats import (
    READ_SUFFIXES,
    SUFFIXES,
    ClipReading,
    MotionReading,
    load_character,
    load_motion,
    save_character,
    save_motion,
    shipped_characters,
)
from animato.formats.loops import loops_beside
from animato.formats.urdf import BaseChoice
from animato.loading.clips import load_clip_and_losses
from animato.loading.performing import save_performance

CHARACTER_SUFFIXES = SUFFIXES


def convert_file(
    source: str | Path,
    target: str | Path,
    *,
    character: str | None = None,
    motion: str | Path | None = None,
    base: BaseChoice = "auto",
    **how: Unpack[ClipReading],
) -> tuple[str, ...]:
    """Reads a character or a motion and writes it in the format that the target's suffix names.

    Args:
        source: What to read.
        target: What to write: `.yaml`, `.urdf`, `.xml` (MJCF) or `.glb` for characters; `.npz`, `.csv` or `.bvh` for
            motion, or `.glb` for the motion of a `character`.
        character: Name or file of a character onto whose joints a captured skeleton's angles are copied.
        motion: What the character in `source` performs in a `.glb`.
        base: For URDF and USD: whether the robot is held or floats, see `urdf.load_urdf`.
        **how: As for `load_clip`.

    Returns:
        What was lost, in words; empty when nothing was.
    """
    suffix, wanted = Path(source).suffix.lower(), Path(target).suffix.lower()
    if suffix in CHARACTER_SUFFIXES or str(source) in shipped_characters():
        return _converted_character(source, target, motion, base, how)
    if motion is not None:
        raise OptionError(f"`motion` is what a character performs; '{source}' is none.")
    if suffix not in READ_SUFFIXES:
        known = ", ".join((*CHARACTER_SUFFIXES, *READ_SUFFIXES))
        raise OptionError(f"'{source}' is neither a character nor a motion file; known endings: {known}.")
    if character is None:
        for name in ("mapping", "smooth_hz"):
            if name in how:
                raise OptionError(f"`{name}` is for clips of a character; say of which one: `character`.")
        if wanted == ".glb":
            raise OptionError("A .glb shows a character in motion; say which one: `character`.")
        return save_motion(target, load_motion(source, **cast(MotionReading, how)))
    model = load_character(character, base=base)
    clip, losses = load_clip_and_losses(source, model, **how)
    if wanted == ".glb":
        return (*losses, *save_performance(target, model, clip).left_out)
    return (*losses, *save_motion(target, clip, model))


def _converted_character(
    source: str | Path, target: str | Path, motion: str | Path | None, base: BaseChoice, how: ClipReading
) -> tuple[str, ...]:
    if Path(source).suffix.lower() in (".urdf", ".xml"):
        closures = loops_beside(source)
        if closures is not None and closures.absolute() == Path(target).absolute():
            raise OptionError(f"'{target}' holds the loop closures of '{source}'; give the character another name.")
    if Path(source).absolute() == Path(target).absolute():
        raise OptionError(f"'{target}' is the file that is read; write to another name.")
    model = load_character(source, base=base)
    if motion is None:
        return save_character(target, model).left_out
    if Path(target).suffix.lower() != ".glb":
        raise OptionError(f"A character performs a `motion` in a .glb only, not in '{Path(target).name}'.")
    clip, losses = load_clip_and_losses(motion, model, **how)
    return (*losses, *save_performance(target, model, clip).left_out)
