"""The steady mode in a browser: it swings, it is steadied, watched slowly, tried with softer parts, and undone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from animato.formats import load_character
from animato.motion import Clip
from animato.studio.desk import Desk
from animato.studio.document import Document, Take
from animato.studio.keys import Keyed
from animato.studio.steadying import SteadyTool
from animato.studio.watching import WatchTool
from animato.studio.workers import Inline
from tests.studio.visit import Visit

server = pytest.importorskip("animato.studio.serving.server", reason="the extra 'studio' is not installed")

_BENDS = "animato.studio.stage.cast.scene !== animato.studio.store.scene"
_APART = """(({ stage, store }) => { // how far the ball of the figure is from the one of the ghost [m]
  const ball = store.scene.bodies.indexOf("ball"), place = (figure) => stage.bodyPose(ball, figure).place([0, 0, 0]);
  const [a, b] = ["main", "ghost"].map(place);
  return Math.hypot(...a.map((value, k) => value - b[k]));
})(animato.studio)"""


@pytest.fixture
def opened(tmp_path: Path, visitor: Callable[..., Visit]) -> Iterator[tuple[Desk, Visit]]:
    """A page in the steady mode with a rod that leans, and the desk behind it."""
    times = np.linspace(0.0, 1.2, 121)
    share = np.clip((times - 0.2) / 0.2, 0.0, 1.0)
    clip = Clip(times, ("motor",), 0.17 * (share**2 * (3.0 - 2.0 * share))[:, None])
    document = Document(load_character("rod"), "rod", (Take("lean", Keyed.of(clip), clip),), "lean")
    desk, workshop = Desk(document), Inline()
    desk.equip([SteadyTool(desk, workshop), WatchTool(desk, workshop)])
    desk.start()
    with server.Server() as served:
        served.open(desk, tmp_path)
        visit = visitor(1100, 900).go(served.address)
        visit.mode("steady")
        visit.page.wait_for_selector(".steady .gain .before")
        visit.until(_BENDS)
        yield desk, visit
        visit.page.close()
    desk.close()


def _gain(visit: Visit, side: str) -> float:
    return float(visit.page.locator(f".steady .gain .{side}").inner_text())


def test_it_bends_on_the_stage_and_is_steadied_watched_and_undone(opened: tuple[Desk, Visit]) -> None:
    """As a person would: look, steady, slow motion, softer, undo, leave."""
    desk, visit = opened
    page, bodies = visit.page, len(desk.document.character.bodies)
    before = _gain(visit, "before")
    assert before > 20.0
    page.click("text=Steady it")
    page.wait_for_selector(".steady .gain .after")
    assert _gain(visit, "after") < 0.2 * before
    assert desk.document.takes[0].verb == "steady"
    page.click(".steady .chip:text('¼')")
    visit.until("animato.studio.stage.playing && animato.studio.stage.speed === 0.25")
    visit.until("document.querySelector('.transport select').value === '0.25'")
    visit.stop()
    page.click("text=Go to the worst moment")
    visit.ask("animato.studio.stage.seek(0.55)")
    swings = visit.ask(_APART)
    assert swings > 0.5e-3 * before
    page.click(".steady .chip:text('as it is meant')")
    assert visit.ask(_APART) < 0.3 * swings
    stiff = page.locator(".steady .slider input[type=range]").first
    stiff.focus()
    for _ in range(10):
        page.keyboard.press("ArrowLeft")
    visit.until("animato.studio.store.setting('steady', 'stiffness', 1) === 0.9")
    page.wait_for_selector("text=/Left to itself it swings 1.9/")
    assert stiff.input_value() == "90"
    while desk.document.takes[0].performed is not None:
        visit.ask("animato.studio.link.ask('undo')")
    page.wait_for_selector(".steady .gain .after", state="detached")
    visit.mode("pose")
    visit.until(f"!({_BENDS})")
    assert visit.ask("animato.studio.stage.motionOf('main').positions.shape[1]") == bodies


def test_a_press_on_the_chart_goes_to_its_moment_and_a_rod_can_be_pressed(opened: tuple[Desk, Visit]) -> None:
    """Links of a rod are no bodies of the character, and are told by the rod's name."""
    desk, visit = opened
    box = visit.page.locator(".steady-chart").first.bounding_box()
    visit.page.mouse.click(box["x"] + 0.6 * box["width"], box["y"] + 0.5 * box["height"])
    assert 0.4 < visit.ask("animato.studio.stage.time") < 0.8
    link = len(desk.document.character.bodies) + 3
    x, y, _ = visit.ask("animato.studio.stage.project(animato.studio.stage.bodyPose(given).place([0, 0, 0]))", link)
    visit.page.mouse.click(x, y)
    visit.until("document.querySelector('.stage-told').textContent.startsWith('rod is chosen')")
