"""Takes the pictures of docs/studio.md anew: python -m tests.studio.pictures

Needs what the tests in a browser need; looks at a studio as it opens for the first time.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import find_chromium
from tests.studio.running import running
from tests.studio.visit import LAUNCH_FLAGS, Visit

_IMAGES = Path(__file__).parents[2] / "docs" / "images"
_STILL_MS = 2500  # until a picture that rests has smooth edges
_KNOWN = 'localStorage.setItem("animato-hints", JSON.stringify(["pose", "draw", "face", "design", "capture"]))'


def take(visit: Visit, name: str) -> None:
    """Writes one [WebP]."""
    visit.page.wait_for_timeout(_STILL_MS)
    with Image.open(io.BytesIO(visit.page.screenshot())) as seen:
        seen.convert("RGB").save(_IMAGES / f"{name}.webp", quality=82, method=6)
    print(f"{name}.webp: {(_IMAGES / f'{name}.webp').stat().st_size / 1024.0:.0f} kB")


def visited(browser: Browser, address: str, width: int, height: int, **about: object) -> Visit:
    """Somebody who needs no hints."""
    page = browser.new_page(viewport={"width": width, "height": height}, **about)  # type: ignore[arg-type]
    page.add_init_script(_KNOWN)
    return Visit(page).go(address)


def of_pico(browser: Browser, address: str) -> None:
    """The whole page, what is too much, looking, and a phone."""
    visit = visited(browser, address, 1280, 800)
    visit.until("animato.studio.store.usage")
    visit.stop()
    visit.seek(1.3)
    visit.page.evaluate("() => animato.studio.store.select({ joint: 'left_elbow', body: -1 })")
    take(visit, "studio")
    visit.page.evaluate("() => animato.studio.store.select()")
    visit.open_take("dance (too fast)")
    visit.until("document.querySelector('.verdict.bad')")
    visit.page.keyboard.press("t")
    visit.page.keyboard.press("j")
    visit.page.keyboard.press("Shift+C")
    take(visit, "studio-trouble")
    visit.page.close()
    phone = visited(browser, address, 390, 720, has_touch=True, is_mobile=True, color_scheme="dark")
    phone.stop()
    phone.seek(1.5)
    take(phone, "studio-phone")
    phone.page.close()


def of_arm(browser: Browser, address: str) -> None:
    """A word on the board."""
    visit = visited(browser, address, 1280, 800)
    visit.mode("draw")
    visit.until("(await import('/page/modes/draw/state.js')).drawing.ready && animato.studio.store.usage")
    visit.stop()
    visit.seek(7.0)
    take(visit, "studio-draw")
    visit.page.close()


def main() -> None:
    """All of them."""
    folder = Path(tempfile.mkdtemp())
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=LAUNCH_FLAGS)
        with running(folder / "demo") as studio:
            of_pico(browser, studio.address)
        with running(folder / "arm", "arm6") as studio:
            of_arm(browser, studio.address)
        browser.close()


if __name__ == "__main__":
    main()
