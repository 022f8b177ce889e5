"""Simulation of the one rod beside Exudyn's: steps a second, and the distance of the tip from a converged beam."""

from __future__ import annotations

import time

import numpy as np

import animato as an
from animato.mechanics.flexible.rods import RodOptions
from animato.mechanics.simulation import IntegrationOptions, Trajectory, build_system, integrate
from benchmarks.row import Row
from benchmarks.steady_exudyn import is_installed, rod_in_exudyn

DURATION, STEP = 4.0, 0.5e-3
TOLERANCE = 1e-8  # [m] of a step; the peer's 1e-6 is of the same size


def quintic_swing(times: np.ndarray, derivative: int = 0) -> np.ndarray:
    """30 degrees from 0.2 s in 0.3 s, and back from 2.0 s, with quintic ramps, at times [s] [rad, rad/s, rad/s^2]."""
    ramps = (
        lambda x: x**3 * (10.0 + x * (6.0 * x - 15.0)),
        lambda x: 30.0 * (x * (1.0 - x)) ** 2,
        lambda x: 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x),
    )
    there, back = (np.clip((times - start) / 0.3, 0.0, 1.0) for start in (0.2, 2.0))
    return np.asarray(np.radians(30.0) * (ramps[derivative](there) - ramps[derivative](back)) / 0.3**derivative)


def simulated_rod(rods: RodOptions, step_s: float = STEP, *, repeats: int = 1) -> tuple[Trajectory, list[float]]:
    """Our run of the quintic swing, and the processor time of each repeat [s]."""
    system = build_system(an.load_character("rod"), tracked=("ball",), rods=rods)
    times = step_s * np.arange(round(DURATION / step_s) + 1)
    motors = np.stack([quintic_swing(times, order) for order in range(3)], axis=1)[:, :, None]
    options = IntegrationOptions(tolerance_m=TOLERANCE)
    integrate(system, motors[:20], step_s, options)  # compiles
    seconds = []
    for _ in range(repeats):
        begin = time.process_time()
        run = integrate(system, motors, step_s, options)
        seconds.append(time.process_time() - begin)
    return run, seconds


def tip_of(run: Trajectory) -> np.ndarray:
    """Forward and up from the motor's axis [m], [t, 2]."""
    axis = an.load_character("rod").joint("motor").frame_parent.transform.position
    return np.asarray(run.points[:, 0, [0, 2]] - axis[[0, 2]])


def simulation_rows(*, quick: bool) -> list[Row]:
    """Speed and error; bending alone counts in the plane, so twists are left out as they are in the peer."""
    bending = RodOptions(curvature=4, torsion=0)
    run, seconds = simulated_rod(bending, repeats=3)
    whole, whole_seconds = simulated_rod(RodOptions(), repeats=3)
    steps = len(run.u) - 1
    if not is_installed():
        missing = "exudyn: not installed"
        return [Row("rod.steps_per_s", steps / min(seconds), "steps/s", "higher", missing)]
    peers = [rod_in_exudyn(quintic_swing) for _ in range(3)]
    fine = rod_in_exudyn(quintic_swing, elements=8 if quick else 16, step_s=STEP / (2 if quick else 4))
    finer, _ = simulated_rod(RodOptions(curvature=8, torsion=0, stretch=2, links=17), STEP / 4)

    def error(tip: np.ndarray) -> float:
        return 1e3 * float(np.linalg.norm(tip - fine.tip, axis=1).max())

    fastest = max(one.steps_per_s for one in peers)
    return [
        Row("rod.steps_per_s", steps / min(seconds), "steps/s", "higher", "exudyn", fastest),
        Row("rod.steps_per_s.plain", steps / seconds[0], "steps/s", "higher", "exudyn", peers[0].steps_per_s),
        Row("rod.steps_per_s.with_twist", steps / min(whole_seconds), "steps/s", "higher", "exudyn", fastest),
        Row("rod.error_mm", error(tip_of(run)), "mm", "lower", "exudyn", error(peers[0].tip)),
        Row("rod.error_mm.with_twist", error(tip_of(whole)), "mm", "lower", "exudyn", error(peers[0].tip)),
        Row("rod.references_apart_mm", error(tip_of(finer)[::4]), "mm", "lower"),
    ]
