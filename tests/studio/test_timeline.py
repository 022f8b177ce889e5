"""The timeline in a browser: keys are set, moved, eased and deleted by hand and by keyboard; colours tell of limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import animato as an
from animato.studio.desk import Desk
from animato.studio.document import Document, Take
from animato.studio.keys import Keyed, KeyTool
from animato.studio.watching import WatchTool
from animato.studio.workers import Inline
from tests.studio.visit import Visit

server = pytest.importorskip("animato.studio.serving.server", reason="the extra 'studio' is not installed")

_PATIENCE = 200  # looks, of 50 ms each
_KEYS_Y = 28 + 18  # the middle of the track of keys, below the ruler [pixel]
_HEAT_Y = 28 + 36 + 20
_PLACE = "async (time) => (await import('/page/timeline/view.js')).view.toX(time)"


class Timed:
    """A page with a timeline."""

    def __init__(self, page: Any, desk: Desk) -> None:
        self.page, self.desk = page, desk

    def at(self, time: float, y: float) -> tuple[float, float]:
        """A place on the board [pixel]."""
        box = self.page.locator("canvas.time-board").first.bounding_box()
        return box["x"] + self.page.evaluate(_PLACE, time), box["y"] + y

    def keys(self) -> list[tuple[float, str]]:
        """As the page knows them."""
        told = self.page.evaluate("() => window.animato.studio.store.document.source.keys || []")
        return [(round(one["time"], 3), one["ease"]) for one in told]

    def time(self) -> float:
        return float(self.page.evaluate("() => window.animato.studio.stage.time"))

    def until(self, wanted: list[tuple[float, str]]) -> None:
        """Waits for keys."""
        for _ in range(_PATIENCE):
            if self.keys() == wanted:
                return
            self.page.wait_for_timeout(50)
        assert self.keys() == wanted


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory, visitor: Callable[..., Visit]) -> Iterator[Timed]:
    """The lamp, which looks around, with no keys; all tests of this file share it and leave it so."""
    character = an.load_character("lamp")
    clip = an.load_clip("lamp_look", character)
    desk = Desk(Document(character, "lamp", (Take("look", Keyed.of(clip), clip),), "look"))
    workshop = Inline()
    desk.equip([KeyTool(desk, workshop), WatchTool(desk, workshop)])
    desk.start()
    with server.Server() as served:
        served.open(desk, Path(tmp_path_factory.mktemp("project")))
        page = visitor(900, 640).page
        one = Timed(page, desk)
        page.goto(served.address)
        for _ in range(_PATIENCE):
            page.wait_for_timeout(50)
            if page.evaluate("() => Boolean(window.animato?.studio?.stage.end && window.animato.studio.store.usage)"):
                break
        yield one
        one.page.close()
    desk.close()


@pytest.fixture(autouse=True)
def without_keys(timed: Timed) -> Iterator[None]:
    """Every test leaves no keys."""
    yield
    timed.page.keyboard.press("Control+a")
    if timed.keys():
        timed.page.keyboard.press("Delete")
    timed.until([])


def test_a_press_on_the_ruler_goes_there_and_a_drag_scrubs(timed: Timed) -> None:
    timed.page.mouse.move(*timed.at(1.0, 12))
    timed.page.mouse.down()
    assert timed.time() == pytest.approx(1.0, abs=0.02)
    timed.page.mouse.move(*timed.at(2.0, 12))
    timed.page.mouse.up()
    assert timed.time() == pytest.approx(2.0, abs=0.02)


def test_keys_are_set_dragged_and_undone(timed: Timed) -> None:
    page = timed.page
    page.mouse.dblclick(*timed.at(1.0, _KEYS_Y))
    timed.until([(1.0, "through")])
    page.mouse.dblclick(*timed.at(2.0, _KEYS_Y))
    timed.until([(1.0, "through"), (2.0, "through")])
    page.mouse.move(*timed.at(1.0, _KEYS_Y))
    page.mouse.down()
    for time in (1.2, 2.0, 2.5):  # over the other one, which stays
        page.mouse.move(*timed.at(time, _KEYS_Y))
    page.mouse.up()
    timed.until([(2.0, "through"), (2.5, "through")])
    timed.page.evaluate("() => window.animato.studio.link.ask('undo')")
    timed.until([(1.0, "through"), (2.0, "through")])


def test_escape_puts_back_what_is_dragged(timed: Timed) -> None:
    page = timed.page
    page.mouse.dblclick(*timed.at(1.0, _KEYS_Y))
    timed.until([(1.0, "through")])
    page.mouse.move(*timed.at(1.0, _KEYS_Y))
    page.mouse.down()
    page.mouse.move(*timed.at(1.5, _KEYS_Y))
    page.mouse.move(*timed.at(1.6, _KEYS_Y))
    timed.until([(1.6, "through")])
    page.keyboard.press("Escape")
    page.mouse.up()
    timed.until([(1.0, "through")])


def test_everything_goes_by_keyboard_alone(timed: Timed) -> None:
    page = timed.page
    page.evaluate("() => window.animato.studio.stage.seek(1)")
    page.keyboard.press("k")
    timed.until([(1.0, "through")])
    page.evaluate("() => window.animato.studio.stage.seek(2)")
    page.keyboard.press("k")
    timed.until([(1.0, "through"), (2.0, "through")])
    page.keyboard.press("[")
    assert timed.time() == pytest.approx(1.0)
    page.keyboard.press("Alt+4")
    timed.until([(1.0, "even"), (2.0, "through")])
    page.keyboard.press("Alt+ArrowRight")
    timed.until([(1.02, "even"), (2.0, "through")])
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+c")
    page.evaluate("() => window.animato.studio.stage.seek(3)")
    page.keyboard.press("Control+v")
    timed.until([(1.02, "even"), (2.0, "through"), (3.0, "even"), (3.98, "through")])


def test_a_frame_chooses_keys(timed: Timed) -> None:
    page = timed.page
    for time in (1.0, 1.5, 3.0):
        page.mouse.dblclick(*timed.at(time, _KEYS_Y))
    timed.until([(1.0, "through"), (1.5, "through"), (3.0, "through")])
    page.mouse.move(*timed.at(0.6, _KEYS_Y))
    page.mouse.down()
    page.mouse.move(*timed.at(1.2, _KEYS_Y))
    page.mouse.move(*timed.at(2.0, _KEYS_Y))
    page.mouse.up()
    chosen = "async () => (await import('/page/timeline/selection.js')).keySelection.times"
    assert page.evaluate(chosen) == pytest.approx([1.0, 1.5])
    page.keyboard.press("Delete")
    timed.until([(3.0, "through")])


def test_words_about_limits_are_beside_the_pointer(timed: Timed) -> None:
    timed.page.mouse.move(*timed.at(1.0, _HEAT_Y))
    timed.page.mouse.move(*timed.at(1.1, _HEAT_Y))
    assert "% of its" in timed.page.locator(".timeline-tip").inner_text()


def test_joints_unfold(timed: Timed) -> None:
    page = timed.page
    button = page.locator("button.unfold")
    button.click()
    assert button.get_attribute("aria-expanded") == "true"
    page.wait_for_timeout(100)
    assert page.locator("canvas.rows-board").bounding_box()["height"] > 60
    button.click()
    page.wait_for_timeout(100)
    assert not page.locator("canvas.rows-board").is_visible()


def test_a_part_is_looped(timed: Timed) -> None:
    page = timed.page
    page.evaluate("() => window.animato.studio.stage.seek(1)")
    page.keyboard.press("i")
    page.evaluate("() => window.animato.studio.stage.seek(1.5)")
    page.keyboard.press("o")
    assert page.evaluate("() => window.animato.studio.stage.range") == pytest.approx([1.0, 1.5])
    page.keyboard.press("Shift+I")
    assert page.evaluate("() => window.animato.studio.stage.range") is None


_TOLD = """([findings, more]) => {
  const { store, link } = animato.studio, was = window.wasTold = window.wasTold || store.usage;
  const finding = { time: 1, joint: "", kind: "velocity", words: "", spans: [] };
  link.tell("usage", { ...was, findings: findings.map((over) => ({ ...finding, over })), ...more });
  return document.querySelector(".verdict").textContent;
}"""
_WRITTEN = """() => {
  const { prototype } = CanvasRenderingContext2D, { fillText } = prototype;
  window.written = [];
  prototype.fillText = function (words, ...rest) {
    window.written.push(words);
    return fillText.call(this, words, ...rest);
  };
}"""


def test_the_word_counts_what_is_exceeded_and_says_when_it_is_not_known_yet(timed: Timed) -> None:
    """What comes near a limit is listed behind the word; a take whose check is under way is not said to be nothing."""
    page, bad = timed.page, {"status": "infeasible", "words": "", "usable": False}
    assert page.evaluate(_TOLD, [[True, False, False], {"outcome": bad}]) == "1 limit exceeded"
    assert page.evaluate(_TOLD, [[True, True, False], {"outcome": bad}]) == "2 limits exceeded"
    page.evaluate(_WRITTEN)
    nothing = {"status": "unknown", "words": "There is nothing to perform yet.", "usable": False}
    assert page.evaluate(_TOLD, [[], {"outcome": nothing, "axes": []}]) == "checking…"
    for _ in range(_PATIENCE):
        if page.evaluate("() => window.written.length"):
            break
        page.wait_for_timeout(50)
    written = page.evaluate("() => window.written")
    assert "checking what the robot can do…" in written and nothing["words"] not in written
    page.evaluate("() => animato.studio.link.tell('usage', window.wasTold)")
