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
)
from animato.formats.loops import loops_beside
from animato.formats.urdf import BaseChoice
from animato.loading.clips import load_clip_and_losses

CHARACTER_SUFFIXES = SUFFIXES


def convert_file(
    source: str | Path,
    target: str | Path,
    *,
    character: str | None = None,
    base: BaseChoice = "auto",
    **how: Unpack[ClipReading],
) -> tuple[str, ...]:
    """Reads a character or a motion and writes it in the format that the target's suffix names.

    Args:
        source: What to read.
        target: What to write: `.yaml` for characters; `.npz`, `.csv` or `.bvh` for motion.
        character: Name or file of a character onto whose joints a captured skeleton's angles are copied.
        base: For URDF and USD: whether the robot is held or floats, see `urdf.load_urdf`.
        **how: As for `load_clip`.

    Returns:
        What was lost, in words; empty when nothing was.
    """
    suffix = Path(source).suffix.lower()
    if suffix in CHARACTER_SUFFIXES:
        closures = loops_beside(source) if suffix in (".urdf", ".xml") else None
        if closures is not None and closures.absolute() == Path(target).absolute():
            raise OptionError(f"'{target}' holds the loop closures of '{source}'; give the character another name.")
        save_character(target, load_character(source, base=base))
        return ()
    if suffix not in READ_SUFFIXES:
        known = ", ".join((*CHARACTER_SUFFIXES, *READ_SUFFIXES))
        raise OptionError(f"'{source}' is neither a character nor a motion file; known endings: {known}.")
    if character is None:
        for name in ("mapping", "smooth_hz"):
            if name in how:
                raise OptionError(f"`{name}` is for clips of a character; say of which one: `character`.")
        return save_motion(target, load_motion(source, **cast(MotionReading, how)))
    model = load_character(character, base=base)
    clip, losses = load_clip_and_losses(source, model, **how)
    return (*losses, *save_motion(target, clip, model))
