"""trace from a noisy stroke to joint positions, and live: what a person waits for."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from animato.character.character import Character
from animato.formats.character_files import load_character
from animato.formats.strokes.reader import read_strokes
from animato.motion.posture import Posture
from animato.motion.stroke import Stroke
from animato.trace.live.loop import Loop, posture_at
from animato.trace.options import Options
from animato.trace.problem import build
from animato.trace.sketch.plane import parse_plane, placed
from animato.trace.sketch.reach_fitting import fitted_plane
from animato.trace.tracing import solve
from benchmarks.row import Row, best_seconds

NOISE_M = 5e-4
RATE_HZ = 250.0


def noisy_hello() -> tuple[Character, dict[str, Stroke]]:
    """The word before the shipped arm at 125 Hz, with half a millimetre of jitter."""
    arm = load_character("arm6")
    stroke = read_strokes("hello")["pen"]
    plane = fitted_plane(arm, "pen", stroke, parse_plane("-yz"), start=Posture.named(arm, "board"))
    return arm, {"pen": noisy(placed(stroke, plane))}


def noisy(stroke: Stroke) -> Stroke:
    """The same stroke with jitter."""
    jitter = np.random.default_rng(7).normal(scale=NOISE_M, size=stroke.points.shape)
    return Stroke(stroke.points + jitter, stroke.times)


def end_to_end_rows(*, quick: bool) -> list[Row]:
    """From strokes to a clip at 250 Hz whose spline holds the limits, warm; without the certificate."""
    repeats = 5 if quick else 15
    arm, hello = noisy_hello()
    torso = load_character("torso29")
    golf = {name: noisy(stroke) for name, stroke in read_strokes("golf").items()}
    rows = []
    for name, character, strokes, start in (("hello", arm, hello, "board"), ("golf", torso, golf, "address")):
        options = Options(start=start, segments=500, rate_hz=RATE_HZ, certificate=False)
        seconds = best_seconds(lambda: solve(build(character, strokes, options)), repeats)  # noqa: B023  # called at once
        traced = solve(build(character, strokes, replace(options, certificate=True)))
        rows += [
            Row(f"{name}.end_to_end_ms", 1e3 * seconds, "ms", "lower"),
            Row(f"{name}.deviation_mm", 1e3 * float(traced.deviations.mean()), "mm", "lower"),
            Row(f"{name}.traced_gap_percent", 100.0 * traced.scaling.gap, "%", "lower"),
            Row(f"{name}.clip_limit_share", max(traced.settled.peaks.values()), "share of a limit", "lower"),
        ]
    return rows


def live_rows(*, quick: bool) -> list[Row]:
    """Updates while hello is being drawn.

    The same samples make the same plans, so an update counts with the shortest of several runs; the last row is a
    single run with all that the machine was also doing. Updates whose plan could not take over count, too.
    """
    arm, strokes = noisy_hello()
    stroke = strokes["pen"]
    count = len(stroke.points) // (4 if quick else 1)
    start = posture_at(arm, "pen", stroke.points[0], "board")
    every, lag = [], 0.0
    for _ in range(3):
        loop, seconds = Loop(arm, "pen", start=start), []
        for place, moment in zip(stroke.points[:count], stroke.times[:count], strict=True):  # type: ignore[index]
            before = loop.update_count
            begin = time.perf_counter()
            loop.add(place, float(moment))
            if loop.update_count > before:
                seconds.append(time.perf_counter() - begin)
        every.append(seconds)
        lag = loop.motion.ends - float(stroke.times[count - 1])  # type: ignore[index]
    best = 1e3 * np.min(np.array(every), axis=0)
    return [
        Row("live_update_ms", float(np.median(best)), "ms, median", "lower"),
        Row("live_update_p99_ms", float(np.percentile(best, 99)), "ms, 99th percentile", "lower"),
        Row("live_update_wall_p99_ms", float(np.percentile(1e3 * np.array(every[-1]), 99)), "ms", "lower"),
        Row("live_at_rest_s", lag, "s after the pen", "lower"),
    ]
