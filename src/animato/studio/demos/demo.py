"""Projects to begin with."""

from __future__ import annotations

from pathlib import Path

from animato.errors import unknown_name
from animato.studio.demos.arm6 import arm6_demo
from animato.studio.demos.pico import pico_demo
from animato.studio.document import Document
from animato.studio.project import new_document

_MADE = {"pico": (pico_demo, "pose"), "arm6": (arm6_demo, "draw")}

DEMOS = tuple(_MADE)
"""Characters that have one; the first is what opens where nothing was asked for."""


def demo_document(which: str = DEMOS[0]) -> Document:
    """A project to touch.

    Args:
        which: The character: "pico" has a hello of keys that it can do, and a dance and a cheer that it cannot until
            they are made performable; "arm6" writes hello.

    Raises:
        UnknownNameError: There is no such demo.
    """
    if which not in _MADE:
        raise unknown_name("demo", which, DEMOS, "the studio")
    made, mode = _MADE[which]
    # a page that opens it begins to play, and has the tool at hand with which it was made
    return made().with_settings("project", plays=True, mode=mode)


def first_document(character: str | Path | None = None) -> Document:
    """What a new project begins with: the demo of a character, or one take in which it stands still.

    Args:
        character: The name of one that comes with animato, or a file; None is whoever newcomers meet first.

    Raises:
        AnimatoError: It cannot be read.
    """
    if character is None or str(character) in _MADE:
        return demo_document(DEMOS[0] if character is None else str(character))
    return new_document(character)
