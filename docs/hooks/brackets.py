"""Brackets in docstrings are units and shapes, never links.

Docstrings say `positions [frame, joint] [rad or m]`. Markdown takes two brackets after one another for a reference to
some other place, which is not there. This extension of Griffe, through which mkdocstrings reads the sources, lets
brackets be brackets; those inside backquotes are code and stay as they are.
"""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

CODE_OR_BRACKET = re.compile(r"`[^`]*`|\[")


def literal(text: str) -> str:
    """Text in which Markdown finds no link."""
    return CODE_OR_BRACKET.sub(lambda found: "\\[" if found[0] == "[" else found[0], text)


class PlainBrackets(Extension):
    """Called by Griffe for all that it reads."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Called once for each module, class, function and attribute, when it is complete."""
        if obj.docstring is not None:
            obj.docstring.value = literal(obj.docstring.value)
