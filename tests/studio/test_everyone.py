"""The studio is for everyone: contrast, names, room for fingers, keys alone, a phone, the system's wishes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest

from tests.studio.running import Running, running
from tests.studio.visit import Visit

_ROOT = Path(__file__).parents[2]
_THEME = (_ROOT / "src/animato/studio/page/style/theme.css").read_text(encoding="utf-8")
_PROBES = Path(__file__).with_name("everyone_probes.js").read_text(encoding="utf-8")
_MODES = ("pose", "draw", "face", "design", "capture", "steady")
_LEAST = 4.5
_OPEN_ALL = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("everyone") / "demo") as one:
        yield one


def probed(visitor: Callable[..., Visit], studio: Running, width: int, height: int, **about: object) -> Visit:
    visit = visitor(width, height, **about).go(studio.address)
    visit.page.evaluate(_PROBES)
    return visit


# --- Colours, without a browser ---------------------------------------------------------------------------------------
def variables(theme: str) -> dict[str, str]:
    """Colours of light; those of dark over them."""
    light, dark = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", part)) for part in _THEME.split("}")[:2])
    return light if theme == "light" else {**light, **dark}


def lightness(colour: str) -> float:
    """Relative luminance, as WCAG defines it."""
    values = [int(colour[n : n + 2], 16) / 255.0 for n in (1, 3, 5)]
    r, g, b = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values]
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    dark, bright = sorted((lightness(one), lightness(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_ink_is_read_on_every_ground_it_is_used_on(theme: str) -> None:
    colours = variables(theme)
    pairs = list(product(("ink", "muted", "accent", "good", "warm", "bad"), ("panel", "paper")))
    pairs += [("ink", "sunken"), ("muted", "sunken"), ("accent-ink", "accent"), ("accent", "accent-soft")]
    pairs += [("good", "good-soft"), ("bad", "bad-soft"), ("warm", "warm-soft"), ("panel", "bad"), ("paper", "ink")]
    pale = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in pairs}
    assert {pair: round(value, 2) for pair, value in pale.items() if value < _LEAST} == {}


def test_the_measure_of_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)  # the well-known grey that just fails


# --- In all modes -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_modes_have_contrast_and_names(studio: Running, visitor: Callable[..., Visit], scheme: str) -> None:
    visit = probed(visitor, studio, 1280, 800, color_scheme=scheme, reduced_motion="reduce")
    for mode in _MODES:
        visit.mode(mode)
        visit.page.evaluate(_OPEN_ALL)
        visit.page.wait_for_timeout(150)
        assert visit.ask("probes.pale()") == [], mode
        assert visit.ask("probes.nameless()") == [], mode
        assert visit.ask("probes.twice()") == [], mode
    visit.page.keyboard.press("?")
    assert visit.ask("probes.pale()") == [] and visit.ask("probes.nameless()") == []
    visit.page.keyboard.press("Escape")
    visit.page.evaluate(  # each probe can fail
        "() => { const bad = document.createElement('button'); bad.id = 'stage';"
        " bad.style.cssText = 'position: fixed; inset: 0 auto auto 0; width: 20px; height: 20px; z-index: 99;"
        " color: #999; background: #aaa'; document.body.append(bad);"
        " const words = document.createElement('p'); words.textContent = 'pale'; words.style.cssText ="
        " 'position: fixed; inset: 0; z-index: 99; color: #999; background: #aaa'; document.body.append(words); }"
    )
    assert visit.ask("probes.twice()") == ["stage"] and len(visit.ask("probes.pale()")) == 1
    assert len(visit.ask("probes.nameless()")) == 1 and visit.ask("probes.small(36)") != []
    visit.page.close()


@pytest.mark.parametrize(("width", "height"), [(320, 640), (390, 844), (820, 1180)])
def test_fingers_have_room_and_nothing_scrolls_sideways(
    studio: Running, visitor: Callable[..., Visit], width: int, height: int
) -> None:
    visit = probed(visitor, studio, width, height, has_touch=True, is_mobile=True, reduced_motion="reduce")
    for mode in _MODES:
        visit.page.locator(f'#rail button[data-mode="{mode}"]').tap()
        visit.until("animato.studio.store.mode === given", mode)
        if width <= 720 and not visit.ask("document.getElementById('studio').classList.contains('panel-open')"):
            visit.page.locator(f'#rail button[data-mode="{mode}"]').tap()
        visit.page.evaluate(_OPEN_ALL)
        visit.page.wait_for_timeout(150)
        assert visit.ask("probes.small(36)") == [], mode
        assert visit.ask("document.documentElement.scrollWidth <= innerWidth"), mode
    visit.page.close()


# --- Keys -------------------------------------------------------------------------------------------------------------
def test_keys_that_are_always_there_are_one_thing_each(studio: Running, visitor: Callable[..., Visit]) -> None:
    visit = probed(visitor, studio, 1280, 800)
    groups = dict(visit.ask("[...animato.studio.keys.list()]"))
    here = [one for group, all_ in groups.items() if group.lower() not in _MODES for one, _ in all_]
    assert [one for one in here if here.count(one) > 1] == []
    visit.page.close()


def test_the_page_of_docs_lists_all_keys(studio: Running, visitor: Callable[..., Visit]) -> None:
    visit = probed(visitor, studio, 1280, 800)
    page = (_ROOT / "docs/studio.md").read_text(encoding="utf-8").partition("## All keys")[2]
    listed = {
        (group.strip(), key.strip().replace("\\\\", "\\"), words.strip())
        for group, key, words in re.findall(r"^\| ([^|]+) \| `([^`]+)` \| ([^|]+) \|$", page, re.MULTILINE)
    }
    known = {(group, key, words) for group, all_ in visit.ask("[...animato.studio.keys.list()]") for key, words in all_}
    assert known - listed == set() and listed - known == set()
    visit.page.close()


def test_a_popover_is_closed_by_esc_and_gives_the_focus_back(studio: Running, visitor: Callable[..., Visit]) -> None:
    visit = probed(visitor, studio, 1280, 800)
    for name in ("How it is made performable", "A new take, or a file"):
        opener = visit.page.locator(f'button[title^="{name}"]:visible')
        opener.focus()
        visit.page.keyboard.press("Enter")
        assert visit.page.locator(".popover").count() == 1
        visit.page.keyboard.press("Escape")
        assert visit.page.locator(".popover").count() == 0
        assert visit.ask("document.activeElement.title.startsWith(given)", name)
    visit.page.close()


def test_the_verdict_is_told_to_who_does_not_see_it(studio: Running, visitor: Callable[..., Visit]) -> None:
    visit = probed(visitor, studio, 1280, 800)
    said = "[...document.querySelectorAll('[role=status]')].some((one) => one.textContent === given)"
    visit.until(said, "hello: the robot can")
    visit.open_take("dance (too fast)")
    visit.until(said, "dance (too fast): 3 limits exceeded")
    visit.open_take("hello")
    visit.page.close()


# --- A phone, and what a system wishes --------------------------------------------------------------------------------
def test_on_a_phone_the_panel_is_a_sheet(studio: Running, visitor: Callable[..., Visit]) -> None:
    visit = probed(visitor, studio, 390, 844, has_touch=True, is_mobile=True)
    panel, pose = visit.page.locator("#panel"), visit.page.locator('#rail button[data-mode="pose"]')
    assert not panel.is_visible()  # who watches has the whole stage
    assert visit.page.locator("#stage").bounding_box()["height"] > 0.5 * 844
    pose.tap()
    assert panel.is_visible() and pose.get_attribute("aria-expanded") == "true"
    visit.page.locator(".sheet-head button").tap()
    assert not panel.is_visible()
    pose.tap()
    box = visit.page.locator(".sheet-head").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + 12
    visit.drag((x, y), (x, y + 40), (x, y + 160))
    assert not panel.is_visible()
    visit.page.locator(".transport button").first.tap()
    playing = visit.ask("animato.studio.stage.playing")
    visit.page.locator(".transport button").first.tap()
    assert visit.ask("animato.studio.stage.playing") != playing
    visit.picture("phone")
    visit.page.close()


def test_who_wishes_for_less_motion_has_it(studio: Running, visitor: Callable[..., Visit]) -> None:
    visit = probed(visitor, studio, 900, 700, reduced_motion="reduce", forced_colors="active")
    visit.until("animato.studio.stage.end > 0")
    visit.page.wait_for_timeout(300)
    assert not visit.ask("animato.studio.stage.playing")
    visit.page.keyboard.press("Shift+F")
    assert not visit.ask("animato.studio.stage.orbit.gliding")  # there at once
    visit.picture("forced-colors")
    visit.page.close()


def test_a_hint_goes_when_it_was_followed(studio: Running, visitor: Callable[..., Visit]) -> None:
    visit = probed(visitor, studio, 1280, 800)
    hint = visit.page.locator(".hint")
    visit.mode("face")
    assert "Drag the ball" in hint.inner_text()
    hint.locator("button").click()
    assert not hint.is_visible()
    visit.mode("pose")
    assert "Pull a hand" in hint.inner_text()
    visit.page.reload()
    visit.arrived()
    visit.mode("face")
    assert not hint.is_visible()
    visit.page.close()
