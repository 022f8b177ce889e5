"""What goes wrong around a page: the studio is killed, a file is far too large, a page says far too much."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.studio.running import Running, running
from tests.studio.visit import Visit

_LARGE_BYTES = 1_000_000_000
_GONE = re.compile("WebSocket|ERR_CONNECTION|Failed to load resource|net::ERR")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the project."""
    return tmp_path_factory.mktemp("trouble") / "show"


@pytest.fixture(scope="module")
def lamp(folder: Path) -> Iterator[Running]:
    """A studio with the lamp."""
    with running(folder, "lamp") as one:
        yield one


@pytest.fixture(scope="module")
def page(lamp: Running, visitor: Callable[..., Visit]) -> Iterator[Visit]:
    """A page that looks at it."""
    visit = visitor(900, 640).go(lamp.address)
    visit.until("animato.studio.store.usage")
    yield visit
    visit.page.close()


def goes_on(visit: Visit) -> None:
    """Whether the page still does what it is asked for."""
    count = len(visit.takes)
    visit.page.keyboard.press("Control+Shift+D")
    visit.until("animato.studio.store.document.takes.length === given", count + 1)
    visit.page.keyboard.press("Control+z")
    visit.until("animato.studio.store.document.takes.length === given", count)


def test_a_file_of_a_gigabyte_is_refused_and_the_page_goes_on(lamp: Running, page: Visit) -> None:
    """Dropped as by hand; nothing of it is left on the disk."""
    page.expected = _GONE  # the browser tells of every answer that is a refusal
    page.page.evaluate(_DROP, ["dance.bvh", _LARGE_BYTES])
    page.until("document.querySelector('#toasts .bad')")
    words = page.page.locator("#toasts .bad").first.inner_text()
    page.picture("upload-refused")
    assert "200 MB" in words, words
    goes_on(page)
    left = [one for one in lamp.folder.rglob("*") if one.is_file() and one.stat().st_size > 10_000_000]
    assert left == []
    page.expected = None


_DROP = """([name, size]) => {
  // a file of that size without its bytes in the memory of this test: one block again and again
  const block = new Uint8Array(10_000_000), parts = [];
  for (let n = 0; n < size / block.length; n++) parts.push(block);
  const given = new DataTransfer();
  given.items.add(new File(parts, name));
  for (const kind of ["dragenter", "dragover", "drop"])
    document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: given, bubbles: true, cancelable: true }));
}"""


def test_ten_thousand_messages_at_once_stop_nobody(lamp: Running, page: Visit, visitor: Callable[..., Visit]) -> None:
    """The page is sent away and connects anew, or is held back where the desk is slower; it and others go on."""
    other = visitor(500, 400).go(lamp.address)
    other.page.evaluate("() => animato.studio.link.on('lost', () => { throw new Error('sent away'); })")
    page.expected = _GONE
    page.page.evaluate("() => { for (let n = 0; n < 10000; n++) animato.studio.link.send('watch.nothing', { n }); }")
    goes_on(other)
    page.until("animato.studio.link.connected && !animato.studio.link.waiting.size")
    goes_on(page)
    page.expected = None
    other.page.close()


def test_killed_and_started_again_everything_is_there(folder: Path, lamp: Running, page: Visit) -> None:
    """The page says what to do; once the new address is open in the same browser it goes on by itself."""
    page.page.keyboard.press("Control+Shift+D")
    page.until("animato.studio.store.document.current === 'take 1 copy'")
    page.saved()
    before, port = page.document(), lamp.port
    page.expected = _GONE
    lamp.kill()
    page.until("document.querySelector('.offline')")
    page.picture("studio-gone")
    assert "trying again" in page.page.locator(".offline").inner_text()
    with running(folder, port=port) as again:
        page.until("document.querySelector('.offline')?.textContent.includes('started again')")
        page.picture("studio-started-again")
        tab = page.page.context.new_page()
        tab.goto(again.address)
        page.until("animato.studio.link.connected && !document.querySelector('.offline')")
        assert page.document() == before
        goes_on(page)
        page.page.close()
        tab.close()
