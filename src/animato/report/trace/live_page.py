"""The page of a stroke that was followed while it was drawn: hand and robot over time."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.formats.files import write_whole
from animato.report.kit import (
    PLAYER_STYLE,
    Axes,
    Markup,
    chart_file,
    element,
    joined,
    key,
    package_text,
    player_script,
    section,
    sentence_list,
    time_cursor,
    verdict_header,
    whole_page,
)
from animato.report.trace.film import PLAYER
from animato.report.trace.live_film import live_section
from animato.trace.live import Loop, SessionFigures

WIDTH, _HEIGHT = 1120, 220
_MOST_PLACES = 3000  # of a curve
_WORDS = "Where the hand and the robot were, over time. The robot follows some tenths of a second later."


def live_page(loop: Loop, figures: SessionFigures, title: str) -> str:
    """The whole page as HTML."""
    facts = [
        ("behind the hand, at most", f"{figures.longest_lag_s:.2f} s"),
        ("plans", str(figures.loop.updates)),
        ("left out", f"{figures.left_m:.3g} m"),
        ("from its line, at most", f"{1000.0 * figures.loop.deviation:.3g} mm"),
    ]
    film = live_section(loop)
    player = PLAYER if film is not None else ""
    body = element(
        "main",
        verdict_header("trace", title, "fits", "Followed live", figures.lines()[:1], facts),
        film,
        section("Hand and robot over time", _WORDS, *(draw_axis(loop, axis, player=player) for axis in range(3))),
        sentence_list("How it went", figures.lines(), "help"),
        player_script() if player else None,
    )
    return whole_page(title, body, styles=(PLAYER_STYLE,) if player else ())


def save_live_page(path: str | Path, loop: Loop, figures: SessionFigures, title: str) -> Path:
    """Writes the page to a file, whole or not at all."""
    return write_whole(path, live_page(loop, figures, title))


def draw_axis(loop: Loop, axis: int, *, player: str = "") -> Markup:
    """One coordinate of the first point in the world over time, of the hand and of the robot; with a player's time."""
    times, drawn = loop.drawn
    moments = np.linspace(times[0], max(loop.motion.ends, times[-1]), 1200)
    hand, robot = drawn[:, 0, axis], loop.points_at(moments)[:, 0, axis]
    step = max(1, len(times) // _MOST_PLACES)
    low, high = min(hand.min(), robot.min()), max(hand.max(), robot.max())
    room = max(0.08 * (high - low), 1e-3)
    span = (0.0, float(moments[-1] - times[0]))
    axes = Axes(64, 50, WIDTH - 84, _HEIGHT - 90, span, (float(low - room), float(high + room)))
    content = joined(
        key([("hand", "drawn"), ("robot", "c1")], WIDTH - 420, 24),
        axes.frame(title=f"{'xyz'[axis]} [m] over time", across_unit=" s", up_ticks=4),
        axes.inside(
            axes.line(times[::step] - times[0], hand[::step], "drawn"), axes.line(moments - times[0], robot, "c1")
        ),
        *([time_cursor(player, axes)] if player else []),
    )
    return chart_file(
        element("g", content), package_text("charts.css"), f"Hand and robot, {'xyz'[axis]}", WIDTH, _HEIGHT
    )
