"""Drawing in the studio: how far the robot is behind the hand, how soon it performs, how soon it is tuned.

A part of the benchmark `studio`.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from animato.formats.strokes import read_stroke
from benchmarks.studio_visits import quiet, visiting

MOUSE_HZ = 125.0
_FIRST_S = 1.5
_SHARE = 0.72  # of the board that a line takes


@dataclass
class Drawing:
    """What was measured, one value a run.

    Attributes:
        lift_ms: From where the pen was lifted to the first picture of the performance.
        heard_ms: Until its motion was on the page, within that.
        drawn_ms: Of its picture, within that.
        lag_ms: How far the robot on the page was behind the hand.
        own_ms: What the studio says of that.
        tune_ms: From a slider's event to the first picture of the new motion.
        tune_heard_ms: Until the motion was on the page, within that.
        slide_hz: New motions that are seen in a second while a slider moves.
        first_ms: As `lift_ms`, of a short line that is drawn as soon as the page lets one draw; processes get warm.
    """

    lift_ms: list[float] = field(default_factory=list)
    heard_ms: list[float] = field(default_factory=list)
    drawn_ms: list[float] = field(default_factory=list)
    lag_ms: list[float] = field(default_factory=list)
    own_ms: list[float] = field(default_factory=list)
    tune_ms: list[float] = field(default_factory=list)
    tune_heard_ms: list[float] = field(default_factory=list)
    slide_hz: list[float] = field(default_factory=list)
    first_ms: float = float("nan")


def hello() -> list[list[float]]:
    """The word as a hand wrote it: places [share of the board's width] and times [s]."""
    stroke = read_stroke("hello")
    assert stroke.times is not None
    return _fitted(stroke.points[:, :2], stroke.times)


def eight() -> list[list[float]]:
    """Twice around an eight in four seconds, begun and ended gently."""
    times = np.linspace(0.0, 4.0, 400)
    share = times / times[-1]
    turn = 4.0 * np.pi * (share - np.sin(2.0 * np.pi * share) / (2.0 * np.pi))
    return _fitted(np.column_stack([np.sin(turn), 0.4 * np.sin(2.0 * turn)]), times)


def _fitted(places: np.ndarray, times: np.ndarray) -> list[list[float]]:
    middle = 0.5 * (places.max(axis=0) + places.min(axis=0))
    size = float(np.ptp(places[:, 0]))
    return np.column_stack([_SHARE * (places - middle) / size, times - times[0]]).tolist()


def measured_drawing(
    browser: Any, folder: Path, character: str, line: list[list[float]], runs: int, tunes: int
) -> Drawing:
    """Draws a line some times, then tunes the last drawing.

    Args:
        browser: Of `browsing`.
        folder: Of the project, a new one.
        character: Who draws.
        line: See `hello`.
        runs: How often it is drawn.
        tunes: How often a slider is moved.
    """
    found = Drawing()
    with visiting(browser, folder, character) as visit:
        page = visit.page
        visit.mode("draw")
        visit.until("probe.drawing.ready")
        quiet(visit)
        page.keyboard.press("v")
        page.wait_for_timeout(1500)  # the camera goes before the board
        found.first_ms = _drawn(page, [place for place in line if place[2] < _FIRST_S])["lift"]
        quiet(visit)
        for _ in range(runs):
            told = _drawn(page, line)
            found.lift_ms.append(told["lift"])
            found.heard_ms.append(told["heard"])
            found.drawn_ms.append(told["drawn"])
            found.lag_ms.append(lag_ms(np.array(told["tips"]), np.array(told["hand"])))
            found.own_ms.append(told["own"])
            quiet(visit)
        for n in range(tunes):
            told = page.evaluate("(value) => probe.tune('beta', value)", -2.0 + 4.0 * ((0.618 * (n + 1)) % 1.0))
            found.tune_ms.append(told["all"])
            found.tune_heard_ms.append(told["heard"])
            page.wait_for_timeout(150)
        found.slide_hz.append(page.evaluate("() => probe.slide('beta', -2, 2, 3)"))
    return found


def _drawn(page: Any, line: list[list[float]]) -> dict[str, Any]:
    told: dict[str, Any] = page.evaluate("([line, hz]) => probe.draw(line, hz)", [line, MOUSE_HZ])
    return told


def lag_ms(tips: np.ndarray, hand: np.ndarray, first_s: float = 0.8) -> float:
    """The delay with which one path follows another best [ms].

    Args:
        tips: Time [s] and place [m] of the robot's point in each picture, [picture, 4].
        hand: The same of the hand, [moment, 4].
        first_s: Left out: the robot travels to where the line begins [s].
    """
    if len(tips) < 5:
        return float("nan")
    late = tips[tips[:, 0] > first_s]
    delays = np.arange(0.0, 1.0, 0.002)
    off = [
        statistics.fmean(
            np.linalg.norm(
                np.column_stack([np.interp(late[:, 0] - delay, hand[:, 0], hand[:, axis]) for axis in (1, 2, 3)])
                - late[:, 1:],
                axis=1,
            )
        )
        for delay in delays
    ]
    return float(1e3 * delays[int(np.argmin(off))])
