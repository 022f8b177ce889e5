"""Somebody writes hello with the mouse, and the arm does it inside all its limits."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import animato as an
from animato.formats.strokes import read_stroke
from tests.studio.running import Running, running
from tests.studio.visit import Visit

_HAND = Path(__file__).with_name("hand.js").read_text(encoding="utf-8").partition("\n")[2].partition("\n")[2]
_DRAW = "(await import('/page/modes/draw/state.js'))"
_PLACES = (
    f"await (async () => {{ const {{ drawing, world }} = {_DRAW};"
    " return given.map((place) => animato.studio.stage.project(world(drawing.board, ...place)).slice(0, 2)); })()"
)
_LENGTH = "animato.studio.stage.motionOf('main')?.times.at(-1)"


@pytest.fixture(scope="module")
def arm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A studio with the arm, which has written hello already."""
    with running(tmp_path_factory.mktemp("arm") / "show", "arm6") as one:
        yield one


@pytest.fixture(scope="module")
def board(arm: Running, visitor: Callable[..., Visit]) -> Iterator[Visit]:
    """Looks at the board, from before it."""
    visit = visitor().go(arm.address)
    visit.mode("draw")
    visit.until(f"{_DRAW}.drawing.ready")
    visit.picture("draw-first")
    visit.stop()
    visit.page.keyboard.press("v")
    visit.until("!animato.studio.stage.orbit.gliding")
    yield visit
    visit.page.close()


def write(visit: Visit) -> None:
    """The recorded hello by the mouse, in its own rhythm."""
    hello = read_stroke("hello")
    assert hello.times is not None
    places = visit.ask(_PLACES, hello.points.tolist())
    visit.page.evaluate(_HAND, {"places": places, "times": (hello.times - hello.times[0]).tolist()})


def clip_of(folder: Path, take: str) -> an.Clip:
    """What the project holds of a take."""
    told = json.loads((folder / "takes" / f"{take}.json").read_text(encoding="utf-8"))
    assert told["name"] == take
    return an.load_clip(folder / "clips" / f"{take}.csv", an.load_character("arm6"))


def test_a_press_on_the_robot_chooses_what_draws(board: Visit) -> None:
    """And a press on the pen's place gives it back."""
    points = f"{_DRAW}.drawing.points.map(({{ name }}) => name)"
    assert "pen" in board.ask(points)
    # beside the lines that are there: a press on one of them chooses it
    free = "await (async () => { const { lineAt } = await import('/page/modes/draw/lines.js');"
    free += " return given.find(([clientX, clientY]) => lineAt({ clientX, clientY }) < 0); })()"
    spot = board.ask(free, board.spots_of("upper_arm"))
    board.page.mouse.click(*spot)
    board.until(f"{_DRAW}.drawing.point.name !== 'pen'")
    board.picture("draw-point-by-pressing")
    board.page.locator("label.choice", has_text="Drawn by").locator("select").select_option("pen")
    board.until(f"{_DRAW}.drawing.point.name === 'pen'")


def test_hello_is_drawn_performed_and_inside_all_limits(arm: Running, board: Visit) -> None:
    board.page.keyboard.press("Shift+N")
    poses = "animato.studio.link.on('pose', () => { window.poses = (window.poses || 0) + 1; }) && 1"
    board.ask(poses)
    before = set(board.takes)
    write(board)
    board.until("animato.studio.store.document.takes.length === given", len(before) + 1)
    board.until("animato.studio.stage.playing && animato.studio.store.take.solved")
    board.until("animato.studio.store.usage?.take === animato.studio.store.document.current")
    board.picture("draw-performed")
    assert board.ask("window.poses") > 20, "the arm follows while one draws"
    smooth = "animato.studio.store.usage?.outcome.status === 'solved' && !document.querySelector('.job')"
    board.until(smooth, patience_s=60.0)  # limits of jerk are kept after the first performance, in the background
    assert board.page.locator(".verdict").inner_text() == "the robot can"
    board.picture("draw-smooth")
    (name,) = set(board.takes) - before
    board.saved()
    assert an.check("arm6", clip_of(arm.folder, name)).outcome.solved


def test_a_slider_solves_anew_while_it_moves(arm: Running, board: Visit) -> None:
    """Quicker than the hand at once, then in no hurry: before the slider is let go; one step of undo takes it back."""
    board.stop()
    first = board.ask(_LENGTH)
    board.page.locator("label.switch", has_text="tempo lock").locator("input").uncheck()
    board.until(f"{_LENGTH} < given", 0.9 * first)
    quick = board.ask(_LENGTH)
    slider = board.page.locator(".slider", has_text="Be quick").locator("input[type=range]")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    y, share = box["y"] + box["height"] / 2, slider.evaluate("(one) => (one.value - one.min) / (one.max - one.min)")
    board.page.mouse.move(box["x"] + 8 + share * (box["width"] - 16), y)
    board.page.mouse.down()
    board.page.mouse.move(box["x"] + 8, y, steps=24)
    board.until(f"{_LENGTH} > given", 1.03 * quick)
    board.picture("draw-slider")
    board.page.mouse.up()
    gamma = "animato.studio.store.document.source.wishes.gamma"
    assert board.ask(gamma) < 0.01
    board.page.keyboard.press("Control+z")
    board.until(f"Math.abs({gamma} - 0.1) < 1e-6")


_AT_ONCE = """(() => {
  const range = document.querySelector("input[type=range][data-tried]");
  for (const value of [-1.5, -2, -3]) { range.value = value; range.dispatchEvent(new Event("input")); }
  range.dispatchEvent(new Event("change"));
  range.dispatchEvent(new KeyboardEvent("keydown", { key: "z", ctrlKey: true, bubbles: true }));
  return true;
})()"""


@pytest.mark.parametrize("rests_s", [0.0, 6.0])
def test_one_slide_is_one_step_however_slow_or_quick(board: Visit, rests_s: float) -> None:
    """A hand that rests before it lets go, and one that takes it back before the last move is even sent."""
    gamma = "animato.studio.store.document.source.wishes.gamma"
    label = "animato.studio.store.document.undo"
    before, undone = board.ask(gamma), board.ask(label)
    slider = board.page.locator(".slider", has_text="Be quick").locator("input[type=range]")
    slider.evaluate("(one) => { one.dataset.tried = 'yes'; }")
    if rests_s:
        slider.evaluate("(one) => { one.value = -2; one.dispatchEvent(new Event('input')); }")
        board.until(f"{gamma} < 0.02")
        board.page.wait_for_timeout(1000.0 * rests_s)
        slider.evaluate("(one) => { one.dispatchEvent(new Event('change')); }")
        board.page.keyboard.press("Control+z")
    else:
        board.ask("animato.studio.link.on('document', ({ undo }) => { window.lastUndo = undo; }) && 1")
        assert board.ask(_AT_ONCE)
        board.until("window.lastUndo !== undefined")
    board.until(f"{label} === given && animato.studio.store.document.redo === 'gamma changed'", undone)
    assert board.ask(gamma) == before
