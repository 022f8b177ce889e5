"""The live part of the demo: the robot follows while hello is being drawn."""

from __future__ import annotations

import numpy as np

from animato.formats import load_character
from animato.report.kit import Axes, Markup, chart_file, element, key
from animato.trace import Loop, Sketch, load_strokes, posture_at

WIDTH = 1120


def live_hello(style: str, *, delay_s: float = 0.3) -> tuple[str, Markup]:
    """Draws the word sample by sample; a sentence about it, and the height of hand and pen over time."""
    arm = load_character("arm6")
    hello = load_strokes("hello", arm, start="board")
    tracer = drawn_live(
        Loop(arm, "pen", start=posture_at(arm, "pen", hello.positions[0], "board"), delay_s=delay_s), hello
    )
    figures = tracer.figures
    times = np.linspace(0.0, tracer.motion.ends, 1200)
    places = tracer.points_at(times)[:, 0]
    end = tracer.motion.ends - hello.duration
    words = (
        f"Live, {figures.updates} plans were made while it was drawn, each in {np.median(figures.update_ms):.1f} ms; "
        f"the robot was {1000.0 * delay_s:.0f} ms behind the hand and at rest {end:.2f} s after it."
    )
    up = np.interp(times, hello.times, hello.positions[:, 0, 2])
    axes = Axes(64, 50, 1036, 200, (0.0, float(times[-1])), _range(up, places[:, 2]))
    content = element(
        "g",
        key([("hand", "drawn"), ("robot", "c1")], 494, 24),
        axes.frame(title="height [m] over time, while it is being drawn", across_unit=" s", up_ticks=4),
        axes.inside(axes.line(times, up, "drawn"), axes.line(times, places[:, 2], "c1")),
    )
    return words, chart_file(content, style, "The robot follows the hand", WIDTH, 290)


def drawn_live(tracer: Loop, sketch: Sketch) -> Loop:
    """Gives a tracer all samples of a sketch one by one, and asks for a command after each."""
    for places, time in zip(sketch.positions, sketch.times, strict=True):
        tracer.add(places, float(time))
        tracer.command(float(time))
    tracer.finish()
    while not tracer.done:
        tracer.advance(0.008)
    return tracer


def _range(*curves: np.ndarray) -> tuple[float, float]:
    low, high = min(float(one.min()) for one in curves), max(float(one.max()) for one in curves)
    return low - 0.08 * (high - low), high + 0.08 * (high - low)
