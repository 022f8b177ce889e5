"""The design mode in a browser: a handle is dragged, the mechanism follows, and what is found is kept and undone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from animato.formats import load_character
from animato.studio.designing import DesignTool
from animato.studio.desk import Desk
from animato.studio.document import Document
from animato.studio.watching import WatchTool
from animato.studio.workers import Inline
from tests.studio.visit import Visit

server = pytest.importorskip("animato.studio.serving.server", reason="the extra 'studio' is not installed")

_HANDLES = """async () => {
  const { design } = await import("/page/modes/design/state.js"), { stage } = window.animato.studio;
  return design.paths.flatMap(({ handles }) => handles.map((place) => stage.project(place)));
}"""
_JOINT = """(name) => {
  const { stage, store } = window.animato.studio, joint = store.scene.joints.find((one) => one.name === name);
  return stage.project(stage.bodyPose(joint.body).place(joint.place));
}"""


@pytest.fixture
def opened(tmp_path: Path, visitor: Callable[..., Visit]) -> Iterator[tuple[Desk, Any]]:
    """A page in the design mode, with the desk behind it."""
    desk, workshop = Desk(Document(load_character("adjustable_four_bar"), "adjustable_four_bar")), Inline()
    desk.equip([DesignTool(desk, workshop), WatchTool(desk, workshop)])
    desk.start()
    with server.Server() as served:
        served.open(desk, tmp_path)
        page = visitor(1000, 700).page
        page.goto(served.address)
        page.click("button[data-mode=design]")
        yield desk, page
        page.close()
    desk.close()


def _gain(page: Any) -> tuple[float, float]:
    before, after = (page.locator(f".design .gain .{side}").first.inner_text() for side in ("before", "after"))
    return float(before), float(after)


def test_a_handle_is_dragged_kept_and_undone(opened: tuple[Desk, Any]) -> None:
    """As a person would: the example, a drag, a joint freed, built, undone."""
    desk, page = opened
    old = desk.document.character
    page.click("text=Try its example")
    page.wait_for_selector("text=The new mechanism does it.")
    before, after = _gain(page)
    assert before > 20.0 and after < 0.05

    x, y, _ = page.evaluate(_HANDLES)[2]
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(x + 3 * step, y - 3 * step)
        page.wait_for_timeout(30)
    page.mouse.up()
    page.wait_for_selector("text=This is as near as it comes.")
    assert 0.5 < _gain(page)[1] < _gain(page)[0]
    moved = page.evaluate(_HANDLES)[2]
    assert abs(moved[0] - x - 24) < 3 and abs(moved[1] - y + 24) < 3, "the handle is where the hand left it"

    x, y, _ = page.evaluate(_JOINT, "rocker_axle")
    page.mouse.click(x, y)
    page.click(".popover >> text=it may sit elsewhere")
    page.wait_for_selector(".design .freed li")
    page.keyboard.press("Escape")
    page.click("text=Build it like this")
    page.wait_for_selector("text=Which path should it follow?")
    assert desk.document.character is not old and desk.document.current == "four_bar"
    page.keyboard.press("Control+z")
    page.wait_for_selector("text=How near it comes")
    assert desk.document.character is old


def test_handles_by_keys(opened: tuple[Desk, Any]) -> None:
    """Tab chooses, arrows move; many presses in a row are one step of undo."""
    desk, page = opened
    page.click("text=Try its example")
    page.wait_for_selector("text=The new mechanism does it.")
    page.focus("#stage canvas")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.wait_for_selector("text=Handle 2 of 8")
    for _ in range(3):
        page.keyboard.press("Shift+ArrowUp")
    page.wait_for_timeout(900)  # the hand rests
    pulls = desk.document.settings["design"]["handles"]["pen"]
    assert pulls[1][3] > 0.003 and not any(pulls[0][1:]), "up is up, and only the chosen one moved"
    page.keyboard.press("Control+z")
    page.wait_for_timeout(300)
    assert not any(desk.document.settings["design"]["handles"]["pen"][1][1:])
