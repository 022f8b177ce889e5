"""The check that runs as one edits, and work that outlives a reload. A part of the benchmark `studio`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.studio_visits import quiet, visiting

_RUNS = "told.length && told.at(-1)[1].length && told.at(-1)[1][0].seconds > 0.3"
_FIXED = "animato.studio.store.document.takes.some((one) => one.verb === 'fix')"
_WATCH_JOBS = """() => {
  window.told = [];
  animato.studio.link.on("jobs", ({ jobs }) => told.push([Date.now() / 1000, jobs]));
}"""


def measured_check(browser: Any, folder: Path, character: str, edits: int) -> tuple[list[float], list[float]]:
    """From an edit of a key to the check of it on the page [ms].

    Args:
        browser: Of `browsing`.
        folder: Of the project, a new one.
        character: Whose demo is edited, or a pose that is held where it has none.
        edits: How many.

    Returns:
        Until the strip of colours is drawn, and until the message came.
    """
    with visiting(browser, folder, character) as visit:
        quiet(visit)
        names = visit.ask(
            "animato.studio.store.scene.joints.flatMap((one) => one.coordinates)"
            ".filter((one) => one.driven).map((one) => [one.name, one.lower, one.upper])"
        )
        name, lower, upper = next(one for one in names if one[1] is not None and one[2] is not None)
        visit.page.wait_for_timeout(2000)
        every, heard = [], []
        for n in range(edits + 1):
            share = 0.45 + 0.1 * ((0.618 * (n + 1)) % 1.0)
            told = visit.ask("probe.edit(...given)", [name, lower + share * (upper - lower)])
            if n:  # the first one may make keys of a clip
                every.append(told["all"])
                heard.append(told["heard"])
            visit.page.wait_for_timeout(120)
    return every, heard


def measured_reload(browser: Any, folder: Path) -> tuple[float, float]:
    """Reloads the page in the middle of a fix of pico's dance.

    Returns:
        Work that was lost [s], by the clock of the job itself: it goes on, or begins anew; and how long the job had
        worked when the page was there again [s].
    """
    with visiting(browser, folder, "pico") as visit:
        quiet(visit)
        visit.open_take("dance (too fast)")
        visit.page.evaluate(_WATCH_JOBS)
        visit.ask("animato.studio.link.ask('fix.make')")
        now, before = visit.until(f"{_RUNS} && [told.at(-1)[0], told.at(-1)[1][0]]")
        visit.page.reload()
        visit.arrived()
        visit.page.evaluate(_WATCH_JOBS)
        later, after = visit.until(f"{_FIXED} ? [0, null] : {_RUNS} && [told.at(-1)[0], told.at(-1)[1][0]]")
        visit.until(_FIXED)
    if after is None:  # it has ended while the page was loaded, and its result is there
        return 0.0, before["seconds"]
    if after["id"] != before["id"]:
        return before["seconds"], after["seconds"]
    return max(0.0, (later - now) - (after["seconds"] - before["seconds"])), after["seconds"]
