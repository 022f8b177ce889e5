"""The studio as somebody has it before them: a real `animato studio`, a real browser, hands that move in real time.

The browser draws without a graphics card. Each figure is of a plain run and, where it is of a moment, of the best of
three; rows of a second character stand beside those that have a bar. `NICEGUI_PYTHON` names a Python that has NiceGUI,
for the rows `frame.*`.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from rich.console import Console

from benchmarks import studio_frame
from benchmarks.browser import lacking
from benchmarks.mimic_cases import left_out
from benchmarks.row import Row
from benchmarks.studio_checking import measured_check, measured_reload
from benchmarks.studio_drawing import eight, hello, measured_drawing
from benchmarks.studio_keeping import measured_kills
from benchmarks.studio_moving import measured_drag, measured_gaze
from benchmarks.studio_opening import measured_opening
from benchmarks.studio_visits import browsing

_RUNS = 3
_KILLS = 20


def rows(*, quick: bool) -> list[Row]:
    """All rows.

    Args:
        quick: One run of each, three kills, without the rows of frames.
    """
    runs = 1 if quick else _RUNS
    found: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if not left_out("all rows in a browser", lacking() or ""):
            with browsing() as browser:
                parts: dict[str, Callable[[], list[Row]]] = {
                    "opening": lambda: _opening_rows(browser, place / "open", runs),
                    "drawing": lambda: _drawing_rows(browser, place / "hello", "arm6", hello(), runs),
                    "drawing, torso29": lambda: _drawing_rows(browser, place / "eight", "torso29", eight(), runs),
                    "dragging": lambda: _moving_rows(browser, place / "move", runs),
                    "checking": lambda: _checking_rows(browser, place / "check", 4 * runs),
                }
                for name, part in parts.items():
                    try:
                        found += _told(part())
                    except Exception as error:  # the others are told of all the same
                        left_out(name, f"{type(error).__name__}: {error}"[:400])
        lost = measured_kills(place, 3 if quick else _KILLS)
    usual = statistics.median(lost)
    found.append(Row("kill.lost_s", max(lost), f"s, worst of {len(lost)}; median {usual:.2f}", "lower"))
    return found if quick else [*found, *studio_frame.rows(quick=quick)]


def _told(rows: list[Row]) -> list[Row]:
    """Says rows as soon as they are there: all of them take minutes."""
    console = Console(stderr=True, soft_wrap=True)
    for row in rows:
        console.print(f"{row.name}: {row.value:.4g} {row.unit}", highlight=False)
    return rows


def _rows(
    name: str, values: Sequence[float], unit: str, better: Literal["lower", "higher"], told: str = ""
) -> list[Row]:
    """The best of some runs, with the plain one beside it."""
    best = min(values) if better == "lower" else max(values)
    kind, _, quantity = name.rpartition("_")
    note = f"{unit}, best of {len(values)}" + (f"; {told}" if told else "")
    return [Row(name, best, note, better), Row(f"{kind}.plain_{quantity}", values[0], f"{unit}, first run", better)]


def _opening_rows(browser: Any, folder: Path, runs: int) -> list[Row]:
    all_ = [measured_opening(browser, folder.with_name(f"open {number}"), "pico") for number in range(runs)]
    first = all_[0]
    return [
        *_rows("open_s", [one.open_s for one in all_], "s", "lower", "the browser runs already"),
        Row("open.said_s", min(one.said_s for one in all_), "s, until the command says so", "lower"),
        Row("open.checked_s", min(one.checked_s for one in all_), "s, until the first check", "lower"),
        Row("close_s", max(one.close_s for one in all_), f"s, worst of {runs}", "lower"),
        Row("page_kb", first.page_kb, "kB fetched", "lower"),
        Row("page.told_kb", first.told_kb, "kB over the web socket, pico and its motion", "lower"),
    ]


def _drawing_rows(browser: Any, folder: Path, character: str, line: list[list[float]], runs: int) -> list[Row]:
    told = measured_drawing(browser, folder, character, line, runs, 4 * runs)
    draw, tune = ("draw", "tune") if character == "arm6" else (f"draw.{character}", f"tune.{character}")
    lift = f"heard after {min(told.heard_ms):.0f}, picture {statistics.median(told.drawn_ms):.0f}"
    middle = statistics.median(told.tune_ms)
    resolved = f"ms, median of {len(told.tune_ms)}"
    return [
        *_rows(f"{draw}.lift_to_play_ms", told.lift_ms, "ms", "lower", lift),
        Row(f"{draw}.first_lift_to_play_ms", told.first_ms, "ms, right after opening", "lower"),
        *_rows(f"{draw}.live_lag_ms", told.lag_ms, "ms", "lower", f"the studio says {told.own_ms[0]:.0f}"),
        Row(f"{draw}.heard_ms", min(told.heard_ms), "ms, until the motion is on the page", "lower"),
        Row(f"{tune}.resolve_ms", middle, f"{resolved}, until it is seen", "lower"),
        Row(f"{tune}.heard_ms", statistics.median(told.tune_heard_ms), f"{resolved}, until it is there", "lower"),
        Row(f"{tune}.worst_ms", max(told.tune_ms), "ms", "lower"),
        Row(f"{tune}.slide_hz", told.slide_hz[0], "motions a second while a slider moves", "higher"),
    ]


def _moving_rows(browser: Any, folder: Path, runs: int) -> list[Row]:
    found = []
    for character, body in (("pico", "left_forearm"), ("torso29", "right_palm")):
        told = measured_drag(browser, folder.with_name(f"drag {character}"), character, body, runs)
        kind = "drag" if character == "pico" else f"drag.{character}"
        about = f"heard {max(told.heard_hz):.0f}, a picture takes {min(told.picture_ms):.0f} ms"
        found += _rows(f"{kind}.pose_hz", told.shown_hz, "1/s", "higher", about)
        found.append(Row(f"{kind}.heard_hz", max(told.heard_hz), "poses a second at the page", "higher"))
    for character in ("pico", "lamp"):
        told = measured_gaze(browser, folder.with_name(f"gaze {character}"), character, runs)
        kind = "gaze" if character == "pico" else f"gaze.{character}"
        seen = f"1/s; a picture takes {min(told.picture_ms):.0f} ms"
        found += [
            Row(f"{kind}.hz", max(told.loop_hz), f"commands a second, best of {runs}", "higher"),
            Row(f"{kind}.plain_hz", told.loop_hz[0], "commands a second, first run", "higher"),
            Row(f"{kind}.page_hz", max(told.heard_hz), "poses a second at the page", "higher"),
            Row(f"{kind}.shown_hz", max(told.shown_hz), seen, "higher"),
        ]
    return found


def _checking_rows(browser: Any, folder: Path, edits: int) -> list[Row]:
    found = []
    for character in ("pico", "torso29"):
        every, heard = measured_check(browser, folder.with_name(f"check {character}"), character, edits)
        kind = "check" if character == "pico" else f"check.{character}"
        unit = f"ms, median of {edits}"
        found += [
            Row(f"{kind}.refresh_ms", statistics.median(every), f"{unit}, until it is seen", "lower"),
            Row(f"{kind}.heard_ms", statistics.median(heard), f"{unit}, until it is there", "lower"),
            Row(f"{kind}.worst_ms", max(every), "ms", "lower"),
        ]
    lost, worked = measured_reload(browser, folder.with_name("reload"))
    found.append(Row("reload.lost_s", lost, f"s of work, after {worked:.1f} s of it", "lower"))
    return found
