"""A phone watches, by fingers; a keyboard alone reaches everything; what was chosen of light and dark is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.studio.running import Running, running
from tests.studio.visit import Visit

_MODES = ["pose", "draw", "face", "design", "capture", "steady"]
_LIGHT = "getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).slice(0, 3).reduce((a, b) => a + +b, 0)"
_WALK = """() => {
  const name = (one) => one.getAttribute("aria-label") || one.title || one.textContent.trim() || one.tagName;
  const reachable = (one) => one.isConnected && one.checkVisibility() && !one.disabled && one.tabIndex >= 0;
  const skip = document.querySelector(".skip");
  const left = new Set(document.querySelectorAll("button, input, select, summary"));
  let steps = 0;
  const walked = { around: false, missed: [], unseen: [], seen: 0 };
  const step = () => {
    const now = document.activeElement, style = getComputedStyle(now), home = now === skip || now === document.body;
    left.delete(now);
    if (!home && style.outlineStyle === "none" && style.boxShadow === "none") walked.unseen.push(name(now));
    if (!home) walked.seen++;
    if (++steps < 5 || !home) return false;
    return Object.assign(walked, { around: true, missed: [...left].filter(reachable).map(name) }).around;
  };
  skip.focus();
  window.walk = { walked, step };
  return left.size;
}"""


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """What a newcomer finds."""
    with running(tmp_path_factory.mktemp("ways") / "show") as one:
        yield one


def test_a_phone_watches_plays_and_scrubs(studio: Running, visitor: Callable[..., Visit]) -> None:
    """By fingers; the robot is most of what one sees."""
    phone = visitor(390, 844, has_touch=True, is_mobile=True, device_scale_factor=1).go(studio.address)
    phone.until("animato.studio.stage.playing")
    phone.picture("phone")
    stage = phone.page.locator("canvas.stage-picture").bounding_box()
    assert stage["width"] > 380 and stage["height"] > 400
    play = phone.page.locator("#timeline button").first
    play.tap()
    phone.until("!animato.studio.stage.playing")
    board = phone.page.locator("canvas.time-board").first.bounding_box()
    for share in (0.2, 0.6):
        phone.page.touchscreen.tap(board["x"] + share * board["width"], board["y"] + 12)
        phone.until("Math.abs(animato.studio.stage.time / animato.studio.stage.end - given) < 0.1", share)
    play.tap()
    phone.until("animato.studio.stage.playing")
    phone.page.close()


_WORDS = """(words) => {
  const one = document.querySelector(".verdict"), top = document.getElementById("top");
  if (words) one.textContent = words;
  const { left, right, width } = one.getBoundingClientRect(), bar = top.getBoundingClientRect();
  return {
    whole: one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight,
    inside: left >= bar.left && right <= bar.right && top.scrollWidth <= top.clientWidth,
    width,
  };
}"""


@pytest.mark.parametrize("width", [390, 360, 320])
def test_the_verdict_is_read_whole_on_a_phone(studio: Running, visitor: Callable[..., Visit], width: int) -> None:
    """The word that matters most is not cut, however long it is and however small the phone."""
    phone = visitor(width, 844, has_touch=True, is_mobile=True, device_scale_factor=1).go(studio.address)
    phone.until("document.querySelector('.verdict.good, .verdict.bad')")
    phone.picture(f"phone-verdict-{width}")
    for words in ("", "34 limits exceeded", "working it out…", "the robot cannot"):
        seen = phone.page.evaluate(_WORDS, words)
        assert seen["whole"] and seen["inside"], (words, seen)
    assert phone.page.locator("#top").bounding_box()["height"] < 90
    phone.page.close()


def test_the_board_has_room_for_a_finger(studio: Running, visitor: Callable[..., Visit]) -> None:
    """Who comes to draw on a phone finds half of the width to draw on."""
    phone = visitor(390, 844, has_touch=True, is_mobile=True, device_scale_factor=1).go(studio.address)
    phone.mode("draw")
    wide = (
        "(({ board }) => { if (!board || animato.studio.stage.orbit.gliding) return 0; const at = (side) => "
        "animato.studio.stage.project(board.origin.map((value, n) => value + side * board.width * board.right[n]))[0]; "
        "return Math.abs(at(0.5) - at(-0.5)) > 190; })((await import('/page/modes/draw/state.js')).drawing)"
    )
    phone.until(wide)
    phone.picture("phone-board")
    phone.page.close()


def test_dark_and_light_are_as_the_system_says_until_somebody_chooses(
    studio: Running, visitor: Callable[..., Visit]
) -> None:
    dark = visitor(color_scheme="dark").go(studio.address)
    assert dark.ask(_LIGHT) < 200
    dark.picture("dark")
    dark.page.locator('button[title^="Light or dark"]').click()
    assert dark.ask(_LIGHT) > 600
    dark.page.reload()
    dark.arrived()
    assert dark.ask(_LIGHT) > 600
    dark.page.close()


def test_tab_reaches_every_control_and_is_caught_nowhere(studio: Running, visitor: Callable[..., Visit]) -> None:
    """Modes by their numbers; Tab goes all the way around in each of them, and where it is can be seen."""
    visit = visitor().go(studio.address)
    visit.stop()
    for number, mode in enumerate(_MODES, 1):
        visit.page.evaluate("() => document.activeElement.blur()")
        visit.page.keyboard.press(str(number))
        visit.until("animato.studio.store.mode === given", mode)
        visit.picture(f"mode-{mode}")
        for _ in range(2 * visit.page.evaluate(_WALK) + 80):
            visit.page.keyboard.press("Tab")
            if visit.ask("window.walk.step()"):
                break
        walked = visit.ask("window.walk.walked")
        assert walked["around"], f"{mode}: it does not come back to where it began"
        assert walked["seen"] > 30 and walked["missed"] == [] and walked["unseen"] == [], mode
    visit.page.close()
