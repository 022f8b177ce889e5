"""Whatever is to be kept: characters, motions and results, each in the format that the file's ending names."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from animato.character import Character
from animato.described import HasPage
from animato.errors import OptionError
from animato.formats import save_character, save_motion
from animato.loading.performing import save_performance
from animato.motion import Clip, Motion


def save(path: str | Path, thing: Character | Motion | HasPage, character: Character | None = None) -> tuple[str, ...]:
    """Writes a file whole or not at all.

    Args:
        path: Its ending says the format: .yaml, .urdf, .xml (MJCF) or .glb for a character; .npz, .csv or .bvh for
            motion; .glb for a clip of a character, which is then seen performing it; .html for the page of a result.
            The clip of a result is saved with an ending of motion.
        thing: A character, a motion, or what a verb or `check` returned.
        character: Whose motion it is; tells the units that are written beside the numbers, and performs in a .glb.

    Returns:
        What the file does not hold, in words; empty where nothing was lost.

    Raises:
        OptionError: There is no such file of such a thing.
    """
    if isinstance(thing, Character):
        return save_character(path, thing).left_out
    if isinstance(thing, HasPage):
        if Path(path).suffix.lower() in (".html", ".htm"):
            thing.save_page(path)
            return ()
        thing = getattr(thing, "clip", None) or thing
    if Path(path).suffix.lower() == ".glb" and isinstance(thing, Clip):
        if character is None:
            raise OptionError("A .glb shows a character in motion; say whose clip it is: `character`.")
        return save_performance(path, character, thing).left_out
    if isinstance(thing, get_args(Motion)):
        return save_motion(path, thing, character)
    raise OptionError(f"`thing` is a character, a motion or a result that has a page; given {thing!r:.60}.")
