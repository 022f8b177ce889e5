"""Limits of jerk on "hello": how much longer the clip takes with them than without, beside averaging afterwards."""

from __future__ import annotations

from dataclasses import replace
from time import process_time

import numpy as np

from animato.formats.character_files import load_character
from animato.mechanics.limits.usage_of_clip import limit_usage
from animato.trace.options import Options
from animato.trace.problem import build
from animato.trace.sketch.loading import load_strokes
from animato.trace.solution import Solution
from animato.trace.timing.settling import _frames, settled_clip
from animato.trace.tracing import solve
from animato.trace.warp.bending import solve_timing
from benchmarks.row import Row

_AS_DRAWN = Options(start="board", certificate=False)
_FASTEST = Options(start="board", beta=0.0, gamma=1.0, tempo_lock=False, certificate=False)


def jerk_rows() -> list[Row]:
    """Durations of clips with limits of jerk over those without, as drawn and as fast as can be.

    As fast as can be also on the path of the motion without them, which gives way to nothing.
    """
    rows = []
    for name, wanted in (("jerk_as_drawn_longer_percent", _AS_DRAWN), ("jerk_longer_percent", _FASTEST)):
        plain = _solved(wanted)
        began = process_time()
        bent = _solved(replace(wanted, jerk=True))
        seconds = process_time() - began
        averaged = _longer(_averaged(plain, wanted), plain)
        rows.append(
            Row(f"hello.{name}", _longer(bent.clip.duration, plain), "%", "lower", "averaging afterwards", averaged)
        )
    options = replace(_FASTEST, jerk=True)
    character, path = plain.problem.character, plain.path
    same = solve_timing(character, path, plain.problem.drawn, options)
    on_it = settled_clip(character, path, same, options).clip.duration
    off = 1000.0 * float(plain.deviations.mean())
    return [
        *rows,
        Row("hello.jerk_same_path_longer_percent", _longer(on_it, plain), "%", "lower"),
        Row("hello.jerk_mean_mm", 1000.0 * float(bent.deviations.mean()), "mm", "lower", "without limits of jerk", off),
        Row("hello.jerk_share", bent.usage.peak("jerk"), "share of a limit", "lower"),
        Row("hello.jerk_processor_ms", 1000.0 * seconds, "ms", "lower"),
    ]


def _solved(options: Options) -> Solution:
    arm = load_character("arm6")
    return solve(build(arm, load_strokes("hello", arm, start="board"), options))


def _longer(duration: float, plain: Solution) -> float:
    """By how much a clip is longer than the one without limits of jerk [%]."""
    return 100.0 * (duration / plain.clip.duration - 1.0)


def _averaged(plain: Solution, options: Options) -> float:
    """How long frames take [s] if s is averaged over some of them, and all is slowed evenly until limits hold.

    The shortest of several windows. Jerk falls with the cube of the slowness, accelerations with its square.
    """
    best, still = np.inf, np.ones(64)
    for averaged in (2, 4, 8, 16, 32, 64):
        clip, _ = _frames(plain.path, plain.scaling, options, still, averaged, "")
        usage = limit_usage(plain.problem.character, clip)
        slower = max(1.0, usage.peak("jerk") ** (1.0 / 3.0), usage.peak("acceleration") ** 0.5)
        best = min(best, clip.duration * slower)
    return float(best)
