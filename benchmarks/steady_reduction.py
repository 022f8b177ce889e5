"""The one rod as a solid: full finite elements, their reduction, and bases compared as in Fig. 6 of the paper.

The full simulation is of the rod alone in the frame of the motor's hub, with the ball on its far end. All reduced rods
go through the same system in minimal coordinates as every other character. Errors are the largest distance of the ball
between both over the clip with quintic ramps, at the same steps. Steel is St. Venant-Kirchhoff here, whose reduced
forces are exact polynomials; at its strains of 0.25 % neo-Hookean agrees to 1e-5.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

import animato as an
from animato.character import Character, FlexiblePart, MaterialModel
from animato.mechanics.flexible.full import (
    FullPart,
    FullSimulation,
    build_full_part,
    clamp_bodies,
    full_modes,
    simulate_full,
    turning_base,
)
from animato.mechanics.flexible.mesh import MeshOptions, build_part_mesh
from animato.mechanics.flexible.reduction import ReducedPart, ReductionOptions, modal_basis, reduce_part
from animato.mechanics.simulation import IntegrationOptions, build_system, integrate, solve_statics
from animato.mechanics.simulation.vibration import vibration_modes
from benchmarks.row import Row
from benchmarks.steady_rod_simulation import quintic_swing, tip_of

PUBLISHED_TIMES_FASTER = 550.0
"""The paper: 550 to 1100."""

PCA_MODES, LINEAR_MODES = 11, 80
IN_PLANE = 3


@dataclass(frozen=True, eq=False)
class FullRod:
    """The rod in finite elements, simulated.

    Attributes:
        part: As the character has it.
        full: Its elements with the ball.
        run: Of the swing.
        motors: theta and its derivatives at the steps, [t, 3, 1].
        step_s: Of both.
        tip: The ball, forward and up from the motor's axis [m], [t, 2].
        seconds: Processor time of the run [s].
    """

    part: FlexiblePart
    full: FullPart
    run: FullSimulation
    motors: np.ndarray
    step_s: float
    tip: np.ndarray
    seconds: float

    @property
    def steps_per_s(self) -> float:
        """Steps a second of processor time."""
        return (len(self.motors) - 1) / self.seconds


def solid_rod() -> Character:
    """The character, its steel St. Venant-Kirchhoff."""
    rod = an.load_character("rod")
    steel = replace(rod.flexible_parts[0].material, model=MaterialModel.ST_VENANT_KIRCHHOFF)
    return replace(rod, flexible_parts=(replace(rod.flexible_parts[0], material=steel),))


COARSE, FINE = MeshOptions(slenderness=10.0, sectors=6), MeshOptions(slenderness=1.73)
"""Of 4,000 and of 30,000 degrees of freedom."""

STEP = 2e-3


def full_rod(options: MeshOptions, duration: float) -> FullRod:
    """Simulates the elements of a mesh for so long [s]."""
    rod = solid_rod()
    part = rod.flexible_parts[0]
    mesh = build_part_mesh(part, options)
    full = build_full_part(mesh, clamp_bodies(part, {body.name: body for body in rod.bodies}))
    times = STEP * np.arange(round(duration / STEP) + 1)
    motors = np.stack([quintic_swing(times, order) for order in range(3)], axis=1)[:, :, None]
    motion = turning_base(times, motors[:, 0, 0], motors[:, 1, 0], motors[:, 2, 0])
    begin = time.process_time()
    run = simulate_full(full, motion=motion, snapshot_every=4)
    seconds = time.process_time() - begin
    return FullRod(part, full, run, motors, STEP, run.body_centres[:, 0][:, [0, 2]], seconds)


def reduced_tip(rod: FullRod, reduced: ReducedPart) -> tuple[np.ndarray, float]:
    """The ball [m], [t, 2], and steps a second of processor time."""
    system = build_system(solid_rod(), tracked=("ball",), parts={rod.part.name: reduced})
    options = IntegrationOptions(tolerance_m=1e-8)
    integrate(system, rod.motors[:10], rod.step_s, options)  # compiles
    begin = time.process_time()
    run = integrate(system, rod.motors, rod.step_s, options)
    seconds = time.process_time() - begin
    return tip_of(run), (len(run.u) - 1) / seconds


def reduction_rows(*, quick: bool) -> list[Row]:
    """Speed, errors over the clip and frequencies of the reduced rod; bases of other kinds beside it."""
    rod = full_rod(FINE, 0.4 if quick else 4.0)
    elements = rod.full.elements
    made = reduce_part(elements, ReductionOptions(plane="xz"), keep=False)
    tip, speed = reduced_tip(rod, made)
    rows = [
        Row(
            "rod.reduced_vs_full",
            speed / rod.steps_per_s,
            "times faster",
            "higher",
            "published",
            PUBLISHED_TIMES_FASTER,
        ),
        Row("rod.full_steps_per_s", rod.steps_per_s, "steps/s", "higher"),
        Row("rod.full_dof", 3.0 * rod.full.mesh.node_count, "count", "higher", "published", 30390.0),
        Row("rod.reduced_steps_per_s", speed, "steps/s", "higher", "published", 275.0),
        Row("rod.reduced_modes", float(made.basis.shape[2]), "count", "lower", "published", 11.0),
        Row("rod.reduced_mm", _apart_mm(tip, rod.tip), "mm", "lower"),
        *_frequency_rows(rod, made),
    ]
    return [*rows, *_basis_rows(full_rod(COARSE, 0.8 if quick else 4.0))]


def _basis_rows(rod: FullRod) -> list[Row]:
    """Fig. 6: principal components of full snapshots beside many linear modes and modal derivatives.

    Exact polynomials of 80 modes are too many for a fine mesh, so the rod is a coarse one here.
    """
    elements = rod.full.elements
    pca = reduce_part(elements, ReductionOptions(modes=PCA_MODES), snapshots=rod.run.snapshots, keep=False)
    ours = _apart_mm(reduced_tip(rod, pca)[0], rod.tip)
    linear = reduce_part(elements, basis=modal_basis(rod.full, modes=LINEAR_MODES), keep=False)
    derived = reduce_part(
        elements, basis=modal_basis(rod.full, modes=8, derivatives=4, count=PCA_MODES + 7), keep=False
    )
    return [
        Row(
            "basis.pca11_mm",
            ours,
            "mm",
            "lower",
            f"modes{LINEAR_MODES}",
            _apart_mm(reduced_tip(rod, linear)[0], rod.tip),
        ),
        Row(
            "basis.pca11_mm.modal_derivatives",
            ours,
            "mm",
            "lower",
            "8 modes and 10 derivatives",
            _apart_mm(reduced_tip(rod, derived)[0], rod.tip),
        ),
    ]


def _frequency_rows(rod: FullRod, made: ReducedPart) -> list[Row]:
    """The first in-plane bending frequencies, in percent off those of the full elements, upright without gravity."""
    modes = full_modes(rod.full, count=8)
    forward = np.abs(modes.shapes[:, :, 0]).max(axis=1) > 10.0 * np.abs(modes.shapes[:, :, 1]).max(axis=1)
    whole = modes.frequencies[forward][:IN_PLANE] if forward.sum() >= IN_PLANE else modes.frequencies[::2][:IN_PLANE]
    floating = replace(solid_rod(), gravity=(0.0, 0.0, 0.0))
    system = build_system(floating, tracked=("ball",), parts={rod.part.name: made})
    rest = solve_statics(system, np.zeros(1))
    few = vibration_modes(system, np.zeros(1), rest.u[0], rest.lam[0], count=IN_PLANE).frequencies_hz
    return [
        Row(
            f"rod.reduced_f{n + 1}_percent",
            100.0 * abs(float(few[n] / whole[n]) - 1.0),
            "%",
            "lower",
            "full, Hz",
            float(whole[n]),
        )
        for n in range(min(IN_PLANE, len(few)))
    ]


def _apart_mm(one: np.ndarray, other: np.ndarray) -> float:
    return 1e3 * float(np.linalg.norm(one - other, axis=1).max()) if np.isfinite(one).all() else float("inf")
