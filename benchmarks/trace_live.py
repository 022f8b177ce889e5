"""trace while the stroke is drawn: jumps of acceleration at takeovers, the first calls of a process, and the lag."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from animato.character.character import Character
from animato.formats.character_files import load_character
from animato.formats.strokes.reader import read_stroke
from animato.mechanics.tree.kinematics.points import build_point_kinematics
from animato.trace.live.loop import Loop, posture_at
from animato.trace.sketch.plane import parse_plane, placed
from benchmarks.row import Row

_CALLS = 50  # of add and command each, that count as first
_RUNS = 5  # processes; a call counts with the shortest, as noise only adds


@dataclass(frozen=True, eq=False)
class LiveCase:
    """A stroke that is drawn before a robot.

    Attributes:
        name: For people.
        character: The robot.
        point: Which of its points follows.
        start: Posture near which it starts; None for neutral.
        points: [m], [k, 3].
        times: [s], [k].
    """

    name: str
    character: Character
    point: str
    start: str | None
    points: np.ndarray
    times: np.ndarray


def live_cases(tempos: tuple[float, ...] = (1.0, 2.0, 4.0), seconds: float = 4.0) -> Iterator[LiveCase]:
    """A word, strokes that leave the reach and come back, and a scribble, at several tempos, on three robots."""
    arm, planar, torso = (load_character(name) for name in ("arm6", "planar_arm", "torso29"))
    word = placed(read_stroke("hello"), parse_plane("-yz at 0.75,0,0.7").resized(np.array([0.75, 0.0, 0.7]), 1.0))
    assert word.times is not None
    part = word.times <= seconds
    t = np.arange(0.0, seconds, 0.01)
    wave, rise = np.sin(1.5 * t), 1.0 - np.cos(1.5 * t)
    kinematics = build_point_kinematics(planar, ("pen",))
    tip = kinematics.places(kinematics.start[None])[0, 0]
    reach = float(np.linalg.norm(tip))
    hand = build_point_kinematics(torso, (torso.end_points[0].name,))
    place = hand.places(hand.start[None])[0, 0]
    for tempo in tempos:
        said = f"{tempo:g}x"
        yield LiveCase(f"arm word {said}", arm, "pen", "board", word.points[part], word.times[part] / tempo)
        out = np.array([0.7, 0.0, 0.7]) + 0.5 * np.column_stack([wave, np.zeros_like(t), rise])
        yield LiveCase(f"arm out of reach {said}", arm, "pen", "board", out, t / tempo)
        rng = np.random.default_rng(3)
        noise = np.column_stack([np.convolve(rng.normal(size=len(t) + 40), np.hanning(41), "valid") for _ in range(3)])
        scribble = np.array([0.7, 0.0, 0.6]) + 0.03 * (noise - noise[0])
        yield LiveCase(f"arm scribble {said}", arm, "pen", "board", scribble, t / tempo)
        beyond = tip + np.column_stack([0.07 * reach * wave, np.zeros_like(t), 0.07 * reach * np.sin(3.0 * t)])
        yield LiveCase(f"planar out of reach {said}", planar, "pen", None, beyond, t / tempo)
        loops = place + 0.25 * np.column_stack([rise, wave, 0.5 * np.sin(3.0 * t)])
        yield LiveCase(f"torso {said}", torso, hand.points[0].name, None, loops, t / tempo)


def drawn(case: LiveCase) -> tuple[Loop, np.ndarray]:
    """Draws a case sample by sample; the loop and its lag at every command [s]."""
    start = None if case.start is None else posture_at(case.character, case.point, case.points[0], case.start)
    loop, lags = Loop(case.character, case.point, start=start, warm=False), []
    for place, moment in zip(case.points, case.times, strict=True):
        loop.add(place, float(moment))
        loop.command(float(moment))
        lags.append(loop.lag_s)
    loop.finish()
    for _ in range(2000):
        if loop.done:
            break
        loop.advance(0.01)
        lags.append(loop.lag_s)
    return loop, np.array(lags)


def acceleration_jump(loop: Loop) -> float:
    """Largest change of a joint's acceleration where a plan takes over from another one [rad/s^2 or m/s^2]."""
    worst = 0.0
    for before, after in pairwise(loop.motion.plans):
        both = []
        for plan in (before, after):
            s, rate, push = plan.scaling.rates_at(np.array([after.begins - plan.begins]))
            samples = plan.path.samples(s)
            both.append(samples.ddq[0] * rate**2 + samples.dq[0] * push)
        worst = max(worst, float(np.abs(both[1] - both[0]).max()))
    return worst


def cold_calls() -> list[tuple[float, float]]:
    """Time and processor time of the first calls of add and command in this process, in their order [s], [2 * 50]."""
    import time

    stroke = placed(read_stroke("hello"), parse_plane("-yz at 0.75,0,0.7").resized(np.array([0.75, 0.0, 0.7]), 1.0))
    assert stroke.times is not None
    arm = load_character("arm6")
    loop = Loop(arm, "pen", start=posture_at(arm, "pen", stroke.points[0], "board"))
    seconds = []
    for place, moment in zip(stroke.points[:_CALLS], stroke.times[:_CALLS], strict=True):
        for call in (lambda: loop.add(place, float(moment)), lambda: loop.command(float(moment))):  # noqa: B023  # called at once
            begin, busy = time.perf_counter(), time.process_time()
            call()
            seconds.append((time.perf_counter() - begin, time.process_time() - busy))
    return seconds


def live_quality_rows(*, quick: bool) -> list[Row]:
    """Jumps and lags over all cases, and the first calls of fresh processes."""
    jumps, lags = [], []
    for case in live_cases((2.0, 4.0) if quick else (1.0, 2.0, 4.0), 2.0 if quick else 4.0):
        loop, lag = drawn(case)
        jumps.append(acceleration_jump(loop))
        lags.append(float(lag.max()))
    program = "import json; from benchmarks.trace_live import cold_calls; print(json.dumps(cold_calls()))"
    runs = []
    for _ in range(1 + _RUNS):  # the first one compiles what is not compiled yet
        done = subprocess.run(
            [sys.executable, "-c", program], check=True, capture_output=True, text=True, env=os.environ
        )
        runs.append(json.loads(done.stdout.splitlines()[-1]))
    cold = 1e3 * np.min(np.array(runs[1:]), axis=0)
    return [
        Row("live.acceleration_jump", max(jumps), "rad/s^2 at takeovers", "lower"),
        Row("live.cold_ms", float(cold[:, 0].max()), f"ms, worst of the first {2 * _CALLS} calls", "lower"),
        Row("live.cold_p99_ms", float(np.percentile(cold[:, 0], 99)), "ms", "lower"),
        Row("live.cold_processor_ms", float(cold[:, 1].max()), "ms of processor time, worst", "lower"),
        Row("live.lag_s", max(lags), "s behind the hand, out of reach and too fast", "lower"),
    ]
