"""Where things stand in the folder of a project."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from animato.errors import OptionError

PROJECT = "project.json"
TAKES, CLIPS, CHARACTERS = "takes", "clips", "character"
CAPTURES, EXPORTS, ASIDE = "captures", "exports", "set_aside"

_LONGEST_STEM = 120  # bytes; with an ending it stays below the 255 that file systems allow
_LONGEST_FILE = 255  # bytes
_NO_FILES = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}


def stems(names: Iterable[str]) -> list[str]:
    """How the files of takes are called, by the takes' names in their order.

    A stem has no dot, so that `hello.base.csv` can only belong to `hello`; no two are the same on any file system, and
    none is a name that Windows keeps for devices.
    """
    taken: set[str] = set()
    found = []
    for name in names:
        plain = unicodedata.normalize("NFC", name).replace(".", "_").replace("/", "_").replace("\\", "_")
        plain = plain.encode("utf-8", "ignore")[:_LONGEST_STEM].decode("utf-8", "ignore").strip() or "take"
        plain = f"{plain}_" if plain.casefold() in _NO_FILES else plain
        stem, number = plain, 2
        while stem.casefold() in taken:
            stem, number = f"{plain}_{number}", number + 1
        taken.add(stem.casefold())
        found.append(stem)
    return found


def inside(folder: Path, name: str) -> Path:
    """The place of a file of a project by its name in it, as "clips/hello.csv".

    Raises:
        OptionError: It is outside of the project, or hidden.
    """
    steps = PurePosixPath(name.replace("\\", "/"))
    wrong = steps.is_absolute() or not steps.parts or "\0" in name or ":" in name
    if wrong or any(step.startswith(".") or not _can_be_a_file(step) for step in steps.parts):
        raise OptionError(f"A file of a project is named by its path in the project's folder; given {name!r:.80}.")
    place = folder.joinpath(*steps.parts)
    if not place.resolve().is_relative_to(folder.resolve()):
        raise OptionError(f"'{name:.80}' leads out of the project's folder; put the file itself there.")
    return place


def _can_be_a_file(name: str) -> bool:
    """Whether file systems take it; half of a letter, as a page may send it, is in none."""
    try:
        return len(name.encode("utf-8")) <= _LONGEST_FILE
    except UnicodeEncodeError:
        return False


def free_place(folder: Path, stem: str, suffix: str) -> Path:
    """A place in a folder where nothing is: the name, or with a number behind it."""
    place, number = folder / f"{stem}{suffix}", 2
    while place.exists():
        place, number = folder / f"{stem} {number}{suffix}", number + 1
    return place
