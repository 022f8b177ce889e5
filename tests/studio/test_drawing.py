"""Drawing in a browser: pressed, drawn, performed, changed; by pointer and by keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import animato as an
from animato.studio.desk import Desk
from animato.studio.document import Document
from animato.studio.drawing import Drawn, DrawTool
from animato.studio.watching import WatchTool
from animato.studio.workers import Inline, Job
from tests.studio.visit import Visit

server = pytest.importorskip("animato.studio.serving.server", reason="the extra 'studio' is not installed")

_PATIENCE = 400  # looks, of 50 ms each

_BEGIN = """async () => {
  const { drawing, world } = await import("/page/modes/draw/state.js"), { stage } = animato.studio;
  const canvas = document.querySelector(".stage-picture");
  const at = (u, v) => {
    const { width } = drawing.board;
    return stage.project(world(drawing.board, u * width, v * width));
  };
  const told = (kind, [clientX, clientY], pointerType) => canvas.dispatchEvent(new PointerEvent(kind, {
    clientX, clientY, pointerType, pointerId: 9, isPrimary: true, buttons: kind === "pointerup" ? 0 : 1, pressure: 0.5,
    bubbles: true, cancelable: true,
  }));
  const moment = () => new Promise((done) => requestAnimationFrame(done));
  // A line through places of the board, in parts of its width; one a picture or later.
  const line = async (places, type = "mouse", lift = true) => {
    told("pointerdown", at(...places[0]), type);
    for (const place of places.slice(1)) { await moment(); told("pointermove", at(...place), type); }
    await moment();
    if (lift) told("pointerup", at(...places[places.length - 1]), type);
  };
  window.pen = { drawing, at, line, told };
}"""


class Quick(Inline):
    """Leaves out what takes long: it would hold up the desk here.

    Attributes:
        asked: What it was asked for.
    """

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Job] = []

    def start(self, title: str, function: Any, *arguments: Any, then: Any, failed: Any = None) -> Job:
        self.asked.append(Job(0, title, lambda: None))
        return self.asked[-1]


class Board:
    """A page in which one draws, and the desk behind it."""

    def __init__(self, page: Any, desk: Desk, tool: DrawTool, workshop: Quick) -> None:
        self.page, self.desk, self.tool, self.workshop = page, desk, tool, workshop

    def until(self, words: str) -> None:
        """Waits until something is so on the page."""
        for _ in range(_PATIENCE):
            if self.page.evaluate(f"() => Boolean({words})"):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"it is not so: {words}")

    def line(self, places: np.ndarray, kind: str = "mouse", *, lift: bool = True) -> None:
        self.page.evaluate("([places, kind, lift]) => pen.line(places, kind, lift)", [places.tolist(), kind, lift])

    @property
    def drawn(self) -> Drawn:
        take = self.desk.document.open_take
        assert take is not None and isinstance(take.source, Drawn)
        return take.source


def circle(middle: float = 0.0, count: int = 45) -> np.ndarray:
    """Once around, begun and ended gently."""
    turn = 2.0 * np.pi * (np.linspace(0.0, 1.0, count) - np.sin(np.linspace(0.0, 2.0 * np.pi, count)) / (2.0 * np.pi))
    return np.column_stack([middle + 0.12 * np.cos(turn), 0.12 * np.sin(turn)])


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, visitor: Callable[..., Visit]) -> Iterator[Board]:
    """An arm without a take; all tests share it."""
    desk = Desk(Document(an.load_character("arm6"), "arm6"))
    workshop = Quick()
    tool = DrawTool(desk, workshop)
    desk.equip([tool, WatchTool(desk, workshop)])
    desk.start()
    with server.Server() as served:
        served.open(desk, tmp_path_factory.mktemp("drawing"))
        one = Board(visitor(1000, 700).page, desk, tool, workshop)
        one.page.goto(served.address)
        one.page.wait_for_selector('#studio[aria-busy="false"]')
        one.page.keyboard.press("2")
        one.page.evaluate(_BEGIN)
        one.until("pen.drawing.ready")
        yield one
        one.page.close()
    desk.close()


@pytest.fixture
def board(shared: Board) -> Iterator[Board]:
    """Every test begins without a drawing."""
    before = shared.desk.document
    yield shared
    shared.page.evaluate("() => { pen.drawing.over = pen.drawing.fresh = false; pen.drawing.chosen = -1; }")
    shared.desk.post(lambda: shared.desk.edit("as it was", before))
    shared.until("!animato.studio.store.document.takes.length")


def test_a_line_is_followed_performed_and_undone(board: Board) -> None:
    board.page.evaluate("() => { window.poses = 0; animato.studio.link.on('pose', () => { window.poses++; }); }")
    board.line(circle())
    board.until("animato.studio.stage.playing && pen.drawing.solved")
    assert board.page.evaluate("() => window.poses") > 5
    assert len(board.drawn.strokes) == 1
    board.page.keyboard.press("Control+z")
    board.until("!animato.studio.store.document.takes.length")
    board.page.keyboard.press("Control+Shift+z")
    board.until("pen.drawing.strokes.length === 1")


def test_smoothing_that_was_stopped_is_had_by_a_button(board: Board) -> None:
    board.workshop.asked.clear()
    board.line(circle())
    board.until("animato.studio.store.outcome && /being made smoother/.test(animato.studio.store.take.remark)")
    button = board.page.locator(".draw-panel button", has_text="Make it smooth")
    assert not button.is_visible()
    while not board.workshop.asked:
        board.page.wait_for_timeout(50)

    def stop() -> None:
        board.workshop.asked[0].stopped()

    board.desk.post(stop)
    button.click()
    board.until("/being made smoother/.test(animato.studio.store.take.remark)")
    while len(board.workshop.asked) < 2:
        board.page.wait_for_timeout(50)
    assert not button.is_visible()


def test_a_press_chooses_a_line_and_keys_delete_it(board: Board) -> None:
    board.line(circle())
    board.line(circle(0.2))
    board.until("pen.drawing.strokes.length === 2")
    board.line(circle()[[0, 0]])
    board.until("pen.drawing.chosen === 0")
    board.page.keyboard.press("Alt+ArrowUp")
    board.until("animato.studio.store.document.undo === 'line moved'")
    board.page.keyboard.press("Delete")
    board.until("pen.drawing.strokes.length === 1")


def test_two_fingers_take_the_line_back(board: Board) -> None:
    board.line(circle()[:20], "touch", lift=False)
    board.page.evaluate(
        "() => document.querySelector('.stage-picture').dispatchEvent(new PointerEvent('pointerdown', "
        "{ clientX: 300, clientY: 300, pointerId: 10, pointerType: 'touch', bubbles: true }))"
    )
    board.until("!pen.drawing.line")
    board.page.evaluate(
        "() => { for (const pointerId of [9, 10]) document.querySelector('.stage-picture').dispatchEvent("
        "new PointerEvent('pointerup', { pointerId, pointerType: 'touch', bubbles: true })); }"
    )
    board.page.wait_for_timeout(200)
    assert board.desk.document.open_take is None


def test_keys_alone_draw_a_line(board: Board) -> None:
    press = board.page.keyboard.press
    press("q")
    press("Space")
    for key in ("ArrowRight", "ArrowUp", "ArrowRight"):
        for _ in range(6):
            press(key)
    press("Space")
    board.until("pen.drawing.strokes.length === 1")
    press("Escape")
    assert board.page.evaluate("() => pen.drawing.pen") is None


def test_planes_are_chosen_by_keys(board: Board) -> None:
    for key, kind in (("f", "floor"), ("c", "view"), ("b", "board")):
        board.page.keyboard.press(key)
        board.until(f"pen.drawing.board.kind === '{kind}'")
