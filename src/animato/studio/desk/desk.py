"""The desk: messages of all pages, one after the other, and the one document that they are about."""

from __future__ import annotations

import json
import math
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from animato.errors import AnimatoError, unknown_name
from animato.studio.desk.errands import Errands, Timer
from animato.studio.desk.fields import Fields
from animato.studio.desk.packed import packed
from animato.studio.desk.page import Page
from animato.studio.desk.tool import Answer, Tool
from animato.studio.document import Document, History, Take
from animato.version import __version__

_MOST_DIGITS = 15


class Desk:
    """One document, its history, the tools and the pages.

    Everything happens in one thread, so that tools need no locks: `receive`, `join`, `leave` and `post` may be called
    from any thread and only put an errand into the queue.

    Attributes:
        history: All documents that were.
        tools: By name.
        on_change: Told of every new document, in the desk's thread; saves it.
        folder: Of the project, for tools that read and write files in it.
    """

    def __init__(
        self, document: Document, on_change: Callable[[Document], None] | None = None, folder: Path | None = None
    ) -> None:
        """Begins with a document and without tools; `equip` gives them, `start` begins to work."""
        self.history = History(document)
        self.folder = folder or Path()
        self.tools: dict[str, Tool] = {}
        self.on_change = on_change or (lambda _: None)
        self._answers: dict[str, Answer] = {"undo": self._undo, "redo": self._redo}
        self._pages: dict[str, Page] = {}
        self._errands = Errands(self._trouble)

    # --- Its work -----------------------------------------------------------------------------------------------------
    def equip(self, tools: Sequence[Tool]) -> None:
        """Gives it its tools."""
        for tool in tools:
            self.tools[tool.name] = tool
            self._answers |= tool.answers()

    def start(self) -> None:
        """Begins to work in a thread of its own."""
        self._errands.start()

    def close(self) -> None:
        """Ends the thread and all tools."""
        for tool in self.tools.values():
            self.post(tool.close)
        self._errands.stop()

    def post(self, errand: Callable[[], object]) -> None:
        """Does something in the desk's thread, as soon as it is its turn; from any thread."""
        self._errands.post(errand)

    def later(self, seconds: float, errand: Callable[[], object]) -> Timer:
        """Does something once in the desk's thread, after a while; `cancel()` of what is given leaves it out."""
        return self._errands.later(seconds, errand)

    def every(self, seconds: float, errand: Callable[[], object]) -> Timer:
        """Does something again and again in the desk's thread, until `cancel()`; a late one is not done twice."""
        return self._errands.every(seconds, errand)

    def run_due(self) -> None:
        """Does in the caller's thread all that is due; for tests, in the place of `start`."""
        self._errands.run_due()

    # --- The document -------------------------------------------------------------------------------------------------
    @property
    def document(self) -> Document:
        """What there is now."""
        return self.history.document

    def edit(self, label: str, document: Document, gesture: str = "", within_s: float = math.inf) -> None:
        """Goes on with another document; a step of undo.

        Args:
            label: What was done, for people: "key moved".
            document: What there is then.
            gesture: Edits that follow one another with the same one, such as a slider's, are one step.
            within_s: How soon they have to, where not every gesture has another name [s].
        """
        before = self.document
        self.history.edit(label, document, gesture, within_s)
        self._told_of(before)

    def edit_take(self, label: str, take: Take, gesture: str = "") -> None:
        """Puts a take in the place of the one of its name, or after all others, and opens it."""
        self.edit(label, self.document.with_take(take), gesture)

    def amend(self, document: Document) -> None:
        """Completes what there is now, such as by the result of a solve; no step of undo."""
        before = self.document
        self.history.amend(document)
        self._told_of(before)

    def amend_take(self, asked: Take, result: Take) -> bool:
        """Puts the result of a solve in the place of the take that asked for it; whether that is still there."""
        for one in self.document.takes:
            if one is asked or (one.name == asked.name and one.source is asked.source and one.motion is asked.motion):
                self.amend(self.document.with_take(result, opened=False))
                return True
        return False

    def _undo(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        before, label = self.document, self.history.undo_label
        if self.history.undo():
            self._told_of(before)
        return {"label": label}

    def _redo(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        before, label = self.document, self.history.redo_label
        if self.history.redo():
            self._told_of(before)
        return {"label": label}

    def _told_of(self, before: Document) -> None:
        after = self.document
        self.on_change(after)
        self.tell("document", self.document_for_page())
        for tool in self.tools.values():
            if self.document is not after:
                return  # a tool has edited meanwhile; all were told of that
            try:
                tool.changed(before, after)
            except Exception:
                self._trouble()

    def document_for_page(self) -> dict[str, Any]:
        """The document as pages show it."""
        document, take = self.document, self.document.open_take
        return {
            "character": document.character.name,
            "takes": [one.for_page() for one in document.takes],
            "current": document.current,
            "source": None if take is None else {"kind": take.source.kind, **take.source.for_page()},
            "postures": [*(one.name for one in document.character.postures), *document.postures],
            "own_postures": list(document.postures),
            "settings": {tool: dict(values) for tool, values in document.settings.items()},
            "undo": self.history.undo_label,
            "redo": self.history.redo_label,
        }

    # --- Pages --------------------------------------------------------------------------------------------------------
    @property
    def pages(self) -> tuple[Page, ...]:
        """Who looks."""
        return tuple(self._pages.values())

    def join(self, page: Page) -> None:
        """A page has come; from any thread."""
        self.post(lambda: self._welcome(page))

    def leave(self, page: Page) -> None:
        """A page has gone; from any thread."""
        self.post(lambda: self._farewell(page))

    def receive(self, page: Page, text: str) -> None:
        """A page said something; from any thread."""
        self.post(lambda: self.answer(page, text))

    def tell(self, say: str, values: Mapping[str, Any], to: Page | None = None, *, newest_of: str = "") -> None:
        """Tells all pages, or one, in JSON.

        Args:
            say: What it is about.
            values: Plain values.
            to: The page; all where not given.
            newest_of: A page that is slow gets only the newest of this name.
        """
        self._send(json.dumps({"say": say, **values}, separators=(",", ":")), to, newest_of)

    def show(
        self,
        say: str,
        values: Mapping[str, Any],
        arrays: Mapping[str, np.ndarray],
        to: Page | None = None,
        *,
        newest_of: str = "",
    ) -> None:
        """Tells all pages, or one, with arrays of numbers; see `tell` and `packed`."""
        self._send(packed(say, values, arrays), to, newest_of)

    def answer(self, page: Page, text: str) -> None:
        """Answers one message, here and now."""
        number: Any = None
        try:
            message = json.loads(text, parse_int=_whole, parse_constant=_no_number)
            if not isinstance(message, dict):
                raise AnimatoError("A message is a JSON object.")
            number, do = message.get("id"), message.get("do")
            if not isinstance(number, int | str):
                number = None  # nothing that an answer could carry
            if not isinstance(do, str) or do not in self._answers:
                raise unknown_name("message", str(do)[:40], sorted(self._answers), "the studio")
            told = self._answers[do](page, Fields(message))
            if number is not None:
                self._send(json.dumps({"re": number, **(told or {})}), page, "")
        except (AnimatoError, json.JSONDecodeError, RecursionError) as error:
            self._send(json.dumps({"re": number, "error": str(error)}), page, "")
        except Exception as error:
            self._trouble()
            words = f"Something is wrong in the studio itself ({type(error).__name__}: {error}); nothing was changed."
            self._send(json.dumps({"re": number, "error": words}), page, "")

    def _welcome(self, page: Page) -> None:
        self._pages[page.name] = page
        states = {name: dict(tool.state()) for name, tool in self.tools.items()}
        self.tell(
            "hello", {"version": __version__, "page": page.name, **self.document_for_page(), "tools": states}, page
        )
        for tool in self.tools.values():
            tool.welcome(page)

    def _farewell(self, page: Page) -> None:
        if self._pages.pop(page.name, None) is not None:
            for tool in self.tools.values():
                tool.left(page)

    def _send(self, message: str | bytes, to: Page | None, newest_of: str) -> None:
        for page in self.pages if to is None else (to,):
            page.send(message, newest_of=newest_of)

    def _trouble(self) -> None:
        """What went wrong, for whoever started the studio; the desk goes on."""
        traceback.print_exc(file=sys.stderr)


def _whole(digits: str) -> int | float:
    """A whole number that a 64-bit float can hold; what is longer is a float, and perhaps infinite, as in a browser."""
    return int(digits) if len(digits) <= _MOST_DIGITS else float(digits)


def _no_number(word: str) -> float:
    """NaN and Infinity are no JSON: a file or a page that is told of them could not be read."""
    raise AnimatoError(f"A message has '{word}' where a number belongs.")
