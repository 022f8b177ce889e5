"""Reads animato's character file (YAML)."""

from __future__ import annotations

import os
from pathlib import Path

from animato.character import Character
from animato.formats.character_yaml.assembly import assembled
from animato.formats.character_yaml.reading_sections import section_of
from animato.formats.character_yaml.schema import CharacterSection
from animato.formats.files import read_text_whole

LARGEST_FILE = 64_000_000  # bytes; the largest robot we know of takes a hundredth of it


def load_character_yaml(path: str | Path) -> Character:
    """Reads a character file.

    Args:
        path: The YAML file. Relative paths of meshes in it start at its folder.

    Returns:
        The character; its mesh paths are absolute.

    Raises:
        FileFormatError: Something is wrong in it; the message names the line, the key, what was
            given and what is allowed.
    """
    folder = Path(os.path.abspath(path)).parent  # noqa: PTH100 - resolve() would follow links
    return character_from_yaml(read_text_whole(path, largest=LARGEST_FILE), source=path, folder=folder)


def character_from_yaml(text: str, *, source: str | Path = "character", folder: Path | None = None) -> Character:
    """Reads a character from text.

    Args:
        text: What would stand in the file.
        source: What errors call it.
        folder: Where relative paths of meshes start; None keeps them as they are.
    """
    section, places = section_of(text, source, CharacterSection, "character file")
    return assembled(section, places, folder)
