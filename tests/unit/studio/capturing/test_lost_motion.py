"""A take of a capture whose motion is not in the project any more follows its person anew."""

from __future__ import annotations

from pathlib import Path

from animato.formats import load_character
from animato.studio.capturing import Captured, CaptureTool
from animato.studio.desk import Desk
from animato.studio.document import Document, Take
from animato.studio.workers import Inline
from tests.studio_builders import FakePage


def opened(folder: Path, captured: Captured) -> tuple[Desk, FakePage]:
    document = Document(load_character("pico"), "pico").with_take(Take("wave", captured, remark="Its clip is gone."))
    desk, page = Desk(document, folder=folder), FakePage()
    desk.equip([CaptureTool(desk, Inline())])
    desk.join(page)
    desk.run_due()
    return desk, page


def test_it_is_followed_when_somebody_looks(tmp_path: Path) -> None:
    desk, page = opened(tmp_path, Captured("person_wave", end_s=0.5))
    take = desk.document.open_take
    assert take is not None and take.motion is not None and "follows the person" in take.remark
    assert desk.history.undo_label == "" and page.told("capture")


def test_a_file_that_is_gone_too_is_told(tmp_path: Path) -> None:
    desk, page = opened(tmp_path, Captured("captures/none.bvh"))
    take = desk.document.open_take
    assert take is not None and take.motion is None
    assert "no file" in page.last("toast")["words"]
