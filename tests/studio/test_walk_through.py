"""The two minutes of docs/studio.md, done as they are written there: a test for each of their steps, in their order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import animato as an
from tests.studio.running import Running, running
from tests.studio.visit import Visit

_PAGE = (Path(__file__).parents[2] / "docs" / "studio.md").read_text(encoding="utf-8")
_STEPS = re.split(r"\n\d\. ", _PAGE.partition("## Two minutes")[2].partition("\nClose the page")[0])[1:]
_DRAWING = "(await import('/page/modes/draw/state.js')).drawing"
_FACING = "(await import('/page/modes/face/state.js')).facing"
_SELECTION = "(await import('/page/timeline/selection.js'))"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """As `animato studio` opens for the first time."""
    with running(tmp_path_factory.mktemp("first") / "demo") as one:
        yield one


@pytest.fixture(scope="module")
def visit(studio: Running, visitor: Callable[..., Visit]) -> Visit:
    """Somebody who has read the page."""
    return visitor(1280, 800).go(studio.address)


def step(number: int, *words: str) -> None:
    """The page still says what is done here."""
    said = " ".join(_STEPS[number - 1].replace("*", "").split())
    for one in words:
        assert one in said, f"docs/studio.md, step {number}, does not say {one!r}"


def verdict(visit: Visit, pattern: str) -> str:
    """Waits for the word in the top bar."""
    words = visit.until(f"document.querySelector('.verdict').textContent.match(/{pattern}/)?.[0]")
    return str(words)


def place_of(visit: Visit, point: str) -> tuple[float, float]:
    """Where a point of the character is seen [pixel]."""
    x, y = visit.ask(
        "(({ stage, store }) => { const { body, place } = store.scene.points.find(({ name }) => name === given);"
        " return stage.project(stage.bodyPose(body).place(place)).slice(0, 2); })(animato.studio)",
        point,
    )
    return float(x), float(y)


def keys(visit: Visit) -> list[dict[str, Any]]:
    return list(visit.ask("animato.studio.store.document.source.keys || []"))


def test_1_it_plays_and_can_be_walked_around(visit: Visit) -> None:
    step(1, "pico waves", "the robot can", "Press Space", "drag on the floor", "scroll")
    visit.until("animato.studio.stage.playing")
    verdict(visit, "the robot can")
    visit.page.keyboard.press("Space")
    visit.until("!animato.studio.stage.playing")
    visit.page.keyboard.press("Space")
    visit.until("animato.studio.stage.playing")
    before = visit.ask("[animato.studio.stage.orbit.turn, animato.studio.stage.orbit.away]")
    box = visit.page.locator(".stage-picture").bounding_box()
    floor = (box["x"] + 80, box["y"] + box["height"] - 60)
    visit.drag(floor, (floor[0] + 90, floor[1]))
    visit.page.mouse.wheel(0, -240)
    visit.until("animato.studio.stage.orbit.turn !== given[0] && animato.studio.stage.orbit.away < given[1]", before)
    visit.page.keyboard.press("Shift+H")
    visit.until("!animato.studio.stage.orbit.gliding")


def test_2_a_dance_asks_too_much(visit: Visit) -> None:
    step(2, "dance (too fast)", "limits exceeded", "Press T", "press the magenta word")
    visit.open_take("dance (too fast)")
    told = verdict(visit, r"\d+ limits exceeded")
    step(2, told)
    visit.page.keyboard.press("t")
    visit.until("!animato.studio.stage.playing")
    visit.until(
        "animato.studio.store.usage.findings.some(({ time }) => Math.abs(time - animato.studio.stage.time) < 0.05)"
    )
    visit.page.locator(".verdict").click()
    assert visit.page.locator(".popover .findings li").count() == int(told.split()[0])
    visit.picture("walk-2")
    visit.page.keyboard.press("Escape")
    assert visit.page.locator(".popover").count() == 0


def test_3_it_is_made_performable_and_back(visit: Visit) -> None:
    step(3, "Make it performable", "Ctrl+Enter", "the ghost is the artist's motion", "Press again")
    fix = visit.page.locator("button", has_text="Make it performable")
    assert "primary" in fix.get_attribute("class")
    fix.click()
    verdict(visit, "the robot can")
    visit.until("Boolean(animato.studio.stage.motionOf('ghost'))")
    visit.picture("walk-3")
    visit.page.keyboard.press("Control+Enter")
    verdict(visit, "exceeded")


def test_4_a_hand_is_pulled_and_its_key_edited(visit: Visit) -> None:
    step(
        4,
        "Choose hello",
        "pull pico's hand",
        "Letting go sets a key",
        "Drag the key",
        "press E",
        "M to mirror",
        "Ctrl+Z",
    )
    visit.open_take("hello")
    visit.stop()
    visit.until("!animato.studio.stage.motionOf('ghost')")
    visit.seek(2.9)
    before = keys(visit)
    visit.until("(await import('/page/modes/pose/state.js')).posing.ready")
    x, y = place_of(visit, "left_hand")
    visit.drag((x, y), (x + 30, y - 50), steps=12)
    visit.until("animato.studio.store.document.source.keys.length === given", len(before) + 1)
    visit.picture("walk-4")
    made = next(one for one in keys(visit) if one["time"] not in [old["time"] for old in before])
    board = visit.page.locator("canvas.time-board").first.bounding_box()
    at = "(await import('/page/timeline/view.js')).view.toX(given)"
    row = board["y"] + 28 + 18  # the middle of the track of keys, below the ruler [pixel]
    start, end = (board["x"] + visit.ask(at, time) for time in (made["time"], 3.2))
    visit.drag((start, row), (start + 8, row), (end, row))
    visit.until("animato.studio.store.document.source.keys.some(({ time }) => Math.abs(time - 3.2) < 0.03)")
    visit.page.keyboard.press("e")
    visit.page.locator(".popover button", has_text="even").click()
    visit.until(
        "animato.studio.store.document.source.keys.some("
        "({ time, ease }) => Math.abs(time - 3.2) < 0.03 && ease === 'even')"
    )
    undo = visit.ask("animato.studio.store.document.undo")
    visit.page.keyboard.press("m")
    visit.until("animato.studio.store.document.undo !== given", undo)
    for _ in range(12):
        if keys(visit) == before:
            break
        label = visit.ask("animato.studio.store.document.undo")
        visit.page.keyboard.press("Control+z")
        visit.until("animato.studio.store.document.undo !== given", label)
    assert keys(visit) == before


def test_5_a_loop_is_drawn(visit: Visit) -> None:
    step(5, "Press 2", "Press on a hand", "draw a loop", "Keep my rhythm", "Be quick")
    visit.page.keyboard.press("2")
    visit.until(f"{_DRAWING}.ready && {_DRAWING}.board")
    visit.until("!animato.studio.stage.orbit.gliding")
    hand = place_of(visit, "left_hand")
    visit.page.mouse.click(*hand)
    visit.until(f"{_DRAWING}.point.label.includes('hand')")
    visit.until("!animato.studio.stage.orbit.gliding")
    corners = visit.ask(
        "(({ world, drawing: { board } }) => [[-0.3, 0], [0, 0.3], [0.3, 0], [0, -0.3], [-0.3, 0]].map(([u, v]) =>"
        " animato.studio.stage.project(world(board, u * board.width, v * board.height)).slice(0, 2)))"
        "(await import('/page/modes/draw/state.js'))"
    )
    visit.picture("walk-5")
    visit.drag(*[(x, y) for x, y in corners], steps=5)  # each step waits for a picture
    visit.until("animato.studio.store.take.kind === 'drawn' && animato.studio.store.take.solved")
    visit.until("animato.studio.stage.playing")
    verdict(visit, "the robot can|exceeded")
    visit.picture("walk-5-drawn")
    visit.ask(f"(window.before = {_DRAWING}.solved, true)")
    rhythm = visit.page.get_by_label("Keep my rhythm (beta)").last
    rhythm.focus()
    for _ in range(6):
        visit.page.keyboard.press("ArrowRight")
    visit.until(f"{_DRAWING}.solved !== window.before && animato.studio.store.document.source.wishes.beta > 1")


def test_6_it_looks_at_what_is_dragged(visit: Visit) -> None:
    step(6, "Press 3", "Drag it about", "change the posture", "press Record")
    takes = visit.takes
    visit.page.locator(".stage-picture").focus()
    visit.page.keyboard.press("3")
    visit.until(f"{_FACING}.on")
    visit.until("!animato.studio.stage.orbit.gliding")
    visit.page.locator("#panel button", has_text="Record").click()
    visit.until(f"{_FACING}.recording")
    x, y = visit.ask(f"animato.studio.stage.project({_FACING}.target)")[:2]
    visit.drag((x, y), (x - 60, y - 40), (x - 20, y + 60), steps=20)
    visit.page.locator("#panel .chip", has_text="curious").click()
    visit.until(f"{_FACING}.recorded_s > 1.5")
    visit.picture("walk-6")
    visit.page.locator("#panel button", has_text="Stop and keep").click()
    visit.until("animato.studio.store.document.takes.length === given", len(takes) + 1)


def test_7_it_is_taken_along(visit: Visit, tmp_path: Path) -> None:
    step(7, "Ctrl+E", "a table", "a film for 3D programs", "a page that plays")
    visit.page.keyboard.press("Control+e")
    window = visit.page.locator("dialog[open]")
    words = window.inner_text()
    assert all(one in words for one in (".csv", ".glb", ".html"))
    with visit.page.expect_download() as download:
        window.locator(".export", has_text="Table (.csv)").locator("button").first.click()
    place = tmp_path / download.value.suggested_filename
    download.value.save_as(place)
    assert an.load_clip(place, an.load_character("pico")).duration > 1.0
    visit.page.keyboard.press("Escape")


def test_8_what_was_left_is_there_again(visit: Visit, studio: Running, visitor: Callable[..., Visit]) -> None:
    assert "The next `animato studio` opens what you left." in _PAGE
    takes = visit.takes
    visit.until("document.querySelector('.project-saved').textContent === 'saved'")
    visit.page.close()
    studio.close()
    with running(studio.folder) as again:
        assert visitor(900, 700).go(again.address).takes == takes
