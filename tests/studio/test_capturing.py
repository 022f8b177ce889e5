"""The capture mode in a browser: a capture is opened, who is who and a contact are corrected, all of it is undone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from animato.formats import load_character, save_motion
from animato.studio.capturing import Captured, CaptureTool
from animato.studio.desk import Desk
from animato.studio.document import Document
from animato.studio.watching import WatchTool
from animato.studio.workers import Inline
from tests.person_builders import stick_figure
from tests.studio.visit import Visit

server = pytest.importorskip("animato.studio.serving.server", reason="the extra 'studio' is not installed")

_STATE = 'const { capture } = await import("/page/modes/capture/state.js"), { stage } = window.animato.studio;'
_ON_PERSON = f"async (name) => {{ {_STATE} return stage.project(capture.figure()[capture.told.names.indexOf(name)]); }}"
_ON_ROBOT = f"async (name) => {{ {_STATE} return stage.project(capture.onRobot(capture.part(name))); }}"
_TRACK = """async (time) => {
  const { timeline } = await import("/page/timeline/timeline.js");
  const board = document.querySelector(".time-board").getBoundingClientRect();
  return [board.left + timeline.view.toX(time), board.top + 28 + 36 + 13]; // ruler, keys, half a row
}"""
_FIRST_END = f"async () => {{ {_STATE} return capture.robotTime(capture.told.contacts[0].planted[0][1]); }}"


@pytest.fixture
def opened(tmp_path: Path, visitor: Callable[..., Visit]) -> Iterator[tuple[Desk, Visit]]:
    """A page in the capture mode, with a person that lifts an arm and a leg for 1.3 s."""
    (tmp_path / "captures").mkdir()
    save_motion(tmp_path / "captures" / "lift.bvh", stick_figure(frames=80))
    desk, workshop = Desk(Document(load_character("pico"), "pico"), folder=tmp_path), Inline()
    desk.equip([CaptureTool(desk, workshop), WatchTool(desk, workshop)])
    desk.start()
    with server.Server() as served:
        served.open(desk, tmp_path)
        visit = visitor(1200, 800).go(served.address)
        visit.page.click("button[data-mode=capture]")
        visit.page.evaluate('() => window.animato.studio.link.ask("capture.open", { file: "captures/lift.bvh" })')
        visit.until("animato.studio.stage.motionOf('main') && animato.studio.store.document.source.kind === 'captured'")
        visit.page.evaluate("() => { const { stage } = window.animato.studio; stage.play(false); stage.seek(0.2); }")
        visit.page.wait_for_timeout(600)  # the camera makes room
        yield desk, visit
        visit.page.close()
    desk.close()


def _source(desk: Desk) -> Captured:
    take = desk.document.open_take
    assert take is not None and isinstance(take.source, Captured)
    return take.source


def test_a_part_is_pressed_on_the_person_then_on_the_robot(opened: tuple[Desk, Visit]) -> None:
    desk, visit = opened
    x, y, _ = visit.page.evaluate(_ON_PERSON, "right_wrist")
    visit.page.mouse.click(x, y)
    visit.page.wait_for_selector('.who-row[aria-selected="true"] >> text=right wrist')
    x, y, _ = visit.page.evaluate(_ON_ROBOT, "right_elbow")
    visit.page.mouse.click(x, y)
    visit.until("animato.studio.store.document.source.robot.includes('right_wrist')")
    assert _source(desk).robot["right_wrist"][0] in ("right_forearm", "right_upper_arm", "right_elbow")
    visit.page.keyboard.press("Control+z")
    visit.until("animato.studio.store.document.source.robot.length === 0")


def test_an_end_of_a_contact_is_dragged_and_undone(opened: tuple[Desk, Visit]) -> None:
    desk, visit = opened
    x, y = visit.page.evaluate(_TRACK, visit.page.evaluate(_FIRST_END))
    to, _ = visit.page.evaluate(_TRACK, 0.5)
    visit.page.mouse.move(x - 1, y)
    visit.page.mouse.down()
    for share in (0.3, 0.6, 1.0):
        visit.page.mouse.move(x + share * (to - x), y)
    visit.page.mouse.up()
    visit.until("animato.studio.store.document.source.contacts.includes('left heel')")
    for _ in range(200):  # the last of the drag's messages
        visit.page.wait_for_timeout(50)
        if _source(desk).contacts["left heel"][0][1] < 0.55:
            break
    assert _source(desk).contacts["left heel"][0][1] == pytest.approx(0.5, abs=0.05)
    visit.page.keyboard.press("Control+z")
    visit.until("animato.studio.store.document.source.contacts.length === 0")


def test_retarget_brings_it_into_balance(opened: tuple[Desk, Visit]) -> None:
    desk, visit = opened
    visit.page.get_by_role("button", name="Retarget", exact=True).click()
    visit.until("animato.studio.store.document.source.retargeted")
    visit.until("animato.studio.stage.motionOf('ghost')")
    assert _source(desk).plain is not None
    visit.page.keyboard.press("Control+z")
    visit.until("!animato.studio.store.document.source.retargeted && !animato.studio.stage.motionOf('ghost')")
