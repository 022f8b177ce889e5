"""The driver sees what is wrong with a page: a test in a browser that cannot fail would be worth nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.browser.devtools import BrowserError
from tests.browser.player import changed
from tests.browser.seen import nameless, too_faint, too_small, too_wide
from tests.browser.tab import Tab


def page(folder: Path, body: str, *, head: str = "") -> Path:
    path = folder / "page.html"
    path.write_text(f"<!doctype html><html lang=en><head><title>page</title>{head}</head><body>{body}</body></html>")
    return path


@pytest.mark.parametrize(
    "body",
    [
        "<script>console.error('ouch')</script>",
        "<script>console.warn('ouch')</script>",
        "<script>throw new Error('ouch')</script>",
        "<script>setTimeout(() => { ouch(); }, 0)</script>",
        "<script>Promise.reject(new Error('ouch'))</script>",
    ],
)
def test_complaints_are_heard(body: str, tmp_path: Path, tab: Tab) -> None:
    tab.open(page(tmp_path, body))
    tab.settle()
    (complaint,) = tab.heard()
    assert "ouch" in complaint


def test_what_a_policy_forbids_is_heard(tmp_path: Path, tab: Tab) -> None:
    policy = "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"
    tab.open(page(tmp_path, "<script>1</script>", head=policy))
    assert any("Content Security Policy" in one for one in tab.heard())


def test_requests_are_seen(tmp_path: Path, tab: Tab) -> None:
    (tmp_path / "more.css").write_text("p { color: red; }")
    tab.open(page(tmp_path, "<p>words</p>", head='<link rel=stylesheet href="more.css">'))
    assert [one.rsplit("/", 1)[1] for one in tab.requests] == ["page.html", "more.css"]


def test_what_is_too_wide_is_seen(tmp_path: Path, tab: Tab) -> None:
    phone = '<meta name=viewport content="width=device-width, initial-scale=1">'
    tab.open(page(tmp_path, '<div class=wide style="width: 500px">words</div>', head=phone), width=390)
    assert too_wide(tab, 390) == ["div.wide ends at 508"]
    boxed = '<div style="overflow-x: auto"><div class=wide style="width: 500px">words</div></div>'
    tab.open(page(tmp_path, boxed, head=phone), width=390)
    assert too_wide(tab, 390) == []


def test_what_is_too_faint_is_seen(tmp_path: Path, tab: Tab) -> None:
    words = [
        "<body style='background: #fff'>",
        "<p class=grey style='color: #888'>3.5 to 1</p>",
        "<p style='color: #707070'>5 to 1</p>",
        "<h1 style='color: #888'>large</h1>",
        "<p class=see_through style='opacity: 0.5; color: #000'>4 to 1</p>",
        "<p style='background: #000; color: #888'>on black</p>",
        "<p style='color: #888; display: none'>nobody sees it</p>",
        "<svg viewBox='0 0 9 9' width=99 font-size=2><rect width=9 height=9 fill=navy />",
        "<text x=1 y=5 fill=white>o</text>",
        "<text class=deep x=4 y=5>o</text></svg>",
    ]
    tab.open(page(tmp_path, "".join(words)))
    assert [one.split()[0] for one in too_faint(tab)] == ["p.grey", "p.see_through", "text.deep"]


def test_what_is_too_small_is_seen(tmp_path: Path, tab: Tab) -> None:
    words = (
        "<svg viewBox='0 0 1000 100' width=250><text y=50 font-size=12>o</text></svg><p style='font-size: 8px'>o</p>"
    )
    tab.open(page(tmp_path, words))
    assert too_small(tab, 4.0) == ["text. 'o' 3.0"]


def test_what_says_nothing_is_seen(tmp_path: Path, tab: Tab) -> None:
    things = [
        "<button class=mute></button><button>play</button><button aria-label=play></button>",
        "<input class=mute><label><input> loop</label><canvas class=mute></canvas>",
        "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw=' class=mute width=9>",
    ]
    tab.open(page(tmp_path, "".join(things)))
    assert nameless(tab) == ["button.mute", "input.mute", "canvas.mute", "img.mute"]


def test_pointer_keys_wheel_and_fingers_arrive(tmp_path: Path, tab: Tab) -> None:
    script = """<canvas id=it width=200 height=100 tabindex=0></canvas><script>
      window.told = []; const it = document.getElementById('it');
      for (const kind of ['click', 'pointermove', 'keydown', 'wheel', 'touchstart', 'touchend'])
        it.addEventListener(kind, ({ key, buttons }) => window.told.push(`${kind} ${key || buttons || ''}`));
      </script>"""
    tab.open(page(tmp_path, script), touch=True)
    tab.click("#it")
    tab.drag("#it", 40.0, 0.0)
    tab.evaluate("document.getElementById('it').focus()")
    tab.key("ArrowRight")
    tab.key(" ")
    tab.wheel("#it", 50.0)
    tab.touch("#it", 30.0)
    tab.wait_until("told.some((one) => one.startsWith('touchend'))")
    wanted = {"click ", "pointermove 1", "keydown ArrowRight", "keydown  ", "wheel ", "touchstart ", "touchend "}
    assert wanted <= set(tab.evaluate("told"))


def test_what_is_drawn_is_seen(tmp_path: Path, tab: Tab) -> None:
    script = """<canvas id=it width=40 height=20></canvas><script>
      const gl = document.getElementById('it').getContext('webgl2');
      if (gl) { gl.clearColor(1, 0, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT); }
      else document.body.append('no WebGL');</script>"""
    tab.open(page(tmp_path, script))
    tab.settle()
    red = tab.picture("#it")
    assert red.shape == (20, 40, 3)
    np.testing.assert_array_equal(red[10, 20], [255, 0, 0])
    tab.open(page(tmp_path, script), webgl=False)
    tab.settle()
    assert tab.evaluate("document.body.textContent").strip().endswith("no WebGL")
    assert changed(red, tab.picture("#it")) == 1.0


def test_waiting_ends_and_says_for_what(tmp_path: Path, tab: Tab) -> None:
    tab.open(page(tmp_path, "<p>words</p>"))
    with pytest.raises(BrowserError, match=r"Not within 0.2 s: 1 === 2"):
        tab.wait_until("1 === 2", seconds=0.2)
    with pytest.raises(BrowserError, match="Nothing on the page is 'canvas'"):
        tab.box("canvas")
    with pytest.raises(BrowserError, match="is not defined"):
        tab.evaluate("nothing.of.the.kind")
    with pytest.raises(BrowserError, match="does not load"):
        tab.open(tmp_path / "absent.html")
