"""A YAML text as the sections of a schema, with the line of whatever is wrong in it."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from animato.errors import FileFormatError
from animato.formats.character_yaml.schema import Section
from animato.formats.files import PathInFile, Places, described, parse_yaml

Kind = TypeVar("Kind", bound=Section)


def section_of(text: str, source: str | Path, kind: type[Kind], what: str) -> tuple[Kind, Places]:
    """The whole text, checked, and where things stand in it.

    Args:
        text: What would stand in the file.
        source: What errors call it.
        kind: The schema of the whole.
        what: How it is called, such as "character file".
    """
    document = parse_yaml(text, source)
    places = Places(source, document)
    if not isinstance(document.data, dict):
        raise places.error((), f"a {what} is a mapping that starts with 'animato: 1', not {described(document.data)}.")
    if "animato" not in document.data:
        raise places.error(
            (), f"the key 'animato' is missing. A {what} starts with 'animato: 1', the version of the format."
        )
    try:
        return kind.model_validate(document.data), places
    except ValidationError as error:
        raise _first_of(error, places) from None


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
