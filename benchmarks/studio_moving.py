"""Dragging in the studio: how many poses are seen in a second while a hand or a gaze is dragged.

A part of the benchmark `studio`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.studio_visits import quiet, visiting

HAND_HZ = 60.0
_SECONDS, _TURNS, _RADIUS_PX = 3.0, 1.5, 60.0


@dataclass
class Moving:
    """What was measured, one value a run.

    Attributes:
        heard_hz: Poses that came.
        shown_hz: Different poses that were seen.
        loop_hz: Commands of the loop that looks; 0 where none does.
        picture_ms: What one picture takes, pixels included.
    """

    heard_hz: list[float] = field(default_factory=list)
    shown_hz: list[float] = field(default_factory=list)
    loop_hz: list[float] = field(default_factory=list)
    picture_ms: list[float] = field(default_factory=list)


def measured_drag(browser: Any, folder: Path, character: str, body: str, runs: int) -> Moving:
    """Pulls a body around in circles."""
    with visiting(browser, folder, character) as visit:
        visit.mode("pose")
        visit.until("probe.posing.ready")
        quiet(visit)
        found = Moving()
        for _ in range(runs):
            _note(found, _drag(visit.page, visit.ask("probe.placeOf(given)", body)))
            visit.page.wait_for_timeout(500)
            visit.page.keyboard.press("Control+z")
            visit.page.wait_for_timeout(500)
    return found


def measured_gaze(browser: Any, folder: Path, character: str, runs: int) -> Moving:
    """Drags what the character looks at around in circles."""
    with visiting(browser, folder, character) as visit:
        quiet(visit)
        visit.mode("face")
        place = visit.until("probe.placeOfBall()")
        visit.page.wait_for_timeout(1000)
        found = Moving()
        for _ in range(runs):
            _note(found, _drag(visit.page, place))
    return found


def _drag(page: Any, place: list[float]) -> dict[str, float]:
    told: dict[str, float] = page.evaluate(
        "(given) => probe.circle(...given)", [place, _RADIUS_PX, _TURNS, _SECONDS, HAND_HZ]
    )
    return told


def _note(found: Moving, told: dict[str, float]) -> None:
    found.heard_hz.append(told["heard"])
    found.shown_hz.append(told["shown"])
    found.loop_hz.append(told["rate"])
    found.picture_ms.append(told["picture"])
