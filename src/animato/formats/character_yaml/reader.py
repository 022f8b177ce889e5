"""Reads animato's character file (YAML)."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from animato.character import Character
from animato.errors import FileFormatError
from animato.formats.character_yaml.assembly import assembled
from animato.formats.character_yaml.schema import CharacterSection
from animato.formats.files import PathInFile, Places, described, parse_yaml, read_text_whole

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
    document = parse_yaml(text, source)
    places = Places(source, document)
    if not isinstance(document.data, dict):
        raise places.error(
            (), f"a character file is a mapping that starts with 'animato: 1', not {described(document.data)}."
        )
    if "animato" not in document.data:
        raise places.error(
            (), "the key 'animato' is missing. A character file starts with 'animato: 1', the version of the format."
        )
    try:
        section = CharacterSection.model_validate(document.data)
    except ValidationError as error:
        raise _first_of(error, places) from None
    return assembled(section, places, folder)


def _first_of(errors: ValidationError, places: Places) -> FileFormatError:
    """The first trouble in the order of the file, and how many more there are."""
    found = sorted((_trouble(error, places) for error in errors.errors(include_url=False)), key=lambda one: one[0])
    _, path, message = found[0]
    more = len(found) - 1
    if more:
        message += f" ({more} more error{'s' if more > 1 else ''} in this file.)"
    return places.error(path, message)


def _trouble(error: ErrorDetails, places: Places) -> tuple[int, PathInFile, str]:
    """Line, path and message of one of pydantic's errors."""
    path = places.path_of(error["loc"])
    key = error.get("ctx", {}).get("key")
    if key is not None:
        path = (*path, key)
    message = error["msg"]
    if error["type"] == "missing":
        message = "is missing. Add it."
    elif error["type"] in ("list_type", "dict_type"):
        message = f"must be a {'list' if error['type'] == 'list_type' else 'mapping'}, not {described(error['input'])}."
    return places.line(path) or 0, path, message
