"""`animato studio`."""

from __future__ import annotations

import atexit
import gc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from tyro.conf import Positional, arg

from animato.cli.line import FITS, is_character, is_motion
from animato.errors import OptionError, did_you_mean
from animato.library import LIBRARY

if TYPE_CHECKING:
    from animato.studio import Studio

_PROJECT = "project.json"


def studio(
    character: Positional[Annotated[str | None, arg(metavar="CHARACTER", help_behavior_hint="")]] = None,
    what: Positional[Annotated[str | None, arg(metavar="CLIP|FOLDER", help_behavior_hint="")]] = None,
    /,
    *,
    host: Annotated[str, arg(metavar="ADDRESS")] = "127.0.0.1",
    port: Annotated[int, arg(help_behavior_hint="(default: the first free one from 8130)")] = 0,
    browser: bool = True,
) -> int:
    """Draw, pose and watch in the browser; without anything, a project to play with opens.

    Args:
        character: Who is on the stage. It and what follows may be given in any order, and either may be left out.
        what: A clip to begin with, or the folder of a project; a new folder, such as ./dance, begins a new project.
        host: Who may look: 127.0.0.1 is this machine only; 0.0.0.0 is everybody in the network who has the whole
            address, such as a phone.
        port: Where the page is served.
        browser: Whether to open the page.
    """
    from animato.studio.serving import serve

    given = sorted_out([word for word in (character, what) if word is not None])

    def opening() -> Studio:
        from animato.studio import open_studio  # all of animato: the browser starts meanwhile

        return open_studio(given.character, given.clip, given.folder)

    atexit.register(gc.freeze)  # when it ends, half a second of looking for what could be freed is left out
    serve(opening, host=host, port=port, open_browser=browser)
    return FITS


class Given(NamedTuple):
    """What the words of the line are."""

    character: str | None = None
    clip: str | None = None
    folder: Path | None = None


def sorted_out(words: list[str]) -> Given:
    """Which word is the character, which the clip, which the folder.

    Raises:
        OptionError: One is none of them, or two are the same.
    """
    found: dict[str, str] = {}
    for word in words:
        kind = _kind(word)
        if kind in found:
            raise OptionError(
                f"'{found[kind]}' and '{word}' are both a {kind}. The studio takes a character, and a clip or the "
                "folder of a project."
            )
        found[kind] = word
    folder = found.get("folder")
    if folder is not None and Path(folder).name == _PROJECT:
        folder = str(Path(folder).parent)
    return Given(found.get("character"), found.get("clip"), None if folder is None else Path(folder))


def _kind(word: str) -> str:
    path = Path(word)
    if path.name == _PROJECT or (path / _PROJECT).is_file():
        return "folder"
    if is_character(word):
        return "character"
    if is_motion(word):
        return "clip"
    if path.is_dir() or (len(path.parts) > 1 and not path.suffix) or word.startswith("./") or word.endswith("/"):
        return "folder"  # there, or about to be made
    names = [one.stem for room in ("characters", "clips") for one in (LIBRARY / room).iterdir() if one.is_file()]
    raise OptionError(
        f"'{word}' is no character, no clip and no folder.{did_you_mean(word, names)} A new project is begun by a "
        f"folder: ./{path.name}."
    )
