"""The one rod retargeted: tracking, and what rings late in a hold where stiffness is 10 % off; shapers beside it.

All profiles are judged alike: on models with 0.9, 1 and 1.1 of Young's modulus, with generalized-alpha at 0.5 ms,
against the static target of the model. The late hold is 1.3 to 1.9 s and after 3.1 s. A shaper is made for the mode in
the first pose, advanced by half its length, and starts before the clip where it must; so it also leaves a hold early.
`zvd_late` is not advanced: it holds still, and is late.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from animato import steady
from animato.mechanics.simulation import Integrator, System, build_system, integrate, quasi_static
from animato.mechanics.simulation.integration import IntegrationOptions
from animato.motion import Clip
from animato.steady.judging import modes_at_start
from animato.steady.profiles import ProfileBasis, piecewise_linear
from benchmarks.row import Row

FACTORS = (1.0, 0.9, 1.1)
"""On Young's modulus, the nominal one first."""

STEP = 0.5e-3
LATE = ((1.3, 1.9), (3.1, 4.0))
EMPHASIS = 60.0
"""On the late hold, of the robust profile."""

NOMINAL = steady.Options(control_points=150, acceleration_factor=0.0)
"""The rod's own limits hold: 8 rad/s and 100 rad/s^2."""

ROBUST = replace(NOMINAL, stiffness_spread=0.1)


@dataclass(frozen=True)
class Judged:
    """What comes of a profile.

    Attributes:
        rms_mm: Of the ball from its target over the clip, nominal.
        hold_mm: Largest distance late in a hold, the worst of all models.
        nominal_hold_mm: The same, nominal.
        peak_mm: Largest distance of all, nominal.
        speed: Largest of the motor [rad/s].
        acceleration: [rad/s^2].
        seconds: Processor time that it took to find, where it was searched for [s].
    """

    rms_mm: float
    hold_mm: float
    nominal_hold_mm: float
    peak_mm: float
    speed: float
    acceleration: float
    seconds: float = 0.0


class Judge:
    """The models and their targets, made once."""

    def __init__(self, problem: steady.Problem) -> None:
        self.problem = problem
        self.times = np.arange(round(problem.basis.duration / STEP) + 1) * STEP
        wanted = piecewise_linear(problem.clip, problem.basis.start + self.times)
        self.models: list[tuple[System, np.ndarray]] = []
        for factor in FACTORS:
            model = steady.Variation(stiffness=factor).applied(problem.character, ("ball",))
            system = build_system(model, tracked=("ball",))
            self.models.append((system, quasi_static(system, wanted).points[:, 0]))

    def of_unknowns(self, x: np.ndarray) -> Judged:
        """Profiles on the problem's own splines."""
        return self._judged(self.problem.basis, x)

    def of_clip(self, clip: Clip) -> Judged:
        """Another clip, as a spline with as many control points a second, from its own first frame on."""
        basis = self.problem.basis
        start = min(float(clip.times[0]), basis.start)
        start = basis.start - np.ceil((basis.start - start) / STEP) * STEP
        duration = basis.start + basis.duration - start
        own = ProfileBasis.over(basis.names, start, duration, round(basis.count / basis.duration * duration))
        return self._judged(own, own.fitted(clip))

    def _judged(self, basis: ProfileBasis, x: np.ndarray) -> Judged:
        early = round((self.problem.basis.start - basis.start) / STEP)
        times = STEP * np.arange(len(self.times) + early)
        points = basis.control_points(x)
        motors = np.stack([basis.matrix(times, order) @ points for order in range(3)], axis=1)
        options = IntegrationOptions(integrator=Integrator.GENERALIZED_ALPHA)
        late = np.logical_or.reduce([(self.times >= start) & (self.times <= end) for start, end in LATE])
        off = [
            1e3 * np.linalg.norm(integrate(system, motors, STEP, options).points[early:, 0] - target, axis=1)
            for system, target in self.models
        ]
        return Judged(
            rms_mm=float(np.sqrt(np.mean(off[0] ** 2))),
            hold_mm=max(float(one[late].max()) for one in off),
            nominal_hold_mm=float(off[0][late].max()),
            peak_mm=float(off[0].max()),
            speed=float(np.abs(motors[:, 1]).max()),
            acceleration=float(np.abs(motors[:, 2]).max()),
        )


def robust_tracking() -> steady.Tracked:
    """The ball, which counts more late in a hold: what rings there is what one sees."""
    return steady.Tracked("ball", emphasis=tuple(steady.Emphasis(*span, EMPHASIS) for span in LATE))


def judged_profiles() -> dict[str, Judged]:
    """All ways to move the rod, judged alike."""
    problem = steady.build("rod", "rod_swing", NOMINAL, tracked=("ball",))
    judge = Judge(problem)
    found = {"artist": judge.of_unknowns(problem.artist)}
    mode = (float(modes_at_start(problem, 1).frequencies_hz[0]), 0.0)
    for kind in ("zv", "zvd", "ei"):
        found[kind] = judge.of_clip(steady.shaped(problem.clip, [mode], kind))
    found["zvd_late"] = judge.of_clip(steady.shaped(problem.clip, [mode], "zvd", advance=False))
    begin = time.process_time()
    nominal = steady.solve(problem)
    seconds = time.process_time() - begin
    found["nominal"] = replace(judge.of_unknowns(nominal.after.x), seconds=seconds)
    begin = time.process_time()
    wanted = steady.build("rod", "rod_swing", ROBUST, tracked=(robust_tracking(),))
    robust = steady.solve(wanted, start=nominal)
    seconds = time.process_time() - begin
    found["robust"] = replace(judge.of_unknowns(robust.after.x), seconds=seconds)
    return found


def retargeting_rows() -> list[Row]:
    """`rod.rms_mm` and `rod.robust_hold_mm` are of one and the same profile."""
    found = judged_profiles()
    robust = found["robust"]
    rows = []
    for name in ("zvd", "nominal", "zvd_late", "zv", "ei", "artist"):
        peer, tail = found[name], "" if name == "zvd" else f".{name}"
        rows += [
            Row(f"rod.rms_mm{tail}", robust.rms_mm, "mm", "lower", name, peer.rms_mm),
            Row(f"rod.robust_hold_mm{tail}", robust.hold_mm, "mm", "lower", name, peer.hold_mm),
        ]
    return [
        *rows,
        Row("rod.nominal_hold_mm", robust.nominal_hold_mm, "mm", "lower", "nominal", found["nominal"].nominal_hold_mm),
        Row("rod.robust_speed", robust.speed, "rad/s", "lower", "limit", 8.0),
        Row("rod.robust_acceleration", robust.acceleration, "rad/s^2", "lower", "limit", 100.0),
        Row("rod.robust_s", robust.seconds, "s", "lower", "nominal", found["nominal"].seconds),
    ]
