"""Takes, project, exports and help in a browser, as a person uses them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import animato as an
from animato.studio.desk import Desk
from animato.studio.exporting import ExportTool
from animato.studio.project import Keeper, ProjectTool, TakesTool, new_document, with_clip
from animato.studio.watching import WatchTool
from animato.studio.workers import Inline
from tests.studio.visit import Visit

server = pytest.importorskip("animato.studio.serving.server", reason="the extra 'studio' is not installed")

_PATIENCE = 100  # looks, of 50 ms each


class Opened:
    """A page, and the desk behind it.

    Attributes:
        page: In the browser.
        desk: What it shows.
        folder: Of the project.
    """

    def __init__(self, page: Any, desk: Desk, folder: Path) -> None:
        """Of a page that is not open yet."""
        self.page, self.desk, self.folder = page, desk, folder

    @property
    def takes(self) -> list[str]:
        """As the page knows them."""
        return [
            str(one) for one in self.page.evaluate("() => animato.studio.store.document.takes.map((one) => one.name)")
        ]

    @property
    def current(self) -> str:
        """The open take, as the page knows it."""
        return str(self.page.evaluate("() => animato.studio.store.document.current"))

    def until(self, holds: Any) -> None:
        """Waits until something is so."""
        for _ in range(_PATIENCE):
            if holds():
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"it is not so: takes {self.takes}, open {self.current!r}")


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory, visitor: Callable[..., Visit]) -> Iterator[Opened]:
    """The lamp with two takes; all tests share it."""
    keeper = Keeper(tmp_path_factory.mktemp("studio") / "dance")
    desk = Desk(with_clip(new_document("lamp"), "lamp_look"), keeper.keep, keeper.folder)
    workshop = Inline()
    desk.equip(
        [
            TakesTool(desk, workshop),
            ProjectTool(desk, workshop, keeper),
            ExportTool(desk, workshop),
            WatchTool(desk, workshop),
        ]
    )
    desk.start()
    with server.Server() as served:
        served.open(desk, keeper.folder)
        one = Opened(visitor(1100, 700).page, desk, keeper.folder)
        one.page.goto(served.address)
        one.page.wait_for_selector('#studio[aria-busy="false"]')
        yield one
        one.page.close()
    desk.close()
    keeper.close()


@pytest.fixture(autouse=True)
def as_it_was(opened: Opened) -> Iterator[None]:
    """Every test begins with the two takes."""
    before = opened.desk.document
    yield
    opened.page.keyboard.press("Escape")
    opened.desk.post(lambda: opened.desk.edit("as it was", before))
    opened.until(lambda: opened.takes == [one.name for one in before.takes] and opened.current == before.current)


def chip(opened: Opened, name: str) -> Any:
    return opened.page.locator(f'.chip.take[data-take="{name}"]')


def test_a_press_opens_a_take_and_keys_go_through_them(opened: Opened) -> None:
    chip(opened, "take 1").click()
    opened.until(lambda: opened.current == "take 1")
    assert chip(opened, "take 1").get_attribute("aria-pressed") == "true"
    opened.page.keyboard.press("PageDown")
    opened.until(lambda: opened.current == "lamp_look")


def test_the_open_take_stays_in_sight_beside_work_that_is_told_of(opened: Opened) -> None:
    chip(opened, "lamp_look").click()
    opened.page.set_viewport_size({"width": 1030, "height": 700})
    tell = "(jobs) => animato.studio.link.tell('jobs', { jobs })"
    work = {"id": 1, "title": "making 'lamp_look' performable", "share": 0.5, "words": "a step of many"}
    opened.page.evaluate(tell, [work])
    inside = """() => {
      const at = (one) => document.querySelector(one).getBoundingClientRect();
      const chip = at('.chip.take[aria-pressed="true"]'), strip = at(".take-strip");
      const seen = Math.min(chip.right, strip.right) - Math.max(chip.left, strip.left);
      return seen > 0.6 * Math.min(chip.width, strip.width);
    }"""
    opened.until(lambda: opened.page.evaluate(inside))
    opened.page.evaluate(tell, [])
    opened.page.set_viewport_size({"width": 1100, "height": 700})


def test_a_take_is_named_in_its_place(opened: Opened) -> None:
    chip(opened, "lamp_look").dblclick()
    opened.page.keyboard.type("it looks")
    opened.page.keyboard.press("Enter")
    opened.until(lambda: opened.takes == ["take 1", "it looks"])
    opened.page.keyboard.press("F2")
    opened.page.keyboard.type("never mind")
    opened.page.keyboard.press("Escape")
    opened.page.wait_for_timeout(100)
    assert opened.takes == ["take 1", "it looks"]
    opened.page.keyboard.press("Control+z")
    opened.until(lambda: opened.takes == ["take 1", "lamp_look"])


def test_takes_are_copied_moved_and_deleted_by_the_menu_and_by_keys(opened: Opened) -> None:
    chip(opened, "lamp_look").click(button="right")
    opened.page.locator(".popover button", has_text="Copy").click()
    opened.until(lambda: opened.takes == ["take 1", "lamp_look", "lamp_look copy"])
    chip(opened, "lamp_look copy").focus()
    opened.page.keyboard.press("Alt+ArrowLeft")
    opened.until(lambda: opened.takes == ["take 1", "lamp_look copy", "lamp_look"])
    opened.page.keyboard.press("Delete")
    opened.until(lambda: opened.takes == ["take 1", "lamp_look"])


def test_takes_are_dragged_into_their_order(opened: Opened) -> None:
    chip(opened, "lamp_look").drag_to(chip(opened, "take 1"))
    opened.until(lambda: opened.takes == ["lamp_look", "take 1"])


def test_a_new_take_holds_a_pose(opened: Opened) -> None:
    opened.page.keyboard.press("n")
    opened.page.locator(".popover select").select_option(label="the pose that is shown")
    opened.page.locator(".popover button", has_text="Begin").click()
    opened.until(lambda: opened.current == "take 3")


def test_another_take_is_compared_with(opened: Opened) -> None:
    opened.page.locator('[title^="Name, copy"]:visible').click()
    opened.page.locator(".popover select").first.select_option("take 1")
    opened.until(lambda: opened.page.evaluate("() => Boolean(animato.studio.stage.motionOf('ghost'))"))
    opened.page.locator(".popover select").first.select_option("")
    opened.until(lambda: not opened.page.evaluate("() => Boolean(animato.studio.stage.motionOf('ghost'))"))


def test_what_is_exported_is_downloaded_and_is_the_motion(opened: Opened, tmp_path: Path) -> None:
    opened.page.keyboard.press("Control+e")
    row = opened.page.locator(".export", has_text="Table (.csv)")
    with opened.page.expect_download() as download:
        row.locator("button").click()
    place = tmp_path / download.value.suggested_filename
    download.value.save_as(place)
    lamp = an.load_character("lamp")
    assert place.name == "lamp_look.csv" and an.load_clip(place, lamp).same_as(an.load_clip("lamp_look", lamp))
    opened.until(lambda: "is there" in row.text_content())
    drawing = opened.page.locator(".export-not", has_text="Drawing (.json)")
    assert "not drawn" in drawing.text_content()


def test_another_character_and_back(opened: Opened) -> None:
    opened.page.locator("button.project").click()
    opened.page.locator(".popover select").select_option("rod")
    opened.until(lambda: opened.page.text_content(".project-name") == "rod" and opened.takes == ["take 1"])
    opened.page.keyboard.press("Escape")
    opened.page.keyboard.press("Control+z")
    opened.until(lambda: opened.page.text_content(".project-name") == "lamp" and len(opened.takes) == 2)


def test_it_says_when_everything_is_saved(opened: Opened) -> None:
    opened.page.keyboard.press("Control+Shift+D")
    opened.until(lambda: len(opened.takes) == 3)
    opened.until(lambda: opened.page.text_content(".project-saved") == "saved")
    assert (opened.folder / "takes" / "lamp_look copy.json").is_file()


def test_the_help_lists_keys(opened: Opened) -> None:
    opened.page.keyboard.press("?")
    told = opened.page.locator("dialog.window").text_content()
    for words in ("undo", "a new take, or a file", "export"):
        assert words in told


def test_on_a_phone_takes_are_chosen_from_a_list(opened: Opened) -> None:
    opened.page.set_viewport_size({"width": 390, "height": 780})
    try:
        opened.page.locator("select.take-few").select_option("take 1")
        opened.until(lambda: opened.current == "take 1")
        opened.page.locator("button.take-few").click()
        opened.page.locator(".popover button", has_text="Rename").click()
        opened.page.locator(".popover input").fill("small")
        opened.page.keyboard.press("Enter")
        opened.until(lambda: "small" in opened.takes)
        reach = opened.page.evaluate(
            "() => [...document.querySelectorAll('#top button, #top select')].filter((one) => one.offsetParent)"
            ".map((one) => one.getBoundingClientRect()).every(({ left, right }) => left >= 0 && right <= innerWidth)"
        )
        assert reach, "everything on top is on the screen"
    finally:
        opened.page.set_viewport_size({"width": 1100, "height": 700})
