"""`animato characters`."""

from __future__ import annotations

from typing import Annotated

from tyro.conf import Positional, arg

from animato.cli.line import FITS, console


def characters(name: Positional[Annotated[str | None, arg(metavar="NAME")]] = None, /) -> int:
    """List the shipped characters, or describe one.

    Args:
        name: A shipped character's name, or a character file.
    """
    from animato.formats import load_character, shipped_characters
    from animato.report.character import character_list, character_text

    results = console(stderr=False)
    if name is None:
        results.print(character_list([load_character(one) for one in shipped_characters()]))
    else:
        results.print(character_text(load_character(name)))
    return FITS
