"""A desk with exports for tests, and what is exported there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from animato.formats import load_character
from animato.studio.desk import Desk
from animato.studio.document import Document, Take
from animato.studio.drawing import Board, DrawnStroke
from animato.studio.exporting import ExportTool
from animato.studio.keys import Keyed
from animato.studio.workers import Inline
from tests.studio_builders import FakePage, ask

BOARD = Board("board", (0.75, 0.0, 0.55), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), 0.8, 0.45)


def line(shift: float = 0.0) -> DrawnStroke:
    u = np.linspace(0.0, 1.0, 50)
    places = np.column_stack([0.2 * u - 0.1 + shift, 0.04 * np.sin(6.0 * u)])
    return DrawnStroke("pen", BOARD, places, u, 0.2 + 0.6 * u)


def document_of(name: str, source: Any = None, clip: Any = None) -> Document:
    character = load_character(name)
    return Document(character, name).with_take(Take("my take", source or Keyed.of(clip), clip))


class At:
    """A desk with exports, and the folder into which they go."""

    def __init__(self, folder: Path, document: Document) -> None:
        self.folder = folder / "exports"
        self.desk, self.page = Desk(document, folder=folder), FakePage()
        self.desk.equip([ExportTool(self.desk, Inline(), folder)])

    def make(self, what: str) -> tuple[Path, list[str]]:
        answer = ask(self.desk, self.page, "export.make", what=what)
        assert "error" not in answer, answer["error"]
        told = self.page.last("exported")
        assert told.get("error") is None, told
        assert [one for one in self.folder.iterdir() if one.name.startswith(".")] == []
        return self.folder / told["file"], told["losses"]

    def whys(self) -> dict[str, str]:
        return {one["name"]: one["why"] for one in ask(self.desk, self.page, "export.list")["exports"]}


def is_page(file: Path) -> bool:
    text = file.read_text()
    return "<html" in text and "my take" in text and "http://" not in text.replace("http://www.w3.org", "")
