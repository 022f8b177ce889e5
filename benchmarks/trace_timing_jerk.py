"""Limits of jerk on "hello": how much longer the motion takes with them than without, beside averaging afterwards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.mechanics.limits.usage_of_clip import limit_usage
from animato.trace.options import Options
from animato.trace.timing.settling import _frames, settled_clip
from animato.trace.timing.time_scaling import TimeScaling
from animato.trace.warp.bending import solve_timing
from benchmarks.row import Row, best_seconds
from benchmarks.trace_timing_cases import TimingCase

_AS_DRAWN = Options(certificate=False)
_FASTEST = Options(beta=0.0, gamma=1.0, tempo_lock=False, certificate=False)


def jerk_rows(case: TimingCase, *, repeats: int) -> list[Row]:
    """Durations of the frames with limits of jerk over those of the motion without, as drawn and as fast as can be.

    Args:
        case: The word on the arm.
        repeats: Of the clock.
    """
    rows = []
    for name, wanted in (("jerk_as_drawn_longer_percent", _AS_DRAWN), ("jerk_longer_percent", _FASTEST)):
        plain = case.solve(wanted)
        bent = solve_timing(case.character, case.path, case.drawn, replace(wanted, jerk=True))
        clip = settled_clip(case.character, case.path, bent, replace(wanted, jerk=True)).clip
        longer = 100.0 * (clip.duration / plain.duration - 1.0)
        averaged = 100.0 * (_averaged(case, plain, wanted) / plain.duration - 1.0)
        rows.append(Row(f"hello.{name}", longer, "%", "lower", "averaging afterwards", averaged))
    share = limit_usage(case.character, clip).peak("jerk")
    fastest = replace(_FASTEST, jerk=True)
    seconds = best_seconds(lambda: solve_timing(case.character, case.path, case.drawn, fastest), repeats)
    return [
        *rows,
        Row("hello.jerk_share", share, "share of a limit", "lower"),
        Row("hello.jerk_ms", 1e3 * seconds, "ms", "lower"),
    ]


def _averaged(case: TimingCase, plain: TimeScaling, options: Options) -> float:
    """How long frames take [s] if s is averaged over some of them, and all is slowed evenly until limits hold.

    The shortest of several windows. Jerk falls with the cube of the slowness, accelerations with its square.
    """
    best, still = np.inf, np.ones(64)
    for averaged in (2, 4, 8, 16, 32, 64):
        clip, _ = _frames(case.path, plain, options, still, averaged, "")
        usage = limit_usage(case.character, clip)
        slower = max(1.0, usage.peak("jerk") ** (1.0 / 3.0), usage.peak("acceleration") ** 0.5)
        best = min(best, clip.duration * slower)
    return float(best)
