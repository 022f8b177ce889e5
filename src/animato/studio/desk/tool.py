"""What a tool of the studio is: the messages it answers and what it does when the document changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from animato.studio.desk.fields import Fields
from animato.studio.desk.page import Page
from animato.studio.document import Document

Answer = Callable[[Page, Fields], Mapping[str, Any] | None]
"""Does what a page asks for and gives what it is told; called in the desk's thread, and back within some 20 ms."""


class Tool(Protocol):
    """One tool. All of it is called in the desk's thread alone; a tool that inherits this does nothing by itself.

    Attributes:
        name: Its messages begin with it: "draw.begin".
    """

    name: str

    def answers(self) -> Mapping[str, Answer]:
        """By the whole name of the message."""
        return {}

    def state(self) -> Mapping[str, Any]:
        """What a page that has just come must know beside the document, as plain values."""
        return {}

    def welcome(self, page: Page) -> None:
        """A page has come; told after it was sent the document and all states."""
        return

    def changed(self, before: Document, after: Document) -> None:
        """The document is another one: by an edit, by undo, by anybody."""
        return

    def left(self, page: Page) -> None:
        """A page has gone."""
        return

    def close(self) -> None:
        """The studio ends."""
        return
