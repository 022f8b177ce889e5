"""`animato convert`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from tyro.conf import Positional, arg

from animato.cli.line import AS_STATED, FITS, Base, HowToRead, as_flags, say, working


def convert(
    source: Positional[Annotated[Path, arg(metavar="SOURCE")]],
    target: Positional[Annotated[Path, arg(metavar="TARGET")]],
    /,
    *,
    character: Annotated[str | None, arg(metavar="CHARACTER")] = None,
    motion: Annotated[str | None, arg(metavar="CLIP")] = None,
    base: Base = "auto",
    reading: HowToRead = AS_STATED,
) -> int:
    """Turn a character or motion file into another format, and say what is lost.

    Args:
        source: A character (.urdf, .xml, .yaml or a name) or motion (.bvh, .glb, .trc, .csv, .npz) file.
        target: The file to write; its ending says the format: .yaml, .urdf (loops in a .yaml beside it), .xml (MJCF)
            or .glb for characters; .npz, .csv or .bvh for motion.
        character: For captures: copy the bones' angles onto the joints of this character.
        motion: For a character into .glb: what it performs there, a clip or a capture.
        base: Whether a URDF robot is held or floats.
        reading: How to read the motion.
    """
    from animato.loading import NOT_SAID, convert_file

    with working(f"reading {source.name}"):
        losses = convert_file(source, target, character=character, motion=motion, base=base, **reading.stated())
    # Of a robot it is also told what the format says in another way, which is no loss.
    word = "note" if target.suffix.lower() in (".urdf", ".xml", ".mjcf", ".glb") else "lost"
    for loss in losses:
        say(f"{'note' if loss.startswith(NOT_SAID) else word}: {as_flags(loss)}")
    say(f"Written: {target}" + ("" if losses else ", nothing lost"))
    return FITS
