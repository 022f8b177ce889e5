"""Materials from free oscillations (Fig. 5 of the paper), against records whose material is known.

Records are made with a finer model than the one that is fitted, damped in both ways, sampled at 240 Hz with half a
millimetre of noise: a steel rod and a printed bar, each pulled aside until its tip stands at 30 or 45 degrees.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.optimize import brentq

import animato as an
from animato.character import Bar, Character, Material
from animato.mechanics.flexible.rods import RodOptions
from animato.mechanics.simulation import State, System, build_system, integrate, solve_statics
from animato.motion import MarkerMotion
from animato.steady.materials import MaterialFit, fit_material, oscillation_from_motion
from benchmarks.row import Row

RATE_HZ, SECONDS, NOISE_M = 240.0, 4.0, 0.5e-3
TRUE_STIFFNESS = 1.07
"""Over that of the first guess."""

STEEL_DAMPING, PRINTED_DAMPING = (0.2, 5e-5), (0.3, 5e-4)  # mass [1/s], stiffness [s]
FINE = RodOptions(curvature=6, torsion=2)
STEP = 0.5e-3


def stand(kind: str) -> Character:
    """The rod's own stand, with its steel or with a printed bar; with the damping of the truth."""
    rod = an.load_character("rod")
    part = rod.flexible_parts[0]
    if kind == "steel":
        alpha, beta = STEEL_DAMPING
        made = replace(part, material=replace(part.material, mass_damping=alpha, stiffness_damping=beta))
    else:
        alpha, beta = PRINTED_DAMPING
        abs_plastic = Material(
            density=1170.0, youngs_modulus=2.3e9, poisson_ratio=0.38, mass_damping=alpha, stiffness_damping=beta
        )
        made = replace(part, geometry=Bar(width=0.012, height=0.010, length=0.7), material=abs_plastic)
    return replace(rod, flexible_parts=(made,))


def recorded(truth: Character, angle_deg: float, seed: int) -> MarkerMotion:
    """What cameras would see of its tip, held for a moment and let go."""
    system, held = _system(truth), np.zeros(1)

    def bent(pull: float) -> tuple[np.ndarray, float]:
        found = solve_statics(_system(replace(truth, gravity=(pull, 0.0, -9.81))), held)
        x, _, z = found.points[0, 0] - truth.joint("motor").frame_parent.transform.position
        return found.u[0], float(np.degrees(np.arctan2(x, z)))

    pull = brentq(lambda one: bent(one)[1] - angle_deg, 0.0, 400.0, xtol=1e-3)
    u = bent(pull)[0]
    motors = np.zeros((round(SECONDS / STEP) + 1, 3, 1))
    run = integrate(system, motors, STEP, start=State(u, np.zeros_like(u), np.zeros(0)))
    times = np.arange(0.0, SECONDS, 1.0 / RATE_HZ)
    tip = np.column_stack([np.interp(times, run.times, column) for column in run.points[:, 0].T])
    tip = np.vstack([np.repeat(tip[:1], 40, axis=0), tip])
    noise = np.random.default_rng(seed).normal(scale=NOISE_M, size=tip.shape)
    return MarkerMotion(np.arange(len(tip)) / RATE_HZ, ("tip",), (tip + noise)[:, None, :])


def _system(character: Character) -> System:
    return build_system(character, tracked=("ball",), rods=FINE)


def fitted(kind: str, angle_deg: float) -> tuple[MaterialFit, float]:
    """The fit, and its error of Young's modulus [%]."""
    truth = stand(kind)
    part = truth.flexible_parts[0]
    guess = part.material.youngs_modulus
    stiff = replace(part, material=replace(part.material, youngs_modulus=TRUE_STIFFNESS * guess))
    record = recorded(replace(truth, flexible_parts=(stiff,)), angle_deg, seed=int(angle_deg))
    found = fit_material(truth, oscillation_from_motion(record))
    return found, 100.0 * abs(found.youngs_modulus.value / (TRUE_STIFFNESS * guess) - 1.0)


def fit_rows(*, quick: bool) -> list[Row]:
    """The worst of all records, and each."""
    cases = [("steel", 30.0), ("printed", 45.0)]
    if not quick:
        cases += [("steel", 45.0), ("printed", 30.0)]
    rows = []
    for kind, angle in cases:
        found, error = fitted(kind, angle)
        stated = 100.0 * found.youngs_modulus.error / found.youngs_modulus.value
        rows.append(Row(f"fit.{kind}_{angle:.0f}.E_error_percent", error, "%", "lower", "error bar", stated))
    return [Row("fit.E_error_percent", max(row.value for row in rows), "%", "lower"), *rows]
